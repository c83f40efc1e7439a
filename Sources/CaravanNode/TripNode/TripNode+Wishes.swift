import ChangeLog
import DeltaCRDT
import SyncEngine
import TripModel
import TripService

/// This device's person's wish list, as it follows from what their devices wrote.
struct KeptWishes {
    var list = WishList()
    /// The writer under which wishes are added here. It is drawn again whenever the list is made again, because a copy of this
    /// home, or this home restored from a backup, adds under the same device.
    fileprivate let writer = UInt64.random(in: 0 ... .max)
    /// How many devices of this person can read the whole list. A change for one more device holds the whole list.
    fileprivate(set) var readerCount = 0
    fileprivate var isWritingAll = false
}

// What is one person's own; their wish list: in the log of their devices, sealed to these.
extension TripNode {
    func wish(_ new: [Wish]) async throws(ServiceError) -> WishReceipt {
        try await writeWishes { (list, writer) throws(TripError) in
            var delta = WishList()
            for wish in new { delta.merge(try list.add(wish, by: writer)) }
            return delta.encoded
        }
        return WishReceipt(added: new)
    }

    func unwish(_ references: [String]) async throws(ServiceError) -> WishReceipt {
        let gone = try resolve(wishes: references)
        try await writeWishes { (list, _) throws(TripError) in
            var delta = WishList()
            for wish in gone { delta.merge(try list.remove(wish)) }
            return delta.encoded
        }
        return WishReceipt(removed: gone)
    }

    /// Moves wishes into the trip as items, in one change.
    func shareWishes(_ references: [String], to list: String?) async throws(ServiceError) -> Receipt {
        let shared = try resolve(wishes: references)
        let list = try list.map { list throws(ServiceError) in try resolve(list: list).id }
        let note = try note { (list, _) throws(TripError) in
            var delta = WishList()
            for wish in shared { delta.merge(try list.remove(wish)) }
            return delta.encoded
        }
        let drafts = shared.map { ItemDraft(title: $0.title, fields: $0.fields) }
        let added = try await perform(.add(drafts, to: list), noting: note)
        return receipt(.added, added.compactMap { trip.item($0) })
    }

    var ownView: OwnView {
        OwnView(wishes: wishes.list.wishes, feeds: own.feeds, viewed: own.viewed, news: newItems)
    }

    /// Notes that this device's person looked at an item of the trip.
    func looked(at item: ItemID) {
        guard trip.item(item) != nil else { return }
        let isSeen = own.seen != nil && saw([item])
        if own.looked(at: item) || isSeen { tellWatchers(.own) }
    }

    /// Merges what a change of this person says to their own devices.
    /// - Returns: whether the wish list is another one now.
    @discardableResult
    func noteWishes(_ content: TripContent, by change: AppliedChange) -> Bool {
        // Most say nothing of the kind, and to look at the node copies it.
        guard !content.ownNotes.isEmpty, change.participant == node.secrets.device.participant else { return false }
        var isNews = false
        for note in content.ownNotes {
            guard let opened = opened(note) else { continue }
            wishes.readerCount = max(wishes.readerCount, opened.readers)
            if wishes.list.merge(opened.content) { isNews = true }
        }
        return isNews
    }

    /// Writes the whole list again if a device of this person has come that can't read what was written before. Only a running node
    /// does so.
    func shareWishesWithNewDevices() {
        let own = node.log.person(node.secrets.device.participant)?.devices ?? []
        guard connectivity.network != nil, !self.own.isArchived, !wishes.isWritingAll, !wishes.list.wishes.isEmpty,
            wishes.readerCount < own.count
        else { return }
        wishes.isWritingAll = true
        Task { [weak self] in await self?.writeAllWishes() }
    }

    private func writeAllWishes() async {
        // If this can't be written now, it goes with the next change of the list.
        try? await writeWishes { (list, _) in list.encoded }
        wishes.isWritingAll = false
    }

    /// What a note says to this device; nil where it cannot read it.
    func opened(_ note: [UInt8]) -> (content: [UInt8], readers: Int)? {
        OwnNote.open(note, with: node.secrets.agreementSecret, using: cryptography)
    }

    /// The note that undoes a change of the wish list, for this person's devices.
    func note(undoing wished: WishUndoing) throws(ServiceError) -> [UInt8] {
        try note { (list, writer) throws(TripError) in try wished.apply(to: &list, by: writer) }
    }

    // MARK: -

    /// Each wish once, in the order in which they are named.
    private func resolve(wishes references: [String]) throws(ServiceError) -> [Wish] {
        var found: [Wish] = []
        try own.numbering { shown throws(ServiceError) in
            for reference in references {
                let wish: Wish
                do throws(TripError) { wish = try wishes.list.wish(reference, shown: &shown) } catch {
                    throw ServiceError(error)
                }
                if !found.contains(wish) { found.append(wish) }
            }
        }
        guard !found.isEmpty else { throw ServiceError("no wish is given; see `caravan wishes`") }
        return found
    }

    private func writeWishes(
        _ change: (inout WishList, UInt64) throws(TripError) -> [UInt8]
    ) async throws(ServiceError) {
        try requireWriter()
        let content: [UInt8]
        do { content = try TripReplica.content(noting: try note(change)) } catch let error as TripError {
            throw ServiceError(error)
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError("\(error)")
        }
        try await author(content: content)
    }

    /// What a change of the list says to this person's devices: the change alone, or all of the list where one of them has
    /// come since.
    private func note(
        _ change: (inout WishList, UInt64) throws(TripError) -> [UInt8]
    ) throws(ServiceError) -> [UInt8] {
        let own = node.log.person(node.secrets.device.participant)?.devices ?? []
        var list = wishes.list
        var said: [UInt8]
        do { said = try change(&list, wishes.writer) } catch { throw ServiceError(error) }
        if wishes.readerCount < own.count { said = list.encoded }
        return OwnNote.seal(
            said, to: own.sorted().compactMap { node.log.device($0) }, using: &entropy, cryptography)
    }
}
