import TripPage

/// Collapsed cards as they were drawn: of thousands, a vote draws one anew.
struct CardCache: Sendable {
    private var earlier: [String: (card: CollapsedCard, piece: Drawing.Piece)]
    private var drawn: [String: (card: CollapsedCard, piece: Drawing.Piece)] = [:]

    /// What is not drawn again goes.
    init(of earlier: CardCache?) { self.earlier = earlier?.drawn ?? [:] }

    /// The region of a card, empty, for what was drawn lies here.
    mutating func region(of card: CollapsedCard) -> Region {
        if let known = earlier[card.id], known.card == card {
            drawn[card.id] = known
        } else {
            drawn[card.id] = (card, Drawing.Piece(TripPage.card(card)))
        }
        return Region(id: card.id, html: .none)
    }

    /// Lets go of what was not drawn again.
    mutating func forgetEarlier() { earlier = [:] }

    subscript(id: String) -> Drawing.Piece? { drawn[id]?.piece }
}

/// A page's content as markup: what is compared with what a browser has.
struct Drawing: Sendable {
    struct Piece: Sendable {
        let id: String
        let markup: String
        /// Of the markup, the same for equal markup within this process.
        let hash: Int

        init(_ region: Region) {
            id = region.id
            markup = region.html.rendered
            hash = markup.hashValue
        }
    }

    let title: String
    /// Regions that stand alone, and those of lists.
    let pieces: [Piece]
    /// Each list with its regions' ids, in order.
    let lists: [(id: String, order: [String])]

    /// - Parameter cards: of collapsed cards, which `content` holds as empty regions.
    init(_ content: PageContent, cards: CardCache) {
        title = content.title
        let regions = content.regions + content.lists.flatMap(\.regions)
        pieces = regions.map { $0.html == .none ? cards[$0.id] ?? Piece($0) : Piece($0) }
        lists = content.lists.map { ($0.id, $0.regions.map(\.id)) }
    }
}
