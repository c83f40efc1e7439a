import ChangeLog
import Convergence
import DeltaCRDT
import Testing

@testable import SyncEngine

/// Who gets an answer to a first message: whoever holds the secret, now, here, and nobody who only heard one.
struct FirstMessageTests {
    private let answered = 2 + FirstMessage.secondLength

    /// What a node answers a stranger who says something after the server nonce.
    private func answer(toStrangerSaying bytes: [UInt8], _ number: UInt64, of host: inout Host) -> [UInt8] {
        let id = host.accept(number).id
        let answer = host.tell(.received(id, bytes))
        if answer.isEmpty { #expect(host.closed.contains(id)) }
        return answer
    }

    @Test("a recorded first message draws no byte: at once, later, at another node, after a restart")
    func replays() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        let caller = try Caller(0, as: trip.people[1], under: epoch, to: &host)
        let first = try #require(caller.first)
        #expect(host.tell(.received(caller.id, first)).count == answered)
        for number in 1...20 as ClosedRange<UInt64> {
            #expect(answer(toStrangerSaying: first, number, of: &host).isEmpty)
            host.time += number * 1_000
        }
        var other = Host(node: trip.node(2))
        other.generator = SeededGenerator(seed: 8)
        #expect(answer(toStrangerSaying: first, 1, of: &other).isEmpty)
        var restarted = Host(node: trip.node(0, log: host.node.log))
        restarted.generator = SeededGenerator(seed: 9)
        #expect(answer(toStrangerSaying: first, 1, of: &restarted).isEmpty)
        #expect(try restarted.call(2, as: trip.people[1], under: epoch).isIn)
    }

    @Test("a server nonce is another for every connection")
    func serverNonces() throws {
        var (host, _) = try Host.founder()
        let serverNonces = (0..<50 as Range<UInt64>).map { host.accept($0).serverNonce }
        #expect(Set(serverNonces).count == 50 && serverNonces.allSatisfy { $0.count == FirstMessage.serverNonceSize })
    }

    /// What a member says whose dial to one address somebody passes on to a node that is at another.
    private func relayed(dialling address: PeerAddress, isNamed: Bool) throws -> Int {
        var (host, trip) = try Host.founder(members: 1)
        var member = Host(node: trip.node(1))
        var dialled: ConnectionID?
        for case .dial(let id, _) in member.effects(of: .addAddress(address, isNamed: isNamed)) { dialled = id }
        let id = try #require(dialled)
        member.tell(.connected(id))
        let (accepted, serverNonce) = host.accept(1)
        let first = member.tell(.received(id, serverNonce))
        #expect(first.count == 2 + FirstMessage.length)
        return host.tell(.received(accepted, first)).count
    }

    @Test("a first message that was sent to another address or port draws no byte, but where a person named it")
    func relays() throws {
        #expect(try relayed(dialling: Host.address, isNamed: false) == answered)
        let elsewhere = PeerAddress(host: "10.6.6.6", port: 4_000)
        #expect(try relayed(dialling: elsewhere, isNamed: false) == 0)
        #expect(try relayed(dialling: PeerAddress(host: "10.0.0.1", port: 4_001), isNamed: false) == 0)
        #expect(try relayed(dialling: elsewhere, isNamed: true) == answered)
    }

    @Test("an address is the same with its scope, and as IPv4 mapped into IPv6")
    func addresses() {
        func isMeant(_ dialled: String, for own: String) -> Bool {
            FirstMessage.isMeant(
                FirstMessage.payload(dialled: PeerAddress(host: dialled, port: 1), isNamed: false),
                for: PeerAddress(host: own, port: 1))
        }
        #expect(isMeant("fe80::1%eth0", for: "fe80::1%wlan0"))
        #expect(isMeant("10.0.0.1", for: "::ffff:10.0.0.1"))
        #expect(isMeant("2001:db8:0:0:0:0:0:1", for: "2001:db8::1"))
        #expect(!isMeant("fe80::1", for: "fe80::2"))
    }

    @Test("a first message that came before its epoch was heard of draws no byte later")
    func early() throws {
        var (host, trip) = try Host.founder(members: 1)
        let next = Epoch(secret: Bytes32(words: (1, 2, 3, 4)), using: host.cryptography)
        let credential = Credential(next, using: host.cryptography)
        let caller = try Caller(0, as: trip.people[1], under: credential, to: &host)
        let early = try #require(caller.first)
        #expect(host.tell(.received(caller.id, early)).isEmpty)
        let grant = EpochGrant(next, to: trip.people.map(\.device), using: &host.generator, host.cryptography)
        host.write(.beginEpoch(grant))
        #expect(host.node.epochs.newest == next)
        #expect(answer(toStrangerSaying: early, 1, of: &host).isEmpty)
        #expect(try host.call(2, as: trip.people[1], under: credential).isIn)
    }

    @Test("a stranger gets no byte of answer, and a friend is answered all the same")
    func strangers() throws {
        var (host, trip) = try Host.founder(members: 1)
        let cryptography = host.cryptography
        let other = Credential(
            Epoch(secret: Bytes32(words: (9, 9, 9, 9)), using: cryptography), using: cryptography)
        let caller = try Caller(0, as: trip.people[1], under: other, to: &host)
        #expect(host.tell(.received(caller.id, try #require(caller.first))).isEmpty)
        let garbage = (0..<FirstMessage.length).map { UInt8($0) }
        for (number, bytes) in [
            FrameReader.frame(garbage), [255, 255] + [UInt8](repeating: 7, count: 70_000), [0, 0],
        ].enumerated() { #expect(answer(toStrangerSaying: bytes, UInt64(number + 1), of: &host).isEmpty) }
        #expect(try host.call(9, as: trip.people[1], under: try #require(host.epochCredential)).isIn)
    }

    @Test("every altered byte of a first message leaves it without an answer")
    func alteredBytes() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        for index in 2..<2 + FirstMessage.length {
            let caller = try Caller(UInt64(index), as: trip.people[1], under: epoch, to: &host)
            var first = try #require(caller.first)
            first[index] ^= 1
            #expect(host.tell(.received(caller.id, first)).isEmpty, "byte \(index)")
        }
    }

    // MARK: - Who is shown

    @Test("nobody who shows another's key, or names another's device, is met as that device")
    func claims() throws {
        var (host, trip) = try Host.founder(members: 2)
        let cryptography = host.cryptography
        let epoch = try #require(host.epochCredential)
        // Noah lets in a device that claims Mia's session key, as he may: a stranger's, who asked for it.
        var log = host.node.log
        let invite = OpenInvite(by: trip.people[1], using: &host.generator, cryptography)
        let opening = try log.add(invite.statement, by: trip.people[1]).record
        let claimant = stranger(1, by: invite.id, cryptography)
        let claim = Device(
            signingKey: claimant.device.signingKey, agreementKey: trip.people[2].device.agreementKey,
            participant: claimant.device.participant, using: cryptography)
        let message = Admission.consentMessage(trip: log.trip, device: claim, name: "Tom")
        let admission = Admission(
            device: claim, name: "Tom", invite: invite.id,
            consent: cryptography.sign(message, seed: claimant.signingSeed), grant: nil)
        let record = try log.add(.admit(admission), by: trip.people[1]).record
        host.tell(.carried([opening, record]))
        #expect(host.node.log.isIn(claim.replica))
        func isMet(_ number: UInt64, _ secrets: DeviceSecrets, as replica: ReplicaID) throws -> Bool {
            var caller = try Caller(number, as: secrets, under: epoch, to: &host)
            let answer = host.tell(.received(caller.id, try #require(caller.first)))
            try caller.finish(reading: answer, as: replica, to: &host)
            return caller.isIn
        }
        #expect(try !isMet(1, claimant, as: claim.replica), "it has not got the key that it claims")
        #expect(try !isMet(2, claimant, as: trip.people[2].device.replica), "nor Mia's")
        #expect(try !isMet(3, trip.people[1], as: trip.people[2].device.replica))
        #expect(try isMet(4, trip.people[2], as: trip.people[2].device.replica), "Mia is met")
        host.tell(.remove(participant: trip.people[1].device.participant, ticket: 0))
        #expect(host.node.sessions.map(\.device) == [trip.people[2].device], "and stays when the claimant is out")
    }

    @Test("a node that dials goes on with nobody whose key is not that of the device that they name")
    func claimsOfAnswerers() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        for (number, (secrets, replica)) in [
            (trip.people[1], trip.people[2].device.replica),
            (stranger(1, host.cryptography), trip.people[1].device.replica),
        ].enumerated() {
            let address = PeerAddress(host: "10.0.9.\(number)", port: 4_000)
            var dialled: ConnectionID?
            for case .dial(let id, address) in host.effects(of: .addAddress(address, isNamed: false)) { dialled = id }
            let id = try #require(dialled)
            host.tell(.connected(id))
            var answerer = Answerer(as: secrets, under: epoch, using: host.cryptography)
            let second = try answerer.answer(host.tell(.received(id, Answerer.serverNonce)), as: replica)
            #expect(host.tell(.received(id, second)).isEmpty && host.closed.contains(id))
        }
    }
}
