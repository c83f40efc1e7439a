import ArgumentParser
import CaravanNode
import Console
import Foundation
import TripService
import TripText

struct MailboxGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mailbox",
        abstract: "Sync while apart, through a folder or server that stores sealed blocks.",
        discussion: """
            A mailbox is a folder that some tool syncs (Nextcloud, Syncthing, Dropbox, a USB stick), a WebDAV server, or a \
            NATS server. Running nodes leave sealed blocks there for members who are on another network or offline. The owner \
            of the mailbox can't read them.

            Members of a trip use the same mailbox with the same code. Each enters the address and password that work for \
            them.

            Examples:
              caravan mailbox add ~/Nextcloud/trip
              caravan mailbox add ~/Nextcloud/trip --code 9f2c51e07ab34d6685d0c1e2f3a4b596
              caravan mailbox test
            """,
        subcommands: [ShowMailboxes.self, AddMailbox.self, RemoveMailbox.self, TestMailboxes.self, ServeMailbox.self],
        defaultSubcommand: ShowMailboxes.self)
}

struct ShowMailboxes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the trip's mailboxes and their codes.",
        discussion: "Example: caravan mailbox list --json", aliases: ["ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.mailboxes(.list), json: reading.json) }
}

struct AddMailbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a mailbox, and test it.",
        discussion: """
            The first member adds it without a code, and sends the code that is printed to the others. A running node uses \
            the mailbox at once.

            Examples:
              caravan mailbox add ~/Nextcloud/trip
              caravan mailbox add https://noah:PASSWORD@cloud.example.org/remote.php/dav/files/noah/trip
              caravan mailbox add tls://trip:PASSWORD@box.example.org
            """)

    @Argument(
        help:
            "A folder, or an address: https:// for WebDAV, nats:// or tls:// for NATS. “-” asks for it, and hides what you type.",
        completion: .directory)
    var address: String

    @Option(
        help: ArgumentHelp(
            "The code of a mailbox that another member added, or whose address changed.", valueName: "code"))
    var code: String?

    @Option(
        help: ArgumentHelp("A proxy for WebDAV, such as socks5h://127.0.0.1:9050.", valueName: "url"))
    var proxy: String?

    @Option(
        help: ArgumentHelp("Trust the certificates in this file, instead of the system's.", valueName: "file"),
        completion: .file())
    var certificates: String?

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let text = try address == "-" ? MailboxPlace.typedAddress() : address
        let place = MailboxPlace(typed: text, proxy: proxy, certificates: certificates, code: code)
        let before = try await trip.mailboxes()
        let answer: TripAnswer
        do { answer = try await trip.answer(.mailboxes(.add(place))) } catch {
            guard error.code == .unchanged else { throw error }
            return trip.report.tellUnchanged(error)
        }
        guard case .mailboxes(let mailboxes) = answer, let added = mailboxes.last else { throw TripOptions.otherAnswer }
        let old = before.first { $0.code == added.code && $0.address != added.address }?.address
        var words = old.map { "Replaced mailbox \($0) by \(added.address)" } ?? "Added mailbox \(added.address)"
        words += ". It works."
        if code == nil {
            let place = added.address.hasPrefix("/") ? "FOLDER" : "ADDRESS"
            words += "\nSend this code to the other members. Each adds the same mailbox with their own address:"
            words += "\n  caravan mailbox add \(place) --code \(added.code)"
        }
        trip.report.tell(words, TripJSON.mailbox(added, did: "added"))
        if code != nil, added.trial?.wasEmpty == true {
            trip.report.note(
                "The mailbox has no blocks under this code yet. If others already use it, check the code and the address."
            )
        }
        if !Home().isNodeRunning { trip.report.note("Your node uses it while it runs: `caravan up`.") }
    }
}

struct RemoveMailbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Stop using a mailbox. The blocks in it stay.",
        discussion: "Example: caravan mailbox remove 1", aliases: ["rm"])

    @Argument(help: "Its number in `caravan mailbox list`, or its address.")
    var mailbox: String

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let before = try await trip.mailboxes()
        let answer = try await trip.answer(.mailboxes(.remove(mailbox)))
        guard case .mailboxes(let left) = answer,
            let code = before.map(\.code).first(where: { code in !left.contains { $0.code == code } })
        else { throw TripOptions.otherAnswer }
        let words =
            "Removed the mailbox. Its blocks stay where they are. To use it again, add it with `--code \(code)`."
        trip.report.tell(words, TripJSON.removed(leaving: answer, "mailboxes"))
        if !trip.report.json { trip.report.tell(answer) }
    }
}

struct TestMailboxes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Write a block to each mailbox, and read it back.",
        discussion: """
            Prints how long each step took, and deletes the block. The exit status is 1 if a mailbox doesn't work. A NATS server keeps the block \
            for 90 days.

            Example: caravan mailbox test
            """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let answer = try await trip.answer(.mailboxes(.test))
        Reader.show(answer, json: reading.json)
        guard case .mailboxes(let mailboxes) = answer, mailboxes.contains(where: { $0.problem != nil }) else { return }
        throw ExitCode.failure
    }
}

extension WritingOptions {
    fileprivate func mailboxes() async throws(ServiceError) -> [MailboxView] {
        guard case .mailboxes(let mailboxes) = try await answer(.mailboxes(.list)) else {
            throw TripOptions.otherAnswer
        }
        return mailboxes
    }
}

extension MailboxPlace {
    /// What is typed at the question, unseen; without a terminal, the first line of standard input.
    static func typedAddress() throws -> String {
        guard isatty(STDIN_FILENO) == 1, let terminal = Terminal() else { return readLine() ?? "" }
        return try terminal.hiddenText("Address of the mailbox", bytesMax: addressBytesMax)
    }

    private static let addressBytesMax = 2_048

    /// As it was typed: with paths from the folder in which the command runs.
    init(typed address: String, proxy: String?, certificates: String?, code: String? = nil) {
        self.init(
            address: address.isEmpty || address.contains("://") ? address : WholePath.of(address), proxy: proxy,
            certificates: certificates.map { WholePath.of($0) }, code: code)
    }
}
