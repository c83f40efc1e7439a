import ArgumentParser
import CaravanNode
import Console
import TripModel
import TripService
import TripText

struct New: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create a trip.",
        discussion: """
            With --with, everybody who is in another trip of yours sees the new one there, and comes along with one tap on the page, \
            or with `caravan join TITLE`.

            Examples:
              caravan new "Lisbon in June" --as Jie
              caravan new "Porto in May" --with "Lisbon in June" --list Packing
            """)

    @Argument(help: "The title of the trip.")
    var title: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Your name in this trip; with --with, by default your name there.", valueName: "name"))
    var name: String?

    @Option(
        name: .customLong("with"), help: ArgumentHelp("Ask the people of another trip along.", valueName: "trip"),
        completion: .trips)
    var earlier: String?

    @Option(
        name: .customLong("list"),
        help: ArgumentHelp("With --with, copy this list of that trip; can be repeated.", valueName: "list"))
    var lists: [String] = []

    @OptionGroup var report: TellOptions

    func validate() throws {
        guard name != nil || earlier != nil else { throw ValidationError("Missing expected argument '--as <name>'") }
        guard lists.isEmpty || earlier != nil else { throw ValidationError("--list needs --with") }
    }

    func run() async throws {
        let home = Home()
        var together: EarlierTrip?
        if let earlier { together = try await EarlierTrip(earlier, in: home) }
        let copies = try together?.copies(of: lists) ?? []
        let id = try await TripNode.create(title: title, name: name ?? together?.you ?? "", in: home)
        try home.use(trip: id)
        try await home.runIfNodeRuns(trip: id)
        if let together { try await ask(together, along: id, copies, in: home) }
        report.tell(
            "Created “\(title.displayed())”. \(home.next("caravan add", "caravan invite"))",
            TripJSON.trip(id, title, did: "created"))
        await home.noteOtherTrip(titled: title, report)
        try home.noteOtherTrips(report)
    }

    private func ask(
        _ earlier: EarlierTrip, along id: String, _ copies: [TripRequest], in home: Home
    ) async throws(ServiceError) {
        let trip = TripAccess(home: home, id: id, passphrases: .ofKeys)
        for copy in copies { _ = try await trip.answer(copy) }
        guard case .invite(let invite) = try await trip.answer(.invite(uses: earlier.others, lifetime: nil)) else {
            throw TripOptions.otherAnswer
        }
        try await earlier.ask(alongTo: title, by: invite.link)
        let people = earlier.others == 1 ? "1 person" : "\(earlier.others) people"
        let advice = home.isNodeRunning ? "" : " Run `caravan up` to admit them."
        report.note("Asked \(people) of “\(earlier.title.displayed())” along.\(advice)")
    }
}

struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a trip with an invite link.",
        discussion: """
            A member must be running `caravan up` on the same network. If the link holds a mailbox, you can join from another network: \
            the request stays in the mailbox until a member's node runs. Run the same command again to finish.

            Examples:
              caravan join caravan:ae… --as Noah
              caravan join caravan:ae… --as Noah --mailbox ~/Nextcloud/trip
              caravan join "Porto in May"
            """)

    @Argument(help: "The whole invite link, or an item of one of your trips with a link in its note.")
    var link: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Your name in this trip, or a name for this device if you add another device.", valueName: "name")
    )
    var name: String?

    @OptionGroup var peers: PeerOptions

    @Option(
        help: ArgumentHelp(
            "Your own address of the trip's mailbox, such as the path of a folder. “-” reads it from standard input.",
            valueName: "address"))
    var mailbox: String?

    @Option(help: ArgumentHelp("A proxy for that mailbox, as in `caravan mailbox add`.", valueName: "url"))
    var proxy: String?

    @Option(help: ArgumentHelp("Certificates to trust for that mailbox.", valueName: "file"), completion: .file())
    var certificates: String?

    @Option(help: ArgumentHelp("Seconds to wait for a member to admit you.", valueName: "seconds"))
    var patience = 90

    @Flag(help: "Join as a new member even if this device has the trip (if you were removed while offline).")
    var anew = false

    @OptionGroup var report: TellOptions

    func validate() throws {
        guard name != nil || TripNode.isForDevice(link) || !InvitedItem.isLink(link) else {
            throw ValidationError("Missing expected argument '--as <name>'")
        }
        guard (1...3_600).contains(patience) else { throw ValidationError("--patience takes 1 to 3600 seconds") }
    }

    func run() async throws {
        let home = Home()
        let address = try mailbox == "-" ? MailboxPlace.typedAddress() : mailbox
        let place =
            address == nil && proxy == nil && certificates == nil
            ? nil : MailboxPlace(typed: address ?? "", proxy: proxy, certificates: certificates)
        let found = InvitedItem.isLink(link) ? nil : try await InvitedItem.named(link, in: home)
        let id = try await TripNode.join(
            link: found?.link ?? link, name: name ?? found?.you ?? TripNode.deviceName(joiningBy: link), in: home,
            peers: peers.addresses, mailbox: place, patience: patience, isAnew: anew, passphrases: .ofKeys,
            report: { [report] in report.note($0) })
        try home.use(trip: id)
        let title = try await home.title(of: id)
        report.tell(
            "Joined \(title.map { "“\($0.displayed())”" } ?? "the trip"). \(home.next("caravan list"))",
            TripJSON.trip(id, title, did: "joined"))
        if !TripNode.isForDevice(found?.link ?? link), let name = name ?? found?.you {
            await noteOtherName(than: name, TripAccess(home: home, id: id, passphrases: .ofKeysUnlessTyped))
        }
        try home.noteOtherTrips(report)
    }

    /// Says how a newcomer is shown whose name somebody else has. Nobody knows the names of a trip before they are in.
    private func noteOtherName(than name: String, _ trip: TripAccess) async {
        guard case .status(let status)? = try? await trip.answer(.status), let name = try? TripReplica.typedName(name),
            status.you != name
        else { return }
        report.note(
            "Another member has this name, so you are shown as \(status.you.quoted). "
                + "`caravan rename --me NAME` changes your name.")
    }
}

struct Use: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Set the current trip.",
        discussion: "Example: caravan use \"Lisbon in June\"")

    @Argument(help: "Its title, or the start of its title or id.", completion: .trips)
    var trip: String

    @OptionGroup var report: TellOptions

    func run() async throws {
        let home = Home()
        let id = try await home.tripID(named: trip, passphrases: .ofKeysUnlessTyped)
        let title = try await home.title(of: id)
        guard try home.tripInUse() != id else {
            let name = title.map { "“\($0.displayed())”" } ?? "trip \(id.prefix(6))"
            return report.tellUnchanged(ServiceError(.unchanged, "\(name) is already the current trip"))
        }
        try home.use(trip: id)
        report.tell(
            "Switched to \(title.map { "“\($0.displayed())”" } ?? "trip \(id.prefix(6))")",
            TripJSON.trip(id, title, did: "switched"))
    }
}

struct Trips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "List your trips on this machine.",
        discussion: "A star marks the current trip.\n\nExample: caravan trips")

    @OptionGroup var limit: LimitOptions
    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        let all = try await Home().entries(.ofKeysUnlessTyped, TripOptions.silentNode)
        let trips = Array(all.prefix(limit.limit ?? all.count))
        Reader.page(reading.json ? TripJSON.trips(trips).line : TerminalText.trips(trips), json: reading.json)
    }
}

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete the local copy of a trip.",
        discussion: """
            Other members keep it, and you remain a member. To leave the trip, run `caravan leave` first. For 30 days, \
            `caravan trash restore TRIP` brings it back.

            Examples:
              caravan delete "Lisbon in June"
              caravan delete "Lisbon in June" --permanently
            """)

    @Argument(help: "Its title or its id. Without --yes, the start of one is enough.", completion: .trips)
    var trip: String

    @Flag(help: "Delete it at once, with its keys, and not to the trash.")
    var permanently = false

    @OptionGroup var dryRun: DryRunOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var report: TellOptions

    func run() async throws {
        let home = Home()
        // Without a question, a slip of the finger would delete a trip that begins alike.
        let id = try await home.tripID(named: trip, wholly: confirmation.yes, passphrases: .ofKeysUnlessTyped)
        let title = try await home.title(of: id)
        let name = title.map { "“\($0.displayed())”" } ?? "trip \(id.prefix(6))"
        let value = TripJSON.trip(id, title, did: "deleted", isDry: dryRun.isDry)
        if dryRun.isDry { return report.tell("Would delete \(name) from this machine", value) }
        try confirmation.require(
            permanently
                ? "Delete \(name) for good? Changes that nobody else has are lost, and so are this device's keys"
                : "Delete \(name) from this machine? It stays in the trash for \(Home.trashDays) days")
        guard !permanently else {
            try await home.delete(trip: id)
            return report.tell("Deleted \(name) for good", value)
        }
        try await home.moveToTrash(trip: id)
        report.tell(
            "Deleted \(name) from this machine. For \(Home.trashDays) days, `caravan trash restore \(id.prefix(6))` "
                + "brings it back.", value)
    }
}

extension Home {
    /// What to do next with a trip that was added here. A node that runs, runs it too.
    func next(_ commands: String...) -> String {
        "Next: " + (commands + (isNodeRunning ? [] : ["caravan up"])).joined(separator: ", ")
    }

    /// Says so if several trips have a title now.
    func noteOtherTrip(titled title: String, _ report: TellOptions) async {
        let trips = (try? await entries(.ofKeysUnlessTyped)) ?? []
        guard trips.count(where: { $0.title?.appearance == title.appearance }) > 1 else { return }
        report.note("There is another trip with this title. Name them by their ids, which `caravan trips` shows.")
    }

    /// What a trip is called; nil where it cannot be read.
    fileprivate func title(of id: String) async throws -> String? {
        try await entries(.ofKeysUnlessTyped).first { $0.id == id }?.title
    }

    /// Says which trip commands mean now, where there are several.
    fileprivate func noteOtherTrips(_ report: TellOptions) throws {
        guard try tripIDs().count > 1 else { return }
        report.note(
            "This is now the current trip. `caravan trips` lists all trips, `caravan use TRIP` switches to another.")
    }
}
