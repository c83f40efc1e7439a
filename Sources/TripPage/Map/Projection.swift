/// A position on a drawing, or in kilometres east and north of a projection's centre.
package struct PlanePosition: Hashable, Sendable {
    package var x, y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    var length: Double { (x * x + y * y).squareRoot() }

    func distance(to other: PlanePosition) -> Double { PlanePosition(x: other.x - x, y: other.y - y).length }
}

/// The azimuthal equidistant projection: all distances and bearings from the centre are true, so circles around it are
/// circles; poles and the antimeridian are like any other place. North is up at the centre.
struct Projection: Sendable {
    let centre: Sphere.Direction
    private let east, north: Sphere.Direction

    init(centre: Sphere.Direction) {
        self.centre = centre
        // At a pole every direction is south, or north: the null meridian points up or down.
        let meridian = Sphere.cross(Sphere.Direction(0, 0, 1), centre)
        let size = Sphere.length(meridian)
        east = size > 1e-9 ? meridian / size : Sphere.Direction(0, 1, 0)
        north = Sphere.cross(centre, east)
    }

    /// In kilometres east and north of the centre.
    func project(_ direction: Sphere.Direction) -> PlanePosition {
        let x = Sphere.dot(direction, east)
        let y = Sphere.dot(direction, north)
        let sine = (x * x + y * y).squareRoot()
        guard sine > 1e-12 else { return PlanePosition(x: 0, y: 0) }
        let distance = Sphere.radius * Sphere.arctangent(sine, Sphere.dot(direction, centre))
        return PlanePosition(x: distance * x / sine, y: distance * y / sine)
    }
}

/// Which part of a projection a drawing shows, and how large.
struct Frame: Sendable {
    /// Of the drawing, in its own units.
    let width, height: Double
    let unitsPerKilometre: Double
    /// What stands in the middle of the drawing, in kilometres.
    let middle: PlanePosition

    /// Shows all of the positions with a margin, and at least `kilometresMin` from side to side.
    init(width: Double, height: Double, margin: Double, showing positions: [PlanePosition], kilometresMin: Double) {
        let xs = positions.map(\.x)
        let ys = positions.map(\.y)
        let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
        let (bottom, top) = (ys.min() ?? 0, ys.max() ?? 0)
        self.width = width
        self.height = height
        middle = PlanePosition(x: (left + right) / 2, y: (bottom + top) / 2)
        unitsPerKilometre = min(
            width / kilometresMin, (width - 2 * margin) / max(right - left, 1e-6),
            (height - 2 * margin) / max(top - bottom, 1e-6))
    }

    func place(_ position: PlanePosition) -> PlanePosition {
        PlanePosition(
            x: width / 2 + (position.x - middle.x) * unitsPerKilometre,
            y: height / 2 - (position.y - middle.y) * unitsPerKilometre)
    }

    func contains(_ position: PlanePosition, margin: Double = 0) -> Bool {
        position.x >= margin && position.x <= width - margin && position.y >= margin && position.y <= height - margin
    }

    /// From the middle to a corner, in kilometres.
    var reach: Double { (width * width + height * height).squareRoot() / 2 / unitsPerKilometre }
}

/// Lengths that people like to read: 1, 2 and 5 with zeros.
enum RoundLength {
    /// The greatest of them that is not above a length, both in kilometres; from 10 m up.
    static func atMost(_ kilometres: Double) -> Double {
        var best = 0.01
        var power = 0.01
        while power <= 20_000 {
            for step in [1.0, 2, 5] where power * step <= kilometres { best = power * step }
            power *= 10
        }
        return best
    }

    /// "50 m", "1.2 km", "12 km", "5,440 km".
    static func text(_ kilometres: Double) -> String {
        let metres = (kilometres * 1000).rounded()
        if metres < 100 { return "\(Int(metres)) m" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((kilometres * 10).rounded())
        if tenths < 100 { return tenths % 10 == 0 ? "\(tenths / 10) km" : "\(tenths / 10).\(tenths % 10) km" }
        let whole = Int(kilometres.rounded())
        guard whole >= 1000 else { return "\(whole) km" }
        let rest = String(whole % 1000)
        return "\(whole / 1000)," + String(repeating: "0", count: 3 - rest.utf8.count) + rest + " km"
    }
}
