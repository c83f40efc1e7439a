import ArgumentParser
import CaravanNode

struct New: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Start a trip.", discussion: "Example: caravan new \"Lisbon in June\" --as Jie")

    @Argument(help: "What the trip is called.")
    var title: String

    @Option(name: .customLong("as"), help: ArgumentHelp("Your name in this trip.", valueName: "name"))
    var name: String

    func run() async throws {
        _ = try await TripNode.create(title: title, name: name, in: Home())
        Output.line("\"\(title)\" is started. Next: caravan add, caravan invite, caravan up")
    }
}

struct Invites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a link that lets others in, or close one.",
        discussion: """
            Any member who is near lets in whoever shows the link. Close a link that went to the wrong people.
            Example: caravan invite --uses 3 --expires 7d
            """,
        subcommands: [MakeInvite.self, ListInvites.self, CloseInvite.self], defaultSubcommand: MakeInvite.self)
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

    func run() async throws { try await trip.ask(.closeInvite(reference: invite)) }
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
        let link = try await trip.answer(.addDevice(lifetime: expires?.milliseconds ?? 3_600_000), json: reading.json)
        Output.text(link)
        if !reading.json {
            code.show(String(link.prefix { $0 != "\n" }))
            Output.note("Whoever has this link acts as you: give it to nobody. On the other device: caravan join LINK")
        }
    }
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
        let link = try await trip.answer(.invite(uses: uses, lifetime: expires?.milliseconds), json: reading.json)
        Output.text(link)
        if !reading.json {
            code.show(String(link.prefix { $0 != "\n" }))
            Output.note(
                "Whoever has this link can come in: give it to nobody else. They run: caravan join LINK --as NAME")
        }
    }
}

struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Come into a trip with an invite's link.",
        discussion: "Somebody of the trip must run `caravan up` nearby. Example: caravan join caravan:ae… --as Noah")

    @Argument(help: "The link, whole.")
    var link: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Your name in this trip; for a further device of yours, what to call it.", valueName: "name")
    )
    var name: String?

    @OptionGroup var peers: PeerOptions

    @Option(help: ArgumentHelp("How long to wait for somebody to let you in.", valueName: "seconds"))
    var patience = 60

    func validate() throws {
        guard name != nil || TripNode.isForDevice(link) else {
            throw ValidationError("Missing expected argument '--as <name>'")
        }
        guard (1...3_600).contains(patience) else { throw ValidationError("--patience takes 1 to 3600 seconds.") }
    }

    func run() async throws {
        try await TripNode.join(
            link: link, name: name ?? "another device", in: Home(), peers: peers.addresses, patience: patience,
            report: { Output.note($0) })
        Output.line("You are in. Next: caravan list, caravan up")
    }
}

struct Trips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List your trips on this machine.",
        discussion: "Their ids are what --trip takes. Example: caravan trips")

    func run() async throws {
        for folder in try Home().allTripFolders() {
            let id = folder.split(separator: "/").last.map { String($0.prefix(6)) } ?? ""
            do {
                let access = TripAccess(folder: folder, passphrases: .ofKeysUnlessTyped)
                Output.text("\(id)  \(try await access.run(Request(.title)))")
            } catch {
                Output.line("\(id)  (\(error))")
            }
        }
    }
}
