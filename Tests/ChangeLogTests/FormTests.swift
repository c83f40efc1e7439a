import DeltaCRDT
import LogFixtures
import Testing
import TripSimulation

@testable import ChangeLog

/// What is taken and what is refused: by its form, and never by what it says.
struct FormTests {
    /// What comes of a change that somebody signed who keeps to no rule.
    private func refusal(_ member: Member, by author: Member, _ alter: (Change) -> Change) throws -> Refusal? {
        var author = author
        let honest = try author.say(nil, [1]).change
        let forged = SignedChange(alter(honest), signingSeed: author.secrets.signingSeed, using: Member.cryptography)
        var log = member.log
        return log.receive([forged.record]).refusal
    }

    private func altered(
        _ change: Change, trip: Bytes32? = nil, number: UInt64? = nil, previous: Bytes32?? = nil,
        heads: [Bytes32]? = nil,
        lamport: UInt64? = nil, statement: Statement?? = nil
    ) -> Change {
        Change(
            trip: trip ?? change.trip, replica: change.replica, number: number ?? change.number,
            previous: previous ?? change.previous, heads: heads ?? change.heads, subjects: change.subjects,
            lamport: lamport ?? change.lamport, wallTime: change.wallTime, statement: statement ?? change.statement,
            salt: change.salt, content: change.content)
    }

    @Test("a change that a disk holds twice is refused")
    func twice() throws {
        let founder = try Member.founder()
        let records = founder.changes.map(\.record)
        var log = TripLog(trip: founder.log.trip, cryptography: Member.cryptography)
        try log.restore(records)
        #expect(throws: Refusal.brokenChain) { try log.restore(records.suffix(1)) }
        #expect(log.graph.count == records.count)
    }

    @Test("a change is refused by its links, its number, its time, its trip and its author")
    func refusals() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        try friend.say(nil, [7])
        founder.receive(from: friend)
        let elsewhere = Bytes32(words: (1, 2, 3, 4))
        #expect(try refusal(founder, by: friend) { $0 } == nil)
        #expect(try refusal(founder, by: friend) { altered($0, trip: elsewhere) } == .otherTrip)
        #expect(try refusal(founder, by: friend) { altered($0, heads: [elsewhere]) } == .missingPast)
        #expect(try refusal(founder, by: friend) { altered($0, previous: elsewhere) } == .missingPast)
        #expect(try refusal(founder, by: friend) { altered($0, number: $0.number + 1) } == .brokenChain)
        #expect(try refusal(founder, by: friend) { altered($0, previous: founder.changes[0].hash) } == .brokenChain)
        #expect(try refusal(founder, by: friend) { altered($0, lamport: $0.lamport + 1) } == .wrongLamportTime)
        let founding = Statement.found(founder: friend.secrets.device, name: "me", epoch: Bytes16(high: 1, low: 1))
        #expect(try refusal(founder, by: friend) { altered($0, statement: founding) } == .invalidFounding)
        #expect(
            try refusal(founder, by: friend) {
                altered($0, number: 1, previous: .some(nil), heads: [founder.changes[0].hash], lamport: 2)
            } == .unknownAuthor)
    }

    @Test("a signature of somebody else, or of something else, is refused, and what came before it is taken")
    func signatures() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let first = try friend.say(nil, [1])
        let second = try friend.say(nil, [2])
        var record = second.record
        record[second.head.count - 1] ^= 1
        let received = founder.log.receive([first.record, record])
        #expect(received.refusal == .invalidSignature && received.indices.count == 1)
        let stranger = SignedChange(second.change, signingSeed: founder.secrets.signingSeed, using: Member.cryptography)
        #expect(founder.log.receive([stranger.record]).refusal == .invalidSignature)
    }

    @Test("a sound change is taken, though it be repeated behind with a signature that does not hold")
    func repeatedWithABadSignature() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let (first, second) = (try friend.say(nil, [1]), try friend.say(nil, [2]))
        var record = first.record
        record[first.head.count - 1] ^= 1
        let received = founder.log.receive([first.record, record, second.record])
        #expect(received.refusal == nil && received.indices.count == 2)
        var reversed = try Member.founder()
        var other = try reversed.admit(2)
        let change = try other.say(nil, [1])
        record = change.record
        record[change.head.count - 1] ^= 1
        let refused = reversed.log.receive([record, change.record])
        #expect(refused.refusal == .invalidSignature && refused.indices.isEmpty)
    }

    @Test("a statement by a member who may not make it is not refused, and has no effect")
    func voidStatements() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let other = try founder.admit(3)
        friend.receive(from: founder)
        try friend.say(.closeInvite(id: try founder.ownInvite()))
        try friend.say(.remove(participant: other.id, grant: nil))
        try friend.say(.grant(EpochGrant(epoch: Bytes16(high: 5, low: 5), boxes: [])))
        try inEveryOrder(founder, friend) { member in
            #expect(member.isIn(other) && member.isIn(friend))
        }
    }

    @Test(
        "a participant's seventeenth device and a host's twenty-first guest are refused, and known ones again are not")
    func devicesAndGuests() throws {
        var founder = try Member.founder()
        let (devices, guests) = (Array(UInt64(2)...16), Array(UInt64(100)...119))
        for number in devices { try founder.addDevice(number) }
        #expect(throws: WritingFailure.refused(.tooManyDevices)) { try founder.addDevice(17) }
        for number in guests { _ = try founder.admitGuest(number) }
        #expect(throws: WritingFailure.refused(.tooManyGuests)) { try founder.admitGuest(120) }
        var second = Member(secrets: Member.secrets(2, of: founder.id), log: founder.log)
        #expect(throws: WritingFailure.refused(.tooManyGuests)) { try second.admitGuest(120) }
        try second.addDevice(16)
        _ = try second.admitGuest(119)
        _ = try founder.admit(121)
        #expect(founder.log.person(founder.id)?.devices.count == ChangeBounds.devicesMax)
        #expect(founder.log.people.count(where: \.isGuest) == ChangeBounds.guestsMax)
        founder.log.checkInvariants()
    }

    @Test("devices that were let in at once are in, more than sixteen of them, and after that none is taken")
    func devicesAtOnce() throws {
        var founder = try Member.founder()
        var second = try founder.addDevice(2)
        for number in UInt64(3)...16 { try founder.addDevice(number) }
        for number in UInt64(17)...30 { try second.addDevice(number) }
        founder.receive(from: second)
        #expect(founder.log.person(founder.id)?.devices.count == 30)
        #expect(throws: WritingFailure.refused(.tooManyDevices)) { try founder.addDevice(31) }
    }

    @Test("a further device of somebody else, or as a guest, and an invite for somebody else's devices are refused")
    func foreignDevices() throws {
        var founder = try Member.founder()
        let friend = try founder.admit(2)
        let others = founder.admitting(Member.secrets(7, of: friend.id), by: nil)
        #expect(try refusal(founder, by: founder) { altered($0, statement: others) } == .invalidAdmission)
        let guest = founder.admitting(Member.secrets(7, as: .guest(of: friend.id)), by: nil)
        #expect(try refusal(founder, by: founder) { altered($0, statement: guest) } == .invalidAdmission)
        let own = founder.admitting(Member.secrets(7, of: founder.id), by: nil)
        #expect(try refusal(founder, by: founder) { altered($0, statement: own) } == nil)
        let seed = Bytes32(words: (1, 1, 1, 1))
        for (participant, expected) in [(friend.id, Refusal.invalidInvite), (founder.id, nil)] {
            let invite = Statement.invite(Invite(seed: seed, uses: 1, expires: nil, participant: participant))
            #expect(try refusal(founder, by: founder) { altered($0, statement: invite) } == expected)
        }
    }

    @Test(
        "a chain lets in so many, begins so many epochs and opens so many invites, and its next is refused by all alike"
    )
    func chains() throws {
        var founder = try Member.founder()
        let grant = EpochGrant(epoch: Bytes16(high: 3, low: 3), boxes: [])
        for _ in 0..<ChangeBounds.chainEpochsMax { try founder.say(.beginEpoch(grant)) }
        #expect(throws: WritingFailure.refused(.chainFull)) { try founder.say(.beginEpoch(grant)) }
        for number in 0..<UInt64(ChangeBounds.chainInvitesMax) {
            try founder.say(.invite(Invite(seed: Bytes32(words: (number, 0, 0, 0)), uses: 1, expires: nil)))
        }
        let one = Invite(seed: Bytes32(words: (9_999, 0, 0, 0)), uses: 1, expires: nil)
        #expect(throws: WritingFailure.refused(.chainFull)) { try founder.say(.invite(one)) }
        try founder.say(nil, [1])
    }

    @Test("every record reads back as it was written, and every altered byte of one is refused or changes its name")
    func coding() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        var generator = Counting()
        let epoch = EpochGrant(
            .init(secret: Bytes32(words: (1, 1, 1, 1)), using: Member.cryptography),
            to: [founder.secrets.device, friend.secrets.device], using: &generator, Member.cryptography)
        try founder.say(
            .invite(Invite(seed: Bytes32(words: (4, 4, 4, 4)), uses: 3, expires: 5, participant: founder.id)))
        try founder.say(.beginEpoch(epoch))
        friend.receive(from: founder)
        try friend.say(.grant(epoch), [1, 2, 3])
        founder.receive(from: friend)
        let phone = try founder.addDevice(9)
        try founder.say(.end(replica: phone.replica, last: nil, grant: epoch))
        try founder.remove(friend, grant: epoch)
        for signed in founder.changes {
            let again = try SignedChange(record: signed.record, using: Member.cryptography)
            #expect(again.change == signed.change && again.hash == signed.hash && again.record == signed.record)
            let signature = (signed.head.count - 64)..<signed.head.count
            for index in signed.record.indices where !signature.contains(index) {
                var record = signed.record
                record[index] ^= 1
                guard let read = try? SignedChange(record: record, using: Member.cryptography) else { continue }
                #expect(read.hash != signed.hash)
            }
            for end in signed.record.indices.dropFirst(64) {
                guard let read = try? SignedChange(record: Array(signed.record[..<end]), using: Member.cryptography)
                else { continue }
                // Without its body it is the same change.
                #expect((read.hash != signed.hash) != (end == signed.head.count))
            }
        }
    }

    private struct Counting: RandomNumberGenerator {
        var count: UInt64 = 0
        mutating func next() -> UInt64 {
            count += 1
            return count
        }
    }
}
