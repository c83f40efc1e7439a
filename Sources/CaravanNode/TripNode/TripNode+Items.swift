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
            item.fields[.assignee] = try item.fields[.assignee].map { name throws(ServiceError) in try id(of: name) }
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
        let action = try resolve(action)
        let items = try resolve(references, in: action == .restore ? .removed : .present, for: author)
        let actor = participant(author)
        var (changed, unchanged) = (
            items.filter { !action.isDone(to: $0, by: actor) }, items.filter { action.isDone(to: $0, by: actor) }
        )
        try requireSense(of: action, on: changed)
        try requireRoom(for: action, on: changed)
        if changed.isEmpty {
            guard action.isWithdrawal else {
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

    /// Throws if an action would say something of a question, an expense or a payment that means nothing there, such as the fifth rank of
    /// three options. What stands may be cleared.
    private func requireSense(of action: ItemAction, on items: [ItemView]) throws(ServiceError) {
        for item in items {
            if let refusal = ItemSort(item)?.refusal(of: action) {
                throw ServiceError("\(item.title.quoted) is \(refusal)")
            }
            if case .answer(let answer?) = action, let fault = item.faultyRank(in: answer) { throw ServiceError(fault) }
        }
    }

    /// Throws if a step would take a quantity beyond what one can be set to. Several people's steps at one moment still may.
    private func requireRoom(for action: ItemAction, on items: [ItemView]) throws(ServiceError) {
        guard case .changeQuantity(let step) = action, step > 0 else { return }
        for item in items {
            let (sum, isOver) = (item.quantity ?? 0).addingReportingOverflow(step)
            guard isOver || sum > Limits.quantityStep else { continue }
            throw ServiceError(
                "a quantity is at most \(Limits.quantityStep), and there are \(item.quantity ?? 0) of "
                    + "\(item.title.quoted); give another number")
        }
    }

    /// An action with a person's id in place of a name.
    private func resolve(_ action: ItemAction) throws(ServiceError) -> ItemAction {
        guard case .edit(var fields, let shown) = action, let name = fields[.assignee] ?? nil, !name.isBlank else {
            return action
        }
        fields[.assignee] = try id(of: name)
        return .edit(fields, shown: shown)
    }

    /// The id of somebody by their name, or by an id. A removed person is refused by name; by a whole id a form puts back what was.
    private func id(of name: String) throws(ServiceError) -> String {
        let everybody = shown.trip.everybody
        let id: ParticipantID
        do { id = try everybody.person(named: name) } catch { throw ServiceError(error) }
        if name != id.description, let person = everybody.first(where: { $0.id == id }), person.isOut {
            throw ServiceError(
                "\(person.displayName.quoted) is no longer in the trip; name somebody of `caravan members`")
        }
        return id.description
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
        switch reference {
        case .typed(let text):
            do {
                return try resolve(typed: text, in: scope, author.guest == nil ? shownNumbers.numbers : ShownNumbers())
            } catch { throw ServiceError(error) }
        case .id(let id):
            guard let item = shown.trip.item(id) else {
                throw ServiceError("this item is no longer in the trip; see `caravan list`")
            }
            return item
        }
    }

    /// Titles are compared by their bytes, and a keyboard, a file's name and a macOS write the same letters in different ones. So a
    /// title is looked up in both of Unicode's canonical forms, too.
    private func resolve(
        typed text: String, in scope: ReferenceScope, _ numbers: ShownNumbers
    ) throws(TripError) -> ItemView {
        var forms: [String] = []
        for form in [text, text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping]
        where !forms.contains(where: { $0.utf8.elementsEqual(form.utf8) }) {
            forms.append(form)
        }
        var found: [ItemView] = []
        var failure: TripError?
        for form in forms {
            do throws(TripError) {
                let item = try shown.trip.resolve(form, in: scope, shown: numbers)
                if !found.contains(where: { $0.id == item.id }) { found.append(item) }
            } catch {
                guard error.code == .unknownItem else { throw error }
                failure = failure ?? error
            }
        }
        let inScope = found.filter { $0.isRemoved == (scope == .removed) }
        if !inScope.isEmpty { found = inScope }
        if found.count == 1 { return found[0] }
        if found.isEmpty, let failure { throw failure }
        let names = found.map { item in
            (shown.trip.number(of: item.id, shown: numbers).map { "\($0) " } ?? "")
                + "\(item.title.quoted) (\(item.shortID))"
        }
        throw TripError(
            .ambiguousItem, "\(text.quoted) could be \(names.joined(separator: " or ")); give a number or an id")
    }

    /// Each item once, in the order in which they are named.
    func resolve(
        _ references: [ItemReference], in scope: ReferenceScope = .present, for author: Author = .own
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
