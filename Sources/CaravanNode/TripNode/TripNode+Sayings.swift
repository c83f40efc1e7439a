import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// What people say of items, and how they take back what they did.
extension TripNode {
    func claim(
        _ references: [String], _ count: Int64?, as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        let items = try resolve(references, for: author)
        return try await act(count == nil ? .unclaimed : .claimed, on: items, as: author) { .claim($0, count) }
    }

    func changeAmenities(
        of reference: String, added: [String], removed: [String]
    ) async throws(ServiceError) -> Receipt {
        try await act(.edited, on: [try resolve(reference)]) {
            .changeAmenities($0[0], added: added, removed: removed)
        }
    }

    func comment(
        on reference: String, _ text: String, as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        try await act(.commented, on: [try resolve(reference, for: author)], as: author) { .comment($0[0], text) }
    }

    func removeComments(
        of reference: String, _ numbers: [Int], as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        let item = try resolve(reference, for: author)
        let comments = item.sayings.comments
        let named = try numbers.map { number throws(ServiceError) in
            guard comments.indices.contains(number - 1) else {
                throw ServiceError(
                    "\(item.title.quoted) has no comment \(number); see `caravan show \(item.number)`")
            }
            return comments[number - 1].id
        }
        return try await act(.uncommented, on: [item], as: author) { _ in .removeComments(named) }
    }

    func undo(anyway: Bool) async throws(ServiceError) -> HistoryView {
        try requireWriter()
        let changes = node.log.graph.changes.indices.lazy.filter { self.node.isShown($0) }
            .compactMap { self.node.log.applied($0).tripChange() }
        guard let undoing = trip.replica.undoing(lastOf: me, among: Array(changes)) else {
            throw ServiceError("nothing to undo")
        }
        if let obstacle = undoing.obstacles.first, !anyway {
            let who = obstacle.by == me ? "you" : trip.displayName(of: obstacle.by)
            throw ServiceError(
                "\(who) changed \(obstacle.what) since; nothing was undone; undo it with `caravan undo --anyway`")
        }
        let content: [UInt8]
        do { content = try undoing.content() } catch { throw ServiceError(error) }
        return view(of: [try await write(content)].compactMap(\.self))
    }
}
