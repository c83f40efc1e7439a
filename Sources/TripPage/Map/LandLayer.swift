/// Land and shores under the pins of a drawing, as little of them as the eye can tell.
struct LandLayer {
    let land: Land
    let projection: Projection
    let frame: Frame
    /// Of path data.
    let bytesMax: Int

    /// Of all drawings of a map: one that takes longer to come than to look at is none.
    static let bytesMaxOfAll = 48_000
    /// In units of the drawing; doubled until the map is small enough.
    static let tolerance = 0.35
    /// How often it may be doubled: then all is a few lines.
    static let doublingsMax = 12

    var html: HTML {
        let rings = land.coasts.flatMap(drawn)
        var tolerance = Self.tolerance
        for _ in 0...Self.doublingsMax {
            let path = Outline.pathData(rings.compactMap { simplified($0, tolerance) })
            if path.isEmpty { break }
            if path.utf8.count <= bytesMax {
                return tag(.g, .aria(.hidden, "true")) { tag(.path, .class("map-land"), .plain(.d, path)) }
            }
            tolerance *= 2
        }
        return .none
    }

    /// A coast as it is drawn, in rings whose even-odd filling it is.
    ///
    /// What is farther away than the drawing shows moves onto a circle around the projection's centre. So nothing comes near
    /// the other side of the earth, where the projection tears.
    func drawn(_ coast: [Sphere.Direction]) -> [[PlanePosition]] {
        let radius = min(1.2 * (frame.middle.length + frame.reach), Self.radiusMax)
        var ring: [PlanePosition] = []
        for (from, to) in zip(coast, coast.dropFirst() + coast.prefix(1)) { add(from, to, within: radius, to: &ring) }
        // A little more than is seen, so that no line at the edge shows.
        let box = Box(left: -3, top: -3, right: frame.width + 3, bottom: frame.height + 3)
        let clipped = Outline.clipped(ring: ring.map(frame.place), to: box)
        let rings = clipped.count > 2 ? [clipped] : []
        // One that encloses the other side of the earth goes around the circle the wrong way: its land is outside.
        let area = zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.0.y * $1.1.x } / 2
        return area < -radius * radius * .pi / 2 ? rings + [box.corners] : rings
    }

    /// Half around the earth but for 50 km.
    private static let radiusMax = Sphere.radius * .pi - 50

    /// Adds the way to a point, which is halved until it shows how it goes around the circle, and ends on it.
    private func add(
        _ from: Sphere.Direction, _ to: Sphere.Direction, within radius: Double, to ring: inout [PlanePosition],
        depth: Int = 0
    ) {
        let (start, end) = (projection.project(from), projection.project(to))
        let (near, far) = (start.length, end.length)
        if depth < 16, max(near, far) > radius, start.x * end.x + start.y * end.y < 0.8 * near * far {
            let middle = Sphere.middle(of: [from, to])
            add(from, middle, within: radius, to: &ring, depth: depth + 1)
            return add(middle, to, within: radius, to: &ring, depth: depth + 1)
        }
        ring.append(far > radius ? PlanePosition(x: end.x * radius / far, y: end.y * radius / far) : end)
    }

    /// Nil for what is smaller than the tolerance: an islet that is a dot.
    private func simplified(_ line: [PlanePosition], _ tolerance: Double) -> [PlanePosition]? {
        let line = Outline.simplified(line, tolerance: tolerance)
        guard let first = line.first else { return nil }
        return line.contains { $0.distance(to: first) > tolerance } ? line : nil
    }
}
