import Convergence
import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog

/// Which epoch is the newest, and who can read its secret.
struct EpochTests {
    private func epoch(_ number: UInt64) -> Epoch {
        Epoch(secret: Bytes32(words: (number, number, number, number)), using: Member.cryptography)
    }

    private func grant(_ epoch: Epoch, to devices: [Device]) -> EpochGrant {
        var generator = SeededGenerator(seed: 1)
        return EpochGrant(epoch, to: devices, using: &generator, Member.cryptography)
    }

    private func newest(_ member: Member) -> Bytes16? {
        var keys = EpochKeys(of: member.secrets)
        return keys.newest(in: member.log).first?.id
    }

    @Test("a removal's epoch is the newest, and the devices that it is sealed to can read it")
    func removalBegins() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        var other = try founder.admit(3)
        let epoch = epoch(1)
        try founder.remove(friend, grant: grant(epoch, to: [other.secrets.device]))
        other.receive(from: founder)
        #expect(other.log.newestEpoch == epoch.id && newest(other) == epoch.id)
        #expect(!other.log.leavesRemovalsUnanswered(epoch.id))
        let holders = other.log.holders(of: epoch.id)
        #expect(other.log.membersWithNode.filter { !holders.contains($0.replica) } == [founder.secrets.device])
        #expect(newest(founder) == nil, "nobody sealed it to the founder's own device, which made it")
    }

    @Test("two removals at once are answered by neither's epoch, and by one that comes after both")
    func twoRemovals() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        let other = try founder.admit(3)
        var second = try founder.addDevice(4)
        let epochs = (1...3).map { epoch(UInt64($0)) }
        let devices = [founder.secrets.device, second.secrets.device]
        try founder.remove(friend, grant: grant(epochs[0], to: devices))
        try second.remove(other, grant: grant(epochs[1], to: devices))
        try inEveryOrder(founder, second) { member in
            #expect([epochs[0].id, epochs[1].id].contains(member.log.newestEpoch))
            #expect(
                member.log.leavesRemovalsUnanswered(epochs[0].id) && member.log.leavesRemovalsUnanswered(epochs[1].id))
        }
        second.receive(from: founder)
        try second.say(.beginEpoch(grant(epochs[2], to: devices)))
        try inEveryOrder(founder, second) { member in
            #expect(member.log.newestEpoch == epochs[2].id && !member.log.leavesRemovalsUnanswered(epochs[2].id))
        }
    }

    @Test("a box of garbage leaves its device with the epoch before, until somebody else seals the secret to it")
    func garbage() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        var other = try founder.admit(3)
        let (first, second) = (epoch(1), epoch(2))
        try founder.say(.beginEpoch(grant(first, to: [founder.secrets.device, other.secrets.device])))
        let garbage = EpochGrant(
            epoch: second.id,
            boxes: [.init(replica: other.replica, sealed: [UInt8](repeating: 7, count: SealedBox.size))])
        try founder.remove(friend, grant: garbage)
        other.receive(from: founder)
        #expect(other.log.newestEpoch == second.id && newest(other) == first.id)
        try founder.say(.grant(grant(second, to: [other.secrets.device])))
        other.receive(from: founder)
        #expect(newest(other) == second.id)
    }

    @Test("an epoch in a farewell is not used, for the person who leaves knows its secret")
    func farewell() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let before = founder.log.newestEpoch
        try friend.remove(friend, grant: grant(epoch(1), to: [founder.secrets.device]))
        try inEveryOrder(founder, friend) { member in
            #expect(member.log.newestEpoch == before && member.log.leavesRemovalsUnanswered(epoch(1).id))
        }
    }

    @Test("of two epochs that answer as much, the one whose beginning has the higher stamp is the newest")
    func equals() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        for number in UInt64(1)...8 {
            try founder.say(.beginEpoch(grant(epoch(number), to: [friend.secrets.device])))
            #expect(founder.log.newestEpoch == epoch(number).id)
        }
        try friend.say(.beginEpoch(grant(epoch(9), to: [friend.secrets.device])))
        try inEveryOrder(founder, friend) { member in #expect(member.log.newestEpoch == epoch(8).id) }
    }

    @Test("a removal by somebody who isn't above begins no epoch")
    func removalOfNobody() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let sibling = try founder.admit(3)
        friend.receive(from: founder)
        let before = founder.log.newestEpoch
        try friend.remove(sibling, grant: grant(epoch(1), to: [founder.secrets.device]))
        try inEveryOrder(founder, friend) { member in #expect(member.log.newestEpoch == before) }
    }

    @Test("a device finds its box whatever others were given before")
    func manyBoxes() throws {
        var founder = try Member.founder()
        let epoch = epoch(1)
        try founder.say(.beginEpoch(grant(epoch, to: [founder.secrets.device])))
        for number in UInt64(2)...30 {
            let invite = try founder.ownInvite()
            let newcomer = Member.secrets(number, as: .invited(invite))
            var generator = SeededGenerator(seed: number)
            let box = DeviceGrant(epoch, to: newcomer.device, using: &generator, Member.cryptography)
            try founder.say(founder.admitting(newcomer, by: invite, grant: box))
            #expect(newest(Member(secrets: newcomer, log: founder.log)) == epoch.id)
        }
    }

    @Test("neither an epoch that is begun again and again nor one person's many crowd out others' older ones")
    func crowded() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var other = try founder.admit(3)
        let first = epoch(1)
        try founder.say(.beginEpoch(grant(first, to: [founder.secrets.device])))
        friend.receive(from: founder)
        for _ in 0..<70 { try friend.say(.beginEpoch(EpochGrant(epoch: first.id, boxes: []))) }
        founder.receive(from: friend)
        var keys = EpochKeys(of: founder.secrets)
        #expect(keys.newest(in: founder.log).map(\.id) == [first.id])
        other.receive(from: founder)
        for number in UInt64(100)..<200 {
            try other.say(.beginEpoch(grant(epoch(number), to: [founder.secrets.device])))
        }
        founder.receive(from: other)
        let newest = keys.newest(in: founder.log)
        #expect(newest.count == 64 && newest.first == epoch(199) && newest.last == first)
        #expect(newest.dropLast().map(\.id) == (UInt64(137)...199).reversed().map { epoch($0).id })
    }

    @Test("an old epoch that a member begins again is the newest only until the next removal")
    func begunAgain() throws {
        var founder = try Member.founder()
        let gone = try founder.admit(2)
        var friend = try founder.admit(3)
        let (old, next, last) = (epoch(1), epoch(2), epoch(3))
        let devices = [founder.secrets.device, friend.secrets.device]
        try founder.say(.beginEpoch(grant(old, to: devices + [gone.secrets.device])))
        try founder.remove(gone, grant: grant(next, to: devices))
        friend.receive(from: founder)
        try friend.say(.beginEpoch(EpochGrant(epoch: old.id, boxes: [])))
        founder.receive(from: friend)
        #expect(founder.log.newestEpoch == old.id && newest(founder) == old.id && !founder.isIn(gone))
        #expect(!founder.log.leavesRemovalsUnanswered(old.id))
        try founder.remove(friend, grant: grant(last, to: [founder.secrets.device]))
        try inEveryOrder(founder, friend) { member in
            #expect(member.log.newestEpoch == last.id && member.log.leavesRemovalsUnanswered(old.id))
        }
    }

    @Test("epochs that begin on forks are ranked by what each of them had seen")
    func forks() throws {
        var founder = try Member.founder()
        var people: [Member] = []
        for number in UInt64(2)...7 { people.append(try founder.admit(number)) }
        var copies: [Member] = []
        for (index, person) in people.enumerated() {
            var copy = founder
            if index % 2 == 1 { copy.receive(from: copies[index - 1]) }
            try copy.remove(person, grant: grant(epoch(UInt64(index)), to: []))
            copies.append(copy)
        }
        for copy in copies { founder.receive(from: copy) }
        try inEveryOrder(founder) { member in
            #expect(member.log.epochs.ranking.map(\.unanswered) == [4, 4, 4, 5, 5, 5, 6])
        }
    }

    @Test("boxes go with the body that holds them, as after a restart")
    func droppedBoxes() throws {
        var founder = try Member.founder()
        var mallory = try founder.admit(2)
        let other = try founder.admit(3)
        let epoch = epoch(1)
        try mallory.say(.grant(grant(epoch, to: [other.secrets.device])))
        #expect(mallory.log.holders(of: epoch.id) == [other.replica])
        try founder.remove(mallory)
        founder.receive(from: mallory)
        #expect(founder.log.graph.count == 6 && founder.log.holders(of: epoch.id).isEmpty)
        var restarted = TripLog(trip: founder.log.trip, cryptography: Member.cryptography)
        try restarted.restore(founder.changes.map(\.record))
        #expect(restarted.holders(of: epoch.id).isEmpty)
    }

    @Test("an epoch that somebody began who is cut is not used")
    func cutBeginning() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let before = founder
        let epoch = epoch(1)
        try friend.say(.beginEpoch(grant(epoch, to: [founder.secrets.device])))
        try founder.remove(friend)
        try inEveryOrder(founder, friend) { member in #expect(member.log.newestEpoch == before.log.newestEpoch) }
    }
}
