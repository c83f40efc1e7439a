import Convergence
import DeltaCRDT
import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog

/// A log that was given some changes, in many orders in which each stands after its past; each is held against the oracle.
func inEveryOrder(_ members: Member..., orders: Int = 24, _ body: (Member) throws -> Void) throws {
    var changes: [Bytes32: SignedChange] = [:]
    for member in members { for signed in member.changes { changes[signed.hash] = signed } }
    let all = changes.values.sorted { $0.stamp < $1.stamp }
    var generator = SeededGenerator(seed: UInt64(all.count))
    for _ in 0..<orders {
        var log = TripLog(trip: members[0].log.trip, cryptography: Member.cryptography)
        var rest = shuffled(all, using: &generator)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(1 + Int(generator.below(3)))
            #expect(log.add(batch).refusal == nil)
            rest = rest.dropFirst(batch.count)
        }
        log.checkInvariants()
        log.expect(EffectiveOracle(all, using: Member.cryptography), "\(all.count) changes")
        try body(Member(secrets: members[0].secrets, log: log))
    }
}

extension TripLog {
    /// Expects that what follows from this log is what the oracle says.
    func expect(_ oracle: EffectiveOracle, _ context: String) {
        let hashes = { (indices: [Int]) in Set(indices.map { graph.changes[$0].hash }) }
        let all = Array(graph.changes.indices)
        #expect(Set(membership.persons.keys) == Set(oracle.persons.keys), "\(context): persons")
        for (id, person) in membership.persons {
            let expected = oracle.persons[id]
            #expect(person.state == expected?.state, "\(context): state of \(person.name)")
            #expect(person.parent == expected?.parent, "\(context): parent of \(person.name)")
            #expect(person.devices == expected?.devices, "\(context): devices of \(person.name)")
        }
        #expect(hashes(all.filter { isEffective($0) }) == oracle.effective, "\(context): effective")
        #expect(hashes(all.filter { isRetained($0) }) == oracle.retained, "\(context): retained")
        #expect(hashes(heads) == oracle.heads, "\(context): heads")
        #expect(Set(frontier.tips.map(\.hash)) == oracle.frontier, "\(context): frontier")
        #expect(Set(invites.filter { $0.isOpen(at: 0) }.map(\.id)) == oracle.openInvites, "\(context): open invites")
    }
}
