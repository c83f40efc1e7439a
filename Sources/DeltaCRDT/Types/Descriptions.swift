// What people see of a state, for those who debug. What stays unseen, like who knows what, is in `dump(_:)`.

extension AddWinsSet: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { elements.description }
}

extension RemoveWinsSet: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { elements.description }
}

extension GSet: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { Array(self).description }
}

extension LWWMap: CustomStringConvertible {
    /// Keys and values, as a dictionary shows them.
    public var description: String { shownAsDictionary(map { ($0.key, $0.value) }) }
}

extension ORMap: CustomStringConvertible {
    /// Keys and states, as a dictionary shows them.
    public var description: String { shownAsDictionary(map { ($0.key, $0.state) }) }
}

extension MVRegister: CustomStringConvertible {
    /// The surviving values, as an array shows them.
    public var description: String { values.description }
}

extension LWWRegister: CustomStringConvertible {
    /// The value.
    public var description: String { value.map { "\($0)" } ?? "nil" }
}

extension List: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { elements.description }
}

extension MovableList: CustomStringConvertible {
    /// The elements, as an array shows them.
    public var description: String { elements.description }
}

extension EnableWinsFlag: CustomStringConvertible {
    /// Whether the flag is on.
    public var description: String { isEnabled.description }
}

extension DisableWinsFlag: CustomStringConvertible {
    /// Whether the flag is on.
    public var description: String { isEnabled.description }
}

extension GCounter: CustomStringConvertible {
    /// The value.
    public var description: String { value.description }
}

extension PNCounter: CustomStringConvertible {
    /// The value.
    public var description: String { value.description }
}

extension CausalCounter: CustomStringConvertible {
    /// The value.
    public var description: String { value.description }
}

extension Record: CustomStringConvertible {
    /// The fields that are not empty, as an initializer's arguments.
    public var description: String {
        var parts: [String] = []
        causal.store.fields.forEachDescription { parts.append("\($0): \($1)") }
        if hasUnknownFields { parts.append("…") }
        return "\(Schema.self)(" + parts.joined(separator: ", ") + ")"
    }
}

func shownAsDictionary(_ entries: [(some Any, some Any)]) -> String {
    let parts = entries.map { "\(String(reflecting: $0)): \(String(reflecting: $1))" }
    return parts.isEmpty ? "[:]" : "[" + parts.joined(separator: ", ") + "]"
}
