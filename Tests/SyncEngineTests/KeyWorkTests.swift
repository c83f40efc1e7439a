import ChangeLog
import Convergence
import Synchronization
import Testing

@testable import SyncEngine
@testable import TripSimulation

/// What a node does with its keys, however many a member gives it.
struct KeyWorkTests {
    @Test("of epochs that follow each other without end, names are made, and compared with their keys, once a second")
    func epochsWithoutEnd() throws {
        var generator = SeededGenerator(seed: 1)
        let cryptography = CountingCryptography()
        var trip = try FoundedTrip(of: 2, using: &generator, cryptography)
        var host = Host(node: trip.node(0))
        host.tell(.listening(port: 4_000))
        for _ in 0..<100 { host.tell(.appeared(instance: InstanceName(noiseFrom: &generator).text)) }
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        let before = cryptography.calls.authentications.withLock { $0 }
        var published = 0
        for _ in 0..<10 {
            let epoch = Epoch(secret: .random(using: &generator), using: cryptography)
            let grant = EpochGrant(epoch, to: trip.people.map(\.device), using: &generator, cryptography)
            let record = try trip.log.add(.beginEpoch(grant), by: trip.people[1]).record
            let effects = caller.effects(saying: .changes([record]), to: &host)
            for case .advertise in effects { published += 1 }
            _ = host.persisted(after: effects)
        }
        #expect(published == 1)
        let work = cryptography.calls.authentications.withLock { $0 } - before
        #expect(work < 1_000, "\(work) names were compared with a key")
        host.time += host.node.limits.namesPause
        for case .advertise in host.effects(of: .woke) { published += 1 }
        #expect(published == 2)
        let newest = host.node.newestEpoch.map { Credential($0, using: cryptography) }
        #expect(host.node.publication.names.first?.credential == newest && newest != nil)
    }

    @Test("that a device's key is weak is found out once")
    func weakKey() {
        let cryptography = CountingCryptography()
        let secrets = stranger(1, cryptography)
        let weak = Device(
            signingKey: secrets.device.signingKey, agreementKey: CountingCryptography.weakKey,
            participant: secrets.device.participant, using: cryptography)
        var keyring = Keyring()
        for _ in 0..<3 {
            let pair = keyring.credential(pairing: secrets, with: weak, limit: 8, using: cryptography)
            #expect(pair == nil)
        }
        #expect(cryptography.calls.agreements.withLock { $0 } == 1)
    }
}

/// Quick primitives, and how often some of them are asked for.
private struct CountingCryptography: LayeredCryptography {
    static let weakKey = Bytes32(words: (0, 0, 0, 0))

    let sound: any SessionCryptography = FastCryptography()
    let calls = Calls()

    final class Calls: Sendable {
        let authentications = Mutex(0)
        let agreements = Mutex(0)
    }

    func authenticate(_ message: [UInt8], key: Bytes32) -> Bytes32 {
        calls.authentications.withLock { $0 += 1 }
        return sound.authenticate(message, key: key)
    }

    func agree(secret: Bytes32, publicKey: Bytes32) -> Bytes32? {
        calls.agreements.withLock { $0 += 1 }
        return publicKey == Self.weakKey ? nil : sound.agree(secret: secret, publicKey: publicKey)
    }
}
