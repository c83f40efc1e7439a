import ChangeLog
import Convergence
import SyncEngine
import TestTiers
import Testing
import TripSimulation

/// Sessions of nodes that hold different branches of one log.
struct ForkTests {
    /// A device that writes in many places, each on the same past: its logs.
    private func forks(of liar: DeviceSecrets, _ log: TripLog, _ numbers: Range<UInt8>) throws -> [TripLog] {
        try numbers.map { number in
            var copy = log
            for part in UInt8(0)..<3 { try copy.add(nil, [number, part], by: liar) }
            return copy
        }
    }

    private func merged(_ logs: [TripLog]) -> TripLog {
        var all = logs[0]
        for log in logs.dropFirst() { #expect(all.receive(log.graph.changes.map(\.record)).refusal == nil) }
        return all
    }

    @Test("a liar who gives eight forks to one and eight others to another parts them in no session", .tags(.slow))
    func twoSetsOfForks() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 4, using: &generator, FastCryptography())
        let liar = trip.people[3]
        let logs = [
            merged(try forks(of: liar, trip.log, 0..<8)), merged(try forks(of: liar, trip.log, 8..<16)), trip.log,
        ]
        var wires = Wires(seed: 3, nodes: logs.enumerated().map { trip.node($0, log: $1) })
        for (left, right) in [(0, 1), (1, 2), (0, 2)] { wires.connect(left, right) }
        wires.wait(2_000)
        for node in 0..<3 { wires.write("by \(node)", on: node) }
        wires.wait(3_000)
        for node in 0..<3 { wires.write("again by \(node)", on: node) }
        wires.wait(3_000)
        #expect(Set(wires.nodes.map(\.log.frontier)).count == 1)
        #expect(wires.nodes.allSatisfy { $0.sessions.count == 2 })
        #expect(!wires.notices.contains { if case .misbehaved = $0 { true } else { false } })
    }

    @Test("a node with a fork that is cut and one without have nothing to say to each other")
    func cutFork() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        let noah = trip.people[1]
        var founder = trip.log
        try founder.add(.remove(participant: noah.device.participant, grant: nil), by: trip.people[0])
        let forked = merged([founder] + (try forks(of: noah, trip.log, 0..<2)))
        #expect(forked.count > founder.count && forked.frontier == founder.frontier)
        var wires = Wires(seed: 3, nodes: [trip.node(0, log: founder), trip.node(2, log: forked)])
        wires.connect(0, 1)
        wires.wait(1_000)
        #expect(wires.nodes.map(\.sessions.count) == [1, 1])
        #expect(wires.nodes[0].log.count == founder.count, "what is cut is not passed on")
        for (node, other) in [(0, 1), (1, 0)] {
            #expect(wires.nodes[node].changesNotKnown(at: wires.replica(other)) == 0)
        }
    }

    @Test("two copies of a device that each wrote go on with both branches", arguments: [1, 40])
    func copies(count: Int) throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 2, using: &generator, FastCryptography())
        var logs = [trip.log, trip.log]
        for (side, length) in [(0, count), (1, 3)] {
            for number in 0..<length { try logs[side].add(nil, [UInt8(side), UInt8(number)], by: trip.people[1]) }
        }
        var wires = Wires(seed: 3, nodes: [trip.node(0, log: logs[0]), trip.node(1, log: logs[1])])
        wires.connect(0, 1)
        wires.wait(2_000)
        wires.write("after", on: 1)
        wires.wait(2_000)
        #expect(wires.nodes.allSatisfy { $0.log.count == trip.log.count + count + 4 })
        #expect(wires.nodes[0].log.frontier == wires.nodes[1].log.frontier)
        #expect(wires.notices.contains(.forked(trip.people[1].device)))
    }
}
