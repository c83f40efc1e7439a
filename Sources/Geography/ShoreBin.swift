import TripPage

/// How the earth is cut into bins.
struct Grid: Hashable {
    /// Of a bin's side, in degrees.
    let size: Double
    let columns, rows: Int

    /// Into how many steps a file cuts a bin's side.
    static let steps = 65_535.0

    func southWest(column: Int, row: Int) -> Land.Point {
        let longitude = Double(column) * size
        return Land.Point(
            latitude: 90 - Double(row + 1) * size, longitude: longitude >= 180 ? longitude - 360 : longitude)
    }

    func middle(column: Int, row: Int) -> Sphere.Direction {
        let corner = southWest(column: column, row: row)
        return Sphere.direction(
            of: Land.Point(latitude: corner.latitude + size / 2, longitude: corner.longitude + size / 2))
    }
}

/// One bin of shores. Inside it positions run from 0 to 1, from its south-west corner.
struct ShoreBin {
    /// A piece of shore with the land on its left.
    struct Segment {
        /// 1 of land, 2 of a lake, 3 of an island in a lake, 4 of a pond on that, 6 of Antarctica's ground under its ice.
        let level: Int
        /// Sides by which it comes and goes: 0 south, 1 east, 2 north, 3 west; 4 for one that is closed in itself.
        let entry, exit: Int
        var points: [PlanePosition]

        var isClosed: Bool { entry > 3 || exit > 3 }
    }

    /// From the null meridian, and from the north.
    let column, row: Int
    let grid: Grid
    /// Of its corners from the south-west on, against the clock: three bits each, highest first.
    let cornerLevels: [Int]
    /// Simplified.
    let segments: [Segment]

    /// Into how many pieces each side is cut where land runs along it: so many that it curves as its parallel does, and
    /// as its neighbour's side.
    let piecesOfSide: Int

    init(column: Int, row: Int, grid: Grid, cornerLevels: Int16, segments: [Segment], tolerance: Double) {
        self.column = column
        self.row = row
        self.grid = grid
        let size = grid.size
        self.cornerLevels = [9, 6, 3, 0].map { Int(UInt16(bitPattern: cornerLevels) >> $0 & 7) }
        // A side of 222 km is up to 0.5 km from its chord at middle latitudes, a quarter of it a sixteenth of that.
        piecesOfSide = tolerance > 1 ? 1 : tolerance > 0.2 ? 4 : 20
        let high = size * 111.2
        let wide = high * Sphere.cosine((90 - (Double(row) + 0.5) * size) * .pi / 180)
        self.segments = segments.compactMap { segment in
            // The shore of the ice is Antarctica's.
            guard segment.level < 5 else { return nil }
            let kilometres = segment.points.map { PlanePosition(x: $0.x * wide, y: $0.y * high) }
            let kept = Outline.simplified(kilometres, tolerance: tolerance)
            guard kept.count > (segment.isClosed ? 3 : 1) else { return nil }
            var segment = segment
            segment.points = kept.map { PlanePosition(x: wide > 0 ? $0.x / wide : 0, y: $0.y / high) }
            return segment
        }
    }

    var lines: [[Land.Point]] { segments.map { $0.points.map(point) } }

    /// The rings that lie wholly in the bin.
    var islands: [[Land.Point]] { segments.filter(\.isClosed).map { $0.points.dropLast().map(point) } }

    /// Adds what of the land meets the bin's sides: for each level what lies within its shores, for lakes lie in land and
    /// islands in lakes, and land is their even-odd filling.
    func add(to rings: inout LandRings) {
        for level in 1...4 {
            // Land lies left of all shores, so of a lake's the lake lies right.
            let open = segments.filter { $0.level == level && !$0.isClosed }.map { level % 2 == 1 ? $0 : $0.reversed }
            if open.isEmpty {
                if cornerLevels.allSatisfy({ $0 >= level }) { addSides(from: 0, to: 4, &rings) }
            } else {
                for segment in open { rings.add(shore: arc(segment.points)) }
                close(open, &rings)
            }
        }
    }

    private func point(_ position: PlanePosition) -> Land.Point {
        let corner = grid.southWest(column: column, row: row)
        return Land.Point(
            latitude: corner.latitude + position.y * grid.size, longitude: corner.longitude + position.x * grid.size)
    }

    private func node(_ position: PlanePosition) -> LandRings.Node {
        let around = Double(grid.columns) * Grid.steps
        let east = ((Double(column) + position.x) * Grid.steps).rounded()
        let north = ((Double(grid.rows - 1 - row) + position.y) * Grid.steps).rounded()
        return LandRings.Node(east: Int32(east >= around ? east - around : east), north: Int32(north))
    }

    /// Of at least two positions.
    private func arc(_ positions: [PlanePosition]) -> LandRings.Arc {
        LandRings.Arc(
            from: node(positions[0]), to: node(positions[positions.count - 1]), points: positions.map(point))
    }

    /// Closes open segments along the bin's sides: from the end of each against the clock to the next start.
    private func close(_ segments: [Segment], _ rings: inout LandRings) {
        let starts = segments.map { Self.around($0.points[0], $0.entry) }
        for segment in segments {
            let end = Self.around(segment.points[segment.points.count - 1], segment.exit)
            let way = starts.map { $0 >= end ? $0 - end : $0 - end + 4 }.min() ?? 0
            if way > 0 { addSides(from: end, to: end + way, &rings) }
        }
    }

    /// Adds the bin's sides between two positions on them, in pieces.
    private func addSides(from start: Double, to end: Double, _ rings: inout LandRings) {
        let pieces = Double(piecesOfSide)
        let first = Int((start * pieces).rounded(.down)) + 1
        let last = Int((end * pieces).rounded(.up))
        var stops = [start]
        if first < last { stops += (first..<last).map { Double($0) / pieces } }
        stops.append(end)
        for (from, to) in zip(stops, stops.dropFirst()) {
            let side = arc([Self.position(around: from), Self.position(around: to)])
            if side.from != side.to { rings.add(side: side) }
        }
    }

    /// How far around the bin a position on one of its sides is, from the south-west corner against the clock: 0 to 4.
    private static func around(_ position: PlanePosition, _ side: Int) -> Double {
        switch side {
        case 0: position.x
        case 1: 1 + position.y
        case 2: 3 - position.x
        default: 4 - position.y
        }
    }

    private static func position(around way: Double) -> PlanePosition {
        let way = way >= 4 ? way - 4 : way
        return switch way {
        case ..<1: PlanePosition(x: way, y: 0)
        case ..<2: PlanePosition(x: 1, y: way - 1)
        case ..<3: PlanePosition(x: 3 - way, y: 1)
        default: PlanePosition(x: 0, y: 4 - way)
        }
    }
}

extension ShoreBin.Segment {
    fileprivate var reversed: Self { Self(level: level, entry: exit, exit: entry, points: points.reversed()) }
}
