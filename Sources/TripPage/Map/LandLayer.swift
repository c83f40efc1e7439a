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
        let fills = visible(land.areas)
        let lines = visible(land.shores)
        guard !fills.isEmpty || !lines.isEmpty else { return .none }
        // A little more than is seen, so that no fill's edge shows.
        let box = Box(left: -3, top: -3, right: frame.width + 3, bottom: frame.height + 3)
        let rings = fills.map { Outline.clipped(ring: $0, to: box) }.filter { $0.count > 2 }
        let parts = lines.flatMap { Outline.clipped(line: $0, to: box) }
        var (area, shore) = ("", "")
        var tolerance = Self.tolerance
        for _ in 0...Self.doublingsMax {
            area = Outline.pathData(rings.compactMap { simplified($0, tolerance) }, closed: true)
            shore = Outline.pathData(parts.compactMap { simplified($0, tolerance) }, closed: false)
            if area.utf8.count + shore.utf8.count <= bytesMax { break }
            tolerance *= 2
        }
        guard area.utf8.count + shore.utf8.count <= bytesMax else { return .none }
        return tag(.g, .aria(.hidden, "true")) {
            if !area.isEmpty { tag(.path, .class("map-land"), .plain(.d, area)) }
            if !shore.isEmpty { tag(.path, .class("map-shore"), .plain(.d, shore)) }
        }
    }

    /// Lines as they are drawn, but for those that are wholly elsewhere, and for those that come near the other side of
    /// the earth: there the projection tears.
    private func visible(_ lines: [[Land.Point]]) -> [[PlanePosition]] {
        let limit = Sphere.cosine(3.1)
        let corners = Box(left: 0, top: 0, right: frame.width, bottom: frame.height)
        return lines.compactMap { line in
            var positions: [PlanePosition] = []
            positions.reserveCapacity(line.count)
            var box = Box(left: .infinity, top: .infinity, right: -.infinity, bottom: -.infinity)
            for point in line {
                let direction = Sphere.direction(of: point)
                guard Sphere.dot(direction, projection.centre) > limit else { return nil }
                let position = frame.place(projection.project(direction))
                box.left = min(box.left, position.x)
                box.right = max(box.right, position.x)
                box.top = min(box.top, position.y)
                box.bottom = max(box.bottom, position.y)
                positions.append(position)
            }
            return box.overlaps(corners) ? positions : nil
        }
    }

    /// Nil for what is smaller than the tolerance: an islet that is a dot.
    private func simplified(_ line: [PlanePosition], _ tolerance: Double) -> [PlanePosition]? {
        let line = Outline.simplified(line, tolerance: tolerance)
        guard let first = line.first else { return nil }
        return line.contains { $0.distance(to: first) > tolerance } ? line : nil
    }
}
