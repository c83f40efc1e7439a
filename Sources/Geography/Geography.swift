package import TripPage

/// What this machine knows of the land around places: coasts that Caravan's package has, and towns of one that Debian has.
/// Wanted, and not needed: where none is installed, or nothing of it can be read, the land is empty.
package actor Geography {
    private let townFile: String
    private let coastFiles: [String]
    private let patience: Duration
    private var known: [Key: Land] = [:]

    /// How many lands are kept: of as many trips, or of one whose places change.
    static let keptMax = 8
    /// Where `Scripts/coast` writes.
    package static let ownCoastFile = "/usr/local/share/caravan/coast"

    /// - Parameters:
    ///   - townFile: GeoNames' table of towns.
    ///   - coastFiles: where the file that `Scripts/coast` makes may be; the first that is there is read.
    ///   - patience: how long a look at one of the files may take; what is not read by then is left out.
    package init(
        townFile: String = "/usr/share/libtimezonemap/ui/cities15000.txt",
        coastFiles: [String] = [ownCoastFile],
        patience: Duration = .seconds(10)
    ) {
        self.townFile = townFile
        self.coastFiles = coastFiles
        self.patience = patience
    }

    /// The land around places: in full near them, and as much as an overview of all shows between. Empty for no places.
    ///
    /// Reads files for up to twice its patience the first time that it is asked of places, and nothing later.
    package func land(around points: [Land.Point]) async -> Land {
        let surroundings = Surroundings(points)
        guard let surroundings else { return Land() }
        let key = Key(points: surroundings.points)
        if let land = known[key] { return land }
        let towns = TownTable.towns(in: townFile, around: surroundings, by: .now + patience)
        let coasts = coastFiles.lazy.compactMap(CoastFile.init).first?.coasts(around: surroundings, by: .now + patience)
        let land = Land(coasts: coasts ?? [], towns: towns)
        if known.count >= Self.keptMax { known.removeAll() }
        known[key] = land
        return land
    }

    private struct Key: Hashable { let points: [Land.Point] }
}

/// Around what land is looked for.
struct Surroundings {
    /// To a tenth of a degree, each once, `pointsMax` at most.
    let points: [Land.Point]
    let directions: [Sphere.Direction]
    let centre: Sphere.Direction
    /// From the centre, in kilometres: what a drawing of all the points may show.
    let reach: Double

    static let pointsMax = 200
    /// In kilometres: what is drawn around a single point.
    static let reachMin = 80.0
    /// In kilometres, from a point: within it coasts are known in full.
    static let nearness = 40.0

    /// Nil for no points.
    init?(_ points: [Land.Point]) {
        var tenths: Set<Land.Point> = []
        for point in points where point.latitude.isFinite && point.longitude.isFinite {
            guard abs(point.latitude) <= 90, abs(point.longitude) <= 180 else { continue }
            tenths.insert(
                Land.Point(
                    latitude: (point.latitude * 10).rounded() / 10, longitude: (point.longitude * 10).rounded() / 10))
            if tenths.count == Self.pointsMax { break }
        }
        guard !tenths.isEmpty else { return nil }
        self.points = tenths.sorted { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }
        directions = self.points.map(Sphere.direction(of:))
        let centre = Sphere.middle(of: directions)
        self.centre = centre
        let farthest = directions.map { Sphere.distance($0, centre) }.max() ?? 0
        reach = max(farthest * 2.2, farthest + Self.reachMin)
    }

    /// To the nearest of the points, in kilometres.
    func distance(to direction: Sphere.Direction) -> Double {
        let nearest = directions.max { Sphere.dot($0, direction) < Sphere.dot($1, direction) } ?? centre
        return Sphere.distance(nearest, direction)
    }

    /// Whether something is within the reach, or `margin` kilometres beyond it.
    func isReached(_ direction: Sphere.Direction, margin: Double = 0) -> Bool {
        Sphere.dot(direction, centre) >= Sphere.cosine(min((reach + margin) / Sphere.radius, .pi))
    }

    /// How far off a coast may be somewhere, and how far around that spot this holds, in kilometres: less than a drawing of
    /// all the points shows, and beyond the reach so little that no coast comes into it.
    func tolerance(at direction: Sphere.Direction) -> (tolerance: Double, room: Double) {
        let toNearness = distance(to: direction) - Self.nearness
        guard toNearness > 4 else { return (0, 2) }
        let room = toNearness / 2
        return (max(reach / 500, (Sphere.distance(direction, centre) - room - reach) / 4), room)
    }
}
