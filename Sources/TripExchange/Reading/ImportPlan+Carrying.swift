import TripModel
package import TripService

extension ImportPlan {
    /// Does it by whole changes, one after the other: what an error leaves is whole as well, and the same import adds the rest. One undo
    /// takes all of them back.
    ///
    /// - Parameter ask: asks the trip.
    /// - Returns: the items that were added, by the beginnings of their ids.
    package func carryOut(
        _ ask: (TripRequest) async throws(ServiceError) -> TripAnswer
    ) async throws(ServiceError) -> [String] {
        func step(_ request: TripRequest) async throws(ServiceError) -> TripAnswer {
            try await ask(.step(of: mark, request))
        }
        var added: [String] = []
        var listBefore: String?
        if let note { _ = try await step(.editNote(note.text, shown: note.shown)) }
        for batch in batches {
            do throws(ServiceError) {
                switch batch.target {
                case .unlisted: added += Self.items(try await step(.add(batch.items)))
                case .list(let list): added += Self.items(try await step(.add(batch.items, list: list)))
                case .listBefore: added += Self.items(try await step(.add(batch.items, list: listBefore)))
                case .newList(let part):
                    let answer = try await step(.addList(title: part.title, kind: part.kind, items: batch.items))
                    guard case .list(let receipt) = answer else { continue }
                    listBefore = receipt.list.shortID
                    added += receipt.list.items.map(\.leastShortID)
                    guard let note = part.note else { continue }
                    _ = try await step(.editList(list: receipt.list.shortID, fields: [.note: note]))
                }
            } catch {
                guard !added.isEmpty else { throw error }
                throw ServiceError(
                    "added only \(added.count) of \(itemCount) items; repeat the command to add the rest: \(error.message)"
                )
            }
        }
        return added
    }

    private static func items(_ answer: TripAnswer) -> [String] {
        if case .done(let receipt) = answer { receipt.items.map(\.shortID) } else { [] }
    }
}
