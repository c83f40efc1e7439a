import TripModel
import TripService

// What people do with items.
extension TripNode {
    func add(_ items: [NewItem], as author: Author = .own) async throws(ServiceError) -> Receipt {
        let drafts = items.map { ItemDraft(title: $0.title, fields: $0.fields, quantity: $0.quantity) }
        let added = try await perform(.add(drafts), as: author)
        return receipt(.added, added.compactMap { trip.item($0) }, for: author)
    }

    func edit(
        _ reference: String, _ fields: [Field: String?], shown: [Field: [String]]
    ) async throws(ServiceError) -> Receipt {
        try await act(.edited, on: [try resolve(reference)]) { .edit($0[0], fields, shown: shown) }
    }

    func remove(_ references: [String]) async throws(ServiceError) -> Receipt {
        try await act(.removed, on: try resolve(references)) { .remove($0) }
    }

    func restore(_ references: [String]) async throws(ServiceError) -> Receipt {
        try await act(.restored, on: try resolve(references, in: .removed)) { .restore($0) }
    }

    func vote(
        _ references: [String], _ vote: Vote?, as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        let items = try resolve(references, for: author)
        let voter = participant(author)
        let act: Receipt.Act = vote == nil ? .unvoted : vote == .for ? .votedFor : .votedAgainst
        let (unchanged, changed) = (
            items.filter { $0.vote(of: voter) == vote }, items.filter { $0.vote(of: voter) != vote }
        )
        // Said again, a vote is the vote that it was.
        if changed.isEmpty, vote != nil {
            try requireWriter(author)
            return receipt(act, [], unchanged: unchanged, for: author)
        }
        return try await self.act(
            act, on: changed.isEmpty ? items : changed, unchanged: changed.isEmpty ? [] : unchanged, as: author
        ) {
            .vote($0, vote)
        }
    }

    func changeQuantity(of reference: String, by step: Int64) async throws(ServiceError) -> Receipt {
        try await act(.counted, on: [try resolve(reference)]) { .changeQuantity($0[0], by: step) }
    }

    /// Performs an action on items, and says how they stand then.
    private func act(
        _ act: Receipt.Act, on items: [ItemView], unchanged: [ItemView] = [], as author: Author = .own,
        _ action: ([ItemID]) -> TripAction
    ) async throws(ServiceError) -> Receipt {
        try await perform(action(items.map(\.id)), as: author)
        return receipt(act, items.compactMap { trip.item($0.id) }, unchanged: unchanged, for: author)
    }

    private func receipt(
        _ act: Receipt.Act, _ items: [ItemView], unchanged: [ItemView] = [], for author: Author = .own
    ) -> Receipt {
        // What a guest is shown says nothing of what numbers mean to this device's person.
        guard case .own = author else { return Receipt(act, items, unchanged: unchanged) }
        return Receipt(act, items.map(numbered), unchanged: unchanged.map(numbered))
    }

    /// An item as it is shown alone: under the number that it has on this device, which goes on meaning it.
    func numbered(_ item: ItemView) -> ItemView {
        // Where another item was shown with its number, it gets one that nobody has seen.
        let number =
            trip.number(of: item.id, shown: shownNumbers.numbers)
            ?? max(shownNumbers.numbers.greatest, item.number) + 1
        shownNumbers.showed(number, item.id)
        return item.numbered(number)
    }

    // MARK: - References

    func resolve(
        _ reference: String, in scope: ReferenceScope = .present, for author: Author = .own
    ) throws(ServiceError) -> ItemView {
        let shown = author.guest == nil ? shownNumbers.numbers : ShownNumbers()
        do { return try trip.resolve(reference, in: scope, shown: shown) } catch { throw ServiceError(error) }
    }

    /// Each item once, in the order in which they are named.
    private func resolve(
        _ references: [String], in scope: ReferenceScope = .present, for author: Author = .own
    ) throws(ServiceError) -> [ItemView] {
        var items: [ItemView] = []
        var seen: Set<ItemID> = []
        for reference in references {
            let item = try resolve(reference, in: scope, for: author)
            if seen.insert(item.id).inserted { items.append(item) }
        }
        return items
    }
}
