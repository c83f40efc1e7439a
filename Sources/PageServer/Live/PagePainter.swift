import TripPage

/// Draws pages, and keeps what it drew: for each viewer and query once until something changes, and cards for longer.
struct PagePainter: Sendable {
    private struct Look: Hashable {
        let viewer: Viewer
        let query: PageQuery
    }

    /// What was drawn since something changed last.
    private var drawings: [Look: Drawing] = [:]
    /// Cards as they were drawn last, for each way in which they are.
    private var cards: [Look: CardCache] = [:]

    static let drawingsMax = 64
    static let cardsMax = 4

    /// Something changed.
    mutating func forget() { drawings = [:] }

    /// What was drawn already for a viewer who looks at this; nil where that is nothing.
    func drawing(for viewer: Viewer, _ query: PageQuery) -> Drawing? { drawings[Look(viewer: viewer, query: query)] }

    /// - Parameter query: what the viewer asked for, under which the drawing is kept; nil where it is not kept.
    mutating func draw(_ state: PageState, as query: PageQuery?) -> Drawing {
        let drawing = draw(state)
        if let query, drawings.count < Self.drawingsMax {
            drawings[Look(viewer: state.viewer, query: query)] = drawing
        }
        return drawing
    }

    private mutating func draw(_ state: PageState) -> Drawing {
        // Cards are drawn alike whatever else is open, and wherever the reader is.
        var query = state.query
        (query.open, query.isEditing, query.at) = (nil, false, nil)
        let kept = Look(viewer: state.viewer, query: query)
        var cards = CardCache(of: cards[kept])
        let content = TripPage.content(state) { cards.fragment(of: $0) }
        if self.cards[kept] == nil, self.cards.count >= Self.cardsMax { self.cards = [:] }
        cards.forgetEarlier()
        self.cards[kept] = cards
        return Drawing(content, reading: state.reading)
    }
}
