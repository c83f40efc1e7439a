/// A map from which nothing is lost by removing a key while somebody edits its state: the edit brings the whole state back, and a removed
/// key can be restored.
///
/// A removal hides a key and drops nothing, so every removed state takes its bytes until it is purged. ``ORMap`` drops what the remover
/// had seen, and of a key that is edited at the same time only that edit comes back.
///
/// ```swift
/// var board = RestorableMap<String, Record<Card>>()
/// board.updateValue(forKey: "tent", by: jie) { $0.title.set("Buy a tent", by: jie) }
/// var copy = board
/// let removal = board.removeValue(forKey: "tent")
/// copy.updateValue(forKey: "tent", by: noah) { $0.labels.insert("urgent", by: noah) }
/// copy.merge(removal)
/// copy["tent"]?.title.values  // ["Buy a tent"]
/// ```
///
/// In bytes it is an ``ORMap`` of records of two fields.
public struct RestorableMap<Key: Hashable & Sendable, State: CausalState>: CausalState
where State.Store: CodableDotStore {
    /// Whether a key is shown, and its state.
    public struct Kept: RecordSchema {
        /// Whether the key is shown.
        public var isShown = EnableWinsFlag()
        /// The state under it.
        public var state = State()

        /// Not shown. Complexity: O(1).
        public init() {}

        /// Both fields. Complexity: O(1).
        public static var fields: [RecordField<Kept>] { [.init(1, \.isShown), .init(2, \.state)] }
    }

    /// A record's store for each key.
    public typealias Store = DotMap<Key, RecordStore<Kept>>
    /// A key, shown or removed, that came, went or changed.
    public typealias Change = MapChange<Key>

    fileprivate var kept: ORMap<Key, Record<Kept>>

    /// What is alive, and what was seen. Complexity: O(1).
    public var causal: Causal<Store> {
        get { kept.causal }
        set { kept.causal = newValue }
        _modify { yield &kept.causal }
    }

    /// A state of what is alive and what was seen. Complexity: O(1).
    public init(_ causal: Causal<Store>) { kept = ORMap(causal) }

    /// The keys that are shown, in the order of their least dots. Complexity: O(dots).
    public var keys: [Key] { keys { $0 } }

    /// The keys that were removed and can be restored, in the order of their least dots. Complexity: O(dots).
    public var removedKeys: [Key] { keys { !$0 } }

    private func keys(where isWanted: (_ isShown: Bool) -> Bool) -> [Key] {
        var keys: [Key] = []
        kept.forEach { if isWanted($1.isShown.isEnabled) { keys.append($0) } }
        return keys
    }

    /// Whether the key is shown. Complexity: O(1), and O(n) once.
    public func contains(_ key: Key) -> Bool { kept[key].isShown.isEnabled }

    /// The state under a key; nil where the key is not shown. Complexity: O(1), and O(n) once.
    public subscript(key: Key) -> State? { contains(key) ? kept[key].state : nil }

    /// The state under a key that is shown or was removed; an empty one if there is none. Complexity: O(1), and O(n) once.
    public func state(ofRemoved key: Key) -> State { kept[key].state }

    /// Acts on the state under a key in the name of a replica, and returns the delta. The key is shown from then on, with all that was
    /// ever under it.
    ///
    /// Complexity: as ``ORMap/updateValue(forKey:_:)``.
    @discardableResult
    public mutating func updateValue(
        forKey key: Key, by replica: ReplicaID, _ body: (inout State) -> Void
    ) -> RestorableMap {
        let delta = kept.updateValue(forKey: key) { kept in
            body(&kept.state)
            kept.isShown.enable(by: replica)
        }
        return RestorableMap(delta.causal)
    }

    /// Shows a removed key again as it was, in the name of a replica, and returns the delta; changes nothing where nothing is under it.
    ///
    /// Complexity: O(1), and O(n) once.
    @discardableResult
    public mutating func restoreValue(forKey key: Key, by replica: ReplicaID) -> RestorableMap {
        guard kept.contains(key), !contains(key) else { return RestorableMap() }
        return updateValue(forKey: key, by: replica) { _ in }
    }

    /// Hides a key, as far as it was seen to be shown, and returns the delta. Complexity: O(1), and O(n) once.
    @discardableResult
    public mutating func removeValue(forKey key: Key) -> RestorableMap {
        guard contains(key) else { return RestorableMap() }
        return RestorableMap(kept.updateValue(forKey: key) { $0.isShown.disable() }.causal)
    }

    /// Drops what was seen of a key, so that it can't be restored, and returns the delta. What somebody else does to it at the same time
    /// comes back alone, as in an ``ORMap``.
    ///
    /// Complexity: O(dots of the key), and O(n) once.
    @discardableResult
    public mutating func purgeValue(forKey key: Key) -> RestorableMap {
        RestorableMap(kept.removeValue(forKey: key).causal)
    }
}

extension Writer {
    /// The state under a key of a ``RestorableMap``, to be changed. The key is shown from then on, with all that was ever under it.
    ///
    /// Complexity: as ``ORMap/updateValue(forKey:_:)``.
    public subscript<Key, Value>(key: Key) -> Writer<Value> where State == RestorableMap<Key, Value> {
        get { Writer<Value>(state.state(ofRemoved: key), replica) }
        _modify {
            var kept = Writer<ORMap<Key, Record<State.Kept>>>(ORMap(), replica)
            swap(&kept.state, &state.kept)
            defer {
                kept[key].isShown.set(true)
                swap(&kept.state, &state.kept)
            }
            yield &kept[key][dynamicMember: \.state]
        }
    }

    /// Hides a key; see ``RestorableMap/removeValue(forKey:)``. Complexity: as there.
    public mutating func removeValue<Key, Value>(forKey key: Key) where State == RestorableMap<Key, Value> {
        state.removeValue(forKey: key)
    }

    /// Shows a removed key again; see ``RestorableMap/restoreValue(forKey:by:)``. Complexity: as there.
    public mutating func restoreValue<Key, Value>(forKey key: Key) where State == RestorableMap<Key, Value> {
        state.restoreValue(forKey: key, by: replica)
    }
}

extension RestorableMap: CanonicalCodable where Key: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) { kept.encode(into: &encoder) }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) { kept = try ORMap(from: &decoder) }
}

extension RestorableMap: CustomStringConvertible {
    /// The keys that are shown and their states, as a dictionary shows them.
    public var description: String {
        var shown: [(Key, State)] = []
        kept.forEach { if $1.isShown.isEnabled { shown.append(($0, $1.state)) } }
        return shownAsDictionary(shown)
    }
}
