import TripPage

/// Shores as lines, and the land that they enclose as rings.
struct ShoreLines {
    var lines: [[Land.Point]] = []
    var areas: [[Land.Point]] = []
}

/// GSHHG's shores as GMT stores them: the earth in square bins, row by row from the north-west, and in each bin the
/// segments of shore that lie in it (Wessel and Smith 1996; GMT's gmt_shore).
///
/// Numbers of a file are checked where they are used: one that lies in a place that is not there makes its bin empty.
struct ShoreBins {
    let grid: Grid
    private let firstSegment: [Int32]
    private let segmentCount: [Int16]
    private let cornerLevels: [Int16]
    private let segmentHeads: [Int32]
    private let firstPoint: [Int32]
    private let eastings, northings: [Int16]

    /// GSHHG's finest file has 10 million points: 40 MB, for as long as it is looked at.
    static let pointsMax = 16_000_000
    static let segmentsMax = 2_000_000
    static let binsMax = 360 * 180
    /// Of one land: more is no map.
    static let keptMax = 300_000
    /// How much detail is kept near places, in kilometres.
    static let finest = 0.04

    init(
        grid: Grid, firstSegment: [Int32], segmentCount: [Int16], cornerLevels: [Int16], segmentHeads: [Int32],
        firstPoint: [Int32], eastings: [Int16], northings: [Int16]
    ) {
        self.grid = grid
        self.firstSegment = firstSegment
        self.segmentCount = segmentCount
        self.cornerLevels = cornerLevels
        self.segmentHeads = segmentHeads
        self.firstPoint = firstPoint
        self.eastings = eastings
        self.northings = northings
    }

    /// Nil where there is no such file, no library that reads it, or where it is none of GMT's.
    init?(file: String) {
        guard let netCDF = NetCDF(file: file) else { return nil }
        func one(_ name: String) -> Int? { netCDF.numbers(name, as: Int32.self, countMax: 1)?.first.map(Int.init) }
        guard let minutes = one("Bin_size_in_minutes"), let columns = one("N_bins_in_360_longitude_range"),
            let rows = one("N_bins_in_180_degree_latitude_range"), (1...3600).contains(minutes),
            columns == 360 * 60 / minutes, rows == 180 * 60 / minutes, columns * rows <= Self.binsMax,
            let firstSegment = netCDF.numbers("Id_of_first_segment_in_a_bin", as: Int32.self, countMax: Self.binsMax),
            let segmentCount = netCDF.numbers("N_segments_in_a_bin", as: Int16.self, countMax: Self.binsMax),
            let cornerLevels = netCDF.numbers("Embedded_node_levels_in_a_bin", as: Int16.self, countMax: Self.binsMax),
            let segmentHeads = netCDF.numbers(
                "Embedded_npts_levels_exit_entry_for_a_segment", as: Int32.self, countMax: Self.segmentsMax),
            let firstPoint = netCDF.numbers(
                "Id_of_first_point_in_a_segment", as: Int32.self, countMax: Self.segmentsMax),
            let eastings = netCDF.numbers(
                "Relative_longitude_from_SW_corner_of_bin", as: Int16.self, countMax: Self.pointsMax),
            let northings = netCDF.numbers(
                "Relative_latitude_from_SW_corner_of_bin", as: Int16.self, countMax: Self.pointsMax),
            firstSegment.count == columns * rows, segmentCount.count == columns * rows,
            cornerLevels.count == columns * rows, segmentHeads.count == firstPoint.count,
            eastings.count == northings.count
        else { return nil }
        self.init(
            grid: Grid(size: Double(minutes) / 60, columns: columns, rows: rows), firstSegment: firstSegment,
            segmentCount: segmentCount, cornerLevels: cornerLevels, segmentHeads: segmentHeads, firstPoint: firstPoint,
            eastings: eastings, northings: northings)
    }

    /// The shores around places: in detail near them, elsewhere with as much as a drawing of all can show. Nil where that
    /// takes too long or is too much: half a coast would be a wrong one.
    func shores(around surroundings: Surroundings, by end: ContinuousClock.Instant) -> ShoreLines? {
        var shores = ShoreLines()
        var rings = LandRings()
        var kept = 0
        // From a bin's middle to its corner, at the equator.
        let diagonal = grid.size * 111.2 * 0.7072
        let coarse = max(surroundings.reach / 500, Self.finest)
        for row in 0..<grid.rows {
            if ContinuousClock.now > end { return nil }
            for column in 0..<grid.columns {
                let middle = grid.middle(column: column, row: row)
                guard surroundings.isReached(middle, margin: diagonal) else { continue }
                let index = row * grid.columns + column
                let isNear = surroundings.distance(to: middle) < diagonal + 40
                let tolerance = isNear ? Self.finest : coarse
                let bin = ShoreBin(
                    column: column, row: row, grid: grid, cornerLevels: cornerLevels[index],
                    segments: segments(ofBin: index, sizeMin: tolerance / (grid.size * 111.2)), tolerance: tolerance)
                kept += bin.segments.reduce(0) { $0 + $1.points.count }
                guard kept <= Self.keptMax else { return nil }
                bin.add(to: &rings)
                shores.areas += bin.islands
                shores.lines += bin.lines
            }
        }
        shores.areas += rings.rings
        return shores
    }

    /// The segments of a bin, but for islands that are smaller than `sizeMin`, as a part of the bin's side.
    private func segments(ofBin bin: Int, sizeMin: Double) -> [ShoreBin.Segment] {
        let stepsMin = Int(sizeMin * Grid.steps)
        let first = Int(firstSegment[bin])
        let count = Int(segmentCount[bin])
        guard first >= 0, count > 0, first + count <= segmentHeads.count else { return [] }
        return (first..<first + count).compactMap { index in
            let head = UInt32(bitPattern: segmentHeads[index])
            let start = Int(firstPoint[index])
            let length = Int(head >> 9)
            guard start >= 0, length > 1, start + length <= eastings.count else { return nil }
            if head & 7 > 3 {
                let north = northings[start..<start + length].lazy.map { Int(UInt16(bitPattern: $0)) }
                let east = eastings[start..<start + length].lazy.map { Int(UInt16(bitPattern: $0)) }
                guard let top = north.max(), let bottom = north.min(), let right = east.max(), let left = east.min(),
                    max(top - bottom, right - left) >= stepsMin
                else { return nil }
            }
            return ShoreBin.Segment(
                level: Int(head >> 6 & 7), entry: Int(head >> 3 & 7), exit: Int(head & 7),
                points: (start..<start + length).map { point in
                    PlanePosition(
                        x: Double(UInt16(bitPattern: eastings[point])) / 65_535,
                        y: Double(UInt16(bitPattern: northings[point])) / 65_535)
                })
        }
    }
}
