/// Walks the slots of live dots in their order, a page at a time, so that a walk that stops early costs no more.
@usableFromInline
struct SlotWalk: Sendable {
    private let columns: DotColumns
    private var column = 0
    private var page = 0
    /// Those of the last page that are left, last first.
    private var slots: [UInt32] = []

    @usableFromInline
    init(_ columns: DotColumns) { self.columns = columns }

    /// Complexity: O(1) amortised.
    @usableFromInline
    mutating func next() -> UInt32? {
        while slots.isEmpty {
            guard column < columns.order.count else { return nil }
            let walked = columns.columns[Int(columns.order[column])]
            if page < walked.pages.count {
                walked.forEach(onPage: page) { slots.append($0) }
                slots.reverse()
                page += 1
            } else {
                (column, page) = (column + 1, 0)
            }
        }
        return slots.popLast()
    }
}
