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
        merge(other, context: context, otherContext: otherContext, fallen: &fallen) { _ in }
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
        return withMany { many in
            let touched = many.moveDots(other, context, otherContext, &fallen)
            for each in touched {
                guard let key = many.keys[Int(each.slot)] else { continue }
                let wasEmpty = many.stores[Int(each.slot)].isEmpty
                many.join(each, context, otherContext, &fallen)
                if many.stores[Int(each.slot)].isEmpty {
                    if !wasEmpty { onChange(.removed(key)) }
                } else {
                    onChange(wasEmpty ? .inserted(key) : .updated(key))
                }
            }
            many.compactIfSparse()
            return !touched.isEmpty
        }
    }

    /// Joins, and calls with each key whose store changed, its store before and its store now. For small stores: the one
    /// before is copied.
    @inlinable mutating func merge(
        _ other: DotMap, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        comparing body: (Key, _ before: Store, _ after: Store) -> Void
    ) -> Bool {
        withMany { many in
            let touched = many.moveDots(other, context, otherContext, &fallen)
            for each in touched {
                guard let key = many.keys[Int(each.slot)] else { continue }
                let before = many.stores[Int(each.slot)]
                many.join(each, context, otherContext, &fallen)
                body(key, before, many.stores[Int(each.slot)])
            }
            many.compactIfSparse()
            return !touched.isEmpty
        }
    }
}

extension DotMap {
    /// Whether both have the same stores under the same keys. Complexity: O(n).
    @inlinable
    public static func == (left: DotMap, right: DotMap) -> Bool {
        guard left.count == right.count, left.dotCount == right.dotCount else { return false }
        if case .many(let box) = left.storage, case .many(let other) = right.storage {
            guard box.many.columns.hasSameDots(as: other.many.columns) else { return false }
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
        case .many(let box): hasher.combine(box.many.columns.fingerprint)
        default:
            var sum: UInt64 = 0
            forEachDot { sum &+= $0.fingerprint }
            hasher.combine(sum)
        }
    }
}
