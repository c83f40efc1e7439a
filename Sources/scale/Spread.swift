import ChangeLog
import Glibc
import SyncEngine

/// One change at a time: how far it goes, how long that takes, and what it costs.
struct Spread {
    func run() throws {
        var (fleet, preload) = try Fleet.assembled(appliesToTrip: false)
        let window: UInt64 = 3_000
        let idle = bytes(in: &fleet) { $0.run(for: window) }
        var hops: [Int] = []
        var times: [Double] = []
        var costs: [Double] = []
        var lasts: [Double] = []
        var deepest: [Int] = []
        var sizes: [Int] = []
        for number in 0..<option("changes", 20) {
            let author = number * 104_729 % nodes
            let begun = fleet.time
            let cost = try bytes(in: &fleet) { fleet in
                try fleet.act(on: author, items: preload.items)
                fleet.run(for: window)
            }
            let log = fleet.machines[author].node.log
            sizes.append(log.changes[log.changes.count - 1].sealed.count)
            let others = fleet.machines.indices.filter { $0 != author }
            precondition(others.allSatisfy { fleet.machines[$0].reached >= begun }, "somebody was not reached")
            let roundTrip = Double(2 * fleet.latency)
            let arrivals = others.map { Double(fleet.machines[$0].reached - begun) / roundTrip }
            hops += others.map { fleet.machines[$0].hops }
            deepest.append(others.map { fleet.machines[$0].hops }.max() ?? 0)
            times += arrivals
            lasts.append(arrivals.max() ?? 0)
            costs.append(Double(cost - idle) / Double(nodes))
        }
        let degree = Double(fleet.sessions) / Double(nodes)
        let fanOut = max(2, degree - 1)
        let copy = frameBytes(sizes.reduce(0, +) / max(1, sizes.count))
        print(
            """
            {"run": "overlay", "nodes": \(nodes), "sessionsPerNode": \(degree), "hopsMean": \(mean(hops.map { Double($0) })), \
            "hopsMax": \(deepest.max() ?? 0), "hopsBound": \(log(Double(nodes)) / log(fanOut)), \
            "roundTripsMean": \(mean(times)), "roundTripsLast": \(mean(lasts)), \
            "roundTripsBound": \(log(Double(nodes)) / log(fanOut) / 2), "bytesPerNode": \(mean(costs)), \
            "bytesBound": \(copy), "memoryMiB": \(peakMemory() >> 20), "seconds": \(seconds())}
            """)
    }

    /// What all machines together received while something was done.
    private func bytes(in fleet: inout Fleet, _ body: (inout Fleet) throws -> Void) rethrows -> Int {
        let before = fleet.bytes
        try body(&fleet)
        return fleet.bytes - before
    }

    private func mean(_ numbers: [Double]) -> Double { numbers.reduce(0, +) / Double(max(1, numbers.count)) }

    /// A message with one change of so many bytes, as it goes over the wire: filled up, sealed, with its length.
    private func frameBytes(_ size: Int) -> Int {
        let buckets = [112, 240, 496, 1_008, 2_032, 4_080, 8_176]
        return 2 + 16 + (buckets.first { $0 >= size + 7 } ?? size)
    }
}
