import ArgumentParser
import CaravanNode
import Console
import TripService
import TripText

struct New: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Start a trip.", discussion: "Example: caravan new \"Lisbon in June\" --as Jie")

    @Argument(help: "What the trip is called.")
    var title: String

    @Option(name: .customLong("as"), help: ArgumentHelp("Your name in this trip.", valueName: "name"))
    var name: String

    func run() async throws {
        let home = Home()
        let id = try await TripNode.create(title: title, name: name, in: home)
        try home.use(trip: id)
        try await home.runIfNodeRuns(trip: id)
        Output.line("\"\(title)\" is started. Next: caravan add, caravan invite, caravan up")
        try home.noteOtherTrips()
    }
}

struct Join: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
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

    @Flag(help: "Come in as somebody new, though this home is in the trip: for whoever was taken out, and not told.")
    var anew = false

    func validate() throws {
        guard name != nil || TripNode.isForDevice(link) else {
            throw ValidationError("Missing expected argument '--as <name>'")
        }
        guard (1...3_600).contains(patience) else { throw ValidationError("--patience takes 1 to 3600 seconds.") }
    }

    func run() async throws {
        let home = Home()
        let id = try await TripNode.join(
            link: link, name: name ?? "another device", in: home, peers: peers.addresses, patience: patience,
            isAnew: anew, passphrases: .ofKeys, report: { Output.note($0) })
        try home.use(trip: id)
        let title = try await home.title(of: id).map { "\"\($0)\"" } ?? "the trip"
        Output.line("You are in \(title). Next: caravan list, caravan up")
        try home.noteOtherTrips()
    }
}

struct Use: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Choose the trip that commands mean.",
        discussion: "`caravan trips` marks it. Example: caravan use \"Lisbon in June\"")

    @Argument(help: "Its title, the beginning of one, or the beginning of its id.")
    var trip: String

    func run() async throws {
        let home = Home()
        let id = try await home.tripID(named: trip, passphrases: .ofKeysUnlessTyped)
        try home.use(trip: id)
        let title = try await home.title(of: id)
        Output.line("Commands mean \(title.map { "\"\($0)\"" } ?? "the trip \(id.prefix(6))") from now on.")
    }
}

struct Trips: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trips",
        abstract: "List your trips on this machine.",
        discussion: "A star marks the one in use. Example: caravan trips")

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        let trips = try await Home().entries(.ofKeysUnlessTyped)
        Output.text(reading.json ? TripJSON.trips(trips).line : TerminalText.trips(trips))
    }
}

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Take a trip away from this machine.",
        discussion:
            "The others keep it, and you stay in it: `caravan leave` first, to go. Example: caravan delete Lisbon")

    @Argument(help: "Its title or its id. Without --yes, the beginning of one is enough.")
    var trip: String

    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
        let home = Home()
        // Without a question, a slip of the finger would delete a trip that begins alike.
        let id = try await home.tripID(named: trip, wholly: confirmation.yes, passphrases: .ofKeysUnlessTyped)
        let name = try await home.title(of: id).map { "\"\($0)\"" } ?? "the trip \(id.prefix(6))"
        try confirmation.require(
            "Delete \(name) from this machine? What nobody else has is lost, and this device's place in it too")
        try await home.delete(trip: id)
        Output.line("\(name) is gone from this machine.")
    }
}

extension Home {
    /// What a trip is called; nil where it cannot be read.
    fileprivate func title(of id: String) async throws -> String? {
        try await entries(.ofKeysUnlessTyped).first { $0.id == id }?.title
    }

    /// Says which trip commands mean now, where there are several.
    fileprivate func noteOtherTrips() throws {
        guard try tripIDs().count > 1 else { return }
        Output.note(
            "Commands mean this trip from now on; `caravan trips` lists all, `caravan use TITLE` chooses another.")
    }
}
