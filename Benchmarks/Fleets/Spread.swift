import ChangeLog
import LibC
import SyncEngine

/// One change at a time: how far it goes, how long that takes, and what it costs, beside what no overlay can be below.
struct Spread {
    let nodes: Int
    let sessionsPerNode: Double
    /// How many nodes a change passes on its way to another, and to the last.
    let hopsMean: Double
    let hopsLast: Double
    /// Until it is everywhere, on its mean way and to the last.
    let roundTripsMean: Double
    let roundTripsLast: Double
    /// What a node receives for one change, announcements included.
    let bytes: Double
    /// The number of hops in which a tree of that fan-out can reach all, and one copy of the message.
    let hopsBound: Double
    let bytesBound: Double

    static func measure(nodes: Int, changes: Int) throws -> Spread {
        var fleet = try Fleet.assembled(nodes: nodes, appliesToTrip: false)
        let window: UInt64 = 4_000
        let idle = bytes(in: &fleet) { $0.run(for: window) }
        var (hops, times, hopsLast, timesLast, costs, sizes) = (0.0, 0.0, 0.0, 0.0, 0.0, 0)
        let roundTrip = Double(2 * fleet.latency)
        for number in 0..<changes {
            let author = number * 104_729 % nodes
            let begun = fleet.time
            let cost = bytes(in: &fleet) { fleet in
                fleet.plan(on: author, at: begun)
                fleet.run(for: window)
            }
            let changes = fleet.machines[author].node.log.graph.changes
            sizes += changes[changes.count - 1].record.count
            let others = fleet.machines.indices.filter { $0 != author }
            precondition(others.allSatisfy { fleet.machines[$0].reached >= begun }, "somebody was not reached")
            let ways = others.map { Double(fleet.machines[$0].hops) }
            let arrivals = others.map { Double(fleet.machines[$0].reached - begun) / roundTrip }
            hops += ways.reduce(0, +) / Double(others.count)
            hopsLast += ways.max() ?? 0
            times += arrivals.reduce(0, +) / Double(others.count)
            timesLast += arrivals.max() ?? 0
            costs += Double(cost - idle) / Double(nodes)
        }
        let degree = Double(fleet.sessions) / Double(nodes)
        let rounds = Double(changes)
        return Spread(
            nodes: nodes, sessionsPerNode: degree, hopsMean: hops / rounds, hopsLast: hopsLast / rounds,
            roundTripsMean: times / rounds, roundTripsLast: timesLast / rounds, bytes: costs / rounds,
            hopsBound: max(1, log(Double(nodes)) / log(max(2, degree - 1))),
            bytesBound: Double(frameBytes(sizes / max(1, changes))) * Double(nodes - 1) / Double(nodes))
    }

    /// The time of so many hops, where every write to disk takes none.
    var roundTripsBound: Double { hopsBound / 2 }

    var json: String {
        """
        {"run": "overlay", "nodes": \(nodes), "sessionsPerNode": \(rounded(sessionsPerNode)), \
        "hops": \(rounded(hopsMean)), "hopsLast": \(rounded(hopsLast)), "hopsBound": \(rounded(hopsBound)), \
        "roundTrips": \(rounded(roundTripsMean)), "roundTripsLast": \(rounded(roundTripsLast)), \
        "roundTripsBound": \(rounded(roundTripsBound)), "bytesPerNode": \(rounded(bytes)), \
        "bytesBound": \(rounded(bytesBound))}
        """
    }

    private func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }

    /// What all machines together received while something was done.
    private static func bytes(in fleet: inout Fleet, _ body: (inout Fleet) -> Void) -> Int {
        let before = fleet.bytes
        body(&fleet)
        return fleet.bytes - before
    }

    /// A message with one change of so many bytes, as it goes over the wire: filled up, sealed, with its length.
    private static func frameBytes(_ size: Int) -> Int {
        let buckets = [112, 240, 496, 1_008, 2_032, 4_080, 8_176]
        return 2 + 16 + (buckets.first { $0 >= size + 7 } ?? size)
    }
}
