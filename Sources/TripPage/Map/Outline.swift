/// Lines and rings of a drawing: cut at its edge, made of no more points than can be seen, written as SVG path data.
package enum Outline {
    /// Douglas and Peucker's: leaves out points that are nearer than `tolerance` to the line of those left. Ends stay.
    /// With a stack of its own, for a shore may have 100,000 points in the worst order.
    package static func simplified(_ line: [PlanePosition], tolerance: Double) -> [PlanePosition] {
        guard line.count > 2 else { return line }
        var isKept = [Bool](repeating: false, count: line.count)
        isKept[0] = true
        isKept[line.count - 1] = true
        var spans = [(0, line.count - 1)]
        while let (first, last) = spans.popLast() {
            var farthest = first
            var greatest = tolerance
            for index in (first + 1)..<max(last, first + 1) {
                let distance = distance(of: line[index], fromSegment: line[first], line[last])
                if distance > greatest { (farthest, greatest) = (index, distance) }
            }
            guard farthest != first else { continue }
            isKept[farthest] = true
            if farthest - first > 1 { spans.append((first, farthest)) }
            if last - farthest > 1 { spans.append((farthest, last)) }
        }
        return line.indices.filter { isKept[$0] }.map { line[$0] }
    }

    private static func distance(of point: PlanePosition, fromSegment a: PlanePosition, _ b: PlanePosition) -> Double {
        let x = b.x - a.x
        let y = b.y - a.y
        let square = x * x + y * y
        guard square > 0 else { return point.distance(to: a) }
        let along = min(max(((point.x - a.x) * x + (point.y - a.y) * y) / square, 0), 1)
        return point.distance(to: PlanePosition(x: a.x + along * x, y: a.y + along * y))
    }

    /// The part of a ring inside a box (Sutherland and Hodgman's); empty where none is.
    static func clipped(ring: [PlanePosition], to box: Box) -> [PlanePosition] {
        var ring = ring
        for edge in Box.Edge.allCases {
            guard let last = ring.last else { return [] }
            var kept: [PlanePosition] = []
            var before = last
            for point in ring {
                let isIn = box.isInside(point, edge)
                if isIn != box.isInside(before, edge) { kept.append(box.crossing(before, point, edge)) }
                if isIn { kept.append(point) }
                before = point
            }
            ring = kept
        }
        return ring
    }

    /// Path data in whole tenths, each point relative to the one before: a third of what absolute ones take.
    static func pathData(_ rings: [[PlanePosition]]) -> String {
        var data = ""
        for line in rings {
            guard let first = line.first else { continue }
            var (x, y) = (tenths(first.x), tenths(first.y))
            data += "M" + text(x) + " " + text(y)
            var isDrawing = false
            for point in line.dropFirst() {
                let (nextX, nextY) = (tenths(point.x), tenths(point.y))
                guard nextX != x || nextY != y else { continue }
                data += isDrawing ? " " : "l"
                data += text(nextX - x) + " " + text(nextY - y)
                isDrawing = true
                (x, y) = (nextX, nextY)
            }
            data += "z"
        }
        return data
    }

    private static func tenths(_ value: Double) -> Int { Int((min(max(value, -1e6), 1e6) * 10).rounded()) }

    /// "12.3", "-.4", "5" of tenths.
    private static func text(_ tenths: Int) -> String {
        let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        let sign = tenths < 0 ? "-" : ""
        if rest == 0 { return sign + String(whole) }
        return sign + (whole == 0 ? "" : String(whole)) + "." + String(rest)
    }
}

/// A box of a drawing, whose y grows downwards.
struct Box: Hashable, Sendable {
    var left, top, right, bottom: Double

    enum Edge: CaseIterable { case left, top, right, bottom }

    var corners: [PlanePosition] {
        [(left, top), (right, top), (right, bottom), (left, bottom)].map { PlanePosition(x: $0.0, y: $0.1) }
    }

    func isInside(_ point: PlanePosition, _ edge: Edge) -> Bool {
        switch edge {
        case .left: point.x >= left
        case .top: point.y >= top
        case .right: point.x <= right
        case .bottom: point.y <= bottom
        }
    }

    /// Where the line between two points on different sides of an edge crosses it.
    func crossing(_ a: PlanePosition, _ b: PlanePosition, _ edge: Edge) -> PlanePosition {
        switch edge {
        case .left: PlanePosition(x: left, y: a.y + (b.y - a.y) * (left - a.x) / (b.x - a.x))
        case .right: PlanePosition(x: right, y: a.y + (b.y - a.y) * (right - a.x) / (b.x - a.x))
        case .top: PlanePosition(x: a.x + (b.x - a.x) * (top - a.y) / (b.y - a.y), y: top)
        case .bottom: PlanePosition(x: a.x + (b.x - a.x) * (bottom - a.y) / (b.y - a.y), y: bottom)
        }
    }

    func overlaps(_ other: Box) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}
