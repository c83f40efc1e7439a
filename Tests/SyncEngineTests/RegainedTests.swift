import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import Testing
import TripSimulation

/// What was voided may count again: where whoever voided it turns out to have been taken out before.
struct RegainedTests {
    @Test("what counts again is sent to whoever lacks it, in sessions that are old by then", arguments: [false, true])
    func regained(isCrowded: Bool) throws {
        var generator = SeededGenerator(seed: 1)
        let cryptography = FastCryptography()
        var trip = try FoundedTrip(of: 4, using: &generator, cryptography)
        // Noah brings Mia, and takes her out without having seen what she wrote.
        let mia = try trip.letIn(by: trip.people[1], using: &generator)
        let all = trip.log
        var (hers, his, founders) = (all, all, all)
        let written = try (0..<3).map { try hers.add(nil, [UInt8($0)], by: mia) }
        let removal = try his.add(.remove(participant: mia.device.participant, grant: nil), by: trip.people[1])
        // Nobody but the holder has heard of what she wrote, and it does not count there.
        var holder = hers
        #expect(holder.receive([removal.record]).refusal == nil)
        #expect(!holder.isRetained(holder.count - 2))
        var others = all
        #expect(others.receive([removal.record]).refusal == nil)
        // The founder takes Noah out, who had seen nothing of that: his removal is void, and she is in.
        try founders.add(.remove(participant: trip.people[1].device.participant, grant: nil), by: trip.people[0])

        var limits = SessionLimits()
        if isCrowded { limits.repetitionsMax = 1 }
        var wires = Wires(
            seed: 2,
            nodes: [
                trip.node(0, log: founders, limits: limits), trip.node(2, log: holder, limits: limits),
                trip.node(3, log: others, limits: limits),
            ])
        wires.connect(1, 2)
        wires.wait(1_000)
        #expect(wires.nodes[2].log.hashes.isDisjoint(with: written.map(\.hash)))
        wires.connect(0, 1)
        wires.wait(3_000)
        for node in wires.nodes {
            #expect(node.log.hashes.isSuperset(of: written.map(\.hash)))
            #expect(node.log.frontier == wires.nodes[0].log.frontier)
            #expect(node.log.isIn(mia.device.replica) && !node.log.isIn(trip.people[1].device.replica))
        }
    }
}
