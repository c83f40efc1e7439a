import Files
import TripPage

/// The coasts of the earth as rings, in a file that `Scripts/coast` makes of GSHHG's, and describes.
struct CoastFile {
    private static let firstLine = Array("caravan coast 1\n".utf8)
    private static let stepsPerDegree = 5_000
    private static let kilometresPerStep = 111.2 / Double(stepsPerDegree)

    /// GSHHG in high resolution takes 5 MB.
    static let bytesMax = 32 << 20
    /// Points around some places: more is no map.
    static let pointsMax = 300_000

    private struct Point {
        /// In steps.
        var east = 0, north = 0
        var rank = 0

        /// How far off a line without it may be; for the first of a ring, how far away another one of the ring may be.
        var kilometres: Double { 0.2 * Double(2 << rank) }

        var direction: Sphere.Direction {
            Sphere.direction(
                of: Land.Point(
                    latitude: Double(north) / Double(stepsPerDegree), longitude: Double(east) / Double(stepsPerDegree)))
        }
    }

    private let bytes: [UInt8]
    private var position = firstLine.count

    /// Nil where there is no such file, or it is none of this form.
    init?(_ file: String) {
        guard let bytes = try? WholeFile.read(file, atMost: Self.bytesMax), bytes.starts(with: Self.firstLine) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The coasts around places. Nil where the file is broken, or where that takes too long or is too much: half a coast
    /// would be a wrong one.
    consuming func coasts(
        around surroundings: Surroundings, by deadline: ContinuousClock.Instant
    ) -> [[Sphere.Direction]]? {
        var coasts: [[Sphere.Direction]] = []
        var count = 0
        var first = Point()
        while position < bytes.count {
            guard ContinuousClock.now < deadline, let length = number(before: bytes.count),
                length <= bytes.count - position
            else { return nil }
            let end = position + length
            guard let start = point(after: first, before: end) else { return nil }
            first = start
            // The way along the earth is at most π/2 times the way through it.
            guard surroundings.isReached(first.direction, margin: first.kilometres * .pi / 2) else {
                position = end
                continue
            }
            guard let coast = ring(from: first, to: end, surroundings) else { return nil }
            count += coast.count
            guard count <= Self.pointsMax else { return nil }
            if coast.count > 2 { coasts.append(coast) }
        }
        return coasts
    }

    /// A ring without the points that are too fine where they are.
    private mutating func ring(from first: Point, to end: Int, _ surroundings: Surroundings) -> [Sphere.Direction]? {
        var ring: [Sphere.Direction] = []
        var point = first
        var (tolerance, room) = surroundings.tolerance(at: first.direction)
        while true {
            if room < 0 { (tolerance, room) = surroundings.tolerance(at: point.direction) }
            if point.kilometres > tolerance { ring.append(point.direction) }
            guard position < end else { return ring }
            guard ring.count <= Self.pointsMax, let next = self.point(after: point, before: end) else { return nil }
            room -= Double(abs(next.east - point.east) + abs(next.north - point.north)) * Self.kilometresPerStep
            point = next
        }
    }

    private mutating func point(after point: Point, before end: Int) -> Point? {
        guard let east = number(before: end), let north = number(before: end) else { return nil }
        let next = Point(
            east: point.east + Self.signed(east >> 4), north: point.north + Self.signed(north), rank: east & 15)
        let isOnEarth = abs(next.east) <= 720 * Self.stepsPerDegree && abs(next.north) <= 90 * Self.stepsPerDegree
        return isOnEarth ? next : nil
    }

    private static func signed(_ zigzag: Int) -> Int { zigzag >> 1 ^ -(zigzag & 1) }

    /// In LEB128, of at most five bytes.
    private mutating func number(before end: Int) -> Int? {
        var number = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard position < end else { return nil }
            let byte = bytes[position]
            position += 1
            number |= Int(byte & 127) << shift
            if byte < 128 { return number }
        }
        return nil
    }
}
