import ChangeLog
import Foundation
import SyncEngine
import TestTiers
import Testing

@testable import Mailbox

// One after the other: calls block, and there are few threads.
@Suite(.serialized) struct NATSMailboxTests {
    private func port(
        _ text: String, certificates: String? = nil, limits: MailboxPortLimits = .default
    ) throws -> any MailboxPort {
        try MailboxAddress(text, certificates: certificates).port(limits: limits)
    }

    /// The configuration of a user who is permitted one prefix, as `Documentation/Mailbox.md` gives it.
    private func user(_ name: String, of prefix: Bytes16) -> String {
        """
        { user: \(name), password: secret, permissions: {
            publish: ["cv.\(prefix).*", "$JS.API.CONSUMER.CREATE.CV.*.cv.\(prefix).*",
                "$JS.API.CONSUMER.MSG.NEXT.CV.*", "$JS.API.CONSUMER.DELETE.CV.*"],
            subscribe: ["cv.\(prefix).*", "_INBOX.\(prefix).>"] } }
        """
    }

    @Test("JetStream stores, lists and reads blocks", .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func claims() async throws {
        let server = try await NATSServer()
        let mailbox = try port(server.address())
        defer { mailbox.end() }
        let slot = PortClaims.slot()
        // Before there is a stream.
        #expect(try mailbox.get(BlockName(of: [1]), in: slot) == nil)
        try PortClaims.check(mailbox, slot: slot, drops: false)
        // Another home sees them, in 150 slots at once.
        let other = try port(server.address())
        defer { other.end() }
        let slots = (0..<149).map { _ in PortClaims.slot(of: slot.prefix) } + [slot]
        let listings = try other.list(slots)
        #expect(listings.map(\.names.count) == Array(repeating: 0, count: 149) + [3])
        for name in listings[149].names { #expect(try other.get(name, in: slot).map { BlockName(of: $0) } == name) }
        // Another prefix has none.
        #expect(try other.list([PortClaims.slot()])[0].names.isEmpty)
        #expect(try other.list([slot])[0].names.count == 3)
    }

    @Test("more blocks than one batch are listed once each", .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func manyBlocks() async throws {
        let server = try await NATSServer()
        let mailbox = try port(server.address())
        defer { mailbox.end() }
        let slot = PortClaims.slot()
        let blocks = (0..<1_203).map { number in withUnsafeBytes(of: number) { Array($0) } }
        for block in blocks { try mailbox.put(block, in: slot) }
        #expect(try mailbox.list([slot])[0].names == blocks.map { BlockName(of: $0) }.sorted())
        var limits = MailboxPortLimits.default
        limits.namesPerListing = 700
        let bounded = try port(server.address(), limits: limits)
        defer { bounded.end() }
        let other = PortClaims.slot(of: slot.prefix)
        var error = #expect(throws: MailboxError.self) { try bounded.list([slot]) }
        #expect(error?.code == .full && error?.message.contains("or 700 of one week; ask who runs it") == true)
        #expect(try bounded.list([other])[0].names.isEmpty)
        // What doesn't fit into one list may be the newest.
        limits.entriesPerListing = 1_203
        let small = try port(server.address(), limits: limits)
        defer { small.end() }
        error = #expect(throws: MailboxError.self) { try small.list([other]) }
        #expect(error?.code == .full && error?.message.contains("holds more than 1203 messages") == true)
    }

    @Test(
        "a watch hints at others' blocks, and again after the server was away",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func watching() async throws {
        let server = try await NATSServer()
        let (mailbox, other) = (try port(server.address()), try port(server.address()))
        defer { other.end() }
        let slot = PortClaims.slot()
        let first = mailbox.watch(prefix: slot.prefix)
        #expect(try mailbox.list([slot])[0].names.isEmpty)
        #expect(try await PortClaims.isHinted(first) { try other.put([1], in: slot) })
        #expect(try mailbox.get(BlockName(of: [1]), in: slot) == [1])
        server.kill()
        let error = #expect(throws: MailboxError.self) { try mailbox.list([slot]) }
        #expect(error?.code == .unreachable)
        try await server.start()
        #expect(try mailbox.list([slot])[0].names == [BlockName(of: [1])])
        let second = mailbox.watch(prefix: slot.prefix)
        #expect(try await PortClaims.isHinted(second) { try other.put([2], in: slot) })
        mailbox.end()
        for await _ in first {}
        for await _ in second {}
        #expect(throws: MailboxError.self) { try mailbox.list([slot]) }
    }

    @Test(
        "of several servers, one that answers is enough, before and after another one ends",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func severalServers() async throws {
        let server = try await NATSServer()
        let nobody = try freePort()
        let slot = PortClaims.slot()
        // Whichever is tried first.
        for _ in 0..<6 {
            let mailbox = try port("nats://localhost:\(nobody),localhost:\(server.port)")
            defer { mailbox.end() }
            try mailbox.put([1], in: slot)
            #expect(try mailbox.list([slot])[0].names == [BlockName(of: [1])])
        }
        let mailbox = try port("nats://localhost:\(nobody),localhost:\(server.port)")
        defer { mailbox.end() }
        #expect(try mailbox.list([slot])[0].names.count == 1)
        server.kill()
        let error = #expect(throws: MailboxError.self) { try mailbox.list([slot]) }
        #expect(error?.message == "cannot reach any of localhost, localhost; check the addresses and the network")
        try await server.start()
        #expect(try mailbox.list([slot])[0].names.count == 1)
    }

    @Test(
        "a list shows what is new, and a block that was hinted at needs no server",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func news() async throws {
        let server = try await NATSServer()
        let (mailbox, other) = (try port(server.address()), try port(server.address()))
        defer {
            mailbox.end()
            other.end()
        }
        let slot = PortClaims.slot()
        try other.put([1], in: slot)
        let hints = mailbox.watch(prefix: slot.prefix)
        #expect(try mailbox.list([slot])[0].names == [BlockName(of: [1])])
        let second = PortClaims.slot(of: slot.prefix)
        #expect(
            try await PortClaims.isHinted(hints) {
                try other.put([2], in: slot)
                try other.put([3], in: second)
            })
        #expect(try mailbox.list([slot, second]).map(\.names.count) == [2, 1])
        #expect(try mailbox.list([slot, second]).map(\.names.count) == [2, 1])
        // A server that is there again has forgotten the list's consumer.
        server.kill()
        #expect(try mailbox.get(BlockName(of: [2]), in: slot) == [2])
        try await server.start()
        #expect(try mailbox.list([slot, second]).map(\.names.count) == [2, 1])
        #expect(try mailbox.get(BlockName(of: [1]), in: slot) == [1])
    }

    @Test("the blocks that hints bring are bounded") func recentBlocks() {
        var recent = RecentBlocks()
        for number in UInt8(0)..<100 { recent.add(BlockName(of: [number]), [number]) }
        #expect((UInt8(0)..<100).count { recent.take(BlockName(of: [$0])) != nil } == 32)
        let large = [UInt8](repeating: 0, count: 2 << 20)
        for number in UInt8(0)..<4 { recent.add(BlockName(of: [number]), large) }
        #expect((UInt8(0)..<4).count { recent.take(BlockName(of: [$0])) != nil } == 2)
        #expect(recent.take(BlockName(of: [3])) == nil)
    }

    @Test(
        "a user with rights to one prefix uses it, and learns nothing of another",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func permissions() async throws {
        let (mine, others) = (PortClaims.slot(), PortClaims.slot())
        let server = try await NATSServer([
            "authorization { users: [ { user: owner, password: secret }, \(user("noah", of: mine.prefix)), "
                + "\(user("mia", of: others.prefix)) ] }"
        ])
        // Who runs the server makes the stream.
        let owner = try port(server.address("owner:secret@"))
        try owner.put([1], in: others)
        owner.end()
        var limits = MailboxPortLimits.default
        limits.callTimeout = .milliseconds(300)
        let noah = try port(server.address("noah:secret@"), limits: limits)
        defer { noah.end() }
        try PortClaims.check(noah, slot: mine, drops: false)
        #expect(try noah.list((0..<9).map { _ in PortClaims.slot(of: mine.prefix) } + [mine]).last?.names.count == 3)
        let thief = try port(server.address("noah:secret@"), limits: limits)
        defer { thief.end() }
        for act in [{ _ = try thief.list([others]) }, { try thief.put([2], in: others) }] as [() throws -> Void] {
            let error = #expect(throws: MailboxError.self) { try act() }
            #expect(error?.code == .refused)
            #expect(error?.message.hasPrefix("localhost doesn't permit this user") == true)
        }
        // A consumer whose filter is not the one that its subject names.
        guard let library = NATSLibrary.loaded else { return }
        let connection = try NATSConnection(
            library, MailboxURL(server.address("noah:secret@")), certificates: nil, inbox: "_INBOX.\(mine.prefix)",
            limits: limits)
        for filter in ["cv.>", "cv.*.*", "cv.\(others.prefix).*"] {
            let lie = JetStream.ConsumerRequest(
                config: JetStream.ConsumerConfiguration("x", of: filter, headersOnly: true))
            let answer = try connection.request(
                "$JS.API.CONSUMER.CREATE.CV.x.cv.\(mine.prefix).*", JetStream.encoded(lie), within: .seconds(2))
            #expect(answer.flatMap { JetStream.decoded($0.bytes) }?.error?.errCode == 10_131)
            #expect(throws: MailboxError.self) {
                try connection.request(
                    "$JS.API.CONSUMER.CREATE.CV.x.\(filter)", JetStream.encoded(lie), within: .milliseconds(100))
            }
        }
        let error = #expect(throws: MailboxError.self) { try self.port(server.address("noah:wrong@")).list([mine]) }
        #expect(error?.message == "localhost doesn't let this user in; check user name and password")
    }

    @Test(
        "a full slot, a small server and one without JetStream each say what to do",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func problems() async throws {
        let server = try await NATSServer()
        var limits = MailboxPortLimits.default
        limits.namesPerListing = 3
        let mailbox = try port(server.address(), limits: limits)
        defer { mailbox.end() }
        let slot = PortClaims.slot()
        for number in UInt8(0)..<3 { try mailbox.put([number], in: slot) }
        var error = #expect(throws: MailboxError.self) { try mailbox.put([9], in: slot) }
        #expect(error?.code == .full)
        // Nothing older gave way.
        #expect(try mailbox.list([slot])[0].names.count == 3)
        let small = try await NATSServer(["max_payload: 1KB"])
        let tight = try port(small.address())
        defer { tight.end() }
        error = #expect(throws: MailboxError.self) { try tight.put(PortClaims.block(4_096), in: slot) }
        #expect(error?.code == .full && error?.message.contains("max_payload") == true)
        let plain = try await NATSServer(hasJetStream: false)
        error = #expect(throws: MailboxError.self) { try self.port(plain.address()).list([slot]) }
        #expect(error?.message.hasPrefix("localhost has no JetStream for this user") == true)
        error = #expect(throws: MailboxError.self) { try self.port("nats://localhost:\(freePort())").list([slot]) }
        #expect(error?.code == .unreachable)
    }

    @Test(
        "a right that a user lacks is the reason for what fails without it, and for nothing that fails later",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func staleViolation() async throws {
        let slot = PortClaims.slot()
        let server = try await NATSServer([
            "authorization { users: [ { user: owner, password: secret }, { user: noah, password: secret, permissions: { "
                + "publish: [\"cv.\(slot.prefix).*\"], subscribe: [\"_INBOX.\(slot.prefix).>\"] } } ] }"
        ])
        guard let library = NATSLibrary.loaded else { return }
        func connection(_ user: String) throws -> NATSConnection {
            try NATSConnection(
                library, MailboxURL(server.address("\(user):secret@")), certificates: nil,
                inbox: "_INBOX.\(slot.prefix)", limits: .default)
        }
        let (owner, noah) = (try connection("owner"), try connection("noah"))
        // Somebody who hears it, and never answers.
        owner.hint(MailboxHints(), of: slot.subject) { _ in }
        noah.send("$JS.API.CONSUMER.DELETE.CV.x")
        usleep(200_000)
        var error = #expect(throws: MailboxError.self) {
            try noah.request(slot.subject, [1], within: .milliseconds(200))
        }
        #expect(error?.code == .unreachable, "\(String(describing: error))")
        error = #expect(throws: MailboxError.self) {
            try noah.request("cv.x.y", [1], within: .milliseconds(200))
        }
        #expect(error?.code == .refused)
    }

    @Test("a server's certificate is checked", .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func certificates() async throws {
        let files = try Certificate()
        let server = try await NATSServer([
            "tls { cert_file: \"\(files.certificate)\", key_file: \"\(files.key)\" }"
        ])
        let slot = PortClaims.slot()
        let error = #expect(throws: MailboxError.self) {
            try self.port(server.address(scheme: "tls")).list([slot])
        }
        #expect(error?.code == .refused)
        let mailbox = try port(server.address(scheme: "tls"), certificates: files.certificate)
        defer { mailbox.end() }
        try PortClaims.check(mailbox, slot: slot, drops: false)
        // The certificate is for another name.
        let other = try port("tls://127.0.0.1:\(server.port)", certificates: files.certificate)
        #expect(throws: MailboxError.self) { try other.list([slot]) }
    }

    @Test(
        "the configuration for a machine at home serves its trip alone",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func atHome() async throws {
        let files = try Certificate()
        let slot = PortClaims.slot()
        let number = try freePort()
        let folder = String(files.certificate.dropLast("/certificate.pem".count))
        let configuration = NATSConfiguration(
            port: UInt16(number), prefix: slot.prefix, user: "trip", password: "secret", folder: folder)
        try writeFile(folder + "/nats.conf", Array(configuration.text.utf8))
        let server = try await ServerProcess(
            NATSServer.program, ["-c", folder + "/nats.conf"], port: number, log: folder + "/log")
        defer { server.kill() }
        var limits = MailboxPortLimits.default
        limits.callTimeout = .seconds(2)
        let mailbox = try port(
            "tls://trip:secret@localhost:\(number)", certificates: files.certificate, limits: limits)
        defer { mailbox.end() }
        // Its first put makes the stream.
        try PortClaims.check(mailbox, slot: slot, drops: false)
        limits.callTimeout = .milliseconds(300)
        let other = try port(
            "tls://trip:secret@localhost:\(number)", certificates: files.certificate, limits: limits)
        defer { other.end() }
        #expect(throws: MailboxError.self) { try other.list([PortClaims.slot()]) }
        // A removed member knows the password, so it is replaced.
        let renewed = try #require(NATSConfiguration.renewed(configuration.text, user: "trip", password: "other"))
        #expect(renewed.prefix == slot.prefix && renewed.port == UInt16(number))
        try writeFile(folder + "/nats.conf", Array(renewed.text.utf8))
        #expect(try mailbox.list([slot])[0].names.count == 3)
        server.reload()
        var error: MailboxError?
        for _ in 0..<100 where error?.code != .refused {
            usleep(50_000)
            // Who is connected is put out too.
            do throws(MailboxError) {
                _ = try mailbox.list([slot])
            } catch let refusal {
                error = refusal
            }
        }
        #expect(error?.message == "localhost doesn't let this user in; check user name and password")
        let new = try port("tls://trip:other@localhost:\(number)", certificates: files.certificate)
        defer { new.end() }
        #expect(try new.list([slot])[0].names.count == 3)
    }

    @Test("a mailbox that still connects ends at once", .enabled(if: NATSLibrary.loaded != nil, NATSServer.isMissing))
    func ending() throws {
        let (silent, number) = try listenAtFreePort()
        defer { close(silent) }
        var limits = MailboxPortLimits.default
        limits.connectTimeout = .seconds(1)
        let mailbox = try port("nats://localhost:\(number)", limits: limits)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? mailbox.list([PortClaims.slot()])
            done.signal()
        }
        usleep(200_000)
        let start = ContinuousClock.now
        mailbox.end()
        #expect(ContinuousClock.now - start < .milliseconds(400))
        done.wait()
        #expect(throws: MailboxError.self) { try mailbox.list([PortClaims.slot()]) }
    }

    @Test("the place of a message is read from both forms of its acknowledgement") func acknowledgements() {
        for (reply, sequence, pending) in [
            ("$JS.ACK.CV.c.1.77.3.1700000000.0", 77, 0), ("$JS.ACK.hub.acc.CV.c.1.78.3.1700000000.5", 78, 5),
            ("$JS.ACK.hub.acc.CV.c.1.78.3.1700000000.6.token", 78, 6),
        ] as [(String, UInt64, UInt64)] {
            let acknowledgement = JetStream.Acknowledgement(reply)
            #expect(acknowledgement?.sequence == sequence && acknowledgement?.pending == pending)
        }
        for reply in [
            "", "$JS.ACK", "_INBOX.a.b.c.d.e.f.g.h", "$JS.ACK.CV.c.1.x.3.4.0", "$JS.ACK.CV.c.1.1.3.4.x",
        ] { #expect(JetStream.Acknowledgement(reply) == nil) }
    }
}
