import LibC
import SyncEngine
import Testing

@testable import Mailbox

@Suite struct MailboxClockTests {
    @Test("times of servers are read") func times() {
        #expect(MailboxClock.seconds(ofHTTP: "Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(MailboxClock.seconds(ofRFC3339: "1994-11-06T08:49:37.5Z") == 784_111_777)
        #expect(MailboxClock.seconds(ofRFC3339: "1994-11-06T08:49:37Z") == 784_111_777)
        for text in ["", "soon", "1994-11-06T08:49:37+01:00", "Sun, 06 Nov 1994"] {
            #expect(MailboxClock.seconds(ofHTTP: text) == nil && MailboxClock.seconds(ofRFC3339: text) == nil)
        }
    }

    @Test("a clock that is more than an hour off is told so") func problems() {
        for seconds in [0, 3_600, -3_600] { #expect(MailboxClock.problem(ahead: .seconds(seconds)) == nil) }
        #expect(MailboxClock.problem(ahead: nil) == nil)
        for (seconds, text) in [
            (3_601, "1 hour ahead of"), (-7_300, "2 hours behind"), (86_400 * 7, "7 days ahead of"),
            (-86_400 * 365, "365 days behind"),
        ] {
            #expect(
                MailboxClock.problem(ahead: .seconds(seconds))
                    == "your clock is \(text) the clock of the mailbox; set the wrong one")
        }
    }

    @Test("a WebDAV server's date is compared, and a folder's files") func compared() throws {
        let server = try ScriptedServer(
            answering: "HTTP/1.1 404 No\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let mailbox = try MailboxAddress("http://127.0.0.1:\(server.port)").port()
        #expect(mailbox.clockAhead == nil)
        _ = try mailbox.list([PortClaims.slot()])
        let ahead = try #require(mailbox.clockAhead)
        #expect(abs(ahead / .seconds(1) - Double(time(nil) - 784_111_777)) < 60)
        let folder = try TemporaryFolder()
        let local = FolderMailbox(path: folder.path)
        #expect(local.clockAhead == nil)
        try local.put([1], in: PortClaims.slot())
        #expect(abs(try #require(local.clockAhead) / .seconds(1)) < 60)
    }

    @Test("a NATS server's time is compared", .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func server() async throws {
        let server = try await NATSServer()
        let mailbox = try MailboxAddress(server.address()).port()
        defer { mailbox.end() }
        var generator = SystemRandomNumberGenerator()
        let trial = try MailboxTrial.run(mailbox, prefix: PortClaims.slot().prefix, using: &generator)
        #expect(abs(try #require(trial.clockAhead) / .seconds(1)) < 60)
    }
}
