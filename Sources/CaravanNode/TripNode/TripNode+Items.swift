import Attachments
import TripModel
import TripService

extension ItemDraft {
    fileprivate init(_ item: NewItem, photos: [PhotoManifest]) {
        self.init(
            title: item.title, fields: item.fields, quantity: item.quantity, amenities: item.amenities, photos: photos)
    }
}

extension [ItemDraft] {
    /// - Parameter photos: what the photos of the items are made of, in their order.
    init(_ items: [NewItem], _ photos: [PhotoManifest]) {
        var rest = photos[...]
        self = items.map { item in
            let own = rest.prefix(item.photos.count)
            rest = rest.dropFirst(own.count)
            return ItemDraft(item, photos: [PhotoManifest](own))
        }
    }
}

// What people do with items.
extension TripNode {
    /// - Parameter photos: what the photos of the items are made of, in their order.
    func add(
        _ items: [NewItem], _ photos: [PhotoManifest], to list: String? = nil, as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        let list = try list.map { list throws(ServiceError) in try resolve(list: list).id }
        let added = try await perform(.add([ItemDraft](items, photos), to: list), as: author)
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
        let act: Receipt.Act =
            switch vote {
            case .for: .votedFor
            case .against: .votedAgainst
            case .ifNeedBe: .votedIfNeedBe
            case nil: .unvoted
            }
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

    /// Sets a flag of those of the items that do not have it, or clears it.
    func mark(_ references: [String], _ field: Field, _ isSet: Bool) async throws(ServiceError) -> Receipt {
        guard field.kind == .flag else { throw ServiceError("\(field.name) is not a mark; use `caravan edit`") }
        let items = try resolve(references)
        let act: Receipt.Act = field == .chosen ? (isSet ? .chosen : .unchosen) : isSet ? .done : .edited
        let changed = items.filter { ($0.fields[field] != nil) != isSet }
        guard !changed.isEmpty else { return receipt(act, [], unchanged: items) }
        return try await self.act(act, on: changed, unchanged: items.filter { ($0.fields[field] != nil) == isSet }) {
            .mark($0, field, isSet)
        }
    }

    /// Performs an action on items, and says how they stand then.
    func act(
        _ act: Receipt.Act, on items: [ItemView], unchanged: [ItemView] = [], as author: Author = .own,
        _ action: ([ItemID]) -> TripAction
    ) async throws(ServiceError) -> Receipt {
        try await perform(action(items.map(\.id)), as: author)
        return receipt(act, items.compactMap { trip.item($0.id) }, unchanged: unchanged, for: author)
    }

    func receipt(
        _ act: Receipt.Act, _ items: [ItemView], unchanged: [ItemView] = [], for author: Author = .own,
        comments: [String] = []
    ) -> Receipt {
        // What a guest is shown says nothing of what numbers mean to this device's person.
        guard case .own = author else { return Receipt(act, items, unchanged: unchanged, comments: comments) }
        return Receipt(act, numbered(items), unchanged: numbered(unchanged), comments: comments)
    }

    /// An item as it is shown alone: under the number that it has on this device, which goes on meaning it.
    func numbered(_ item: ItemView) -> ItemView { numbered([item])[0] }

    /// Items as they are shown one by one; what their numbers mean is written once for all of them.
    func numbered(_ items: [ItemView]) -> [ItemView] {
        let numbered = underTheirNumbers(items)
        shownNumbers.showed(numbered)
        return numbered
    }

    /// Items under the numbers that mean them on this device. Where another item was shown with its number, an item gets one
    /// that nobody has seen.
    func underTheirNumbers(_ items: [ItemView]) -> [ItemView] {
        var numbers = shownNumbers.numbers
        let shown = numbers.show(part: items.map { ($0.id.mixedWord, $0.number) })
        return zip(items, shown).map { $0.numbered($1) }
    }

    /// Part of the trip as it is shown: what the numbers of other items mean stays.
    func numbered(_ view: TripView) -> TripView {
        let all = view.items + view.removedItems
        let numbers = Dictionary(uniqueKeysWithValues: zip(all.map(\.id), numbered(all).map(\.number)))
        return view.numbering { numbers[$0.id] ?? $0.number }
    }

    // MARK: - References

    func resolve(
        _ reference: String, in scope: ReferenceScope = .present, for author: Author = .own
    ) throws(ServiceError) -> ItemView {
        let shown = author.guest == nil ? shownNumbers.numbers : ShownNumbers()
        do { return try trip.resolve(reference, in: scope, shown: shown) } catch { throw ServiceError(error) }
    }

    /// Each item once, in the order in which they are named.
    func resolve(
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
