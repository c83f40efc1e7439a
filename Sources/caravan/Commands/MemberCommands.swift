import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct Members: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "Show the members and who invited them, or remove one.",
        discussion: "Example: caravan members",
        subcommands: [ShowMembers.self, RemoveMember.self, KeepMember.self], defaultSubcommand: ShowMembers.self)
}

struct ShowMembers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the members and who invited them.", discussion: "Example: caravan members",
        aliases: ["list", "ls"])

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws { try await trip.ask(.members, json: reading.json) }
}

struct RemoveMember: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a member you invited, directly or indirectly.",
        discussion: """
            They keep their copy, and get no updates after the others sync.

            Examples:
              caravan members remove Noah
              caravan members remove Mia --with-items
              caravan members remove Mallory --with-everything
            """, aliases: ["rm"])

    @Argument(help: "Their name, or the start of their id.", completion: .members)
    var name: String

    @Flag(help: "Also remove the items and photos they added (`caravan undo` restores them).")
    var withItems = false

    @Flag(
        help: """
            Erase everything they did, for good. Items that others voted on, edited or commented stay. People they invited wait until \
            you keep them. Nobody downloads what was erased again.
            """)
    var withEverything = false

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var trip: WritingOptions

    func validate() throws {
        if withItems, withEverything { throw ValidationError("use either --with-items or --with-everything, not both") }
    }

    func run() async throws {
        let access = try await trip.access()
        guard case .member(let member) = try await access.answer(.removable(name: name, isErasing: withEverything))
        else {
            return
        }
        let devices = member.devices.count > 1 ? " with all \(member.devices.count) devices" : ""
        let items = withItems ? " and everything they added" : withEverything ? " and erase everything they did" : ""
        try await noteHiddenQuestions(of: member.id, access, trip.report)
        try confirmation.require(
            "Remove \(member.name)\(devices)\(items)? They can return only with a new invite")
        let contributions: Contributions = withItems ? .removed : withEverything ? .erased : .stay
        trip.report.tell(try await access.answer(.removeMember(name: member.id, contributions: contributions)))
        if case .mailboxes(let mailboxes)? = try? await access.answer(.mailboxes(.list)), !mailboxes.isEmpty {
            trip.report.note(
                "They may still delete or fill what is in the trip's mailboxes. To stop that, change the passwords that they know, "
                    + "or end their access to the folder.")
        }
    }
}

struct KeepMember: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Keep a member who waits, because someone above them was removed.",
        discussion: """
            Their changes count again. To refuse them, remove them.

            Example: caravan members keep Zoe
            """)

    @Argument(help: "Their name, or the start of their id.", completion: .members)
    var name: String

    @OptionGroup var trip: WritingOptions

    func run() async throws { try await trip.ask(.keepMember(name: name)) }
}

struct Leave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave the trip with all your devices.",
        discussion: """
            Your copy stays on this machine. Keep `caravan up` running until another member has synced, or for some minutes if \
            the trip has a mailbox. With --wipe, the command waits for that, and then deletes your copy.

            Examples:
              caravan leave
              caravan leave --wipe
            """)

    @Flag(help: "Also delete your copy and keys from this machine, once a member or the mailbox has your leave.")
    var wipe = false

    @OptionGroup var dryRun: DryRunOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var trip: WritingOptions

    func run() async throws {
        let access = try await trip.access()
        if dryRun.isDry {
            let status = try await currentStatus(access)
            guard !status.isOut else { throw ServiceError("you are not in this trip") }
            let devices = status.devices.count(where: \.isYours)
            let all =
                devices == 0 ? "this device" : "this device and \(TerminalText.counted(devices, "other")) of yours"
            let id = try await trip.trip.id(in: Home())
            try await noteOwnHiddenQuestions(access)
            return trip.report.tell(
                "Would leave “\(status.title.displayed())” with \(all)"
                    + (wipe ? ", and delete your copy and its keys from this machine" : ""),
                TripJSON.trip(id, status.title, did: "left", isDry: true))
        }
        try await noteOwnHiddenQuestions(access)
        try confirmation.require(
            "Leave the trip with all your devices\(wipe ? " and delete your copy" : "")? You can return only with a new invite"
        )
        guard wipe else {
            trip.report.tell(try await access.answer(.leave))
            if !Home().isNodeRunning, try await currentStatus(access).mayBeCountedAsMember {
                trip.report.note(TerminalText.untoldLeave)
            }
            return
        }
        // It may be said again, after nobody heard it.
        let status = try await currentStatus(access)
        let title = status.title
        var hearers: Set<String> = []
        if !(status.removal.map { $0.reason == .left && $0.waiting == nil } ?? false) {
            hearers = try await upToDate(access)
            _ = try await access.answer(.leave)
        }
        guard try await isHeard(access, by: hearers) else {
            throw ServiceError(
                "no member has received your leave yet, so your copy is still here; keep `caravan up` running near a "
                    + "member or with a mailbox, or delete the copy with `caravan delete --permanently`")
        }
        let id = try await trip.trip.id(in: Home())
        try await Home().delete(trip: id)
        trip.report.tell(
            "Left “\(title.displayed())”, and deleted your copy from this machine",
            TripJSON.trip(id, title, did: "left"))
    }

    private func noteOwnHiddenQuestions(_ access: TripAccess) async throws {
        guard case .members(let view) = try await access.answer(.members), let you = view.people.first(where: \.isYou)
        else { return }
        try await noteHiddenQuestions(of: you.id, access, trip.report)
    }

    /// The devices of others that are connected and have everything; waits a moment for them.
    private func upToDate(_ access: TripAccess) async throws(ServiceError) -> Set<String> {
        for _ in 0..<Self.looksBefore {
            let here = try await currentStatus(access).devices.filter { !$0.isYours && $0.isHere }
            let ready = here.filter { $0.lacks == 0 }
            if here.isEmpty || !ready.isEmpty { return Set(ready.map(\.id)) }
            try? await Task.sleep(for: Self.pause)
        }
        return []
    }

    /// Whether somebody else has what this device wrote, or a mailbox has it for them; waits a while for that. A node that hears of a
    /// leave ends its connection with who left. Where nobody else is in, there is nobody to tell.
    private func isHeard(_ access: TripAccess, by hearers: Set<String>) async throws(ServiceError) -> Bool {
        for attempt in 0..<Self.looks {
            if attempt > 0 { try? await Task.sleep(for: Self.pause) }
            let devices = try await currentStatus(access).devices.filter { !$0.isYours }
            if devices.isEmpty { return true }
            if devices.contains(where: {
                $0.lacks == 0 || $0.isServedByMailbox || hearers.contains($0.id) && !$0.isHere
            }) {
                return true
            }
            if !Home().isNodeRunning { return false }
        }
        return false
    }

    private static let looksBefore = 10
    private static let looks = 60
    private static let pause = Duration.milliseconds(500)

    private func currentStatus(_ access: TripAccess) async throws(ServiceError) -> StatusView {
        guard case .status(let status) = try await access.answer(.status) else { throw TripOptions.otherAnswer }
        return status
    }
}

/// Says which hidden questions nobody can close once a person is out.
private func noteHiddenQuestions(of person: String, _ access: TripAccess, _ report: TellOptions) async throws {
    guard case .trip(let view) = try await access.answer(.view) else { return }
    let open = view.items.filter { $0.question?.isHidden ?? false && !$0.isDone && $0.addedBy.description == person }
    guard let first = open.first else { return }
    let others = open.count > 1 ? " and \(TerminalText.counted(open.count - 1, "other hidden question"))" : ""
    report.note(
        "\(first.title.displayed().quoted)\(others) can't be closed afterwards, so the answers stay hidden. Only the person who asked can "
            + "close a hidden question (`caravan close`).")
}
