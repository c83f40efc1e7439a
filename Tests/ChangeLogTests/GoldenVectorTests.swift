import Convergence
import DeltaCRDT
import Foundation
import LogFixtures
import Sodium
import SyncEngine
import Testing

@testable import ChangeLog

/// `Tests/Vectors/protocol.json`: Documentation/Protocol.md as bytes, for authors of other implementations.
private struct GoldenVectors: Codable, Equatable {
    struct Keys: Codable, Equatable {
        let signingSeed, sessionSecret, signingKey, sessionKey, participant, replica, trip: String
    }

    struct EpochKeys: Codable, Equatable {
        let secret, id, session, discovery: String
    }

    struct Box: Codable, Equatable {
        let content, ephemeralSecret, receiver, box: String
    }

    struct Record: Codable, Equatable {
        let says, record, hash: String
    }

    struct Trip: Codable, Equatable {
        struct Person: Codable, Equatable {
            let id: String
            let parent: String?
            let devices: [String]
            let isIn: Bool
        }

        let trip: String
        let records, effective, retained, heads, frontier: [String]
        let digest: String
        let persons: [Person]
        let newestEpoch: String?
    }

    /// A sealed file: by which secret it opens, whose box is in it, and what it holds.
    struct SealedFile: Codable, Equatable {
        let file, secret, signingSeed, sessionSecret, trip, author: String
        let records: [String]
    }

    let bundles: [SealedFile]
    let keys: [Keys]
    let epochs: [EpochKeys]
    let invites: [String: String]
    let boxes: [Box]
    let records: [Record]
    let trips: [Trip]
}

/// Bytes as hexadecimal digits.
private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// The bytes of hexadecimal digits.
private func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap { $0.hexDigitValue.map(UInt8.init) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

struct GoldenVectorTests {
    private let cryptography: SodiumCryptography

    init() throws { cryptography = try SodiumCryptography() }

    private func secrets(_ number: UInt64, as origin: Origin = .founder) -> DeviceSecrets {
        var generator = SeededGenerator(seed: number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), firstOf: origin,
            using: cryptography)
    }

    private func keys(_ number: UInt64) -> GoldenVectors.Keys {
        let secrets = secrets(number)
        return GoldenVectors.Keys(
            signingSeed: hex(secrets.signingSeed.bytes), sessionSecret: hex(secrets.agreementSecret.bytes),
            signingKey: hex(secrets.device.signingKey.bytes), sessionKey: hex(secrets.device.agreementKey.bytes),
            participant: hex(secrets.device.participant.bytes), replica: hex(secrets.device.replica.bytes),
            trip: hex(TripLog.trip(ofRootKey: secrets.device.signingKey, using: cryptography).bytes))
    }

    private func epoch(_ number: UInt64) -> Epoch {
        var generator = SeededGenerator(seed: 100 + number)
        return Epoch(secret: .random(using: &generator), using: cryptography)
    }

    private var boxes: [GoldenVectors.Box] {
        (UInt64(0)..<3).compactMap { number in
            let content = epoch(number).secret
            var generator = SeededGenerator(seed: 200 + number)
            let ephemeral = Bytes32.random(using: &generator)
            let receiver = secrets(number).device.agreementKey
            return SealedBox.seal(content, to: receiver, ephemeralSecret: ephemeral, using: cryptography).map {
                GoldenVectors.Box(
                    content: hex(content.bytes), ephemeralSecret: hex(ephemeral.bytes), receiver: hex(receiver.bytes),
                    box: hex($0))
            }
        }
    }

    /// Every statement once, each with a word for what it is.
    private func records() throws -> [GoldenVectors.Record] {
        let founder = secrets(1)
        var generator = SeededGenerator(seed: 300)
        var log = try TripLog.found(
            by: founder, name: "Jie", epoch: epoch(0).id, wallTime: 1_700_000_000_000, cryptography: cryptography)
        let invite = Invite(seed: epoch(1).secret, uses: 3, expires: 1_700_000_600_000)
        let id = invite.id(openedBy: founder.device, using: cryptography)
        let friend = secrets(2, as: .invited(id))
        let message = Admission.consentMessage(trip: log.trip, device: friend.device, name: "Noah")
        let admission = Admission(
            device: friend.device, name: "Noah", invite: id,
            consent: cryptography.sign(message, seed: friend.signingSeed),
            grant: DeviceGrant(epoch: epoch(0).id, sealed: bytes(boxes[1].box)))
        let grant = EpochGrant(epoch(2), to: [founder.device, friend.device], using: &generator, cryptography)
        let own = Invite(seed: epoch(3).secret, uses: 1, expires: nil, participant: founder.device.participant)
        let phone = DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
            of: founder.device.participant, using: cryptography)
        let phoneMessage = Admission.consentMessage(trip: log.trip, device: phone.device, name: "phone")
        let further = Admission(
            device: phone.device, name: "phone", invite: nil,
            consent: cryptography.sign(phoneMessage, seed: phone.signingSeed), grant: nil)
        let guest = DeviceSecrets(guestOf: founder.device.participant, seed: epoch(1).secret, using: cryptography)
        let guestMessage = Admission.consentMessage(trip: log.trip, device: guest.device, name: "Gus")
        let hosted = Admission(
            device: guest.device, name: "Gus", invite: nil,
            consent: cryptography.sign(guestMessage, seed: guest.signingSeed), grant: nil)
        let said: [(String, Statement?, [UInt8])] = [
            ("invite", .invite(invite), []), ("own invite", .invite(own), []), ("admit", .admit(admission), []),
            ("close", .closeInvite(id: id), []), ("begin epoch", .beginEpoch(grant), []), ("grant", .grant(grant), []),
            ("content", nil, [1, 2, 3]), ("admit a device", .admit(further), []), ("admit a guest", .admit(hosted), []),
            ("end", .end(replica: phone.device.replica, last: nil, grant: grant), []),
            ("remove", .remove(participant: friend.device.participant, grant: grant), []),
            ("leave", .remove(participant: founder.device.participant, grant: nil), []),
        ]
        for (offset, (_, statement, content)) in said.enumerated() {
            _ = try log.write(statement, content: content, wallTime: 1_700_000_000_000 + Int64(offset), as: founder)
        }
        return zip(["found"] + said.map(\.0), log.graph.changes).map { says, signed in
            GoldenVectors.Record(says: says, record: hex(signed.record), hash: hex(signed.hash.bytes))
        }
    }

    /// A trip of some changes, sealed by its founder under an epoch and for one device.
    private func bundle(_ number: UInt64) throws -> GoldenVectors.SealedFile {
        var generator = SeededGenerator(seed: 400 + number)
        let (author, reader, epoch) = (secrets(number), secrets(number + 1), epoch(number))
        var log = try TripLog.found(
            by: author, name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
        for _ in 1..<number {
            let content = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            _ = try log.write(nil, content: content, wallTime: 1, as: author)
        }
        let records = log.retainedRecords(before: .max)
        let file = try SyncEngine.Bundle.seal(
            records, of: log.trip, by: author, under: epoch, and: [reader.device], using: &generator, cryptography)
        return GoldenVectors.SealedFile(
            file: hex(file), secret: hex(epoch.secret.bytes), signingSeed: hex(reader.signingSeed.bytes),
            sessionSecret: hex(reader.agreementSecret.bytes), trip: hex(log.trip.bytes),
            author: hex(author.device.replica.bytes), records: records.map { hex($0) })
    }

    private func trip(_ seed: UInt64) throws -> GoldenVectors.Trip {
        try trip(RandomTrip(seed: seed, count: 30, cryptography: cryptography).changes.map(\.record))
    }

    /// What this node makes of some records, the founding first.
    private func trip(_ records: [[UInt8]]) throws -> GoldenVectors.Trip {
        let first = try SignedChange(record: records[0], using: cryptography)
        var log = TripLog(trip: first.change.trip, cryptography: cryptography)
        let received = log.receive(records)
        #expect(received.refusal == nil)
        log.checkInvariants()
        let all = Array(log.graph.changes.indices)
        let names = { (indices: [Int]) in indices.map { hex(log.graph.changes[$0].hash.bytes) }.sorted() }
        return GoldenVectors.Trip(
            trip: hex(log.trip.bytes), records: log.graph.changes.map { hex($0.record) },
            effective: names(all.filter { log.isEffective($0) }), retained: names(all.filter { log.isRetained($0) }),
            heads: names(log.heads), frontier: log.frontier.tips.map { hex($0.hash.bytes) },
            digest: hex(log.frontier.digest(using: cryptography).bytes),
            persons: log.people.map { person in
                .init(
                    id: hex(person.id.bytes), parent: person.parent.map { hex($0.bytes) },
                    devices: person.devices.map { hex($0.bytes) }.sorted(), isIn: person.isIn)
            }.sorted { $0.id < $1.id },
            newestEpoch: log.newestEpoch.map { hex($0.bytes) })
    }

    @Test("what this node makes of keys, records and trips is what other implementations read")
    func vectors() throws {
        let made = GoldenVectors(
            bundles: try (1...2).map { try bundle(UInt64($0)) }, keys: (1...3).map { keys($0) },
            epochs: (UInt64(0)..<3).map { number in
                let epoch = epoch(number)
                let keys = KeySchedule(secret: epoch.secret, using: cryptography)
                return .init(
                    secret: hex(epoch.secret.bytes), id: hex(epoch.id.bytes), session: hex(keys.session.bytes),
                    discovery: hex(keys.discovery.bytes))
            },
            invites: Dictionary(
                uniqueKeysWithValues: (UInt64(0)..<3).map { number in
                    let secret = epoch(number).secret
                    return (hex(secret.bytes), hex(Invite.id(ofSecret: secret, using: cryptography).bytes))
                }),
            boxes: boxes, records: try records(), trips: try (1...12).map { try trip($0) })
        let file = Self.file("protocol.json")
        if ProcessInfo.processInfo.environment["CARAVAN_RECORD"] != nil {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try (encoder.encode(made) + Data("\n".utf8)).write(to: file)
        }
        #expect(try JSONDecoder().decode(GoldenVectors.self, from: Data(contentsOf: file)) == made)
    }

    @Test("the records of the vectors are taken one by one, and say again what they said")
    func oracleOnVectors() throws {
        let vectors = try JSONDecoder().decode(GoldenVectors.self, from: Data(contentsOf: Self.file("protocol.json")))
        for trip in vectors.trips {
            let changes = try trip.records.map { try SignedChange(record: bytes($0), using: cryptography) }
            let effective = EffectiveOracle(changes, using: cryptography).effective.map { hex($0.bytes) }.sorted()
            #expect(effective == trip.effective)
        }
    }

    /// The trips of `protocol-python.json`.
    private struct OtherVectors: Codable {
        let trips, hostileTrips: [GoldenVectors.Trip]
        let bundles: [GoldenVectors.SealedFile]
    }

    @Test("sealed files of another implementation are opened to what it says, by the secret and by the box")
    func otherBundles() throws {
        let file = Self.file("protocol-python.json")
        let vectors = try JSONDecoder().decode(OtherVectors.self, from: Data(contentsOf: file))
        #expect(!vectors.bundles.isEmpty)
        for vector in vectors.bundles {
            let secret = try #require(Bytes32(bytes(vector.secret)))
            let seed = try #require(Bytes32(bytes(vector.signingSeed)))
            let agreement = try #require(Bytes32(bytes(vector.sessionSecret)))
            let reader = DeviceSecrets(
                signingSeed: seed, agreementSecret: agreement, firstOf: .founder, using: cryptography)
            for epochs in [[Epoch(secret: secret, using: cryptography)], []] {
                let opened = try SyncEngine.Bundle.open(
                    bytes(vector.file), with: epochs, or: reader, using: cryptography)
                #expect(hex(opened.trip.bytes) == vector.trip && hex(opened.author.bytes) == vector.author)
                #expect(opened.records.map { hex($0) } == vector.records)
            }
        }
    }

    @Test("what another implementation makes of its trips, hostile ones too, is what this one makes of them")
    func otherImplementation() throws {
        let file = Self.file("protocol-python.json")
        let vectors = try JSONDecoder().decode(OtherVectors.self, from: Data(contentsOf: file))
        for expected in vectors.trips + vectors.hostileTrips {
            let made = try trip(expected.records.map(bytes))
            #expect(made.persons == expected.persons && made.effective == expected.effective)
            #expect(made.retained == expected.retained && made.heads == expected.heads)
            #expect(made.frontier == expected.frontier && made.digest == expected.digest)
            #expect(made.newestEpoch == expected.newestEpoch)
        }
    }

    private static func file(_ name: String) -> URL {
        URL(filePath: #filePath).appending(path: "../../Vectors/\(name)").standardizedFileURL
    }
}
