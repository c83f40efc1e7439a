import ArgumentParser
import Console
import TripService
import TripText

struct Invites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a link that lets others in, show one again, or close one.",
        discussion: """
            Any member who is near lets in whoever shows the link. Close a link that went to the wrong people.
            Example: caravan invite --uses 3 --expires 7d
            """,
        subcommands: [MakeInvite.self, ListInvites.self, ShowInvite.self, CloseInvite.self],
        defaultSubcommand: MakeInvite.self)
}

struct MakeInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a link that lets others in.",
        discussion: "Example: caravan invite --uses 3 --expires 7d")

    @Option(help: ArgumentHelp("How many may come by it.", valueName: "n"))
    var uses = 1

    @Option(
        help: ArgumentHelp("How long it may be used, as 45s, 30m, 12h or 7d; for ever by default.", valueName: "time"))
    var expires: Lifetime?

    @OptionGroup var code: QROptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        code.show(try await trip.answer(.invite(uses: uses, lifetime: expires?.milliseconds)), json: reading.json)
    }
}

struct ShowInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the link of an open invite again.",
        discussion: "Example: caravan invite show 1")

    @Argument(help: "Its number in the list, or the beginning of its id.")
    var invite: String

    @OptionGroup var code: QROptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        code.show(try await trip.answer(.showInvite(reference: invite)), json: reading.json)
    }
}

struct ListInvites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the invites that are open.", discussion: "Example: caravan invite list")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.invites, json: reading.json) }
}

struct CloseInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Close an invite before it is used up.",
        discussion: "Example: caravan invite close 1")

    @Argument(help: "Its number in the list, the beginning of its id, or the link.")
    var invite: String

    @OptionGroup var trip: TripOptions

    func run() async throws {
        _ = try await trip.answer(.closeInvite(reference: invite))
        Output.line("closed: nobody who hears of this lets anybody in by it any more")
    }
}

struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Bring in a further device of your own.",
        discussion: "Example: caravan device add", subcommands: [AddDevice.self])
}

struct AddDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a link that makes another device yours: your votes stay one person's.",
        discussion: "This node must run while the other device runs: caravan join LINK. Example: caravan device add")

    @Option(
        help: ArgumentHelp("How long it may be used, as 45s, 30m, 12h or 7d; one hour by default.", valueName: "time"))
    var expires: Lifetime?

    @OptionGroup var code: QROptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        code.show(
            try await trip.answer(.addDevice(lifetime: expires?.milliseconds ?? 3_600_000)), json: reading.json)
    }
}

extension QROptions {
    /// Prints an invite's link, its code where one is wanted, and what to do with it.
    fileprivate func show(_ answer: TripAnswer, json: Bool) {
        Reader.show(answer, json: json)
        guard case .invite(let invite) = answer, !json else { return }
        show(invite.link)
        Output.note(
            invite.isForDevice
                ? "Whoever has this link acts as you: give it to nobody. On the other device: caravan join LINK"
                : "Whoever has this link can come in: give it to nobody else. They run: caravan join LINK --as NAME")
        if !invite.isAnswered {
            Output.note("No node runs here: run `caravan up`, so that somebody opens when they come.")
        }
    }
}
