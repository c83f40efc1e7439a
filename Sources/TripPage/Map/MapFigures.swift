import TripModel

/// The drawings of a map: one of all places, and after it one of each group that is too crowded in it.
struct MapFigures {
    let state: PageState
    private(set) var figures: [MapFigure] = []
    /// The highest tally, above none, by which places are marked as leading.
    private let best: Int

    static let figuresMax = 7
    /// How often a group of a group is drawn larger.
    static let depthMax = 3
    /// From side to side, in kilometres: of a drawing of several places, and of one alone, with the land around it.
    static let kilometresMin = 1.5
    static let kilometresMinAlone = 24.0
    /// Pins nearer than this, in units of a drawing, cannot both stand where they belong.
    static let crowding = 22.0
    /// What tells drawings apart that are around the same town.
    static let closer = ["", ", closer", ", closest"]

    init(_ places: [MapPlace], _ state: PageState) {
        self.state = state
        best = max(places.map(\.item.tally).max() ?? 0, 0)
        add(places, name: nil, closeness: 0, depth: 0)
    }

    var html: [HTML] {
        figures.map { $0.html(landBytesMax: LandLayer.bytesMaxOfAll / figures.count) }
    }

    private mutating func add(_ places: [MapPlace], name: String?, closeness: Int, depth: Int) {
        let kilometres = places.count == 1 ? Self.kilometresMinAlone : Self.kilometresMin
        let groups = depth < Self.depthMax ? crowdedGroups(of: places, kilometresMin: kilometres) : []
        let names = groups.map { townName(near: $0.places) ?? $0.places[0].item.title }
        var isGrouped: Set<ItemID> = []
        for group in groups { isGrouped.formUnion(group.places.map(\.item.id)) }
        let single = places.filter { !isGrouped.contains($0.item.id) }
            .map { MapPin.Mark.item($0, isLeading: best > 0 && $0.item.tally == best) }
        let title = if let name { name } else if groups.isEmpty { townName(near: places) } else { String?.none }
        figures.append(
            MapFigure(
                title: title.map { "Around \($0)" + Self.closer[min(closeness, Self.closer.count - 1)] }
                    ?? "All places", state: state,
                marks: zip(groups, names).map { .group($0, name: $1) } + single, kilometresMin: kilometres))
        for (group, groupName) in zip(groups, names) where figures.count < Self.figuresMax {
            let isSame = groupName == name
            add(group.places, name: groupName, closeness: isSame ? closeness + 1 : 0, depth: depth + 1)
        }
    }

    /// The groups that are drawn as one, since their pins would stand on each other; as many as there is room for
    /// drawings of their own.
    private func crowdedGroups(of places: [MapPlace], kilometresMin: Double) -> [MapGroup] {
        guard places.count > 2 else { return [] }
        let centre = Sphere.middle(of: places.map(\.direction))
        let step = (places.map { Sphere.distance($0.direction, centre) }.max() ?? 0) / 5
        guard step > 0.5 else { return [] }
        let groups = MapGroup.groups(of: places, step: step)
        guard groups.count > 1 else { return [] }
        let (_, frame) = MapFigure.view(of: places.map(\.direction), kilometresMin: kilometresMin)
        let crowded = groups.filter { group in
            group.places.indices.contains { left in
                group.places.indices.dropFirst(left + 1).contains { right in
                    let kilometres = Sphere.distance(group.places[left].direction, group.places[right].direction)
                    return kilometres * frame.unitsPerKilometre < Self.crowding
                }
            }
        }
        return Array(crowded.prefix(Self.figuresMax - figures.count - 1))
    }

    /// The greatest town within 12 km of the middle, or as near to it as one of the places; or else the nearest within 60.
    /// Nil where places are further apart.
    private func townName(near places: [MapPlace]) -> String? {
        let middle = Sphere.median(of: places.map(\.direction))
        let reach = max(places.map { Sphere.distance($0.direction, middle) }.max() ?? 0, 12)
        guard reach < 60 else { return nil }
        let near = state.land.towns.map { ($0, Sphere.distance(Sphere.direction(of: $0.point), middle)) }
            .filter { $0.1 < 60 }
        let greatest = near.filter { $0.1 < reach }.max { $0.0.population < $1.0.population }
        return (greatest ?? near.min { $0.1 < $1.1 })?.0.name
    }
}
