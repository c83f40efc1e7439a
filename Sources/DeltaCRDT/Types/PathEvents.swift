/// A place in a nested document that shows something else now: the path to it, and what was and is shown there.
///
/// ```swift
/// let told = board.mergeReportingChanges(delta).map(\.description)
/// told  // [#"tent.title: ["Buy a tent"] → ["Borrow a tent"]"#, "tent.labels.urgent: nil → urgent"]
/// ```
public struct PathChange: Sendable, CustomStringConvertible {
    /// The keys of maps, the names of fields and the elements of sets, from the outside in. Empty where the whole is one value.
    public let path: [PathStep]
    /// What was shown: a flag's Boolean, a counter's number, a register's values, a map's value, a set's element, and of any other
    /// type the state. Nil where there was nothing.
    public let old: (any Sendable)?
    /// What is shown now. Nil where there is nothing.
    public let new: (any Sendable)?

    /// A change at a path, for a type of one's own. Complexity: O(1).
    public init(_ path: [PathStep], old: (any Sendable)?, new: (any Sendable)?) {
        (self.path, self.old, self.new) = (path, old, new)
    }

    init(_ path: [PathStep], inserting element: some Hashable & Sendable) {
        self.init(path + [PathStep(element)], old: nil, new: element)
    }

    init(_ path: [PathStep], removing element: some Hashable & Sendable) {
        self.init(path + [PathStep(element)], old: element, new: nil)
    }

    init<Element: Hashable & Sendable>(_ change: SetChange<Element>) {
        switch change {
        case .inserted(let element): self.init([], inserting: element)
        case .removed(let element): self.init([], removing: element)
        }
    }

    /// The path and both values, for people who debug.
    public var description: String {
        func text(_ value: (any Sendable)?) -> String { value.map { "\($0)" } ?? "nil" }
        return "\(path.map(\.description).joined(separator: ".")): \(text(old)) → \(text(new))"
    }

    /// Tells what differs between two states of a type that need not tell it by path itself.
    @usableFromInline
    static func tell<State: CausalState>(
        _ before: State, _ after: State, _ path: [PathStep], _ body: (PathChange) -> Void
    ) {
        if let after = after as? any PathObservable {
            after.tell(since: before, at: path, body)
        } else if before.causal.store != after.causal.store {
            let (old, new) = (before.causal.store.isEmpty ? nil : before, after.causal.store.isEmpty ? nil : after)
            body(PathChange(path, old: old, new: new))
        }
    }
}

/// A key of a map, the name of a record's field, or an element of a set.
public struct PathStep: Hashable, Sendable, CustomStringConvertible {
    /// The key or the element, or the field's name, a `String`.
    public let key: any Hashable & Sendable

    /// A step by a key. Complexity: O(1).
    public init(_ key: some Hashable & Sendable) { self.key = key }

    /// What the key shows.
    public var description: String { "\(key)" }

    /// Whether both are one key of one type. Complexity: that of the keys.
    public static func == (left: PathStep, right: PathStep) -> Bool { AnyHashable(left.key) == AnyHashable(right.key) }

    /// Hashes the key. Complexity: that of the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// A state that tells what changed in it by path and value: maps, records, sets, registers, flags and counters, in one another.
public protocol PathObservable: CausalState {
    /// Visits the places that show something else here than in an earlier state, in an order that is the same everywhere.
    ///
    /// Complexity: O(n).
    func forEachChange(since before: Self, at path: [PathStep], _ body: (PathChange) -> Void)

    /// Joins another state or a delta, and returns the places that show something else now. Has a default, which keeps a copy
    /// of the whole to compare.
    ///
    /// Complexity: of maps and sets that of `merge(_:)` and of what lies under the keys that change; by default O(n).
    mutating func mergeReportingChanges(_ other: Self) -> [PathChange]
}

extension PathObservable {
    /// Joins another state or a delta, and returns the places that show something else now. Complexity: by default O(n).
    public mutating func mergeReportingChanges(_ other: Self) -> [PathChange] {
        let before = self
        guard merge(other) else { return [] }
        var changes: [PathChange] = []
        forEachChange(since: before, at: []) { changes.append($0) }
        return changes
    }

    func tell(since before: some CausalState, at path: [PathStep], _ body: (PathChange) -> Void) {
        if let before = before as? Self { forEachChange(since: before, at: path, body) }
    }

    /// Tells of a value that is alone in its state.
    func tell<Value: Equatable & Sendable>(
        _ old: Value?, _ new: Value?, _ path: [PathStep], _ body: (PathChange) -> Void
    ) {
        if old != new { body(PathChange(path, old: old, new: new)) }
    }
}

extension ORMap: PathObservable {
    /// Visits what differs under each key: first under those that went. Complexity: O(n).
    public func forEachChange(since before: ORMap, at path: [PathStep], _ body: (PathChange) -> Void) {
        before.forEach { key, old in
            if !contains(key) { PathChange.tell(old, State(), path + [PathStep(key)], body) }
        }
        forEach { PathChange.tell(before[$0], $1, path + [PathStep($0)], body) }
    }

    /// Joins, and returns the places under the keys that show something else now.
    ///
    /// Complexity: as ``DeltaState/merge(_:)``, and O(what lies under the keys that change).
    public mutating func mergeReportingChanges(_ other: ORMap) -> [PathChange] {
        var changes: [PathChange] = []
        merge(other, measuring: { $0 }) { key, before, after in
            PathChange.tell(before, after, [PathStep(key)]) { changes.append($0) }
        }
        return changes
    }
}

extension RestorableMap: PathObservable {
    /// Visits what differs under each key that is shown, here or before. Complexity: O(n).
    public func forEachChange(since before: RestorableMap, at path: [PathStep], _ body: (PathChange) -> Void) {
        for key in before.keys where self[key] == nil {
            PathChange.tell(before[key] ?? State(), State(), path + [PathStep(key)], body)
        }
        for key in keys { PathChange.tell(before[key] ?? State(), self[key] ?? State(), path + [PathStep(key)], body) }
    }
}

extension Record: PathObservable {
    /// Visits what differs in each field, by its name. Complexity: O(n).
    public func forEachChange(since before: Record, at path: [PathStep], _ body: (PathChange) -> Void) {
        causal.store.fields.forEachChange(since: before.causal.store.fields, at: path, body)
    }
}

extension RecordFields {
    func forEachChange(since before: RecordFields, at path: [PathStep], _ body: (PathChange) -> Void) {
        guard let layout = stores?.layout ?? before.stores?.layout else { return }
        for index in 0..<layout.unknown {
            let (old, new) = (before.stores?.address(of: index), stores?.address(of: index))
            guard old != nil || new != nil else { continue }
            let empty = layout.emptyStore(index)
            layout.operations[index].tellChanges(
                old ?? empty, new ?? empty, path + [PathStep(layout.names[index])], body)
        }
    }
}

extension AddWinsSet: PathObservable {
    /// Visits the elements that went, and those that came. Complexity: O(n).
    public func forEachChange(since before: AddWinsSet, at path: [PathStep], _ body: (PathChange) -> Void) {
        before.forEach { if !contains($0) { body(PathChange(path, removing: $0)) } }
        forEach { if !before.contains($0) { body(PathChange(path, inserting: $0)) } }
    }

    /// Joins, and returns the elements that went or came. Complexity: as ``DeltaState/merge(_:)``.
    public mutating func mergeReportingChanges(_ other: AddWinsSet) -> [PathChange] {
        var changes: [PathChange] = []
        merge(other) { changes.append(PathChange($0)) }
        return changes
    }
}

extension RemoveWinsSet: PathObservable {
    /// Visits the elements that went, and those that came. Complexity: O(n).
    public func forEachChange(since before: RemoveWinsSet, at path: [PathStep], _ body: (PathChange) -> Void) {
        before.forEach { if !contains($0) { body(PathChange(path, removing: $0)) } }
        forEach { if !before.contains($0) { body(PathChange(path, inserting: $0)) } }
    }

    /// Joins, and returns the elements that went or came. Complexity: as ``DeltaState/merge(_:)``.
    public mutating func mergeReportingChanges(_ other: RemoveWinsSet) -> [PathChange] {
        var changes: [PathChange] = []
        merge(other) { changes.append(PathChange($0)) }
        return changes
    }
}

extension LWWMap: PathObservable {
    /// Visits the keys that went, and those whose value came or changed. Complexity: O(n).
    public func forEachChange(since before: LWWMap, at path: [PathStep], _ body: (PathChange) -> Void) {
        before.forEach { if self[$0] == nil { body(PathChange(path + [PathStep($0)], old: $1, new: nil)) } }
        forEach { tell(before[$0], $1, path + [PathStep($0)], body) }
    }
}

extension MVRegister: PathObservable {
    /// Tells the surviving values. Complexity: O(surviving writes).
    public func forEachChange(since before: MVRegister, at path: [PathStep], _ body: (PathChange) -> Void) {
        let (old, new) = (before.values, values)
        tell(old.isEmpty ? nil : old, new.isEmpty ? nil : new, path, body)
    }
}

extension CausalCounter: PathObservable {
    /// Tells the value. Complexity: O(replicas).
    public func forEachChange(since before: CausalCounter, at path: [PathStep], _ body: (PathChange) -> Void) {
        tell(before.value, value, path, body)
    }
}

extension EnableWinsFlag: PathObservable {
    /// Tells whether the flag is on. Complexity: O(1).
    public func forEachChange(since before: EnableWinsFlag, at path: [PathStep], _ body: (PathChange) -> Void) {
        tell(before.isEnabled, isEnabled, path, body)
    }
}

extension DisableWinsFlag: PathObservable {
    /// Tells whether the flag is on. Complexity: O(surviving writes).
    public func forEachChange(since before: DisableWinsFlag, at path: [PathStep], _ body: (PathChange) -> Void) {
        tell(before.isEnabled, isEnabled, path, body)
    }
}
