/// What a merge did to a map, by key.
public enum MapChange<Key: Sendable>: Sendable {
    /// The key came.
    case inserted(Key)
    /// What is under the key changed.
    case updated(Key)
    /// The key went.
    case removed(Key)
}

extension MapChange: Equatable where Key: Equatable {}
extension MapChange: Hashable where Key: Hashable {}

extension DotMap {
    /// Joins another state's store, telling nobody what changed.
    ///
    /// Complexity: O(m) for the m dots that come or fall, and the stores under their keys; O(pages of both) to compare
    /// two great states.
    @inlinable
    public mutating func merge(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        if isEmpty, context.isEmpty {
            self = other
            return !isEmpty
        }
        // No store is looked at before and after, which would count references to it.
        return merge(other, context: context, otherContext: otherContext, fallen: &fallen, measuring: { _ in }) {
            _, _, _ in
        }
    }

    /// Joins, and calls with each key whose store changed. The dots tell which these are: no others are looked at.
    ///
    /// Complexity: O(m) for the m dots that come or fall, and the stores under their keys; O(pages of both) to compare
    /// two great states.
    @inlinable
    public mutating func merge(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (MapChange<Key>) -> Void
    ) -> Bool {
        if isEmpty, context.isEmpty {
            self = other
            forEach { key, _ in onChange(.inserted(key)) }
            return !isEmpty
        }
        return merge(
            other, context: context, otherContext: otherContext, fallen: &fallen, measuring: { $0.isEmpty }
        ) { key, wasEmpty, store in
            if !store.isEmpty {
                onChange(wasEmpty ? .inserted(key()) : .updated(key()))
            } else if !wasEmpty {
                onChange(.removed(key()))
            }
        }
    }

    /// Joins, and calls with each key whose store may have changed, what `measure` told of its store before, and its store now.
    @inlinable mutating func merge<Measure>(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        measuring measure: (Store) -> Measure, _ body: (_ key: () -> Key, _ before: Measure, _ after: Store) -> Void
    ) -> Bool {
        if many == nil, other.many == nil, only == nil || other.only.map({ contains($0.key) }) ?? true {
            return mergeOnly(other, context, otherContext, &fallen, measuring: measure, body)
        }
        return withMany { many in
            many.merge(other, context, otherContext, &fallen, measuring: measure) { many, slot, before in
                body({ many.keys[slot] }, before, many.stores[Int(slot)])
            }
        }
    }

    /// Joins where both have one key at most, and not two different ones, so that no columns are made for it.
    @inlinable mutating func mergeOnly<Measure>(
        _ other: DotMap, _ context: CausalContext, _ otherContext: CausalContext, _ fallen: inout FallenDots,
        measuring measure: (Store) -> Measure, _ body: (_ key: () -> Key, _ before: Measure, _ after: Store) -> Void
    ) -> Bool {
        guard let key = only?.key ?? other.only?.key else { return false }
        var store = only?.store ?? Store()
        let before = measure(store)
        // Let go of the storage, or changing it would copy it.
        only = nil
        let isChanged = store.merge(
            other.only?.store ?? Store(), context: context, otherContext: otherContext, fallen: &fallen)
        if !store.isEmpty { only = (key, store) }
        if isChanged { body({ key }, before, store) }
        return isChanged
    }

    /// The slot of the key that another column has in a slot; of one key alone it is 0.
    @inlinable func slot(of other: UInt32, in column: ValueColumn<Key>) -> UInt32? {
        if let many { return many.slot(of: other, in: column, hash: column.hash(of: other)) }
        return only.flatMap { column.holds($0.key, at: other) ? 0 : nil }
    }
}

extension DotMap {
    /// Whether both have the same stores under the same keys. Complexity: O(n).
    @inlinable
    public static func == (left: DotMap, right: DotMap) -> Bool {
        guard left.count == right.count, left.dotCount == right.dotCount else { return false }
        if case .many(let many) = left.storage, case .many(let other) = right.storage {
            guard many.columns.hasSameDots(as: other.columns) else { return false }
        }
        var isEqual = true
        left.forEach { key, store in
            if isEqual { isEqual = right[key] == store }
        }
        return isEqual
    }

    /// Hashes the dots, which tell the rest. Complexity: O(replicas).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dotCount)
        switch storage {
        case .many(let many): hasher.combine(many.columns.fingerprint)
        default:
            var sum: UInt64 = 0
            forEachDot { sum &+= $0.fingerprint }
            hasher.combine(sum)
        }
    }
}
