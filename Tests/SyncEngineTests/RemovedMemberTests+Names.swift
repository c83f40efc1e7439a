import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

// Names that are made with other keys than the newest epoch's.
extension RemovedMemberTests {
    private func isResolved(_ name: String, by effects: [Effect]) -> Bool {
        effects.contains { if case .resolve(name) = $0 { true } else { false } }
    }

    private func dials(_ effects: [Effect]) -> [PeerAddress] {
        effects.compactMap { if case .dial(_, let address) = $0 { address } else { nil } }
    }

    private static let address = PeerAddress(host: "10.0.0.7", port: 4_000)

    @Test("where a name leads that says nothing is dialled when the secret comes that it was made with")
    func nameOfALaterEpoch() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        let next = Epoch(secret: Bytes32(words: (1, 2, 3, 4)), using: host.cryptography)
        let credential = Credential(next, using: host.cryptography)
        let name = InstanceName(credential: credential, nonce: 8, using: host.cryptography)
        #expect(isResolved(name.text, by: host.effects(of: .appeared(instance: name.text))))
        let service = host.service(name, under: credential, at: Self.address)
        #expect(dials(host.effects(of: .resolved(instance: name.text, addresses: [service]))).isEmpty)
        let grant = EpochGrant(next, to: trip.people.map(\.device), using: &host.generator, host.cryptography)
        #expect(dials(host.effects(of: .write(.beginEpoch(grant), ticket: 0))) == [Self.address])
    }

    @Test("a removed person learns nothing by names under an epoch that they gave this device alone")
    func nameOfAnEpochForOne() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        var given: [Epoch] = []
        for number in 1...2 as ClosedRange<UInt64> {
            let epoch = Epoch(secret: Bytes32(words: (number, 2, 3, 4)), using: host.cryptography)
            let grant = EpochGrant(
                epoch, to: [trip.people[0].device], using: &host.generator, host.cryptography)
            _ = caller.hand([try trip.log.add(.beginEpoch(grant), by: trip.people[1]).record], to: &host)
            given.append(epoch)
        }
        #expect(host.node.heldEpochs.count == 3)
        let credential = Credential(given[0], using: host.cryptography)
        for (nonce, isMember) in [(UInt64(7), true), (8, false)] {
            if !isMember {
                let removal = Event.remove(participant: trip.people[1].device.participant, ticket: 0)
                _ = host.persisted(after: host.effects(of: removal))
            }
            let name = InstanceName(credential: credential, nonce: nonce, using: host.cryptography)
            _ = host.effects(of: .appeared(instance: name.text))
            let address = PeerAddress(host: "10.0.0.\(nonce)", port: 4_000)
            let service = host.service(name, under: credential, at: address)
            let dialled = dials(host.effects(of: .resolved(instance: name.text, addresses: [service])))
            #expect(dialled == (isMember ? [address] : []))
        }
    }

    @Test("a name that a member makes for this device alone is dialled, whatever epoch they went on to")
    func nameOfAPair() throws {
        for (reader, isRead) in [(0, true), (2, false)] {
            var (host, trip) = try Host.founder(members: 2)
            host.tell(.listening(port: 4_000))
            let made = Credential(
                pairing: trip.people[1].agreementSecret, with: trip.people[reader].device, using: host.cryptography)
            let pair = try #require(made)
            let name = InstanceName(credential: pair, nonce: 9, using: host.cryptography)
            #expect(isResolved(name.text, by: host.effects(of: .appeared(instance: name.text))))
            let service = host.service(name, under: pair, at: Self.address)
            let dialled = dials(host.effects(of: .resolved(instance: name.text, addresses: [service])))
            #expect(dialled == (isRead ? [Self.address] : []))
        }
    }

    /// Somebody else answered for a member once; the second answer is an address that is known, of whom nobody has said.
    @Test(
        "a name whose addresses led to nobody is looked up again, and gives its key to an address that was known before"
    )
    func staleName() throws {
        var (host, _) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        let epoch = try #require(host.epochCredential)
        let made = InstanceName(credential: epoch, nonce: 7, using: host.cryptography)
        let name = made.text
        let wrong = PeerAddress(host: "10.6.6.6", port: 4_000)
        let right = PeerAddress(host: "10.9.9.9", port: 4_000)
        host.tell(.addAddress(right, isNamed: false))
        host.tell(.appeared(instance: name))
        var effects = host.effects(
            of: .resolved(instance: name, addresses: [host.service(made, under: epoch, at: wrong)]))
        var isAskedAgain = false
        for _ in 0..<200 where !isAskedAgain {
            for case .dial(let id, _) in effects {
                host.time += 1
                effects += host.effects(of: .closed(id))
            }
            isAskedAgain = isResolved(name, by: effects)
            host.time += 300
            effects = host.effects(of: .woke)
        }
        #expect(isAskedAgain)
        host.tell(.resolved(instance: name, addresses: [host.service(made, under: epoch, at: right)]))
        #expect(host.node.dialer.addresses.entries[right]?.instance == name)
    }
    /// They know no address of the other's, which has a new epoch: only their old name leads anywhere.
    @Test("a person who waits is told so by a node that dials their old name, and doesn't learn which node that is")
    func nameOfAPersonWhoWaits() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 3, broughtBy: { $0 == 2 ? 1 : 0 }, using: &generator, SodiumCryptography())
        let (removed, person) = (trip.people[1].device.participant, trip.people[2].device)
        var (host, waiting) = (Host(node: trip.node(0)), Host(node: trip.node(2)))
        waiting.generator = SeededGenerator(seed: 4)
        host.tell(.listening(port: 4_000))
        let old = try #require(host.epochCredential)
        let next = Epoch(secret: Bytes32(words: (1, 2, 3, 4)), using: host.cryptography)
        let grant = EpochGrant(next, to: [trip.people[0].device], using: &host.generator, host.cryptography)
        host.write(.remove(participant: removed, kept: [], grant: grant))
        #expect(host.node.log.person(person.participant)?.state == .waits && host.epochCredential != old)
        let name = InstanceName(credential: old, nonce: 7, using: host.cryptography)
        host.tell(.appeared(instance: name.text))
        let service = host.service(name, under: old, at: Host.address)
        let effects = host.effects(of: .resolved(instance: name.text, addresses: [service]))
        let dialled = effects.compactMap { if case .dial(let id, _) = $0 { id } else { nil } }
        let id = try #require(dialled.first)
        host.tell(.connected(id))
        let accepted = waiting.accept(1).id
        var heard = (host: 0, waiting: 0)
        for _ in 0..<20 {
            let said = Array((waiting.sent[accepted] ?? []).dropFirst(heard.host))
            heard.host += said.count
            if !said.isEmpty { _ = host.persisted(after: host.effects(of: .received(id, said))) }
            let answer = Array((host.sent[id] ?? []).dropFirst(heard.waiting))
            heard.waiting += answer.count
            if !answer.isEmpty { _ = waiting.persisted(after: waiting.effects(of: .received(accepted, answer))) }
        }
        #expect(waiting.node.ownDeparture?.waitsFor == removed)
        #expect(host.closed.contains(id))
        let wasShown = waiting.notices.contains { if case .met = $0 { true } else { false } }
        #expect(!wasShown)
    }
}
