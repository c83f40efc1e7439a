import Convergence

/// A report with everything that one can have, from a seed.
enum SampleReport {
    static func make(isBroken: Bool, seed: UInt64 = 5) -> Report {
        var generator = SeededGenerator(seed: seed)
        var report = Report(
            subject: "12 nodes in a hostile network",
            command: "caravan simulate --profile hostile --replicas 12 --steps 5000 --seeds 1..1000",
            digest: 0x0123_4567_89AB_CDEF,
            headlines: [
                .init("runs", 1_000, "runs"), .init("replicas", 12, "replicas"), .init("steps", 5_000, "steps in each"),
                .init("changes", 2_431_118, "changes"), .init("delivered", 61_204_977, "messages delivered"),
            ],
            faults: Fault.allCases.sorted().map { fault in
                Report.FaultCount(
                    name: fault.rawValue, meaning: fault.meaning,
                    count: fault == .skew ? 0 : generator.number(in: 10...180_000))
            })
        report.panels = [
            timeline(&generator),
            Panel(
                title: "Bytes a change costs", caption: "What all nodes together sent for one change, frames included.",
                chart: .histogram(
                    Histogram(
                        unit: .bytes, noun: "change",
                        values: (0..<4_000).map { _ in 300 + skewed(&generator) * 30 + skewed(&generator) * 8 }))),
            Panel(
                title: "Hops of a change", caption: "From its author to the last node that heard of it.",
                chart: .histogram(
                    Histogram(
                        unit: .count("hop"), noun: "change",
                        values: (0..<4_000).map { _ in 1 + min(6, skewed(&generator) / 12) }))),
            Panel(
                title: "Time to convergence",
                caption: "From the last fault's end until all nodes show the same, a run at a time.",
                chart: .histogram(
                    Histogram(
                        unit: .milliseconds, noun: "run",
                        values: (0..<1_000).map { _ in 400 + skewed(&generator) * 160 }))),
            growth(
                "Hops, as the trip grows", .count("hop"), measured: [1.4, 2.9, 4.1, 5.3], least: [1, 1.9, 2.9, 3.8]),
            growth("Bytes a node", .bytes, measured: [410, 455, 470, 502], least: [280, 280, 280, 280]),
        ]
        report.elapsed = 252_000
        if isBroken { report.failing = failing }
        return report
    }

    private static func growth(_ title: String, _ unit: Unit, measured: [Double], least: [Double]) -> Panel {
        let sizes = [10, 100, 1_000, 10_000]
        return Panel(
            title: title, caption: "For one change, measured beside what no overlay can be below.",
            chart: .curves(
                Curves(
                    noun: "nodes", unit: unit,
                    series: [
                        .init(name: "measured", points: Array(zip(sizes, measured)).map { (x: $0.0, y: $0.1) }),
                        .init(
                            name: "lower bound", points: Array(zip(sizes, least)).map { (x: $0.0, y: $0.1) },
                            isBound: true),
                    ])))
    }

    /// Many small numbers and few great ones.
    private static func skewed(_ generator: inout SeededGenerator) -> Int {
        let low = min(generator.number(in: 1...60), generator.number(in: 1...60))
        return generator.oneIn(60) ? low * 5 : low
    }

    static let failing = Report.Failing(
        law: .convergence, finding: "replicas 0 and 3 know the same; they show [1, 2] and [<b>\"1\"</b> & 3]",
        seed: 414, failedStep: 3_127, before: (12, 5_000, 1_804), after: (3, 6, 1),
        trace: [
            "  105  replica 1: add 1 → [1]", "  107  replica 0: add 2 → [2]", "  107  all faults end",
            "  108  replica 0 → 1: [1, 2]", "  108  violated: convergence: replicas 0 and 3 know the same",
        ], command: "caravan simulate --replay failure-414.json")

    private static func timeline(_ generator: inout SeededGenerator) -> Panel {
        var points: [Timeline.Point] = [.init(time: 0, value: 1)]
        var lanes = (0..<12).map { Timeline.Lane(name: "\($0)", bands: []) }
        var bands: [Timeline.Band] = []
        var (time, value) = (0, 1)
        while time < 96_000 {
            time += generator.number(in: 20...400)
            value = min(12, max(1, value + generator.number(in: -2...2)))
            points.append(.init(time: time, value: value))
            if generator.oneIn(40) {
                let end = time + generator.number(in: 1_000...9_000)
                bands.append(.init(.partition, from: time, to: end, "nodes 0, 4, 7 cut off"))
            }
            if generator.oneIn(12) {
                let node = generator.number(in: 0...11)
                let end = time + generator.number(in: 300...5_000)
                lanes[node].bands.append(
                    .init(generator.oneIn(3) ? .other : .crash, from: time, to: end, "down"))
            }
        }
        points.append(.init(time: 100_000, value: 1))
        bands.append(.init(.healing, from: 97_000, to: 101_000, "everything heals"))
        return Panel(
            title: "Divergence",
            caption: "How many different states the nodes showed at once, in the run of seed 414, and what went wrong.",
            chart: .timeline(
                Timeline(
                    time: .milliseconds, end: 101_000, value: .count("state"), points: points, bands: bands,
                    lanes: lanes)))
    }
}
