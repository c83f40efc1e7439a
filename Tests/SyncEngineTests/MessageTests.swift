import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import Foundation
import Testing

@testable import SyncEngine

/// What peers of this version and of others may say, and when.
struct MessageTests {
    private static let hash = Bytes32(words: (1, 2, 3, 4))
    private static let chunk = BlobHash(bytes: hash.bytes)!

    /// One message of every kind that has a body of its own.
    private func everyMessage(_ trip: FoundedTrip) -> [Message] {
        let box = DeviceGrant(epoch: trip.epoch.id, sealed: [UInt8](repeating: 3, count: SealedBox.size))
        let request = JoinRequest(
            device: trip.people[0].device, name: "Jie", consent: [UInt8](repeating: 1, count: 64))
        return [
            .hello(digest: Self.hash, incarnation: Bytes16(high: 1, low: 2)), .frontier(trip.log.frontier),
            .changes(trip.log.graph.changes.map(\.record)), .have([Self.hash]),
            .locator(trip.people[0].device.replica, [Self.hash]), .joinRequest(request),
            .joinAnswer(.admitted(box)), .joinAnswer(.refused(.inviteClosed)), .joinAnswer(.refused(.invalidRequest)),
            .ping, .rekey, .end, .lazy, .want(Self.hash), .epochWanted(trip.epoch.id), .blob(.lack([Self.chunk])),
            .blob(.hold([Self.chunk, Self.chunk])), .blob(.ask(Self.chunk)), .blob(.chunk(Self.chunk, [1, 2, 3])),
            .introduction(.port(4_000)), .bodiesAbsent(AbsentBodies(count: 1, named: [Self.hash])),
            .writers([PresenceEntry(place: [1, 2]), PresenceEntry(guest: Self.hash, place: [])]),
        ]
    }

    @Test("a message of any kind reads back as it was written, with and without more bytes at its end")
    func coding() throws {
        let (host, trip) = try Host.founder(members: 1)
        for message in everyMessage(trip) {
            for end in [[], [0], [UInt8](repeating: 255, count: 100)] {
                let again = try Message(message.encoding + end, limits: host.node.limits, using: host.cryptography)
                #expect(again == message)
            }
            for count in 1..<message.encoding.count {
                #expect(throws: DecodingFailure.self, "\(count) bytes of \(message)") {
                    try Message(
                        Array(message.encoding.prefix(count)), limits: host.node.limits, using: host.cryptography)
                }
            }
        }
    }

    /// `Tests/Vectors/blobs.json`, which the second implementation is held against too.
    @Test("the messages of chunks are, byte by byte, what the vectors say")
    func blobVectors() throws {
        struct Vector: Codable {
            let says, message: String
            let chunks: [String]
            let bytes: String?
        }
        func bytes(_ hex: String) -> [UInt8] {
            stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: root.appending(path: "Vectors/blobs.json"))
        let vectors = try JSONDecoder().decode([Vector].self, from: data)
        #expect(Set(vectors.map(\.says)) == ["lack", "hold", "ask", "chunk"])
        let (host, _) = try Host.founder()
        for vector in vectors {
            let chunks = vector.chunks.compactMap { BlobHash(bytes: bytes($0)) }
            let first = try #require(chunks.first)
            let message: BlobMessage =
                switch vector.says {
                case "lack": .lack(chunks)
                case "hold": .hold(chunks)
                case "ask": .ask(first)
                default: .chunk(first, bytes(vector.bytes ?? ""))
                }
            #expect(Message.blob(message).encoding == bytes(vector.message))
            let read = try Message(bytes(vector.message), limits: host.node.limits, using: host.cryptography)
            #expect(read == .blob(message))
        }
    }

    @Test("a message of unknown kind is passed over, and what grew is read as far as it is known")
    func newerVersions() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(0, as: trip.people[1], under: epoch)
        let later: [UInt8] = [7, 7, 7]
        for kind in [0, 19, 99, 100, 255] as [UInt8] {
            caller.say(raw: [kind], to: &host)
            caller.say(raw: [kind] + [UInt8](repeating: 9, count: 40_000), to: &host)
        }
        caller.say(raw: Message.frontier(trip.log.frontier).encoding + later, to: &host)
        var log = trip.log
        let change = try log.add(nil, [1], by: trip.people[1])
        caller.say(raw: Message.changes([change.record]).encoding + later, to: &host)
        caller.say(raw: Message.have([change.hash]).encoding + later, to: &host)
        caller.say(raw: Message.ping.encoding + later, to: &host)
        #expect(host.node.connectionIDs == [caller.id] && host.notices.allSatisfy { !$0.isMisbehaviour })
        #expect(host.node.log.hashes.contains(change.hash))
    }

    @Test("under an invite's key an unknown message before the request is passed over")
    func newerJoiners() throws {
        var (host, trip) = try Host.founder()
        let invite = OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography)
        host.write(invite.statement)
        let credential = Credential(inviteSecret: invite.secret, using: host.cryptography)
        var caller = try host.call(0, as: stranger(0, host.cryptography), under: credential)
        caller.say(raw: [99, 1, 2, 3], to: &host)
        #expect(host.node.connectionIDs == [caller.id])
    }

    @Test("whatever is said before hello ends the session, and so does a second hello")
    func helloFirst() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        func begin(_ number: UInt64) throws -> Caller {
            var caller = try Caller(number, as: trip.people[1], under: epoch, to: &host)
            let answer = host.tell(.received(caller.id, try #require(caller.first)))
            try caller.finish(reading: answer, saysHello: false, to: &host)
            return caller
        }
        let early = everyMessage(trip).filter { message in
            switch message {
            case .hello, .ping, .rekey, .end: false
            default: true
            }
        }
        for (number, message) in early.enumerated() {
            var caller = try begin(UInt64(number))
            caller.say(message, to: &host)
            #expect(host.closed.contains(caller.id), "\(message)")
            #expect(caller.heard.last == .end)
        }
        #expect(host.notices.count { $0 == .misbehaved(.unexpectedMessage, trip.people[1].device) } == early.count)
        #expect(host.node.log.count == trip.log.count)
        var caller = try begin(100)
        _ = try caller.sayHello(to: &host)
        #expect(!host.closed.contains(caller.id))
        _ = try caller.sayHello(to: &host)
        #expect(host.closed.contains(caller.id))
    }

    @Test("what belongs under an invite's key ends another session, and the other way round")
    func standings() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        let invite = OpenInvite(by: trip.people[0], uses: 99, using: &host.generator, host.cryptography)
        host.write(invite.statement)
        let credential = Credential(inviteSecret: invite.secret, using: host.cryptography)
        for (number, message) in everyMessage(trip).enumerated() {
            switch message {
            case .joinRequest:
                var member = try host.call(UInt64(number), as: trip.people[1], under: epoch)
                member.say(message, to: &host)
                #expect(host.closed.contains(member.id), "\(message)")
            case .ping, .rekey, .end: break
            default:
                var joiner = try host.call(
                    UInt64(number), as: stranger(0, host.cryptography), under: credential)
                joiner.say(message, to: &host)
                #expect(host.closed.contains(joiner.id), "\(message)")
            }
        }
        #expect(host.node.log.count == trip.log.count + 1)
    }

    @Test("a body that cannot be read, and a change that no node takes, end the session")
    func malformed() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        let device = trip.people[1].device
        var caller = try host.call(0, as: trip.people[1], under: epoch)
        caller.say(raw: [4, 255, 255, 255], to: &host)
        #expect(host.closed.contains(caller.id))
        #expect(host.notices.last { $0.isMisbehaviour } == .misbehaved(.malformedMessage, device))
        caller = try host.call(1, as: trip.people[1], under: epoch)
        var log = trip.log
        let change = try log.add(nil, [1], by: trip.people[1])
        var record = change.record
        record[change.head.count - 1] ^= 1
        caller.say(.changes([record]), to: &host)
        #expect(host.closed.contains(caller.id))
        #expect(
            host.notices.last { $0.isMisbehaviour } == .misbehaved(.refusedChange(.invalidSignature), device))
        #expect(host.node.log.count == trip.log.count)
    }
}

extension Notice {
    fileprivate var isMisbehaviour: Bool { if case .misbehaved = self { true } else { false } }
}
