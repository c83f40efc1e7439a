import ChangeLog
import SyncEngine
import TripModel

/// Every node makes changes, at once or one after the other, and every node takes them all.
struct Volume {
    let inBursts: Bool
    let nodes: Int
    let changes: Int

    /// What 1,000 nodes with 20 changes each may take: seconds of one core, and bytes.
    private static let secondsMax = 120.0
    private static let memoryMax = 4 << 30
    private static let applicationsMeant = 20_000_000

    func run() throws {
        var fleet = try Fleet.assembled(nodes: nodes, appliesToTrip: option("trip", 1) == 1)
        let before = (messages: fleet.messages, bytes: fleet.bytes, applications: fleet.applications, time: fleet.time)
        let begun = seconds()
        // One after the other acts so many times, at once or with pauses between.
        let pace = UInt64(option("pace", inBursts ? 10 : 20))
        let start = fleet.time
        for number in 0..<nodes {
            for change in 0..<changes {
                let turn = inBursts ? number : number * changes + change
                fleet.plan(on: number, at: start + UInt64(turn) * pace)
            }
        }
        fleet.run(for: UInt64(nodes * (inBursts ? 1 : changes)) * pace)
        let wanted = before.applications + nodes * nodes * changes
        fleet.run(for: 120_000) { $0.applications >= wanted }
        let elapsed = seconds() - begun
        let applications = fleet.applications - before.applications
        let messages = fleet.messages - before.messages
        let isEqual = Set(fleet.machines.map(\.node.log.frontier)).count == 1
        let states = stride(from: 0, to: nodes, by: max(1, nodes / 20)).map { fleet.machines[$0].replica.encodedState }
        // The time that may be taken is that of 20 million applications, and in proportion.
        let share = Double(wanted - before.applications) / Double(Volume.applicationsMeant)
        print(
            """
            {"run": "\(inBursts ? "burst" : "single")", "nodes": \(nodes), "changes": \(changes), \
            "converged": \(isEqual && Set(states).count == 1), "applications": \(applications), \
            "applicationsBound": \(nodes * nodes * changes), "messages": \(messages), \
            "bytes": \(fleet.bytes - before.bytes), "seconds": \(elapsed), \
            "secondsBound": \(Volume.secondsMax * share), \
            "messagesPerSecond": \(Double(messages) / elapsed), "messagesPerSecondBound": 200000, \
            "microsecondsPerApplication": \(elapsed / Double(applications) * 1e6), \
            "memoryMiB": \(peakMemory() >> 20), "memoryMiBBound": \(Volume.memoryMax >> 20), \
            "paceMilliseconds": \(pace), "virtualSeconds": \(Double(fleet.time - before.time) / 1_000)}
            """)
    }
}
