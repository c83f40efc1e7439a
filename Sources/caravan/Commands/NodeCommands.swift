import ArgumentParser
import CaravanNode
import Console
import Dispatch
import LibC
import PageServer
import TripService
import TripText

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Start the node and sync with the other members.",
        discussion: """
            Runs all your trips, or one of them, until Ctrl-C or `caravan down`. Also serves their page to this machine's \
            browsers (`caravan open`).

            Examples:
              caravan up
              caravan up --detach
              caravan up --peer 192.0.2.7:4000
              caravan up --notify --quiet-hours 22:00-08:00
            """)

    @OptionGroup var peers: PeerOptions

    @Option(help: "Port to listen on; any free port by default. With several trips, it needs --trip.")
    var port: UInt16 = 0

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Run only this trip, by its title or the start of its id.", valueName: "trip"),
        completion: .trips)
    var trip: String?

    /// Named after the command, or before it.
    private var chosen: String? { trip ?? GlobalOptions.given?.trip }

    @OptionGroup var serving: PageServing
    @OptionGroup var notifications: NotificationOptions
    @OptionGroup var logging: LogOptions

    @Flag(help: "Run in the background; write the log to $CARAVAN_HOME/log.")
    var detach = false

    func validate() throws {
        if detach, logging.log == .text { throw ValidationError("--detach always logs as JSON; remove --log") }
        if detach, serving.guests {
            throw ValidationError("--detach cannot show the guests' link; use `caravan guests` instead")
        }
    }

    func run() async throws {
        guard detach else { return try await run(logTo: logging.open()) }
        guard Detached.isChild else {
            // A trip that was named before the command is named after it for the process that goes on.
            let named = trip == nil ? GlobalOptions.given?.trip.map { ["--trip", $0] } ?? [] : []
            return try Detached.start(CommandWords.typed.command.dropFirst() + named)
        }
        do {
            let home = Home()
            if let trip = try chosen ?? home.tripIDs().first {
                _ = try await home.tripID(named: trip, passphrases: .ofKeysUnlessTyped)
            }
            try home.make()
            try await run(logTo: NodeLog(.json, file: LogFile(path: home.folder + "/log")))
        } catch {
            // The process that started this one reports the error.
            Detached.fail(Reader.line(error))
            throw ExitCode.failure
        }
    }

    private func run(logTo log: NodeLog) async throws {
        Memory.returnGreatBlocks()
        let home = Home()
        _ = try? home.emptyTrash()
        // Before that nothing runs, and a passphrase may be asked for: a signal then ends the process at once.
        let all = try home.tripIDs()
        let ids = chosen == nil ? all : [try await home.tripID(named: chosen, passphrases: .ofKeysUnlessTyped)]
        guard port == 0 || ids.count < 2 else {
            throw ServiceError(
                "\(ids.count) trips cannot listen on one port; leave out --port to run them all, or choose one with --trip"
            )
        }
        let node = try HomeNode(
            home: home, network: NetworkOptions(peers: peers.addresses, listenPort: port), passphrases: .ofKeys
        ) { id, title, event in log.heard(event, title: title, id: id) }
        log.say(nil, "start")
        try await node.open(ids)
        // Its log has no reasons, for they may name what people wrote.
        if Detached.isChild {
            for (id, problem) in await node.problems.sorted(by: { $0.key < $1.key }) {
                Output.note("Warning: trip \(id.prefix(6)) doesn't run: \(problem)")
            }
        }
        try await run(node, logTo: log)
    }

    private func run(_ node: HomeNode, logTo log: NodeLog) async throws {
        let (stopped, stop) = Interruption.next()
        let page = serving.server(of: node)
        let control: ControlServer
        do { control = try await ControlServer(for: node, page: page, stopAsked: stop) } catch {
            await node.close()
            throw error
        }
        let discoveryProblem: String?
        do { discoveryProblem = try await node.up() } catch {
            await control.stop()
            await node.close()
            throw error
        }
        log.becomeReady()
        for line in TerminalText.lines(.discovery(problem: discoveryProblem)) where discoveryProblem != nil {
            log.say(line, "discovery-missing")
        }
        for place in await node.places { log.say(place, nil) }
        await start(page, of: node, logTo: log)
        Detached.becomeReady()
        if isatty(2) == 1 { Output.note("Press Ctrl-C or run `caravan down` to stop.") }
        await notifications.whileTelling(of: node) { for await _ in stopped { break } }
        async let pageIsStopped: Void? = page?.stop()
        await control.stop()
        _ = await pageIsStopped
        await node.close()
        log.finishMinute()
        log.say(nil, "stop")
    }

    /// Serves the page. A node goes on without one, and says why.
    private func start(_ page: PageServer?, of node: HomeNode, logTo log: NodeLog) async {
        guard let page else { return }
        do {
            try await page.start()
            log.say(
                "Page: run `caravan open` to see it\(await node.tripIDs.isEmpty ? ", and to start or join a trip" : "")",
                nil)
            if let standing = await page.standingTrip {
                log.say(
                    "Guests: always on this Wi-Fi, for the trip \(standing.prefix(8)); `caravan guests --close` ends it",
                    nil)
            }
            guard serving.guests, let trip = await node.tripInUse() else { return }
            let pass = try await page.openToGuests(trip: trip.id, minutes: GuestPass.minutesByDefault)
            Guests.show(pass, minutes: GuestPass.minutesByDefault, qr: QROptions())
        } catch {
            log.say("No page: \(TerminalText.line(error, style: Reader.style))", "page-missing")
        }
    }
}

struct Down: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: "Stop the node.", discussion: "Example: caravan down")

    func run() async throws {
        guard try await Home().stopNode() else {
            return Output.line(TerminalText.nothingChanged("no node is running"))
        }
        Output.line("Stopped the node")
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print events as they happen.",
        discussion: """
            Needs a running node.

            Example: caravan watch --json
            """)

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let style = Reader.style
        var digest = EventDigest()
        func show(_ event: TripEvent) -> Bool {
            let lines =
                reading.json
                ? TripJSON.lines(event)
                : digest.heard(event, in: nil, at: Reader.now).flatMap { TerminalText.lines($0, style: style) }
            return lines.allSatisfy { Output.text($0 + "\n") }
        }
        let access = try await trip.access()
        // Where this device is out, little happens any more.
        if case .status(let status)? = try? access.answerFromNode(.status), let removal = status.removal {
            guard show(.youAreOut(removal)) else { return }
        }
        try access.watch(print: show)
    }
}
