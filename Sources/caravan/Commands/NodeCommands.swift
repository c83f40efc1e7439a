import ArgumentParser
import CaravanNode
import Dispatch
import Glibc

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run this trip's node: meet the others and share.",
        discussion: "Runs until it is interrupted. Examples: caravan up, caravan up --peer 192.0.2.7:4000")

    @OptionGroup var peers: PeerOptions

    @Option(help: "The port to listen at; any by default.")
    var port: UInt16 = 0

    @OptionGroup var trip: TripOptions

    func run() async throws {
        // Before that nothing runs, and a passphrase may be asked for: a signal then ends the process at once.
        let node = try await trip.access.open()
        let stopped = Interruption.next()
        let control: ControlServer
        do { control = try ControlServer(for: node) } catch {
            await node.close()
            throw error
        }
        control.start()
        do { try await node.up(TripNode.NetworkOptions(peers: peers.addresses, listenPort: port)) } catch {
            await control.stop()
            await node.close()
            throw error
        }
        Output.line("ready")
        let printing = Task {
            for await line in node.watch(json: false) { Output.line(line) }
        }
        for await _ in stopped { break }
        await control.stop()
        printing.cancel()
        await node.close()
    }
}

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what happens, as it happens.",
        discussion: "Needs a running node. Example: caravan watch --json")

    @OptionGroup var reading: ReadingOptions
    @OptionGroup var trip: TripOptions

    func run() async throws {
        try trip.access.watch(json: reading.json) { Output.text($0) }
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
