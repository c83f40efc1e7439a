import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripService

// What is one person's own; their wish list: in the log of their devices, sealed to these.
extension TripNode {
    func wish(_ new: [Wish]) async throws(ServiceError) -> WishReceipt {
        try await writeWishes(KeptWishes.adding(new))
        return WishReceipt(added: new)
    }

    func unwish(_ references: [String]) async throws(ServiceError) -> WishReceipt {
        let gone = try resolve(wishes: references)
        try await writeWishes(KeptWishes.removing(gone))
        return WishReceipt(removed: gone)
    }

    /// Moves wishes into the trip as items, in one change.
    func shareWishes(_ references: [String], to list: String?) async throws(ServiceError) -> Receipt {
        let shared = try resolve(wishes: references)
        let list = try list.map { list throws(ServiceError) in try resolve(list: list).id }
        let drafts = shared.map { ItemDraft(title: $0.title, fields: $0.fields) }
        let added = try await perform(.add(drafts, to: list), noting: try note(KeptWishes.removing(shared)))
        return receipt(.added, added.compactMap { shown.trip.item($0) })
    }

    var ownView: OwnView {
        OwnView(
            wishes: shown.wishes.list.wishes, feeds: own.feeds, viewed: own.viewed,
            news: shown.newItems(since: own.seen))
    }

    /// Notes that this device's person looked at an item of the trip.
    func looked(at item: ItemID) {
        guard shown.trip.item(item) != nil else { return }
        let isSeen = own.seen != nil && saw([item])
        if own.looked(at: item) || isSeen { tellWatchers(.own) }
    }

    /// Writes the whole list again, for a device that can't read what was written before. Only a running node does so.
    func writeAllWishesSoon() {
        guard connectivity.network != nil, !own.isArchived, shown.wishes.beginWritingAll() else { return }
        Task { [weak self] in await self?.writeAllWishes() }
    }

    private func writeAllWishes() async {
        // If this can't be written now, it goes with the next change of the list.
        try? await writeWishes { (list, _) in list.encoded }
        shown.wishes.endWritingAll()
    }

    // MARK: -

    /// Each wish once, in the order in which they are named.
    private func resolve(wishes references: [String]) throws(ServiceError) -> [Wish] {
        var found: [Wish] = []
        try own.numbering { shown throws(ServiceError) in
            for reference in references {
                let wish: Wish
                do throws(TripError) { wish = try self.shown.wishes.list.wish(reference, shown: &shown) } catch {
                    throw ServiceError(error)
                }
                if !found.contains(wish) { found.append(wish) }
            }
        }
        guard !found.isEmpty else { throw ServiceError("no wish is given; see `caravan wishes`") }
        return found
    }

    private func writeWishes(_ change: KeptWishes.Change) async throws(ServiceError) {
        try requireWriter()
        let note = try note(change)
        let content: [UInt8]
        do { content = try TripReplica.content(noting: note) } catch { throw ServiceError(error) }
        try await author(content: content)
    }

    /// A change of the list, sealed to this person's devices.
    func note(_ change: KeptWishes.Change) throws(ServiceError) -> [UInt8] {
        let devices = reader.ownDevices
        let said: [UInt8]
        do { said = try shown.wishes.note(of: change, to: devices.count) } catch { throw ServiceError(error) }
        return OwnNote.seal(said, to: devices, using: &entropy, cryptography)
    }
}
