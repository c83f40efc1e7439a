/// Trigonometry of places on a sphere, as unit vectors: no pole, no meridian and no distance is special.
///
/// The four functions stand here because this target imports nothing: drawings are then the same on every machine, to the
/// last digit. Errors are below 1e-14, which on the earth are less than the width of a hair.
package enum Sphere {
    /// A unit vector: x to 0°N 0°E, y to 0°N 90°E, z to the north pole.
    package typealias Direction = SIMD3<Double>

    /// The earth's mean radius (IUGG), in kilometres.
    package static let radius = 6371.0088

    package static func direction(of point: Land.Point) -> Direction {
        let latitude = point.latitude * .pi / 180
        let longitude = point.longitude * .pi / 180
        let fromAxis = cosine(latitude)
        return Direction(fromAxis * cosine(longitude), fromAxis * sine(longitude), sine(latitude))
    }

    /// Along the surface, in kilometres.
    package static func distance(_ a: Direction, _ b: Direction) -> Double { radius * angle(a, b) }

    /// In radians. By the tangent, which unlike haversine and cosine is exact for the nearest and for antipodes alike.
    static func angle(_ a: Direction, _ b: Direction) -> Double {
        arctangent(length(cross(a, b)), dot(a, b))
    }

    package static func dot(_ a: Direction, _ b: Direction) -> Double { (a * b).sum() }

    static func length(_ a: Direction) -> Double { dot(a, a).squareRoot() }

    static func cross(_ a: Direction, _ b: Direction) -> Direction {
        Direction(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    /// Where most of them lie around; the first where they cancel out, and the null meridian's equator for none.
    package static func middle(of directions: [Direction]) -> Direction {
        let sum = directions.reduce(Direction(), +)
        let size = length(sum)
        return size > 1e-9 ? sum / size : directions.first ?? Direction(1, 0, 0)
    }

    /// From where the ways to all are shortest in sum, nearly (Weiszfeld's steps): where most of them are, however far
    /// away the others lie.
    static func median(of directions: [Direction]) -> Direction {
        var median = middle(of: directions)
        guard directions.count > 2 else { return median }
        for _ in 0..<20 {
            let sum = directions.reduce(Direction()) { $0 + $1 / (length($1 - median) + 1e-6) }
            let size = length(sum)
            guard size > 1e-9 else { break }
            median = sum / size
        }
        return median
    }
}

// MARK: - Functions

extension Sphere {
    /// The sine of an angle in radians, by its series, to the term of x¹⁹.
    static func sine(_ angle: Double) -> Double {
        var x = angle.remainder(dividingBy: 2 * .pi)
        if x > .pi / 2 { x = .pi - x } else if x < -.pi / 2 { x = -.pi - x }
        let square = x * x
        var sum = 1.0
        for divisor in stride(from: 18.0, through: 2, by: -2) {
            sum = 1 - square / (divisor * (divisor + 1)) * sum
        }
        return x * sum
    }

    package static func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

    /// The angle from 0 to π of the point (x, y) where y is not negative; 0 for the origin.
    static func arctangent(_ y: Double, _ x: Double) -> Double {
        guard x != 0 || y != 0 else { return 0 }
        let acute = y > abs(x) ? .pi / 2 - arctangent(ofRatio: abs(x) / y) : arctangent(ofRatio: y / abs(x))
        return x < 0 ? .pi - acute : acute
    }

    /// Of a ratio from 0 to 1: brought to at most tan 15° first, where the series is quick.
    private static func arctangent(ofRatio ratio: Double) -> Double {
        let root = 3.0.squareRoot()
        let isLarge = ratio > 2 - root
        let x = isLarge ? (ratio * root - 1) / (root + ratio) : ratio
        let square = x * x
        var sum = 0.0
        for power in stride(from: 25.0, through: 1, by: -2) { sum = 1 / power - square * sum }
        return x * sum + (isLarge ? .pi / 6 : 0)
    }
}
