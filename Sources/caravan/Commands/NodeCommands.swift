import ArgumentParser
import CaravanNode
import Dispatch
import Glibc

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run this trip's node: meet the others and share.",
        discussion: "Runs until it is interrupted. Example: caravan up, caravan up --peer 192.0.2.7:4000")

    @Option(help: "An address to dial besides discovery, as HOST:PORT; may be given several times.")
    var peer: [String] = []

    @Option(help: "The port to listen at; any by default.")
    var port: UInt16 = 0

    @OptionGroup var trip: TripOptions

    func run() async throws {
        let stopped = Interruption.next()
        let node = try await TripNode.open(folder: trip.folder)
        let control: ControlServer
        do {
            control = try ControlServer(for: node)
            try await node.up(TripNode.NetworkOptions(peers: peer, listenPort: port))
        } catch {
            await node.close()
            throw error
        }
        control.start()
        Output.line("ready")
        let printing = Task {
            for await line in node.watch(json: false) { Output.line(line) }
        }
        for await _ in stopped { break }
        control.stop()
        printing.cancel()
        await node.close()
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print what happens, as it happens.")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try TripAccess(folder: trip.folder).watch(json: reading.json) { Output.text($0) }
    }
}

/// Says when somebody wants this process to end.
enum Interruption {
    static func next() -> AsyncStream<Void> {
        AsyncStream { continuation in
            // Made here and cancelled once: Dispatch's sources may be cancelled on any thread.
            nonisolated(unsafe) let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield() }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in sources.forEach { $0.cancel() } }
        }
    }
}
