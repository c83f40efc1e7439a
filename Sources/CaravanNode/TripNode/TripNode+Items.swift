import Attachments
import Foundation
import TripModel
import TripService

extension ItemDraft {
    fileprivate init(_ item: NewItem, photos: [PhotoManifest]) {
        self.init(
            title: item.title, fields: item.fields, quantity: item.quantity, amenities: item.amenities,
            options: item.options, photos: photos)
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
        let items = try items.map { item throws(ServiceError) in
            var item = item
            item.fields[.assignee] = try item.fields[.assignee].map { name throws(ServiceError) in
                try shown.trip.id(ofPerson: name)
            }
            return item
        }
        let added = try await perform(.add([ItemDraft](items, photos), to: list), as: author)
        return receipt(.added, added.compactMap { shown.trip.item($0) }, for: author)
    }

    /// Does something with those of the items with which it is not done yet, and says how they stand then.
    func act(
        _ action: ItemAction, on references: [ItemReference], as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        if case .mark(let field, _) = action, field.kind != .flag {
            throw ServiceError("\(field.name) is not a mark; use `caravan edit`")
        }
        let action = try shown.trip.resolve(action)
        let items = try resolve(references, in: action == .restore ? .removed : .present, for: author)
        let actor = participant(author)
        var (changed, unchanged) = (
            items.filter { !action.isDone(to: $0, by: actor) }, items.filter { action.isDone(to: $0, by: actor) }
        )
        try action.requireSense(on: changed)
        if changed.isEmpty {
            guard action.isWithdrawal, items.count == 1 else {
                try requireWriter(author)
                return receipt(Receipt.Act(action), [], unchanged: unchanged, for: author)
            }
            (changed, unchanged) = (unchanged, [])
        }
        let written = try sealing(action, on: changed, as: author)
        let receipt = try await perform(
            written, Receipt.Act(action), on: changed, unchanged: unchanged, as: author)
        // The person who closes a hidden question reveals their own answer at once, also if no node runs.
        if action == .mark(.done, true), changed.contains(where: { $0.question?.isHidden ?? false }) {
            await revealAnswers()
        }
        return receipt
    }

    /// Attaches photos to an item, and counts those that it didn't have.
    func attach(
        _ photos: [PhotoManifest], to item: ItemReference, as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        let id = try resolve(item, for: author).id
        let new = shown.trip.replica.newPhotos(of: photos, for: id)
        var receipt = try await act(.attach(photos), on: [item], as: author)
        receipt.photos = new.count
        return receipt
    }

    /// Performs an action on items, and says how they stand then.
    func perform(
        _ action: TripAction, _ act: Receipt.Act, on items: [ItemView], unchanged: [ItemView] = [],
        as author: Author = .own
    ) async throws(ServiceError) -> Receipt {
        try await perform(action, as: author)
        return receipt(act, items.compactMap { shown.trip.item($0.id) }, unchanged: unchanged, for: author)
    }

    func receipt(
        _ act: Receipt.Act, _ items: [ItemView], unchanged: [ItemView] = [], for author: Author = .own,
        comments: [String] = []
    ) -> Receipt {
        // What a guest is shown says nothing of what numbers mean to this device's person.
        guard case .own = author else { return Receipt(act, items, unchanged: unchanged, comments: comments) }
        return Receipt(
            act, shownNumbers.show(items), unchanged: shownNumbers.show(unchanged), comments: comments,
            waitsFor: ownRemoval?.waiting?.keeper, for: me)
    }

    // MARK: - References

    func resolve(
        _ reference: ItemReference, in scope: ReferenceScope = .present, for author: Author = .own
    ) throws(ServiceError) -> ItemView {
        try shown.trip.item(reference, in: scope, numbers(for: author))
    }

    func resolve(
        _ references: [ItemReference], in scope: ReferenceScope = .present, for author: Author = .own
    ) throws(ServiceError) -> [ItemView] {
        try shown.trip.items(references, in: scope, numbers(for: author))
    }

    /// What numbers mean to somebody: guests are shown none.
    private func numbers(for author: Author) -> ShownNumbers {
        author == .own ? shownNumbers.numbers : ShownNumbers()
    }
}
