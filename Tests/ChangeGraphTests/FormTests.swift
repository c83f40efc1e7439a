import DeltaCRDT
import Testing
import TripSimulation

import struct ChangeLog.Bytes16
import struct ChangeLog.Bytes32
import struct ChangeLog.Device
import struct ChangeLog.EpochGrant
import struct ChangeLog.Invite

@testable import ChangeGraph

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
            previous: previous ?? change.previous, heads: heads ?? change.heads, lamport: lamport ?? change.lamport,
            wallTime: change.wallTime, statement: statement ?? change.statement, content: change.content)
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
        record[record.count - 1] ^= 1
        let received = founder.log.receive([first.record, record])
        #expect(received.refusal == .invalidSignature && received.places.count == 1)
        let stranger = SignedChange(second.change, signingSeed: founder.secrets.signingSeed, using: Member.cryptography)
        #expect(founder.log.receive([stranger.record]).refusal == .invalidSignature)
    }

    @Test("what a statement means is no reason to refuse: whoever may not say it says nothing")
    func voidStatements() throws {
        var founder = try Member.founder()
        var friend = try founder.admit(2)
        let other = try founder.admit(3)
        friend.receive(from: founder)
        let thirds = Member.secrets(7, of: other.id)
        try friend.say(friend.admitting(thirds))
        try friend.say(.closeInvite(id: Bytes32(words: (9, 9, 9, 9))))
        try friend.say(.remove(participant: Bytes16(high: 5, low: 5), grant: nil))
        try friend.say(.grant(EpochGrant(epoch: Bytes16(high: 5, low: 5), boxes: [])))
        try inEveryOrder(founder, friend) { member in
            #expect(!member.log.isIn(thirds.device.replica) && member.isIn(other) && member.isIn(friend))
        }
    }

    @Test("of a participant sixteen devices are in, of a host twenty guests, and of what comes after nothing follows")
    func devicesAndGuests() throws {
        var founder = try Member.founder()
        for number in UInt64(2)...20 { try founder.say(founder.admitting(Member.secrets(number, of: founder.id))) }
        for number in UInt64(100)...125 { try founder.say(founder.admitting(Member.secrets(number), isGuest: true)) }
        #expect(founder.log.person(founder.id)?.devices.count == ChangeBounds.devicesMax)
        #expect(founder.log.people.count(where: \.isGuest) == ChangeBounds.guestsMax)
        founder.log.checkInvariants()
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
            try founder.say(.invite(Invite(secret: Bytes32(words: (number, 0, 0, 0)), uses: 1, expires: nil)))
        }
        let one = Invite(secret: Bytes32(words: (9_999, 0, 0, 0)), uses: 1, expires: nil)
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
            .invite(Invite(secret: Bytes32(words: (4, 4, 4, 4)), uses: 3, expires: 5, participant: founder.id)))
        try founder.say(.beginEpoch(epoch))
        friend.receive(from: founder)
        try friend.say(.grant(epoch), [1, 2, 3])
        founder.receive(from: friend)
        try founder.remove(friend, grant: epoch)
        for signed in founder.changes {
            let again = try SignedChange(record: signed.record, using: Member.cryptography)
            #expect(again.change == signed.change && again.hash == signed.hash && again.record == signed.record)
            for index in signed.record.indices.dropLast(64) {
                var record = signed.record
                record[index] ^= 1
                guard let read = try? SignedChange(record: record, using: Member.cryptography) else { continue }
                #expect(read.hash != signed.hash)
            }
            for end in signed.record.indices.dropFirst(64) {
                guard let read = try? SignedChange(record: Array(signed.record[..<end]), using: Member.cryptography)
                else { continue }
                #expect(read.hash != signed.hash)
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
