/// A map in which, at each key, the write or removal of the greatest ``Stamp`` counts.
///
/// The map must remember removals: one mark for each key removed and not written again. ``forgetRemovals(through:)`` takes away
/// those that every replica has seen. Concurrent writes that lost are kept, unseen, until a later write overwrites them.
public struct LWWMap<Key: Hashable & Sendable, Value: Hashable & Sendable>: CausalState {
    /// A write: its Lamport time, and the value or nil for a removal. Ties are broken by the replica of the dot.
    public struct Write: Hashable, Sendable {
        /// The Lamport time.
        public let time: UInt64
        /// The value, nil for a removal.
        public let value: Value?

        @inlinable init(time: UInt64, value: Value?) {
            self.time = time
            self.value = value
        }
    }

    /// The surviving writes by key.
    public typealias Store = DotMap<Key, DotFun<Write>>
    /// A key that came, went or got another value.
    public typealias Change = MapChange<Key>

    @usableFromInline var state: Causal<Store>
    /// How many keys have a value; nil where the state was changed from outside, and nobody has counted since.
    @usableFromInline var shown: Int?

    /// What is alive, and what was seen. Complexity: O(1).
    @inlinable public var causal: Causal<Store> {
        get { state }
        _modify {
            shown = nil
            yield &state
        }
    }

    /// A state of what is alive and what was seen. Complexity: O(1).
    @inlinable
    public init(_ causal: Causal<Store>) {
        state = causal
        shown = causal.store.isEmpty ? 0 : nil
    }

    /// The value of a key. Complexity: O(1), and O(n) once.
    @inlinable
    public subscript(key: Key) -> Value? { winner(of: key)?.value }

    /// How many keys have a value. Complexity: O(1), and O(n) for a map that stands under a key or was made of a store.
    @inlinable public var count: Int { shown ?? state.store.count { Self.winner(of: $0)?.value != nil } }

    /// Whether no key has a value. Complexity: O(1); of a map that stands under a key or was made of a store, O(keys removed).
    @inlinable public var isEmpty: Bool {
        shown.map { $0 == 0 } ?? !state.store.contains { Self.winner(of: $0)?.value != nil }
    }

    /// How many keys are remembered as removed. Complexity: as of ``count``.
    @inlinable public var removedCount: Int { state.store.count - count }

    /// Visits keys and values in the order of the keys' dots: the same on every replica with the same state.
    ///
    /// Complexity: O(n).
    @inlinable
    public func forEach(_ body: (Key, Value) -> Void) {
        causal.store.forEach { key, writes in
            if let value = Self.winner(of: writes)?.value { body(key, value) }
        }
    }

    /// Sets the value of a key in the name of a replica and returns the delta. Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func updateValue(_ value: Value, forKey key: Key, by replica: ReplicaID) -> LWWMap {
        write(key, value, context.nextDot(for: replica), nil, time: nil)
    }

    /// Sets the value of a key with a dot and at a Lamport time that were drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - key: the key.
    ///   - dot: the event's name.
    ///   - time: the Lamport time.
    ///   - past: what the author of the write had seen; by default what this map has seen.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func updateValue(
        _ value: Value, forKey key: Key, dot: Dot, time: UInt64, past: CausalContext? = nil
    ) -> LWWMap {
        write(key, value, dot, past, time: time)
    }

    /// Removes a key, there or not, in the name of a replica and returns the delta. Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key, by replica: ReplicaID) -> LWWMap {
        write(key, nil, context.nextDot(for: replica), nil, time: nil)
    }

    /// Removes a key, there or not, with a dot and at a Lamport time that were drawn elsewhere, and returns the delta.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - dot: the event's name.
    ///   - time: the Lamport time.
    ///   - past: what the author of the removal had seen; by default what this map has seen.
    ///
    /// Complexity: O(1), and O(n) once.
    @inlinable
    @discardableResult
    public mutating func removeValue(forKey key: Key, dot: Dot, time: UInt64, past: CausalContext? = nil) -> LWWMap {
        write(key, nil, dot, past, time: time)
    }

    /// Forgets removals that nothing can contradict any more, and returns the delta; see
    /// ``RemoveWinsSet/forgetRemovals(through:)`` for what `stable` must be.
    ///
    /// The times of the removals are forgotten too. A replica that has not forgotten yet still knows them. If a later write must win over
    /// any earlier one of such a replica, give times from a clock of the replica's own.
    ///
    /// Complexity: O(n).
    @inlinable
    @discardableResult
    public mutating func forgetRemovals(through stable: VersionVector) -> LWWMap {
        var covered: [Dot] = []
        causal.store.forEach { _, writes in
            guard let winner = Self.winner(of: writes), winner.value == nil, stable.contains(winner.dot) else { return }
            writes.forEachDot { covered.append($0) }
        }
        let count = shown
        defer { shown = count }
        return apply(Store(), CausalContext(covered))
    }

    /// Joins another state or a delta; says whether this state changed.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: LWWMap) -> Bool {
        if state.context.isEmpty { shown = other.shown }
        guard shown != nil, !state.context.isEmpty else { return state.merge(other.state) }
        return merge(other) { _ in }
    }

    /// Joins, and calls with each key that came, went or got another value.
    ///
    /// Complexity: as the store's: of a delta, O(what comes and falls).
    @inlinable
    @discardableResult
    public mutating func merge(_ other: LWWMap, onChange: (MapChange<Key>) -> Void) -> Bool {
        var difference = 0
        let changed = state.merge(other.state, measuring: { Self.winner(of: $0)?.value }) { key, before, after in
            switch (before, Self.winner(of: after)?.value) {
            case (nil, nil): break
            case (nil, _):
                difference += 1
                onChange(.inserted(key()))
            case (_, nil):
                difference -= 1
                onChange(.removed(key()))
            case (let old, let new): if old != new { onChange(.updated(key())) }
            }
        }
        if let shown { self.shown = shown + difference }
        return changed
    }

    @inlinable func winner(of key: Key) -> (dot: Dot, value: Value?)? { Self.winner(of: causal.store[key]) }

    @inlinable static func winner(of writes: DotFun<Write>) -> (dot: Dot, value: Value?)? {
        switch writes.few {
        case .none: return nil
        case .one(let entry): return (entry.dot, entry.value.value)
        case .several(let entries):
            // Dots come upwards by replica, so of writes at one time the last has the greatest stamp; and of two by one replica its
            // own later one counts.
            var best = 0
            var time: UInt64 = 0
            for index in entries.indices where entries[index].value.time >= time {
                (best, time) = (index, entries[index].value.time)
            }
            return (entries[best].dot, entries[best].value.value)
        }
    }

    @inlinable mutating func write(
        _ key: Key, _ value: Value?, _ dot: Dot, _ past: CausalContext?, time: UInt64?
    ) -> LWWMap {
        let writes = causal.store[key]
        var latest: UInt64 = 0
        writes.forEach { latest = Swift.max(latest, $1.time) }
        var covered = writes.dots(in: past)
        covered.insert(dot)
        let before = shown
        let delta = apply(
            DotMap(key, DotFun(dot, Write(time: time ?? Stamp.time(after: latest), value: value))), covered)
        if let before {
            let wasShown = Self.winner(of: writes)?.value != nil
            shown = before + (self[key] == nil ? 0 : 1) - (wasShown ? 1 : 0)
        }
        return delta
    }
}

extension LWWMap {
    /// Whether both have seen the same and have the same alive. Complexity: O(n).
    @inlinable
    public static func == (left: LWWMap, right: LWWMap) -> Bool { left.state == right.state }

    /// Hashes what was seen and what is alive. Complexity: O(ranges of the context + replicas).
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(state) }
}

extension LWWMap.Write: CanonicalCodable where Value: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    @inlinable
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(time)
        encoder.encode(value != nil)
        value?.encode(into: &encoder)
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    @inlinable
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        time = try decoder.decodeUInt64()
        value = try decoder.decodeBool() ? try Value(from: &decoder) : nil
    }
}
