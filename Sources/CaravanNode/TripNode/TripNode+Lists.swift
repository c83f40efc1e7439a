import Attachments
import TripModel
import TripService

// What people do with lists.
extension TripNode {
    func addList(
        _ title: String, _ kind: ItemKind?, _ items: [NewItem], _ photos: [PhotoManifest], template: String?
    ) async throws(ServiceError) -> ListReceipt {
        var (kind, drafts) = (kind, [ItemDraft](items, photos))
        if let template {
            let list = try resolve(list: template)
            kind = kind ?? list.kind
            drafts = [ItemDraft](list.items.compactMap { shown.trip.item($0).map(NewItem.init(asIn:)) }, []) + drafts
        }
        return try await perform(.addList(title: title, kind: kind, drafts), .added)
    }

    /// Does something to a list.
    func act(
        _ act: ListReceipt.Act, on list: String, in scope: ReferenceScope = .present, _ action: (ListID) -> TripAction
    ) async throws(ServiceError) -> ListReceipt {
        let list = try resolve(list: list, in: scope).id
        return try await perform(action(list), act, on: list)
    }

    func move(_ references: [ItemReference], to target: MoveTarget) async throws(ServiceError) -> Receipt {
        let destination: Destination
        switch target {
        case .list(let list):
            destination = .end(of: try list.map { list throws(ServiceError) in try resolve(list: list).id })
        case .before(let item): destination = .before(try resolve(item).id)
        case .behind(let item): destination = .behind(try resolve(item).id)
        }
        let items = try resolve(references)
        for item in items where destination != .end(of: nil) {
            if let sort = ItemSort(item) { throw ServiceError("\(item.title.quoted) is \(sort.refusalOfLists)") }
        }
        // What is in no list is out of all of them.
        let unchanged = items.filter { destination == .end(of: nil) && $0.sayings.list == nil }
        let moved = items.filter { !unchanged.contains($0) }
        guard !moved.isEmpty || unchanged.isEmpty else { return receipt(.moved, [], unchanged: unchanged) }
        // Where nothing would look different, a move would only be one more line of everybody's history.
        if standThere(moved.map(\.id), destination) { return receipt(.moved, [], unchanged: items) }
        return try await perform(.move(moved.map(\.id), destination), .moved, on: moved, unchanged: unchanged)
    }

    /// Whether items stand in a row where they would be moved.
    private func standThere(_ items: [ItemID], _ destination: Destination) -> Bool {
        switch destination {
        case .end(of: nil): return false
        case .end(of: let list?): return shown.trip.list(list)?.items.suffix(items.count).elementsEqual(items) ?? false
        case .before(let other):
            let row = row(of: other)
            guard let place = row.firstIndex(of: other) else { return false }
            return row[..<place].suffix(items.count).elementsEqual(items)
        case .behind(let other):
            let row = row(of: other)
            guard let place = row.firstIndex(of: other) else { return false }
            return row[(place + 1)...].prefix(items.count).elementsEqual(items)
        }
    }

    /// The items of an item's list, or those that are in none, in their order. O(items).
    private func row(of item: ItemID) -> [ItemID] {
        guard let list = shown.trip.item(item)?.sayings.list else { return shown.trip.view.unlistedItems.map(\.id) }
        return shown.trip.list(list.id)?.items ?? []
    }

    func resolve(list reference: String, in scope: ReferenceScope = .present) throws(ServiceError) -> ListView {
        do { return try shown.trip.resolve(list: reference, in: scope) } catch { throw ServiceError(error) }
    }

    private func perform(
        _ action: TripAction, _ act: ListReceipt.Act, on list: ListID? = nil
    ) async throws(ServiceError) -> ListReceipt {
        let entry = try await write(action)
        guard let id = list ?? entry?.lists.first, let view = shown.trip.list(id) else {
            throw ServiceError("the list was created, but it no longer exists; see `caravan lists`")
        }
        return ListReceipt(act, view)
    }
}
