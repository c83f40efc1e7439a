import ArgumentParser
import Console
import TripModel
import TripService
import TripText

struct Invites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create, show or revoke invite links.",
        discussion: """
            Any member nearby can admit people with the link. Revoke a link that got into the wrong hands. \
            `caravan help invite make` lists the options of a new link.

            Examples:
              caravan invite --uses 3 --expires 7d
              caravan invite list
              caravan invite close 1
            """,
        subcommands: [MakeInvite.self, ListInvites.self, ShowInvite.self, CloseInvite.self, KeepInvite.self],
        defaultSubcommand: MakeInvite.self)
}

struct MakeInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Create an invite link.",
        discussion: "Example: caravan invite --uses 3 --expires 7d")

    @Option(help: ArgumentHelp("How many people can join with it.", valueName: "n"))
    var uses = 1

    @Option(
        help: ArgumentHelp("How long it is valid: 45s, 30m, 12h or 7d. By default it never expires.", valueName: "time")
    )
    var expires: Lifetime?

    @OptionGroup var mailbox: LinkMailboxOptions
    @Flag(name: .shortAndLong, help: "Print only the link.")
    var quiet = false

    @OptionGroup var code: QROptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func validate() throws {
        if quiet, reading.json { throw ValidationError("--json and --quiet cannot be combined") }
        if uses < 1 { throw ValidationError("--uses takes 1 or more") }
    }

    func run() async throws {
        let request = TripRequest.invite(
            uses: uses, lifetime: expires?.milliseconds, withPasswords: mailbox.includesPassword)
        if quiet { return Reader.show(try await trip.answer(request), json: false) }
        code.show(try await trip.answer(request), json: reading.json, mailbox)
    }
}

struct ShowInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an invite link again.",
        discussion: "Example: caravan invite show 1")

    @Argument(help: "Its number in the list, or the start of its id.")
    var invite: String

    @OptionGroup var mailbox: LinkMailboxOptions
    @OptionGroup var code: QROptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let request = TripRequest.showInvite(reference: invite, withPasswords: mailbox.includesPassword)
        code.show(try await trip.answer(request), json: reading.json, mailbox, isNew: false)
    }
}

struct ListInvites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the open invites.", discussion: "Example: caravan invite list",
        aliases: ["ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.show(.invites, json: reading.json) }
}

struct CloseInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Revoke an invite.",
        discussion: "Example: caravan invite close 1", aliases: ["revoke"])

    @Argument(help: "Its number in the list, the start of its id, or the link.")
    var invite: String

    @OptionGroup var trip: WritingOptions

    func run() async throws {
        guard case .invite(let closed) = try await trip.answer(.closeInvite(reference: invite)) else {
            throw TripOptions.otherAnswer
        }
        let left = closed.isForDevice ? "for a device" : "\(closed.left) of \(closed.uses) left"
        trip.report.tell(
            "Revoked invite \(closed.number) (\(closed.id.prefix(6)), by \(closed.by.displayed()), \(left)). "
                + "Members who have not synced yet may still accept it.",
            TripJSON.revoked(closed))
    }
}

struct KeepInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Keep an invite open that a removed member may know.",
        discussion: """
            If someone is removed who may know your link, your device stops admitting people by it, and `caravan invite list` asks \
            you. Keep the invite, or revoke it with `caravan invite close`.

            Example: caravan invite keep 1
            """)

    @Argument(help: "Its number in the list, the start of its id, or the link.")
    var invite: String

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.keepInvite(reference: invite)) }
}

struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Add, list or remove your other devices.",
        discussion: """
            Examples:
              caravan device add
              caravan device list
              caravan device remove Laptop
            """, subcommands: [AddDevice.self, ListDevices.self, RemoveDevice.self])
}

struct ListDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List your other devices.", discussion: "Example: caravan device list",
        aliases: ["ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        guard case .status(let status) = try await trip.answer(.status) else { return }
        Output.text(
            reading.json
                ? TripJSON.ownDevices(status).line
                : Reader.fitted(TerminalText.ownDevices(status, now: Reader.now)))
    }
}

struct RemoveDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove one of your devices, such as a lost one.",
        discussion: """
            The device keeps its copy, and gets no updates after the others sync. Its changes that are here stay. Open invites \
            of yours and of people below you that it may know are revoked. Only your first device can remove others.

            Example: caravan device remove Laptop
            """, aliases: ["rm"])

    @Argument(help: "Its name, or the start of its id, as in `caravan device list`.")
    var device: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var trip: WritingOptions

    func run() async throws {
        // Nobody is asked about a device that is not there.
        if !confirmation.yes, case .status(let status) = try await trip.answer(.status) {
            let own = status.devices.filter(\.isYours)
            let isThere = own.contains {
                ($0.name ?? $0.label).caselessAppearance == device.caselessAppearance
                    || $0.id.hasPrefix(device.lowercased())
            }
            guard isThere else {
                throw ServiceError("you have no other device \(device.quoted); see `caravan device list`")
            }
        }
        try confirmation.require("Remove your device “\(device)”? It can return only with a new link")
        try await trip.ask(.removeDevice(device))
    }
}

struct AddDevice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a link for adding another of your devices.",
        discussion: """
            Your devices count as one person. Keep `caravan up` running here while the other device runs \
            `caravan join LINK --as Laptop`, with a name for it.

            Example: caravan device add
            """)

    @Option(
        help: ArgumentHelp("How long it is valid: 45s, 30m, 12h or 7d; one hour by default.", valueName: "time"))
    var expires: Lifetime?

    @OptionGroup var mailbox: LinkMailboxOptions
    @OptionGroup var code: QROptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let request = TripRequest.addDevice(
            lifetime: expires?.milliseconds ?? 3_600_000, withPasswords: mailbox.includesPassword)
        code.show(try await trip.answer(request), json: reading.json, mailbox)
    }
}

extension QROptions {
    /// Prints an invite's link, its code where one is wanted, and what to do with it.
    /// - Parameter isNew: whether it was created now, so its options are known.
    fileprivate func show(_ answer: TripAnswer, json: Bool, _ mailbox: LinkMailboxOptions, isNew: Bool = true) {
        Reader.show(answer, json: json)
        guard case .invite(let invite) = answer, !json else { return }
        show(invite.link)
        let end = isNew ? nil : TerminalText.expiry(of: invite, now: Reader.now)
        let sentences: [String?] =
            if invite.isForDevice {
                [
                    "Anyone with this link can act as you. Don't share it.", end,
                    "On the other device, run: caravan join LINK --as Laptop, or another name for it",
                ]
            } else if invite.left == 1 {
                [
                    "One person can join with this link\(isNew ? " (five people: `--uses 5`)" : "").", end,
                    "They run: caravan join LINK --as NAME",
                ]
            } else {
                [
                    "\(invite.left) people can join with this link. Share it only with people you want in the trip.",
                    end,
                    "They run: caravan join LINK --as NAME",
                ]
            }
        Output.note(sentences.compactMap(\.self).joined(separator: " "))
        for line in mailbox.notes(on: invite) { Output.note(line) }
        if !invite.isAnswered {
            Output.note("Caravan isn't running here. Run `caravan up` so that they can join.")
        }
    }
}
