import SyncEngine
import Testing

@testable import Mailbox

@Suite(.serialized) struct MailboxTrialTests {
    @Test("a folder's trial tells the space that is left, and leaves nothing") func folder() throws {
        let folder = try TemporaryFolder()
        let mailbox = FolderMailbox(path: folder.path)
        let slot = PortClaims.slot()
        var generator = SystemRandomNumberGenerator()
        var trial = try MailboxTrial.run(mailbox, prefix: slot.prefix, using: &generator)
        #expect(trial.wasEmpty && trial.isOpen == nil && trial.freeBytes.map { $0 > 0 } == true)
        trial = try MailboxTrial.run(mailbox, prefix: slot.prefix, using: &generator)
        #expect(trial.wasEmpty)
        try mailbox.put([1], in: slot)
        #expect(try !MailboxTrial.run(mailbox, prefix: slot.prefix, using: &generator).wasEmpty)
    }

    @Test(
        "a server that lets everybody in is open, and one that asks for a password is not",
        .enabled(if: NATSServer.isReady, NATSServer.isMissing))
    func strangers() async throws {
        var generator = SystemRandomNumberGenerator()
        for (lines, isOpen) in [
            ([], true), (["authorization { users: [ { user: noah, password: secret } ] }"], false),
            // A guest without rights.
            (
                [
                    "no_auth_user: guest",
                    "authorization { users: [ { user: noah, password: secret }, "
                        + "{ user: guest, password: x, permissions: { publish: [\"a\"], subscribe: [\"_INBOX.>\"] } } ] }",
                ], false
            ),
        ] {
            let server = try await NATSServer(lines)
            let user = lines.isEmpty ? "" : "noah:secret@"
            let mailbox = try MailboxAddress(server.address(user)).port()
            let stranger = try MailboxAddress(server.address()).port()
            defer {
                mailbox.end()
                stranger.end()
            }
            let trial = try MailboxTrial.run(
                mailbox, prefix: PortClaims.slot().prefix, stranger: stranger, using: &generator)
            #expect(trial.isOpen == isOpen, "\(lines)")
        }
    }
}
