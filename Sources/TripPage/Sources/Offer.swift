package import TripModel
package import TripService

/// Something that could be shared: a wish, or an entry of a feed.
package struct Offer: Hashable, Sendable {
    /// Sixteen hexadecimal digits of all that it says: the same wherever it stands, and after it was read again.
    package let id: String
    package let item: NewItem
    /// What a search looks through.
    let folded: [UInt8]

    package init(_ item: NewItem) {
        self.item = item
        let texts = item.fields.filter { $0.key != .title }.sorted { $0.key < $1.key }
        // Offers with the same words are shown once, and no more hangs on it.
        var said: [UInt8] = []
        for text in [item.title] + texts.flatMap({ [$0.key.name, $0.value] }) + [String(item.quantity ?? 0)] {
            said += Array(text.utf8) + [0]
        }
        id = FNV1a.digits(FNV1a.hash(said))
        folded = FoldedTexts.folded(([item.title] + texts.map(\.value)).joined(separator: "\n"))
    }

    /// Offers of things, in their order; what is there twice, once. O(n).
    package static func all(_ items: some Sequence<NewItem>) -> [Offer] {
        var seen: Set<String> = []
        return items.map(Offer.init).filter { seen.insert($0.id).inserted }
    }
}

/// What a person shares from, as a page shows it.
package struct Sources: Sendable {
    /// A feed that is looked at.
    package enum Feed: Sendable {
        case awaited
        case read([Offer])
        /// Why it cannot be read, in one line.
        case problem(String)
    }

    package var wishes: [Offer]
    /// The items that were looked at, the latest first.
    package var viewed: [ItemID]
    /// The names of their feeds.
    package var feeds: [String]
    /// Of the one that the query names.
    package var feed: Feed

    package init(wishes: [Offer] = [], viewed: [ItemID] = [], feeds: [String] = [], feed: Feed = .awaited) {
        self.wishes = wishes
        self.viewed = viewed
        self.feeds = feeds
        self.feed = feed
    }
}
