/// How a number of something went over the time of a run, with what went wrong meanwhile.
package struct Timeline: Sendable {
    /// What something was from a moment on, until the next point.
    package struct Point: Sendable, Hashable {
        package var time: Int
        package var value: Int

        package init(time: Int, value: Int) {
            self.time = time
            self.value = value
        }
    }

    /// A kind of trouble, which decides a band's colour.
    package enum Trouble: String, Sendable, CaseIterable {
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
    package struct Band: Sendable, Hashable {
        package var trouble: Trouble
        package var start: Int
        package var end: Int
        /// What it was, for whoever points at it.
        package var description: String

        package init(_ trouble: Trouble, from start: Int, to end: Int, _ description: String) {
            self.trouble = trouble
            self.start = start
            self.end = end
            self.description = description
        }
    }

    /// One replica's troubles.
    package struct Lane: Sendable, Hashable {
        package var name: String
        package var bands: [Band]

        package init(name: String, bands: [Band]) {
            self.name = name
            self.bands = bands
        }
    }

    package var time: Unit
    /// When the run ended.
    package var end: Int
    /// What the points count.
    package var value: Unit
    /// In the order of their times.
    package var points: [Point]
    /// Behind the curve.
    package var bands: [Band]
    /// Below it, a line for each replica.
    package var lanes: [Lane]

    package init(time: Unit, end: Int, value: Unit, points: [Point], bands: [Band] = [], lanes: [Lane] = []) {
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
