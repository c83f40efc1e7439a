import Foundation
import SyncEngine
import TestTiers
import Testing

@testable import Mailbox

// One after the other: calls block, and there are few threads.
@Suite(.serialized) struct WebDAVMailboxTests {
    private static let hasApache = ServerProcess.isInstalled(ApacheServer.program)

    private func port(
        _ text: String, proxy: String? = nil, certificates: String? = nil, limits: MailboxPortLimits = .default
    ) throws -> any MailboxPort {
        try MailboxAddress(text, proxy: proxy, certificates: certificates).port(limits: limits)
    }

    /// The error of a listing.
    private func problem(_ port: any MailboxPort, _ slot: MailboxSlot = PortClaims.slot()) -> MailboxError? {
        #expect(throws: MailboxError.self) { try port.list([slot]) }
    }

    @Test("Apache stores, lists, reads and deletes blocks", .enabled(if: hasApache, ApacheServer.isMissing))
    func claims() async throws {
        let server = try await ApacheServer()
        let mailbox = try port(server.address())
        let slot = PortClaims.slot()
        try PortClaims.check(mailbox, slot: slot)
        // 150 slots, as a node lists them when it starts.
        let slots = (0..<150).map { _ in PortClaims.slot(of: slot.prefix) }
        for block in [[1], [2]] as [[UInt8]] { try mailbox.put(block, in: slots[7]) }
        let listings = try mailbox.list(slots)
        #expect(listings.map(\.names.count) == (0..<150).map { $0 == 7 ? 2 : 0 })
        // What was cut short on the server, or put there by others, is no block. The next put mends it.
        let place = "\(server.store)/cv.\(slot.prefix)/\(slots[7].tag)"
        try writeFile("\(place)/notes & more.txt", [1])
        #expect(truncate("\(place)/\(BlockName(of: [1]))", 0) == 0)
        #expect(try mailbox.list([slots[7]])[0].names.count == 2)
        #expect(try mailbox.get(BlockName(of: [1]), in: slots[7]) == nil)
        try mailbox.put([1], in: slots[7])
        #expect(try mailbox.get(BlockName(of: [1]), in: slots[7]) == [1])
        // So is what is too large for one: it doesn't stop the rest.
        try writeFile("\(place)/\(BlockName(of: [3]))", PortClaims.block(3_000_000))
        #expect(try mailbox.list([slots[7]])[0].names.count == 3)
        #expect(try mailbox.get(BlockName(of: [3]), in: slots[7]) == nil)
        try mailbox.put([3], in: slots[7])
        #expect(try mailbox.get(BlockName(of: [3]), in: slots[7]) == [3])
    }

    @Test("a list that would be cut is an error", .enabled(if: hasApache, ApacheServer.isMissing))
    func longLists() async throws {
        let server = try await ApacheServer()
        let slot = PortClaims.slot()
        let mailbox = try port(server.address())
        for block in [[1], [2], [3]] as [[UInt8]] { try mailbox.put(block, in: slot) }
        for (names, entries, bytes) in [(2, 100, 1 << 20), (100, 3, 1 << 20), (100, 100, 500)] {
            var limits = MailboxPortLimits.default
            (limits.namesPerListing, limits.entriesPerListing, limits.listingBytes) = (names, entries, bytes)
            let error = problem(try port(server.address(), limits: limits), slot)
            #expect(error?.code == .full, "\(names) \(entries) \(bytes)")
            #expect(error?.message.contains("that are no blocks") == true)
        }
        var limits = MailboxPortLimits.default
        (limits.namesPerListing, limits.entriesPerListing) = (3, 4)
        #expect(try port(server.address(), limits: limits).list([slot])[0].names.count == 3)
    }

    @Test(
        "a slot's collection goes with its last block, and never with what else is in it",
        .enabled(if: hasApache, ApacheServer.isMissing))
    func emptyCollections() async throws {
        let server = try await ApacheServer()
        let mailbox = try port(server.address())
        var generator = SystemRandomNumberGenerator()
        let slot = PortClaims.slot()
        let root = "\(server.store)/cv.\(slot.prefix)"
        for isEmpty in [true, true] {
            let trial = try MailboxTrial.run(
                mailbox, prefix: slot.prefix, stranger: port(server.address(user: "")), using: &generator)
            #expect(trial.wasEmpty == isEmpty && trial.isOpen == false)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).filter { $0 != ".DAV" } == [])
        }
        for block in [[1], [2]] as [[UInt8]] { try mailbox.put(block, in: slot) }
        try writeFile("\(root)/\(slot.tag)/notes.txt", [1])
        let names = [BlockName(of: [1]), BlockName(of: [2])]
        try mailbox.drop([names[0]], in: slot)
        #expect(try mailbox.list([slot])[0].names == [names[1]])
        try mailbox.drop([names[1]], in: slot)
        #expect(access("\(root)/\(slot.tag)/notes.txt", F_OK) == 0)
        #expect(try !MailboxTrial.run(mailbox, prefix: slot.prefix, using: &generator).wasEmpty)
    }

    @Test(
        "a collection with a block's name is no block, and is not deleted with the last block",
        .enabled(if: hasApache, ApacheServer.isMissing))
    func falseBlock() async throws {
        let server = try await ApacheServer()
        let mailbox = try port(server.address())
        let slot = PortClaims.slot()
        let name = BlockName(of: [1])
        try mailbox.put([1], in: slot)
        let collection = "\(server.store)/cv.\(slot.prefix)/\(slot.tag)/\(BlockName(of: [2]))"
        try FileManager.default.createDirectory(atPath: collection, withIntermediateDirectories: false)
        #expect(try mailbox.list([slot])[0].names == [name])
        try mailbox.drop([name], in: slot)
        #expect(access(collection, F_OK) == 0)
    }

    @Test("a large block may take as long as a slow line needs, and other answers may not", .tags(.slow))
    func slowLine() throws {
        let block = PortClaims.block(12_000).map { $0 & 127 }
        let server = try ScriptedServer(
            answering: "HTTP/1.1 200 OK\r\nContent-Length: \(block.count)\r\n\r\n"
                + String(decoding: block, as: UTF8.self), isSlow: true)
        defer { server.stop() }
        let address = "http://127.0.0.1:\(server.port)"
        let slot = PortClaims.slot()
        var limits = MailboxPortLimits.default
        limits.callTimeout = .milliseconds(300)
        #expect(try port(address, limits: limits).get(BlockName(of: block), in: slot) == block)
        #expect(problem(try port(address, limits: limits))?.code == .unreachable)
        limits.blockTimeout = .milliseconds(300)
        let error = #expect(throws: MailboxError.self) {
            try self.port(address, limits: limits).get(BlockName(of: block), in: slot)
        }
        #expect(error?.code == .unreachable)
        // Where nearly nothing moves, it ends sooner.
        limits.blockTimeout = .seconds(110)
        (limits.silenceTimeout, limits.silentBytesPerSecond) = (.seconds(1), 100_000)
        let start = ContinuousClock.now
        #expect(throws: MailboxError.self) {
            try self.port(address, limits: limits).get(BlockName(of: block), in: slot)
        }
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("a server that asks for a password gets an address with one", .enabled(if: hasApache, ApacheServer.isMissing))
    func noUser() async throws {
        let server = try await ApacheServer()
        let error = problem(try port(server.address(user: "")))
        #expect(error?.code == .refused)
        #expect(
            error?.message
                == "127.0.0.1 asks for a password (401); give the address with a user and an app password: "
                + "http://USER:PASSWORD@127.0.0.1:\(server.port)/dav")
    }

    @Test(
        "a wrong password, a place without WebDAV and a server that is down each say what to do",
        .enabled(if: hasApache, ApacheServer.isMissing))
    func problems() async throws {
        let server = try await ApacheServer()
        var error = problem(try port(server.address(user: "noah:wrong@")))
        #expect(error?.code == .refused)
        #expect(
            error?.message == "127.0.0.1 doesn't let this user in (401); check user name and app password")
        error = problem(try port("http://noah:secret@127.0.0.1:\(server.port)"))
        #expect(error?.code == .refused)
        server.process.kill()
        error = problem(try port(server.address()))
        #expect(error?.code == .unreachable)
    }

    @Test("a certificate is checked", .enabled(if: hasApache, ApacheServer.isMissing)) func certificates() async throws
    {
        let files = try Certificate()
        let server = try await ApacheServer(certificate: files.both)
        let address = "https://noah:secret@localhost:\(server.port)/dav"
        let error = problem(try port(address))
        #expect(error?.code == .refused)
        #expect(error?.message.hasPrefix("the certificate of localhost isn't trusted") == true)
        try PortClaims.check(try port(address, certificates: files.certificate))
        // The certificate is for another name.
        let other = "https://noah:secret@127.0.0.1:\(server.port)/dav"
        #expect(problem(try port(other, certificates: files.certificate))?.code == .refused)
    }

    @Test("a redirect is not followed") func redirects() throws {
        let server = try ScriptedServer(
            answering: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/x\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let error = problem(try port("http://127.0.0.1:\(server.port)"))
        #expect(error?.code == .refused)
        #expect(error?.message.contains("redirects to http://127.0.0.1:1/x;") == true)
    }

    @Test("a server may ask to be left alone for a bounded time") func retryAfter() throws {
        for (seconds, expected) in [("30", Duration.seconds(30)), ("999999", .seconds(3_600)), ("soon", nil)] {
            let server = try ScriptedServer(
                answering: "HTTP/1.1 503 Busy\r\nRetry-After: \(seconds)\r\nContent-Length: 0\r\n\r\n")
            defer { server.stop() }
            let error = problem(try port("http://127.0.0.1:\(server.port)"))
            #expect(error?.code == .unreachable && error?.retryAfter == expected)
        }
    }

    @Test("an endless answer and a silent server end at their bounds") func endless() throws {
        let server = try ScriptedServer(answering: "HTTP/1.1 207 Multi\r\n\r\n<a/>" + spaces(1_024), isEndless: true)
        defer { server.stop() }
        let error = problem(try port("http://127.0.0.1:\(server.port)"))
        #expect(error?.code == .full)
        #expect(error?.message.contains("more than \(16 << 20) bytes") == true)
        let endless = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\n" + spaces(1_024), isEndless: true)
        defer { endless.stop() }
        #expect(try self.port("http://127.0.0.1:\(endless.port)").get(BlockName(of: [1]), in: PortClaims.slot()) == nil)
        let slot = PortClaims.slot()
        #expect(throws: MailboxError.self) {
            try self.port("http://127.0.0.1:\(server.port)").get(BlockName(of: [1]), in: slot)
        }
        let (silent, number) = try listenAtFreePort()
        defer { close(silent) }
        var limits = MailboxPortLimits.default
        limits.callTimeout = .milliseconds(300)
        let start = ContinuousClock.now
        #expect(problem(try port("http://127.0.0.1:\(number)", limits: limits))?.code == .unreachable)
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("a call that waits ends with the mailbox") func ending() async throws {
        let (silent, number) = try listenAtFreePort()
        defer { close(silent) }
        let mailbox = try port("http://127.0.0.1:\(number)")
        let hints = mailbox.watch(prefix: PortClaims.slot().prefix)
        Thread.detachNewThread {
            usleep(100_000)
            mailbox.end()
        }
        #expect(problem(mailbox)?.code == .ended)
        for await _ in hints {}
    }

    @Test("a SOCKS proxy gets the server's name, and the server gets nothing") func proxy() throws {
        let proxy = try ScriptedServer(answering: "\u{5}\u{0}")
        let server = try ScriptedServer(answering: "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        defer {
            proxy.stop()
            server.stop()
        }
        let error = problem(
            try port("http://127.0.0.1:\(server.port)", proxy: "socks5h://127.0.0.1:\(proxy.port)"))
        #expect(error?.code == .unreachable)
        #expect(proxy.firstBytes.first == 5)
        #expect(server.firstBytes.isEmpty)
    }
}

func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
