import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import Testing
import TripSimulation

/// What was known of others is known again after a restart, and never more than they said.
struct PeerRecordTests {
    /// Three who hold all, where one has written and both others acknowledged it.
    private func wires(_ seed: UInt64, writes: Int = 20) throws -> Wires {
        var wires = try Wires(seed: seed, count: 3)
        for (node, other) in [(0, 1), (0, 2), (1, 2)] { wires.connect(node, other) }
        for number in 0..<writes {
            wires.write("\(number)", on: number % 3)
            if number.isMultiple(of: 5) { wires.deliver() }
        }
        wires.deliver()
        wires.wait(3_000)
        return wires
    }

    /// A node as it begins again with a log.
    private func restarted(_ node: SyncNode, log: TripLog? = nil, with records: [PeerRecord]) -> SyncNode {
        var again = SyncNode(
            log: log ?? node.log, secrets: node.secrets, epochSecrets: [], cryptography: FastCryptography())
        again.restore(records)
        return again
    }

    /// The first changes of a log, as of an older backup.
    private func prefix(_ count: Int, of log: TripLog) throws -> TripLog {
        var older = TripLog(trip: log.trip, cryptography: log.cryptography)
        try older.restore((0..<count).map { log.graph.changes[$0].record })
        return older
    }

    @Test("what was acknowledged before a restart is known after it")
    func acknowledgementsOutliveTheProcess() throws {
        let wires = try wires(1)
        let node = wires.nodes[0]
        for other in 1...2 { #expect(node.changesNotKnown(at: wires.replica(other)) == 0) }
        #expect(node.peerRecords.count == 2)
        let forgetful = restarted(node, with: [])
        #expect(forgetful.changesNotKnown(at: wires.replica(1)) > 0, "what this is about")
        let again = restarted(node, with: node.peerRecords)
        for other in 1...2 {
            #expect(again.changesNotKnown(at: wires.replica(other)) == 0)
            #expect(again.lastHeard(wires.replica(other)) == 1_700_000_000_000)
        }
        #expect(again.peerRecords == node.peerRecords, "and after the next")
    }

    @Test("what was not acknowledged is not known after a restart")
    func nothingMoreIsClaimed() throws {
        var wires = try wires(2)
        wires.held = [[0, 1], [0, 2]]
        for number in 0..<3 { wires.write("new \(number)", on: 0) }
        wires.wait(100)
        #expect(wires.nodes[0].changesNotKnown(at: wires.replica(1)) == 3)
        let again = restarted(wires.nodes[0], with: wires.nodes[0].peerRecords)
        #expect(again.changesNotKnown(at: wires.replica(1)) == 3)
    }

    @Test("an older log than the records were made with is counted as it is")
    func anOlderLogIsSafe() throws {
        var wires = try wires(3)
        let common = wires.nodes[0].log.count
        wires.held = [[0, 1], [0, 2]]
        for number in 0..<3 { wires.write("new \(number)", on: 0) }
        wires.wait(100)
        let node = wires.nodes[0]
        for count in [4, 10, common - 1, common, common + 2] {
            var log = try prefix(count, of: node.log)
            let again = restarted(node, log: log, with: node.peerRecords)
            let unknown = restarted(node, log: log, with: [])
            for other in 1...2 {
                let lacking = again.changesNotKnown(at: wires.replica(other))
                #expect(lacking >= max(0, count - common), "with \(count)")
                #expect(lacking <= unknown.changesNotKnown(at: wires.replica(other)))
                if count >= common { #expect(lacking == count - common) }
            }
            // What is written after the backup was restored nobody has.
            try log.add(nil, [1], by: node.secrets)
            let ahead = restarted(node, log: log, with: node.peerRecords)
            #expect(ahead.changesNotKnown(at: wires.replica(1)) >= 1 + max(0, count - common))
        }
    }

    @Test("a summary says no more than is known, and is bounded")
    func aSummaryIsASubset() throws {
        let cryptography = FastCryptography()
        var generator = SeededGenerator(seed: 7)
        // As many branches side by side as nobody's summary holds.
        let count = PeerKnowledge.summaryMax + 20
        let trip = try FoundedTrip(of: count, using: &generator, cryptography)
        var log = trip.log
        var ends: [Int] = []
        for person in trip.people {
            var own = trip.log
            let change = try own.add(nil, [1], by: person)
            #expect(log.receive([change.record]).refusal == nil)
            ends.append(log.count - 1)
        }
        for known in [0, 1, 5, PeerKnowledge.summaryMax, count] {
            var knowledge = PeerKnowledge()
            for end in ends.prefix(known) { knowledge.learn(end, in: log.graph) }
            let summary = knowledge.summary(in: log.graph)
            #expect(summary.count == min(known, PeerKnowledge.summaryMax))
            let again = PeerKnowledge(summary: summary, in: log.graph)
            let held = (0..<log.count).filter { knowledge.contains($0, in: log.graph) }
            let heldAgain = (0..<log.count).filter { again.contains($0, in: log.graph) }
            #expect(Set(held).isSuperset(of: heldAgain))
            if known <= PeerKnowledge.summaryMax { #expect(held == heldAgain) }
        }
    }
}
