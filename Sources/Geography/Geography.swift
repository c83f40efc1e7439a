package import TripPage

/// What this machine knows of the land around places: coasts and towns of packages that Debian has. Wanted, and not
/// needed: where none is installed, or nothing of it can be read, the land is empty.
package actor Geography {
    private let townFile: String
    private let shoreFiles: [String]
    private let patience: Duration
    private var known: [Key: Land] = [:]

    /// How many lands are kept: of as many trips, or of one whose places change.
    static let keptMax = 8
    /// - Parameters:
    ///   - townFile: GeoNames' table of towns.
    ///   - shoreFiles: GSHHG's shores in GMT's bins; the first that is there is read.
    ///   - patience: how long a look at one of the files may take; what is not read by then is left out.
    package init(
        townFile: String = "/usr/share/libtimezonemap/ui/cities15000.txt",
        shoreFiles: [String] = ["f", "h", "i", "l"].map { "/usr/share/gmt-gshhg/binned_GSHHS_\($0).nc" },
        patience: Duration = .seconds(10)
    ) {
        self.townFile = townFile
        self.shoreFiles = shoreFiles
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
        var shores = ShoreLines()
        for file in shoreFiles {
            guard let bins = ShoreBins(file: file) else { continue }
            shores = bins.shores(around: surroundings, by: .now + patience) ?? ShoreLines()
            break
        }
        let land = Land(shores: shores.lines, areas: shores.areas, towns: towns)
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
    /// In kilometres, from a point: 500 less than half around the earth.
    static let reachMax = 19_500.0

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
        // Never as far as the other side of any of the points: there a drawing around that point tears.
        reach = min(max(farthest * 2.2, farthest + Self.reachMin), Self.reachMax - farthest)
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
}
