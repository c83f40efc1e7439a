/// What takes back what a change did with its author's wish list.
package struct WishUndoing: Hashable, Sendable {
    /// A wish that comes back, and where it stood.
    private struct Back: Hashable {
        let wish: Wish
        let time: UInt64?
    }

    /// The wishes that the change had added, and that are there.
    package let removed: [Wish]
    private let back: [Back]
    /// The wishes that the change had removed, and that are not there.
    package var added: [Wish] { back.map(\.wish) }

    package var isEmpty: Bool { removed.isEmpty && back.isEmpty }

    /// - Parameters:
    ///   - change: of somebody's.
    ///   - changes: the trip's, that one among them.
    ///   - now: their wish list.
    ///   - open: what a note says to this device; nil where it cannot read it. A device cannot read what its person wrote before
    ///     it came. The first note that it reads is the whole list, and says nothing of what its change did.
    package init?(
        _ change: TripChange, among changes: [TripChange], now: WishList, opening open: ([UInt8]) -> [UInt8]?
    ) {
        guard !change.content.ownNotes.isEmpty else { return nil }
        var (before, isRead, isMissing) = (WishList(), false, false)
        for other in changes where other.participant == change.participant && change.hasSeen(other) {
            for note in other.content.ownNotes {
                if let opened = open(note), before.merge(opened) { isRead = true } else { isMissing = true }
            }
        }
        guard isRead || !isMissing else { return nil }
        var after = before
        for note in change.content.ownNotes { if let opened = open(note) { after.merge(opened) } }
        let (old, new, present) = (Set(before.wishes), Set(after.wishes), Set(now.wishes))
        removed = after.wishes.filter { !old.contains($0) && present.contains($0) }
        back = before.wishes.filter { !new.contains($0) && !present.contains($0) }
            .map { Back(wish: $0, time: before.time(of: $0)) }
    }

    /// Does it to a list.
    /// - Returns: what other devices merge.
    package func apply(to list: inout WishList, by writer: UInt64) throws(TripError) -> [UInt8] {
        var delta = WishList()
        for wish in removed { delta.merge(try list.remove(wish)) }
        for back in back { delta.merge(try list.add(back.wish, by: writer, at: back.time)) }
        return delta.encoded
    }
}
