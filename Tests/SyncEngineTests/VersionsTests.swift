import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// Which version of the program a node runs, as members tell each other.
struct VersionsTests {
    private func name(_ text: String) throws -> VersionName { try #require(VersionName(text)) }

    /// A founder whose node runs a version, and one member.
    private func host(_ version: String? = "1.1.0") throws -> (host: Host, trip: FoundedTrip, epoch: Credential) {
        var (host, trip) = try Host.founder(members: 1)
        host.node.versions = Versions(own: try version.map { try name($0) })
        return (host, trip, try #require(host.epochCredential))
    }

    private func versions(_ messages: [Message]) -> [String] {
        messages.compactMap { if case .introduction(.version(let name)) = $0 { name.text } else { nil } }
    }

    @Test("a name reads back as it was written, with and without more bytes at its end, and cut short is refused")
    func coding() throws {
        let (host, _, _) = try host()
        func read(_ bytes: [UInt8]) throws -> Message {
            try Message(bytes, limits: host.node.limits, using: host.cryptography)
        }
        for text in ["1", "1.2.0", "2.0.0-beta.1+ab0", String(repeating: "9", count: 32)] {
            let message = Message.introduction(.version(try name(text)))
            #expect(message.encoding == [24, UInt8(text.utf8.count)] + Array(text.utf8))
            for end in [[], [0], [UInt8](repeating: 255, count: 100)] {
                #expect(try read(message.encoding + end) == message)
            }
            for count in 1..<message.encoding.count {
                #expect(throws: DecodingFailure.self) { try read(Array(message.encoding.prefix(count))) }
            }
        }
    }

    @Test("what is no name of a version ends the session of the peer that says it, and is shown to nobody")
    func hostile() throws {
        var (host, trip, epoch) = try host()
        let names = [
            "", String(repeating: "9", count: 33), "1.2 3", "<b>1</b>", "1\n2", "1\u{202E}2", "é", "1/2", "1\u{0}",
        ]
        let bodies = names.map { [UInt8($0.utf8.count)] + Array($0.utf8) } + [[1, 0xFF], [255, 255, 255, 127, 0x31]]
        let replica = trip.people[1].device.replica
        for (number, body) in bodies.enumerated() {
            var caller = try host.call(UInt64(number), as: trip.people[1], under: epoch)
            caller.say(raw: [24] + body, to: &host)
            #expect(host.closed.contains(caller.id) && host.node.version(of: replica) == nil, "\(body)")
        }
    }

    @Test("a member is told once which version a node runs; an unproven peer isn't, and a node with none tells nobody")
    func told() throws {
        var (host, trip, epoch) = try host()
        let member = try host.call(0, as: trip.people[1], under: epoch)
        let unproven = try host.call(1, as: stranger(1, host.cryptography), under: epoch)
        #expect(member.isIn && unproven.isIn)
        #expect(versions(member.heard) == ["1.1.0"] && versions(unproven.heard).isEmpty)
        (host, trip, epoch) = try self.host(nil)
        #expect(versions(try host.call(0, as: trip.people[1], under: epoch).heard).isEmpty)
    }

    @Test("what a member says last counts, until its session ends")
    func heard() throws {
        var (host, trip, epoch) = try host()
        let replica = trip.people[1].device.replica
        var caller = try host.call(0, as: trip.people[1], under: epoch)
        #expect(host.node.version(of: replica) == nil)
        for text in ["1.2.0", "1.3.0"] {
            caller.say(.introduction(.version(try name(text))), to: &host)
            #expect(host.node.version(of: replica)?.text == text)
        }
        caller.say(.end, to: &host)
        #expect(host.node.version(of: replica) == nil && host.node.versions[caller.id] == nil)
    }

    @Test("a version that an unproven peer says is known once the peer is proven, and not before")
    func unproven() throws {
        var generator = SeededGenerator(seed: 1)
        let cryptography = FastCryptography()
        let trip = try FoundedTrip(of: 2, using: &generator, cryptography)
        var full = trip
        for number in 0..<60 as Range<UInt8> {
            try full.log.add(nil, [UInt8](repeating: number, count: 1_000), by: trip.people[0])
        }
        let newcomer = try full.letIn(by: trip.people[0], using: &generator)
        var limits = SessionLimits()
        (limits.unacknowledgedBytesMax, limits.batchBytesMax) = (20_000, 5_000)
        let node = SyncNode(
            log: full.log, secrets: newcomer, epochSecrets: [], version: "1.2.0", cryptography: cryptography,
            limits: limits)
        var wires = Wires(seed: 1, nodes: [trip.node(1, limits: limits), node])
        wires.slow = [0]
        wires.connect(1, 0)
        let replica = newcomer.device.replica
        let before = wires.nodes[0].log.isIn(replica)
        #expect(!before && wires.nodes[0].version(of: replica) == nil)
        for _ in 0..<20 {
            wires.finishWrites(on: 0)
            wires.wait(10)
        }
        let after = wires.nodes[0].log.isIn(replica)
        #expect(after && wires.nodes[0].version(of: replica)?.text == "1.2.0")
        #expect(wires.nodes[1].version(of: trip.people[1].device.replica) == nil, "it runs none that it says")
    }
}
