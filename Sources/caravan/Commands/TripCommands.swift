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

struct MakeInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a link that lets others in.",
        discussion: "Example: caravan invite --uses 3 --expires 7d")

    @Option(help: ArgumentHelp("How many may come by it.", valueName: "n"))
    var uses = 1

    @Option(
        help: ArgumentHelp("How long it may be used, as 45s, 30m, 12h or 7d; for ever by default.", valueName: "time"))
    var expires: Lifetime?

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try await trip.ask(.invite(uses: uses, lifetime: expires?.milliseconds), json: reading.json)
        if !reading.json {
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

    @Option(name: .customLong("as"), help: ArgumentHelp("Your name in this trip.", valueName: "name"))
    var name: String

    @OptionGroup var peers: PeerOptions

    @Option(help: ArgumentHelp("How long to wait for somebody to let you in.", valueName: "seconds"))
    var patience = 60

    func validate() throws {
        guard (1...3_600).contains(patience) else { throw ValidationError("--patience takes 1 to 3600 seconds.") }
    }

    func run() async throws {
        try await TripNode.join(
            link: link, name: name, in: Home(), peers: peers.addresses, patience: patience, report: { Output.note($0) })
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
                Output.text("\(id)  \(try await TripAccess(folder: folder).run(Request(.title)))")
            } catch {
                Output.line("\(id)  (cannot be opened: \(error))")
            }
        }
    }
}
