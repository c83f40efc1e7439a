import ArgumentParser
import CaravanNode
import Dispatch
import Glibc
import PageServer
import TripService
import TripText

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run your trips' node: meet the others and share.",
        discussion: """
            Runs all trips of this home, or one, until it is interrupted or `caravan down` ends it, and serves their page to
            this machine's browsers (`caravan open`).
            Examples: caravan up, caravan up --guests, caravan up --peer 192.0.2.7:4000,
            caravan up --notify --quiet 22:00-08:00
            """)

    @OptionGroup var peers: PeerOptions

    @Option(help: "The port to listen at; any by default. Where there are several trips, it needs --trip.")
    var port: UInt16 = 0

    @Option(help: ArgumentHelp("This trip alone, by its title or the beginning of its id.", valueName: "trip"))
    var trip: String?

    @OptionGroup var serving: PageServing
    @OptionGroup var notifications: NotificationOptions

    func run() async throws {
        let home = Home()
        // Before that nothing runs, and a passphrase may be asked for: a signal then ends the process at once.
        let all = try home.tripIDs()
        let ids =
            trip == nil && !all.isEmpty ? all : [try await home.tripID(named: trip, passphrases: .ofKeysUnlessTyped)]
        guard port == 0 || ids.count == 1 else {
            throw ServiceError("\(ids.count) trips cannot listen at one port: name one of them with --trip")
        }
        let node = try HomeNode(
            home: home, network: NetworkOptions(peers: peers.addresses, listenPort: port), passphrases: .ofKeys
        ) { title, event in
            for line in TerminalText.lines(event, style: Reader.style) {
                Output.line(title.map { "\($0): \(line)" } ?? line)
            }
        }
        try await node.open(ids)
        try await run(node)
    }

    private func run(_ node: HomeNode) async throws {
        let (stopped, stop) = Interruption.next()
        let page = serving.server(of: node)
        let control: ControlServer
        do { control = try ControlServer(for: node, page: page, stopAsked: stop) } catch {
            await node.close()
            throw error
        }
        control.start()
        let discoveryProblem: String?
        do { discoveryProblem = try await node.up() } catch {
            await control.stop()
            await node.close()
            throw error
        }
        Output.line("ready")
        for line in TerminalText.lines(.discovery(problem: discoveryProblem)) where discoveryProblem != nil {
            Output.line(line)
        }
        for place in await node.places { Output.line(place) }
        await start(page, of: node)
        if isatty(2) == 1 { Output.note("Ctrl-C or `caravan down` ends this node.") }
        await notifications.whileTelling(of: node) { for await _ in stopped { break } }
        await control.stop()
        await page?.stop()
        await node.close()
    }

    /// Serves the page. A node goes on without one, and says why.
    private func start(_ page: PageServer?, of node: HomeNode) async {
        guard let page else { return }
        do {
            try await page.start()
            Output.line("your page: `caravan open`")
            guard serving.guests, let trip = await node.tripInUse() else { return }
            let pass = try await page.openToGuests(trip: trip.id, minutes: GuestPass.minutesByDefault)
            Guests.show(pass, minutes: GuestPass.minutesByDefault, qr: QROptions())
        } catch {
            Output.line("no page: \(TerminalText.line(error, style: Reader.style))")
        }
    }
}

struct Down: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "End the node that runs your trips.", discussion: "Example: caravan down")

    func run() async throws {
        guard try await Home().stopNode() else {
            throw ServiceError("no node runs here: `caravan up` starts one")
        }
        Output.line("The node has ended.")
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what happens, as it happens.",
        discussion: "Needs a running node. Example: caravan watch --json")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        let style = Reader.style
        try await trip.access().watch { event in
            let lines = reading.json ? TripJSON.lines(event) : TerminalText.lines(event, style: style)
            return lines.allSatisfy { Output.text($0 + "\n") }
        }
    }
}

/// Says when somebody wants this process to end.
enum Interruption {
    /// - Returns: a stream that yields with each signal to end, and what makes it yield too.
    static func next() -> (stream: AsyncStream<Void>, interrupt: @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        // Made here and cancelled once: Dispatch's sources may be cancelled on any thread.
        nonisolated(unsafe) let sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
        continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
        return (stream, { continuation.yield() })
    }
}
