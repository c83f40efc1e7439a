import ArgumentParser
import CaravanNode
import TripService

/// Peers to dial besides the discovered ones.
struct PeerOptions: ParsableArguments {
    @Option(
        name: .customLong("peer"),
        help: ArgumentHelp(
            "Address of a node to connect to, in addition to discovery (repeatable).", valueName: "host:port"))
    var addresses: [String] = []

    func validate() throws {
        do { try NetworkOptions(peers: addresses).check() } catch { throw ValidationError(error.message) }
    }
}
