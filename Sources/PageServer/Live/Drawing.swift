import TripPage

/// Collapsed cards as they were drawn: of thousands, a vote draws one anew.
struct CardCache: Sendable {
    private var earlier: [String: (card: CollapsedCard, fragment: Fragment)]
    private var drawn: [String: (card: CollapsedCard, fragment: Fragment)] = [:]

    /// What is not drawn again goes.
    init(of earlier: CardCache?) { self.earlier = earlier?.drawn ?? [:] }

    /// The fragment of a card, rendered.
    mutating func fragment(of card: CollapsedCard) -> Fragment {
        if let known = earlier[card.id], known.card == card {
            drawn[card.id] = known
            return known.fragment
        }
        let fragment = TripPage.card(card).ready
        drawn[card.id] = (card, fragment)
        return fragment
    }

    /// Lets go of what was not drawn again.
    mutating func forgetEarlier() { earlier = [:] }
}

/// A page's content as markup: what is compared with what a browser has.
struct Drawing: Sendable {
    struct Piece: Sendable {
        let id: String
        let markup: Markup
        /// Of all but its parts, and of each part in their order: the same for equal markup within this process.
        let hash: Int
        let partHashes: [Int]

        init(_ fragment: Fragment) {
            id = fragment.id
            markup = fragment.markup
            var around = Hasher()
            var (end, hashes) = (0, [Int]())
            for part in markup.parts {
                around.combine(markup.text(in: end..<part.range.lowerBound))
                hashes.append(markup.text(in: part.range).hashValue)
                end = part.range.upperBound
            }
            around.combine(markup.text(in: end..<markup.text.utf8.count))
            (hash, partHashes) = (around.finalize(), hashes)
        }
    }

    /// Rendered.
    let content: PageContent
    /// Fragments that stand alone, and those of lists.
    let pieces: [Piece]
    /// Each list with its fragments' ids, in order.
    let lists: [(id: String, order: [String])]
    /// The same for equal content within this process.
    let digest: String
    /// `PageState.reading`.
    let reading: Int64

    init(_ content: PageContent, reading: Int64 = 0) {
        self.reading = reading
        self.content = content.ready
        pieces = (self.content.fragments + self.content.lists.flatMap(\.fragments)).map(Piece.init)
        lists = content.lists.map { ($0.id, $0.fragments.map(\.id)) }
        var hasher = Hasher()
        hasher.combine(content.title)
        for piece in pieces { hasher.combine([piece.hash] + piece.partHashes) }
        for list in lists { hasher.combine(list.order) }
        digest = String(UInt(bitPattern: hasher.finalize()), radix: 36)
    }
}

extension Markup {
    /// What stands in a range of bytes that begins and ends between characters.
    func text(in range: Range<Int>) -> Substring {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }
}
