import Convergence

/// The same overlay in sizes that grow, as a table, as JSON lines and as a page with plots.
struct Growth {
    private(set) var spreads: [Spread] = []

    static func measure(sizes: [Int], changes: Int) throws -> Growth {
        var growth = Growth()
        for size in sizes {
            let spread = try Spread.measure(nodes: size, changes: changes)
            print(spread.json)
            growth.spreads.append(spread)
        }
        return growth
    }

    func report(command: String) -> Report {
        Report(
            subject: "an overlay of nodes, one change at a time", command: command, digest: nil,
            headlines: [
                .init("nodes", spreads.last?.nodes ?? 0, "nodes at most"),
                .init("hops", Int(spreads.last?.hopsLast.rounded() ?? 0), "hops to the last of them"),
                .init("bytes", Int(spreads.last?.bytes.rounded() ?? 0), "bytes a node for a change"),
            ], faults: [],
            panels: [
                panel(
                    "Hops", "How many links a change passes until it is everywhere.", .count("hop"),
                    [("to the last node", \.hopsLast), ("on average", \.hopsMean)], \.hopsBound,
                    "the logarithm of the nodes to the fan-out"),
                panel(
                    "Time", "Until a change is everywhere, in round trips; each node makes it durable first.",
                    .count("round trip"),
                    [("to the last node", \.roundTripsLast), ("on average", \.roundTripsMean)], \.roundTripsBound,
                    "half the least hops"),
                panel(
                    "Bytes", "What a node receives for one change, announcements included.", .bytes,
                    [("measured", \.bytes)], \.bytesBound, "one copy"),
            ])
    }

    private func panel(
        _ title: String, _ caption: String, _ unit: Unit, _ measured: [(name: String, of: KeyPath<Spread, Double>)],
        _ bound: KeyPath<Spread, Double>, _ boundName: String
    ) -> Panel {
        let series =
            measured.map { entry in
                Curves.Series(name: entry.name, points: spreads.map { (x: $0.nodes, y: $0[keyPath: entry.of]) })
            } + [
                Curves.Series(
                    name: boundName, points: spreads.map { (x: $0.nodes, y: $0[keyPath: bound]) }, isBound: true)
            ]
        return Panel(
            title: title, caption: caption, chart: .curves(Curves(noun: "nodes", unit: unit, series: series)))
    }
}
