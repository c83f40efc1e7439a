/// What a merge did to a set, as far as it can be seen.
public enum SetChange<Element: Sendable>: Sendable {
    /// The element is in the set now and was not.
    case inserted(Element)
    /// The element was in the set and is not now.
    case removed(Element)
}

extension SetChange: Equatable where Element: Equatable {}
extension SetChange: Hashable where Element: Hashable {}

extension DotTable {
    /// Joins another state's store, telling nobody what changed.
    ///
    /// Complexity: O(m) for the m dots that come or fall; to compare two great states, O(n / 32) for the n dots of both
    /// where they are dense.
    @inlinable
    public mutating func merge(
        _ other: DotTable, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots
    ) -> Bool {
        if isEmpty, context.isEmpty {
            self = other
            return !isEmpty
        }
        let removed = removed(by: other, otherContext)
        for dot in removed {
            fallen.append(dot)
            remove(dot)
        }
        let before = dotCount
        switch other.storage {
        case .few(let few): few.forEach { if !context.contains($0.dot) { insert($0.dot, $0.value) } }
        case .many(let theirs): withMany { $0.insert(theirs, notIn: context) }
        }
        return !removed.isEmpty || dotCount > before
    }

    /// Joins, and calls with each element that is in the table now and was not, or was and is not now.
    ///
    /// Complexity: as without, and O(1) for each dot that comes or falls.
    @inlinable
    public mutating func merge(
        _ other: DotTable, context: CausalContext, otherContext: CausalContext, fallen: inout FallenDots,
        onChange: (SetChange<Element>) -> Void
    ) -> Bool {
        var gone = DotTable()
        for dot in removed(by: other, otherContext) {
            if let element = self[dot] { gone.insert(dot, element) }
        }
        var come = DotTable()
        other.forEach(notIn: context) { dot, element in
            if !contains(element) { come.insert(dot, element) }
        }
        let changed = merge(other, context: context, otherContext: otherContext, fallen: &fallen)
        gone.forEachElement { if !contains($0) { onChange(.removed($0)) } }
        come.forEachElement { onChange(.inserted($0)) }
        return changed
    }

    /// The dots here that the other has seen and that are not alive there.
    @inlinable func removed(by other: DotTable, _ otherContext: CausalContext) -> [Dot] {
        var removed: [Dot] = []
        if case .many(let mine) = storage, case .many(let theirs) = other.storage {
            mine.columns.forEach(removedBy: theirs.columns, otherContext) { dot, _ in removed.append(dot) }
        } else {
            forEachDot(in: otherContext) { if !other.contains($0) { removed.append($0) } }
        }
        return removed
    }

    /// Visits the dots that a context has not seen, and their elements.
    @inlinable func forEach(notIn context: CausalContext, _ body: (Dot, Element) -> Void) {
        switch storage {
        case .few(let few): few.forEach { if !context.contains($0.dot) { body($0.dot, $0.value) } }
        case .many(let many):
            many.columns.forEach(notIn: context) { number, counter, slot in
                body(Dot(replica: many.columns.replica(number), counter: counter), many.elements[slot])
            }
        }
    }
}

extension DotTable {
    /// Whether both have the same elements under the same dots. Complexity: O(n).
    @inlinable
    public static func == (left: DotTable, right: DotTable) -> Bool {
        switch (left.storage, right.storage) {
        case (.few(let few), .few(let other)): return few == other
        case (.many(let many), .many(let other)): return many == other
        default:
            guard left.dotCount == right.dotCount else { return false }
            var isEqual = true
            left.forEach { dot, element in
                if isEqual { isEqual = right[dot].map { Identity.isEqual($0, element) } ?? false }
            }
            return isEqual
        }
    }

    /// Hashes the dots, which tell the elements. Complexity: O(replicas).
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dotCount)
        switch storage {
        case .few(let few):
            var sum: UInt64 = 0
            few.forEach { sum &+= $0.dot.fingerprint }
            hasher.combine(sum)
        case .many(let many): hasher.combine(many.columns.fingerprint)
        }
    }
}
