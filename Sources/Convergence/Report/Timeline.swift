/// How a number of something went over the time of a run, with what went wrong meanwhile.
public struct Timeline: Sendable {
    /// What something was from a moment on, until the next point.
    public struct Point: Sendable, Hashable {
        public var time: Int
        public var value: Int

        public init(time: Int, value: Int) {
            self.time = time
            self.value = value
        }
    }

    /// A kind of trouble, which decides a band's colour.
    public enum Trouble: String, Sendable, CaseIterable {
        case partition, crash, other, healing

        var name: String {
            switch self {
            case .partition: "network cut"
            case .crash: "a replica is down"
            case .other: "other faults"
            case .healing: "all faults over"
            }
        }
    }

    /// A span of time in which something was wrong.
    public struct Band: Sendable, Hashable {
        public var trouble: Trouble
        public var start: Int
        public var end: Int
        /// What it was, for whoever points at it.
        public var description: String

        public init(_ trouble: Trouble, from start: Int, to end: Int, _ description: String) {
            self.trouble = trouble
            self.start = start
            self.end = end
            self.description = description
        }
    }

    /// One replica's troubles.
    public struct Lane: Sendable, Hashable {
        public var name: String
        public var bands: [Band]

        public init(name: String, bands: [Band]) {
            self.name = name
            self.bands = bands
        }
    }

    public var time: Unit
    /// When the run ended.
    public var end: Int
    /// What the points count.
    public var value: Unit
    /// In the order of their times.
    public var points: [Point]
    /// Behind the curve.
    public var bands: [Band]
    /// Below it, a line for each replica.
    public var lanes: [Lane]

    public init(time: Unit, end: Int, value: Unit, points: [Point], bands: [Band] = [], lanes: [Lane] = []) {
        self.time = time
        self.end = min(max(end, 0), Scale.greatest)
        self.value = value
        self.points = points
        self.bands = bands
        self.lanes = lanes
    }
}

extension Timeline {
    /// What is drawn at most: more would not be seen.
    static let columnsMax = 500
    static let bandsMax = 100
    static let lanesMax = 64

    /// The bands with those of one kind that nearly touch drawn as one, in the order of their starts. O(n log n).
    func outline(of bands: [Band]) -> [Band] {
        let gap = end / (2 * Self.bandsMax)
        var kept: [Band] = []
        var last: [Trouble: (index: Int, more: Int)] = [:]
        var descriptions: [String] = []
        for band in bands.sorted(by: { $0.start < $1.start }) {
            if let (index, more) = last[band.trouble], band.start - kept[index].end <= gap {
                kept[index].end = max(kept[index].end, band.end)
                kept[index].description = "\(descriptions[index]) and \(more + 1) more"
                last[band.trouble] = (index, more + 1)
            } else if kept.count < Self.bandsMax * Trouble.allCases.count {
                last[band.trouble] = (kept.count, 0)
                kept.append(band)
                descriptions.append(band.description)
            }
        }
        return kept
    }

    /// The points with at most two left in each of so many columns: its greatest value and its last. O(points).
    var outline: [Point] {
        guard points.count > Self.columnsMax else { return points }
        let width = max(1, end / Self.columnsMax)
        var kept: [Point] = []
        var index = 0
        while index < points.count {
            let column = points[index].time / width
            var (greatest, last) = (points[index], points[index])
            while index < points.count, points[index].time / width == column {
                last = points[index]
                if last.value > greatest.value { greatest = last }
                index += 1
            }
            kept.append(greatest)
            if last != greatest { kept.append(last) }
        }
        return kept
    }
}
