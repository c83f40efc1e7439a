/// A kind of replicated data whose laws the harness knows: what people do to it, what they read of it, and what must be read.
public struct DataType: Hashable, Sendable, CustomStringConvertible {
    /// What is replicated.
    public enum Kind: String, CaseIterable, Sendable {
        /// A number that people change by amounts.
        case counter
        /// Elements that are there or not.
        case set
        /// One value.
        case register
        /// A value for each key.
        case map
        /// Elements in an order.
        case list
        /// Letters in an order.
        case text
    }

    /// What is replicated.
    public var kind: Kind
    /// Of a set or a map: what decides between an add and a concurrent remove.
    public var policy: SetSpecification.Policy
    /// Of a register or a map: whether every concurrent value is shown, or one of them.
    public var keepsAll: Bool
    /// Of a list or a text: whether what two people type at one place may be mixed.
    public var interleaving: Bool

    /// Adds win, one of several values is shown, and texts may be mixed, unless told otherwise.
    public init(
        _ kind: Kind, policy: SetSpecification.Policy = .addWins, keepsAll: Bool = false, interleaving: Bool = true
    ) {
        self.kind = kind
        self.policy = policy
        self.keepsAll = keepsAll
        self.interleaving = interleaving
    }

    public var description: String { kind.rawValue }
}

/// What a person did to replicated data, in a form that any program can read.
public enum Operation: Hashable, Sendable {
    /// To a counter.
    case increment(Int64)
    /// To a set.
    case add(String)
    /// From a set.
    case remove(String)
    /// To a register.
    case write(String)
    /// To a map: a key's value.
    case set(String, value: String)
    /// From a map.
    case delete(String)
    /// Into a list, one element, or a text, letters: at this place from 0, between two that were beside each other there.
    case insert(String, at: Int, after: String?, before: String?)
    /// From a list or a text: one element, at this place.
    case erase(String, at: Int)
}

extension Operation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .increment(let amount): "increment by \(amount)"
        case .add(let element): "add \(element)"
        case .remove(let element): "remove \(element)"
        case .write(let value): "write \(value)"
        case .set(let key, let value): "set \(key) to \(value)"
        case .delete(let key): "delete \(key)"
        case .insert(let value, let place, _, _): "insert \(value) at \(place)"
        case .erase(let value, let place): "erase \(value) at \(place)"
        }
    }

    /// As programs are sent it.
    public var json: JSON {
        switch self {
        case .increment(let amount): ["do": "increment", "by": .integer(amount)]
        case .add(let element): ["do": "add", "value": .string(element)]
        case .remove(let element): ["do": "remove", "value": .string(element)]
        case .write(let value): ["do": "write", "value": .string(value)]
        case .set(let key, let value): ["do": "set", "key": .string(key), "value": .string(value)]
        case .delete(let key): ["do": "delete", "key": .string(key)]
        case .insert(let value, let place, let after, let before):
            [
                "do": "insert", "value": .string(value), "at": .integer(Int64(place)),
                "after": after.map { .string($0) } ?? .null, "before": before.map { .string($0) } ?? .null,
            ]
        case .erase(let value, let place):
            ["do": "erase", "value": .string(value), "at": .integer(Int64(place))]
        }
    }

    /// Reads what ``json`` wrote; nil if it is not an operation on such data. Positions and neighbors may be missing.
    public init?(_ json: JSON, on type: DataType) {
        let (value, place) = (json["value"]?.text, Int(clamping: json["at"]?.number ?? 0))
        switch (type.kind, json["do"]?.text, value) {
        case (.counter, "increment", _): self = .increment(json["by"]?.number ?? 1)
        case (.set, "add", let value?): self = .add(value)
        case (.set, "remove", let value?): self = .remove(value)
        case (.register, "write", let value?): self = .write(value)
        case (.map, "set", let value?):
            guard let key = json["key"]?.text else { return nil }
            self = .set(key, value: value)
        case (.map, "delete", _):
            guard let key = json["key"]?.text else { return nil }
            self = .delete(key)
        case (.list, "insert", let value?), (.text, "insert", let value?):
            self = .insert(value, at: place, after: json["after"]?.text, before: json["before"]?.text)
        case (.list, "erase", let value?), (.text, "erase", let value?): self = .erase(value, at: place)
        default: return nil
        }
    }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.reduce(into: [:]) { $0[$1.0] = $1.1 })
    }

    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
