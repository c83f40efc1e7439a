import TripModel
import TripService

// What the numbers of lists mean to this device's person: what they were shown with.
extension ShownLists {
    /// Rows of a list are shown.
    /// - Parameters:
    ///   - rows: all that are there.
    ///   - places: those that are shown, from 0; nil for all.
    /// - Returns: the numbers of those that are shown.
    @discardableResult
    mutating func show(_ rows: [UInt64], at places: [Int]? = nil, of list: Name) -> [Int] {
        if let places { return numbers(ofRowsAt: places.filter(rows.indices.contains), in: rows, of: list) }
        showed(rows, as: list)
        return rows.indices.map { $0 + 1 }
    }

    /// The place of the row that somebody names by a number; nil where that is no number of the list.
    /// - Parameters:
    ///   - row: what a row is called, such as "invite".
    ///   - listing: the command that shows them.
    mutating func place(
        numbered reference: String, in list: Name, _ rows: [UInt64], row: String, listing: String
    ) throws(ServiceError) -> Int? {
        guard (1...9).contains(reference.utf8.count), let number = Int(reference), number > 0 else { return nil }
        switch meaning(of: number, among: rows, in: list) {
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
