import ChangeLog
import Testing
import TripSimulation

@testable import SyncEngine

// Names that are made with other keys than the newest epoch's.
extension RemovedMemberTests {
    private func isResolved(_ name: String, by effects: [Effect]) -> Bool {
        effects.contains { if case .resolve(name) = $0 { true } else { false } }
    }

    @Test("a name that says nothing is looked up when the secret comes that it was made with")
    func nameOfALaterEpoch() throws {
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.listening(port: 4_000))
        let next = Epoch(secret: Bytes32(words: (1, 2, 3, 4)), using: host.cryptography)
        let credential = Credential(next, using: host.cryptography)
        let name = InstanceName(credential: credential, nonce: 8, using: host.cryptography).text
        #expect(!isResolved(name, by: host.effects(of: .appeared(instance: name))))
        let grant = EpochGrant(next, to: trip.people.map(\.device), using: &host.generator, host.cryptography)
        #expect(isResolved(name, by: host.effects(of: .write(.beginEpoch(grant), ticket: 0))))
    }

    @Test("a name that a member makes for this device alone is looked up, whatever epoch they went on to")
    func nameOfAPair() throws {
        var (host, trip) = try Host.founder(members: 2)
        host.tell(.listening(port: 4_000))
        func name(_ maker: DeviceSecrets, _ reader: DeviceSecrets) throws -> String {
            let pair = Credential(
                pairing: maker.agreementSecret, with: reader.device, using: host.cryptography)
            return InstanceName(credential: try #require(pair), nonce: 9, using: host.cryptography).text
        }
        let own = try name(trip.people[1], trip.people[0])
        let others = try name(trip.people[1], trip.people[2])
        #expect(isResolved(own, by: host.effects(of: .appeared(instance: own))))
        #expect(!isResolved(others, by: host.effects(of: .appeared(instance: others))))
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
        var effects = host.effects(of: .resolved(instance: name, addresses: [host.service(made, under: epoch, at: wrong)]))
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
        #expect(host.node.discovery.addresses.entries[right]?.instance == name)
    }
}
