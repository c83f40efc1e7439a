import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// Who asks by an invite, and what they hear.
struct InviteTests {
    /// What somebody hears who asks by an invite; nil where nobody answers.
    private func ask(
        _ number: UInt64, as newcomer: DeviceSecrets, by secret: Bytes32, name: String = "Mia", of host: inout Host
    ) throws -> [Message]? {
        let credential = Credential(inviteSecret: secret, using: host.cryptography)
        var caller = try host.call(number, as: newcomer, under: credential)
        guard caller.isIn else {
            #expect(host.sent[caller.id]?.count == FirstMessage.serverNonceSize, "a server nonce and not a byte more")
            #expect(host.closed.contains(caller.id))
            return nil
        }
        let message = Admission.consentMessage(trip: host.node.log.trip, device: newcomer.device, name: name)
        let consent = host.cryptography.sign(message, seed: newcomer.signingSeed)
        let request = Message.joinRequest(JoinRequest(device: newcomer.device, name: name, consent: consent))
        _ = host.persisted(after: caller.effects(saying: request, to: &host))
        caller.hear(from: host)
        return caller.heard
    }

    private func secret(in answer: [Message]?, for newcomer: DeviceSecrets, _ host: Host) -> Bytes32? {
        guard case .joinAnswer(.admitted(let grant))? = answer?.first else { return nil }
        return grant.open(as: newcomer, using: host.cryptography)
    }

    @Test("whoever asks by an open invite is let in once that is durable, and is answered alike when they ask again")
    func openInvite() throws {
        var (host, trip) = try Host.founder()
        let invite = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        host.write(invite.statement)
        let mia = stranger(1, by: invite.id, host.cryptography)
        for number in 1...3 as ClosedRange<UInt64> {
            let answer = try ask(number, as: mia, by: invite.secret, of: &host)
            #expect(secret(in: answer, for: mia, host) == trip.epoch.secret)
            #expect(host.node.log.isIn(mia.device.replica))
            #expect(host.node.log.count == 3, "one admission, however often they ask")
        }
    }

    @Test("whoever is in is let in once, also where they came by another's admission and that is being written")
    func alreadyIn() throws {
        var (host, trip) = try Host.founder(members: 1)
        let invite = OpenInvite(by: trip.people[0], uses: 5, using: &host.generator, host.cryptography)
        host.write(invite.statement)
        let mia = stranger(1, by: invite.id, host.cryptography)
        var log = host.node.log
        let statement = admission(of: mia, by: invite.id, in: log.trip, host.cryptography)
        let record = try log.add(statement, by: trip.people[1]).record
        var noah = try host.call(50, as: trip.people[1], under: try #require(host.epochCredential))
        _ = noah.hand([record], to: &host)
        host.tell(.write(content: [1], ticket: 0))
        let before = host.node.log.count
        let answer = try ask(1, as: mia, by: invite.secret, of: &host)
        #expect(secret(in: answer, for: mia, host) == trip.epoch.secret)
        #expect(host.node.log.count == before)
    }

    @Test("an invite that was closed, is used up or has expired is said to be over", arguments: 0..<3)
    func overInvite(way: Int) throws {
        var (host, trip) = try Host.founder()
        let invite = OpenInvite(
            by: trip.people[0], expires: way == 2 ? 1_700_000_000_000 : nil, using: &host.generator,
            host.cryptography)
        host.write(invite.statement)
        if way == 0 { host.write(.closeInvite(id: invite.id)) }
        if way == 1 { _ = try ask(0, as: stranger(0, by: invite.id, host.cryptography), by: invite.secret, of: &host) }
        let before = host.node.log.count
        let answer = try ask(1, as: stranger(1, by: invite.id, host.cryptography), by: invite.secret, of: &host)
        #expect(answer == [.joinAnswer(.refused(.inviteClosed)), .end])
        #expect(host.node.log.count == before)
    }

    @Test(
        "a link that is over recognizes nobody again, and a person who was admitted by it is answered",
        arguments: [true, false])
    func unrecognized(isClosed: Bool) throws {
        var (host, trip) = try Host.founder()
        let invite = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        let credential = Credential(inviteSecret: invite.secret, using: host.cryptography)
        host.write(invite.statement)
        let own = trip.people[0].device
        let mia = stranger(1, by: invite.id, host.cryptography)
        let before = try host.call(0, as: mia, under: credential).answerer
        #expect(before == (own.replica.bytes, own.agreementKey))
        if isClosed {
            host.write(.closeInvite(id: invite.id))
        } else {
            _ = try ask(1, as: mia, by: invite.secret, of: &host)
        }
        var answerers = [own.replica.bytes, own.agreementKey.bytes]
        for number in 2...4 as ClosedRange<UInt64> {
            let caller = try host.call(
                number, as: stranger(number, by: invite.id, host.cryptography), under: credential)
            #expect(caller.isIn)
            answerers += [caller.answerer.replica, try #require(caller.answerer.key).bytes]
        }
        #expect(Set(answerers).count == 8)
        let answer = try ask(5, as: mia, by: invite.secret, of: &host)
        #expect((secret(in: answer, for: mia, host) == trip.epoch.secret) == !isClosed)
    }

    @Test(
        "by an invite for a further device, nobody comes who read it in the log, and the device that was given the link does"
    )
    func deviceLink() throws {
        var (host, trip) = try Host.founder(members: 1)
        let own = trip.people[0].device.participant
        let invite = Invite(seed: .random(using: &host.generator), uses: 1, expires: nil, participant: own)
        host.write(.invite(invite))
        let further = DeviceSecrets.random(of: own, using: &host.generator, host.cryptography)
        let read = invite.secret(openedBy: trip.people[0].device, using: host.cryptography)
        #expect(try ask(1, as: further, by: read, of: &host) == nil)
        #expect(!host.node.log.isIn(further.device.replica))
        let link = trip.people[0].linkSecret(of: invite, using: host.cryptography)
        #expect(try ask(2, as: further, by: link, of: &host) != nil)
        #expect(host.node.log.isIn(further.device.replica))
    }

    @Test("one member's many open invites keep nobody else's from being answered")
    func manyOfOne() throws {
        var (host, trip) = try Host.founder(members: 2)
        var records: [[UInt8]] = []
        var secrets: [Bytes32] = []
        var log = trip.log
        for (person, count) in [(2, 1), (1, 30)] {
            for _ in 0..<count {
                let invite = OpenInvite(by: trip.people[person], using: &host.generator, host.cryptography)
                records.append(try log.add(invite.statement, by: trip.people[person]).record)
                secrets.append(invite.secret)
            }
        }
        #expect(host.node.log.receive(records).refusal == nil)
        let own = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        host.write(own.statement)
        for (number, secret) in [secrets[0], secrets[30], secrets[25], own.secret].enumerated() {
            let id = Invite.id(ofSecret: secret, using: host.cryptography)
            let newcomer = stranger(UInt64(number), by: id, host.cryptography)
            #expect(try ask(UInt64(number), as: newcomer, by: secret, of: &host) != nil, "invite \(number)")
        }
        #expect(try ask(9, as: stranger(9, host.cryptography), by: secrets[20], of: &host) == nil)
    }

    @Test("newcomers by the invites of others leave a node room for those of its own person")
    func othersNewcomers() throws {
        // One admission is the founder's of Noah.
        var (host, trip) = try Host.founder(members: 1) { $0.othersNewcomersMax = 3 }
        var log = trip.log
        let noahs = OpenInvite(by: trip.people[1], uses: 9, using: &host.generator, host.cryptography)
        let record = try log.add(noahs.statement, by: trip.people[1]).record
        var noah = try host.call(50, as: trip.people[1], under: try #require(host.epochCredential))
        _ = noah.hand([record], to: &host)
        for number in 1...4 as ClosedRange<UInt64> {
            let mia = stranger(number, by: noahs.id, host.cryptography)
            let answer = try ask(number, as: mia, by: noahs.secret, of: &host)
            #expect((secret(in: answer, for: mia, host) != nil) == (number <= 2), "newcomer \(number)")
            #expect(number <= 2 || answer == [.end], "another may let them in")
        }
        let own = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        host.write(own.statement)
        let ada = stranger(9, by: own.id, host.cryptography)
        #expect(secret(in: try ask(9, as: ada, by: own.secret, of: &host), for: ada, host) != nil)
    }

    @Test(
        "open invites of one member's many puppets keep the founder's from being answered by nobody", arguments: [0, 1])
    func manyOfPuppets(host index: Int) throws {
        var generator = SeededGenerator(seed: 1)
        var trip = try FoundedTrip(of: 3, using: &generator, SodiumCryptography())
        let founders = OpenInvite(by: trip.people[0], using: &generator, trip.cryptography)
        try trip.log.add(founders.statement, by: trip.people[0])
        for _ in 0..<12 {
            let puppet = try trip.letIn(by: trip.people[2], using: &generator)
            try trip.log.add(OpenInvite(by: puppet, using: &generator, trip.cryptography).statement, by: puppet)
        }
        var host = Host(node: trip.node(index))
        let ada = stranger(9, by: founders.id, host.cryptography)
        #expect(secret(in: try ask(9, as: ada, by: founders.secret, of: &host), for: ada, host) == trip.epoch.secret)
    }

    /// What somebody does who is brought by the founder, by Noah or by Mia, and whether Noah's invite is over by it.
    struct Ending {
        let author, removed: Int
        let isOver: Bool

        static let all = [
            Ending(author: 1, removed: 2, isOver: true), Ending(author: 0, removed: 4, isOver: true),
            Ending(author: 1, removed: 1, isOver: true), Ending(author: 2, removed: 3, isOver: false),
            Ending(author: 4, removed: 4, isOver: false), Ending(author: 2, removed: 2, isOver: false),
        ]
    }

    @Test(
        "an invite is answered by nothing once its opener left, or removed somebody, or somebody above did, and no others",
        arguments: Ending.all)
    func inviteKnownOutside(_ ending: Ending) throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 5, broughtBy: { [0, 0, 1, 2, 0][$0] }, using: &generator, SodiumCryptography())
        var host = Host(node: trip.node(0))
        let invite = OpenInvite(by: trip.people[1], uses: 5, using: &host.generator, host.cryptography)
        var log = host.node.log
        var records = [try log.add(invite.statement, by: trip.people[1]).record]
        var caller = try host.call(50, as: trip.people[1], under: try #require(host.epochCredential))
        _ = caller.hand(records, to: &host)
        #expect(
            try ask(0, as: stranger(0, by: invite.id, host.cryptography), by: invite.secret, of: &host) != nil)
        let removed = trip.people[ending.removed].device
        log = host.node.log
        records = [
            try log.add(.remove(participant: removed.participant, grant: nil), by: trip.people[ending.author]).record
        ]
        _ = caller.hand(records, to: &host)
        #expect(host.node.log.isOut(removed.replica))
        let answer = try ask(1, as: stranger(1, by: invite.id, host.cryptography), by: invite.secret, of: &host)
        #expect((answer == nil) == ending.isOver)
    }

    @Test("an invite that a removed person may know admits nobody at its opener's node until the person there keeps it")
    func exposed() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 3, broughtBy: { [0, 0, 1][$0] }, using: &generator, SodiumCryptography())
        var host = Host(node: trip.node(0))
        let invite = OpenInvite(by: trip.people[0], uses: 9, using: &host.generator, host.cryptography)
        host.write(invite.statement)
        #expect(try ask(0, as: stranger(0, by: invite.id, host.cryptography), by: invite.secret, of: &host) != nil)
        // While somebody asks whose session began before.
        let late = stranger(3, by: invite.id, host.cryptography)
        var caller = try host.call(
            51, as: late, under: Credential(inviteSecret: invite.secret, using: host.cryptography))
        var log = host.node.log
        let removed = trip.people[2].device
        let removal = try log.add(.remove(participant: removed.participant, grant: nil), by: trip.people[1])
        var other = try host.call(50, as: trip.people[1], under: try #require(host.epochCredential))
        _ = other.hand([removal.record], to: &host)
        #expect(host.node.log.isOut(removed.replica))
        #expect(host.node.invitesInQuestion.map(\.exposure.removed) == [removed.participant])
        let message = Admission.consentMessage(trip: host.node.log.trip, device: late.device, name: "Mia")
        let consent = host.cryptography.sign(message, seed: late.signingSeed)
        caller.say(.joinRequest(JoinRequest(device: late.device, name: "Mia", consent: consent)), to: &host)
        #expect(!host.node.log.isIn(late.device.replica))
        let mia = stranger(1, by: invite.id, host.cryptography)
        #expect(try ask(1, as: mia, by: invite.secret, of: &host) == nil)
        host.tell(.keepInvites([invite.id]))
        #expect(host.node.invitesInQuestion.isEmpty)
        #expect(secret(in: try ask(2, as: mia, by: invite.secret, of: &host), for: mia, host) != nil)
        // One question an invite: another removal asks nothing.
        #expect(host.node.log.isIn(mia.device.replica) && host.node.invitesInQuestion.isEmpty)
    }

    @Test("a request that does not prove what it claims is refused, and nothing is written")
    func invalidRequests() throws {
        var (host, trip) = try Host.founder(members: 1)
        let cryptography = host.cryptography
        let invite = OpenInvite(by: trip.people[0], uses: 9, using: &host.generator, cryptography)
        host.write(invite.statement)
        let before = host.node.log.count
        let credential = Credential(inviteSecret: invite.secret, using: cryptography)
        let mia = stranger(1, by: invite.id, cryptography)
        func consent(
            _ device: DeviceSecrets, by signer: DeviceSecrets? = nil, trip id: Bytes32? = nil, name: String = "Mia"
        ) -> JoinRequest {
            let message = Admission.consentMessage(trip: id ?? trip.log.trip, device: device.device, name: name)
            return JoinRequest(
                device: device.device, name: "Mia",
                consent: cryptography.sign(message, seed: (signer ?? device).signingSeed))
        }
        let unnamed = stranger(1, by: invite.secret, cryptography)
        let further = DeviceSecrets.random(of: trip.people[1].device.participant, using: &host.generator, cryptography)
        let requests: [(DeviceSecrets, JoinRequest)] = [
            (mia, consent(stranger(2, by: invite.id, cryptography))),
            (mia, consent(mia, by: stranger(2, by: invite.id, cryptography))),
            (mia, consent(mia, trip: invite.id)),
            (mia, consent(mia, name: "Tom")),
            (unnamed, consent(unnamed)),
            (further, consent(further)),
        ]
        for (number, (caller, request)) in requests.enumerated() {
            var caller = try host.call(UInt64(number), as: caller, under: credential)
            caller.say(.joinRequest(request), to: &host)
            #expect(caller.heard == [.joinAnswer(.refused(.invalidRequest)), .end], "request \(number)")
        }
        #expect(host.node.log.count == before)
    }

    @Test("nobody gives a secret to whom somebody let in who was removed by then")
    func voidAdmission() throws {
        var (host, trip) = try Host.founder(members: 1)
        let cryptography = host.cryptography
        let invite = OpenInvite(by: trip.people[0], uses: 5, using: &host.generator, cryptography)
        host.write(invite.statement)
        let other = stranger(7, by: invite.id, cryptography)
        var copy = host.node.log
        let late = try copy.add(admission(of: other, by: invite.id, in: copy.trip, cryptography), by: trip.people[1])
        host.tell(.remove(participant: trip.people[1].device.participant, ticket: 0))
        host.tell(.carried([late.record]))
        #expect(host.node.log.person(other.device.participant)?.state == .waits)
        #expect(try ask(1, as: other, by: invite.secret, of: &host) == nil)
        let next = OpenInvite(by: trip.people[0], using: &host.generator, cryptography)
        host.write(next.statement)
        let answer = try ask(2, as: other, by: next.secret, of: &host)
        #expect(answer == [.joinAnswer(.refused(.invalidRequest)), .end])
    }
}
