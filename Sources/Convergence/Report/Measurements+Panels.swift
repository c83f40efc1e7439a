extension Measurements {
    /// How the nodes of one run went apart and came together, and what went wrong meanwhile.
    ///
    /// - Parameters:
    ///   - run: which run it was, as in "seed 7".
    ///   - unit: what times are counted in.
    package func divergencePanel(of run: String, in unit: Unit = .milliseconds) -> Panel {
        let end = Int(clamping: max(duration, samples.last?.time ?? 0))
        var bands = intervals.compactMap { interval -> Timeline.Band? in
            interval.trouble == .partition ? Self.band(interval) : nil
        }
        if let healing { bands.append(.init(.healing, from: Int(clamping: healing), to: end, "all faults are over")) }
        let nodeCount = max(traffic.count, (intervals.flatMap { $0.nodes }.max() ?? -1) + 1)
        var lanes = (0..<min(nodeCount, Timeline.lanesMax)).map { Timeline.Lane(name: "\($0)", bands: []) }
        for interval in intervals {
            let band = Self.band(interval)
            for node in interval.nodes where lanes.indices.contains(node) { lanes[node].bands.append(band) }
        }
        return Panel(
            title: "Divergence",
            caption: "How many different states there were at once in the run of \(run): 1 when all agree. "
                + "Behind it, the times when the network was cut; below it, each replica's own troubles.",
            chart: .timeline(
                Timeline(
                    time: unit, end: end, value: .count("state"),
                    points: samples.map { .init(time: Int(clamping: $0.time), value: $0.divergence) }, bands: bands,
                    lanes: lanes)))
    }

    private static func band(_ interval: Interval) -> Timeline.Band {
        let nodes = interval.nodes.map(String.init).joined(separator: ", ")
        return Timeline.Band(
            interval.trouble, from: Int(clamping: interval.start), to: Int(clamping: interval.end),
            nodes.isEmpty ? interval.fault : "\(interval.fault) of \(nodes)")
    }
}

extension Fault {
    package var trouble: Timeline.Trouble {
        switch self {
        case .partition, .oneWay: .partition
        case .crash, .torn: .crash
        default: .other
        }
    }
}

/// How changes spread in many runs together.
package struct Spreading: Sendable {
    private var bytes: [Int: Int] = [:]
    private var hops: [Int: Int] = [:]
    private var delays: [Int: Int] = [:]
    private var settling: [Int: Int] = [:]
    private var maxima: [String: Measurements.Maximum] = [:]

    package init() {}

    /// Takes a run in. O(its changes).
    package mutating func add(_ run: Measurements) {
        for spread in run.spreads {
            if spread.reached > 0 {
                bytes[Int(spread.bytesPerNode.rounded()), default: 0] += 1
                hops[spread.hopsMax, default: 0] += 1
            }
            if let delay = spread.convergence { delays[Self.rounded(delay), default: 0] += 1 }
        }
        if let healing = run.healing, run.duration >= healing {
            settling[Self.rounded(run.duration - healing), default: 0] += 1
        }
        for maximum in run.maxima where maximum.value >= (maxima[maximum.name]?.value ?? 0) {
            maxima[maximum.name] = maximum
        }
    }

    /// Three digits are enough for a bar, and bound how many different values there are.
    private static func rounded(_ time: UInt64) -> Int {
        var (value, factor) = (Int(clamping: time), 1)
        while value >= 1_000 {
            value /= 10
            factor *= 10
        }
        return value * factor
    }

    /// The greatest values that were seen anywhere, by their names.
    package var greatest: [Measurements.Maximum] { maxima.values.sorted { $0.name < $1.name } }

    /// What is known of them, drawn.
    package var panels: [Panel] {
        let charts: [(String, String, Histogram)] = [
            (
                "Bytes of a change", "What crossed the network for one change, for each node that it reached.",
                Histogram(unit: .bytes, noun: "change", counts: bytes)
            ),
            (
                "Hops of a change", "Links between its author and the farthest node that came to hold it.",
                Histogram(unit: .count("hop"), noun: "change", counts: hops)
            ),
            (
                "Time to convergence", "From a change's being written until the last node held it, faults included.",
                Histogram(unit: .milliseconds, noun: "change", counts: delays)
            ),
            (
                "Time to heal", "From the end of all faults until every node showed the same.",
                Histogram(unit: .milliseconds, noun: "run", counts: settling)
            ),
        ]
        return charts.filter { $0.2.total > 0 }
            .map { Panel(title: $0.0, caption: $0.1, chart: .histogram($0.2)) }
    }
}
