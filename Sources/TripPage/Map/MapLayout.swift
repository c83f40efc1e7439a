import TripModel

/// What a page's map draws: the places of its trip, chosen and grouped.
struct MapLayout: Sendable {
    /// In the order of the page's cards, `drawnMax` at most: the most wanted where there are more.
    let drawn: [MapPlace]
    /// How many more have a place.
    let notDrawn: Int
    /// Items that have none, in the same order.
    let unplaced: [ItemView]
    /// The kilometres to the nearest other place, and its title, by the item; of those that are drawn.
    let neighbours: [ItemID: (kilometres: Double, title: String)]

    static let drawnMax = 200
    /// Among how many places the nearest one is looked for.
    static let comparedMax = 5_000

    init(_ state: PageState) {
        let items = state.trip.items(sortedBy: state.query.sort)
        let places = items.compactMap { MapPlace($0) }
        unplaced = items.filter { $0.fields[.place] == nil && $0.isProposed && $0.kind != .dates }
        if places.count > Self.drawnMax {
            let wanted = places.sorted { ($1.item.tally, $0.item.number) < ($0.item.tally, $1.item.number) }
            let chosen = Set(wanted.prefix(Self.drawnMax).map(\.item.id))
            drawn = places.filter { chosen.contains($0.item.id) }
        } else {
            drawn = places
        }
        notDrawn = places.count - drawn.count
        let compared = places.prefix(Self.comparedMax)
        neighbours = Dictionary(
            uniqueKeysWithValues: drawn.compactMap { place in
                Self.neighbour(of: place, among: compared).map { (place.item.id, $0) }
            })
    }

    /// What is nearest has the greatest dot product.
    private static func neighbour(
        of place: MapPlace, among others: ArraySlice<MapPlace>
    ) -> (kilometres: Double, title: String)? {
        let nearest = others.lazy.filter { $0.item.id != place.item.id }
            .max { Sphere.dot($0.direction, place.direction) < Sphere.dot($1.direction, place.direction) }
        return nearest.map { (Sphere.distance($0.direction, place.direction), $0.item.title) }
    }
}
