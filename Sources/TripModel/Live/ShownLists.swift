/// What the numbers of lists other than the trip's mean to the people at one device, as `ShownNumbers` says of items: wishes,
/// invites, the comments on an item, the rows of a feed.
///
/// A row is known by a mark of 64 bits that stays with it wherever it stands.
package struct ShownLists: Codable, Hashable, Sendable {
    package enum Name: Codable, Hashable, Sendable {
        case wishes, invites
        case comments(of: ItemID)
        /// Named by where it comes from.
        case feed(String)
    }

    /// What a number means among the rows that are there now.
    package enum Meaning: Codable, Hashable, Sendable {
        /// The row at a place, from 0.
        case row(Int)
        /// A row that was shown with the number, and that is not there any more.
        case gone
        /// No row was shown with the number. The row that has its place was shown with another number.
        case shownAs(Int)
        case nothing
    }

    private struct Shown: Codable, Hashable {
        let name: Name
        var numbers: ShownNumbers
    }

    /// The list that was shown or used last stands first.
    private var lists: [Shown] = []

    /// The most lists, and the most rows of all of them together; what was shown longest ago is forgotten first.
    package static let countMax = 64
    package static let rowsMax = 20_000

    package init() {}

    /// A whole list was shown, its rows numbered from 1: its numbers mean these rows, and nothing else any more.
    package mutating func showed(_ rows: [UInt64], as name: Name) {
        var numbers = ShownNumbers()
        numbers.showed(rows: rows.prefix(Self.rowsMax).enumerated().map { ($0 + 1, $1) })
        keep(numbers, as: name)
    }

    /// Part of a list is shown: each row has the number that it was shown with before, or one that no other row was shown
    /// with. What other numbers mean stays.
    ///
    /// - Parameters:
    ///   - places: of the rows that are shown, from 0.
    ///   - rows: all that are there.
    /// - Returns: a number for each place.
    package mutating func numbers(ofRowsAt places: [Int], in rows: [UInt64], of name: Name) -> [Int] {
        var numbers = self[name]
        let shown = numbers.show(part: places.map { (rows[$0], $0 + 1) })
        keep(numbers, as: name)
        return shown
    }

    /// What a number means. Where nothing of the list was shown before, its rows count as shown now: so a number that is
    /// used twice means the same row twice.
    package mutating func meaning(of number: Int, among rows: [UInt64], in name: Name) -> Meaning {
        if self[name].isEmpty { showed(rows, as: name) }
        let numbers = self[name]
        if let mark = numbers.mark(numbered: number) {
            return rows.firstIndex(of: mark).map { .row($0) } ?? .gone
        }
        guard rows.indices.contains(number - 1) else { return .nothing }
        return numbers.number(ofMark: rows[number - 1]).map { .shownAs($0) } ?? .row(number - 1)
    }

    private subscript(name: Name) -> ShownNumbers { lists.first { $0.name == name }?.numbers ?? ShownNumbers() }

    private mutating func keep(_ numbers: ShownNumbers, as name: Name) {
        lists.removeAll { $0.name == name }
        lists.insert(Shown(name: name, numbers: numbers), at: 0)
        if lists.count > Self.countMax { lists.removeLast(lists.count - Self.countMax) }
        while lists.count > 1, lists.reduce(0, { $0 + $1.numbers.count }) > Self.rowsMax { lists.removeLast() }
    }
}
