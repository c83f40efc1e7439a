import DeltaCRDT
import Testing

@testable import ChangeLog

/// A log that forks too often parts nobody.
struct BranchBoundTests {
    /// A device that writes in many places, each on the same past.
    private func forks(of liar: Member, _ numbers: Range<UInt8>) throws -> [Member] {
        try numbers.map { number in
            var copy = liar
            try copy.say(nil, [number])
            return copy
        }
    }

    @Test(
        "a liar who gives eight forks to one and eight others to another parts them until somebody writes, and no longer"
    )
    func twoSetsOfForks() throws {
        var founder = try Member.founder()
        let liar = try founder.admit(2)
        var friend = try founder.admit(3)
        friend.receive(from: founder)
        for fork in try forks(of: liar, 0..<8) { founder.receive(from: fork) }
        for fork in try forks(of: liar, 8..<16) { friend.receive(from: fork) }
        founder.receive(from: friend)
        friend.receive(from: founder)
        #expect(founder.log.graph.count == friend.log.graph.count && founder.log.frontier != friend.log.frontier)
        let honest = try founder.say(nil, [100])
        friend.receive(from: founder)
        try friend.say(nil, [101])
        founder.receive(from: friend)
        #expect(founder.log.frontier == friend.log.frontier && friend.isEffective(honest))
        #expect(founder.log.frontier.tips.count == friend.log.frontier.tips.count)
        founder.log.checkInvariants()
        friend.log.checkInvariants()
    }

    @Test("a branch beyond what a node keeps is passed over, and what comes with it is taken")
    func tooManyBranches() throws {
        var founder = try Member.founder()
        let liar = try founder.admit(2)
        var friend = try founder.admit(3)
        let all = try forks(of: liar, 0..<100)
        let said = try friend.say(nil, [1])
        let received = founder.log.receive(all.flatMap { $0.changes.map(\.record) } + friend.changes.map(\.record))
        #expect(received.refusal == nil && founder.isEffective(said))
        let kept = TripLog.LocalBounds.branchesMax + TripLog.LocalBounds.waitingMax
        #expect(founder.log.graph.branchesOfReplica[liar.replica]?.count == kept)
        founder.log.checkInvariants()
    }

    @Test("an epoch that begins on a branch which waits is the newest once somebody stands on that")
    func epochOnWaitingBranch() throws {
        var founder = try Member.founder()
        var liar = try founder.admit(2)
        var friend = try founder.admit(3)
        for fork in try forks(of: liar, 0..<8) { founder.receive(from: fork) }
        let epoch = Bytes16(high: 0, low: 2)
        try liar.say(.beginEpoch(EpochGrant(epoch: epoch, boxes: [])))
        founder.receive(from: liar)
        #expect(founder.log.newestEpoch != epoch)
        friend.receive(from: liar)
        try friend.say(nil, [100])
        let version = founder.log.membershipVersion
        founder.receive(from: friend)
        #expect(founder.log.newestEpoch == epoch && founder.log.membershipVersion > version)
        founder.log.checkInvariants()
    }

    @Test("what waited is effective once somebody stands on it, and nothing that was shown is shown anew")
    func takenIn() throws {
        var founder = try Member.founder()
        let liar = try founder.admit(2)
        var friend = try founder.admit(3)
        for fork in try forks(of: liar, 0..<8) { founder.receive(from: fork) }
        let last = try forks(of: liar, 8..<9)[0]
        founder.receive(from: last)
        friend.receive(from: last)
        let said = try friend.say(nil, [100])
        let received = founder.log.receive([said.record])
        let place = try #require(last.changes.last.flatMap { founder.log.graph.place(of: $0.hash) })
        #expect(received.shift.takenIn == [place] && received.shift.turned.isEmpty)
        #expect(founder.log.isEffective(place))
    }

    @Test("whoever is let in on a branch that waits is in once somebody stands on that")
    func admissionOnWaitingBranch() throws {
        var founder = try Member.founder()
        var liar = try founder.admit(2)
        var friend = try founder.admit(3)
        for fork in try forks(of: liar, 0..<8) { founder.receive(from: fork) }
        var puppet = try liar.admit(4)
        let said = try puppet.say(nil, [99])
        founder.receive(from: puppet)
        #expect(!founder.isIn(puppet))
        friend.receive(from: puppet)
        try friend.say(nil, [100])
        founder.receive(from: friend)
        #expect(founder.isIn(puppet) && founder.isEffective(said))
        founder.log.checkInvariants()
    }

    @Test("a branch that waits lets no device in and takes nobody out until somebody stands on it")
    func otherStatementsOnWaitingBranch() throws {
        var founder = try Member.founder()
        var liar = try founder.admit(2)
        let brought = try liar.admit(4)
        founder.receive(from: liar)
        var friend = try founder.admit(3)
        for fork in try forks(of: liar, 0..<8) { founder.receive(from: fork) }
        var (adding, removing, leaving) = (liar, liar, liar)
        let device = try adding.addDevice(5)
        try removing.remove(brought)
        try leaving.remove(liar)
        founder.receive(from: adding, removing, leaving)
        func hasDevice() -> Bool { founder.log.person(liar.id)?.devices.contains(device.replica) ?? false }
        #expect(!hasDevice() && founder.isIn(brought) && founder.isIn(liar))
        founder.log.checkInvariants()
        friend.receive(from: adding, removing)
        try friend.say(nil, [100])
        founder.receive(from: friend)
        #expect(hasDevice() && !founder.isIn(brought) && founder.isIn(liar))
        friend.receive(from: leaving)
        try friend.say(nil, [101])
        founder.receive(from: friend)
        #expect(!founder.isIn(liar))
        founder.log.checkInvariants()
    }
}
