import TripPage

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

    init(_ content: PageContent) {
        title = content.title
        pieces = content.regions.map(Piece.init) + content.lists.flatMap { $0.regions.map(Piece.init) }
        lists = content.lists.map { ($0.id, $0.regions.map(\.id)) }
    }
}
