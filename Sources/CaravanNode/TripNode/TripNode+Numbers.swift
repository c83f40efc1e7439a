import TripModel
import TripService

// What the numbers of lists mean to this device's person: what they were shown with.
extension TripNode {
    /// An answer as people are shown it: the numbers in it mean its rows from now on.
    func show(_ answer: TripAnswer) -> TripAnswer {
        switch answer {
        case .trip(let view): return .trip(numbered(view))
        case .wishes(let wishes): show(wishes.map(\.mark), at: nil, of: .wishes)
        case .invites(let invites): show(invites.map(\.mark), at: nil, of: .invites)
        case .items(let items): return .items(numbered(items))
        case .item(let item, let group):
            let comments = item.sayings.comments
            if !comments.isEmpty { show(comments.map(\.id.mixedWord), at: nil, of: .comments(of: item.id)) }
            return .item(numbered(item), of: group)
        default: break
        }
        return answer
    }

    /// Rows of a list are shown.
    /// - Parameters:
    ///   - rows: all that are there.
    ///   - places: those that are shown, from 0; nil for all.
    /// - Returns: the numbers of those that are shown.
    @discardableResult
    func show(_ rows: [UInt64], at places: [Int]?, of list: ShownLists.Name) -> [Int] {
        var shown = own.shown
        defer { own.keep(shown) }
        if let places { return shown.numbers(ofRowsAt: places.filter(rows.indices.contains), in: rows, of: list) }
        shown.showed(rows, as: list)
        return rows.indices.map { $0 + 1 }
    }

    /// What numbers mean among the rows that are there.
    func meanings(
        of numbers: [Int], in list: ShownLists.Name, _ rows: [UInt64]
    ) -> [ShownLists.Meaning] {
        var shown = own.shown
        defer { own.keep(shown) }
        return numbers.map { shown.meaning(of: $0, among: rows, in: list) }
    }

    /// The place of the row that somebody names by a number; nil where that is no number of the list.
    /// - Parameters:
    ///   - row: what a row is called, such as "invite".
    ///   - listing: the command that shows them.
    func place(
        numbered reference: String, in list: ShownLists.Name, _ rows: [UInt64], row: String, listing: String
    ) throws(ServiceError) -> Int? {
        guard (1...9).contains(reference.utf8.count), let number = Int(reference), number > 0 else { return nil }
        switch meanings(of: [number], in: list, rows)[0] {
        case .row(let place): return place
        case .nothing: return nil
        case .gone: throw ServiceError("\(row) \(number) no longer exists; see `\(listing)`")
        case .shownAs(let other):
            throw ServiceError(
                "no \(row) was shown as \(number), and the one in its place was shown as \(other); see `\(listing)`"
            )
        }
    }
}
