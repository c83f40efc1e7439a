import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

// What crowds, those who are out, and members with nodes of their own making get out of a node.
extension BoundsTests {
    /// A crowd that says nothing fills the places of those who come, and not of those whom this node goes to.
    @Test func silentConnectionsKeepNobodyFromDialling() throws {
        var (host, _) = try host(members: 1) { $0.handshakesMax = 8 }
        _ = host.tell(.listening(port: 4_000))
        for number in 0..<20 as Range<UInt64> { _ = host.accept(number) }
        let address = PeerAddress(host: "10.0.0.2", port: 2)
        let isDialled = host.effects(of: .addAddress(address)).contains {
            if case .dial(_, address) = $0 { true } else { false }
        }
        #expect(isDialled)
    }

    /// Whoever is out let a device of their own in; a link that was closed gives it nothing.
    @Test func aClosedInviteGivesNoSecretsToWhomNobodyWhoIsInLetIn() throws {
        var generator = SeededGenerator(seed: 1)
        var (log, people) = try foundTrip(of: 2, using: &generator, cryptography)
        let other = stranger(7)
        var copy = log
        let admission = Admission(device: other.device, name: "Nobody", invite: nil, sealedSecrets: [])
        let late = try copy.author(.membership(.admit(admission)), wallTime: 0, as: people[1])
        let epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        let grant = EpochGrant(epoch, to: [people[0].device], using: &generator, cryptography)
        let out = people[1].device.participant
        log.reader = people[0]
        _ = try log.author(.membership(.remove(participant: out, epoch: grant)), wallTime: 0, as: people[0])
        log.recount()
        #expect(log.receive([late.sealed]).refusal == nil)
        #expect(!log.membership.isIn(other.device.replica))
        let invite = Invite(secret: .random(using: &generator), uses: 1, expires: nil)
        _ = try log.author(.membership(.invite(invite)), wallTime: 0, as: people[0])
        let id = invite.id(using: cryptography)
        _ = try log.author(.membership(.closeInvite(id: id)), wallTime: 0, as: people[0])
        log.recount()
        var host = Host(node: SyncNode(log: log, secrets: people[0], role: .member, cryptography: cryptography))
        let psk = Credential(inviteSecret: invite.secret, using: cryptography).sessionKey
        var caller = try call(&host, 1, as: other, psk: psk)
        #expect(caller.cipher != nil)
        let message = JoinRequest.signedMessage(trip: log.trip, invite: id, device: other.device, name: "Nobody")
        let signature = cryptography.sign(message, seed: other.signingSeed)
        _ = caller.say(
            .joinRequest(JoinRequest(device: other.device, name: "Nobody", signature: signature)), to: &host)
        #expect(host.closed.contains(caller.id), "refused")
    }

    /// A frontier of made up ends draws one locator a replica, in whatever order they stand.
    @Test func aFrontierDrawsOneLocatorAReplica() throws {
        var (host, people) = try host(members: 1) { _ in }
        let psk = try #require(host.node.log.newestEpoch).sessionKey
        for _ in 0..<2 { _ = host.tell(.author(.content([1]), ticket: 0)) }
        var log = host.node.log
        let own = try log.author(.content([1]), wallTime: 0, as: people[1]).sealed
        var caller = try call(&host, 0, as: people[1], psk: psk)
        _ = caller.say(.changes([own]), to: &host)
        for (token, _) in (1...9).enumerated() { _ = host.tell(.persisted(token: UInt64(token))) }
        var encoder = CanonicalEncoder()
        encoder.encode(count: 1_000)
        for number in 0..<1_000 {
            encoder.encode(people[number % 2].device.replica)
            encoder.encode(UInt64(1))
            encoder.encode(fixed: [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 30))
        }
        var decoder = CanonicalDecoder(encoder.bytes)
        let frontier = try Frontier(from: &decoder, limit: 1_000)
        let answer = caller.say(.frontier(frontier), to: &host)
        #expect(answer.count < 10_000)
    }

    /// Who is in, and did not hear of it, asks every few seconds: each admission would stay in the log for good.
    @Test func whoIsInIsLetInOnceWhateverIsBeingWritten() throws {
        var generator = SeededGenerator(seed: 2)
        let invite = Invite(secret: .random(using: &generator), uses: 5, expires: nil)
        var (host, people) = try host(members: 1) { _ in }
        _ = host.tell(.author(.membership(.invite(invite)), ticket: 0))
        for token in UInt64(1)...9 { _ = host.tell(.persisted(token: token)) }
        _ = host.tell(.author(.content([1]), ticket: 0))
        let before = host.node.log.changes.count
        let psk = Credential(inviteSecret: invite.secret, using: cryptography).sessionKey
        var caller = try call(&host, 1, as: people[1], psk: psk)
        let message = JoinRequest.signedMessage(
            trip: host.node.log.trip, invite: invite.id(using: cryptography), device: people[1].device, name: "Noah")
        let signature = cryptography.sign(message, seed: people[1].signingSeed)
        let answer = caller.say(
            .joinRequest(JoinRequest(device: people[1].device, name: "Noah", signature: signature)), to: &host)
        #expect(!answer.isEmpty)
        #expect(!host.closed.contains(caller.id))
        #expect(host.node.log.changes.count == before)
    }
}
