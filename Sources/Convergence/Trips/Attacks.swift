import ChangeLog
import SyncEngine

/// What those who mean ill are doing, and what they have recorded.
struct Attacks {
    /// A connection that somebody outside opened.
    enum Intruder {
        /// Knows nothing of the trip: no byte may be answered.
        case stranger
        /// Replays what a member sent: no byte may be answered that the member's own connection was not.
        case replayer
    }

    var intruders: [Int: Intruder] = [:]
    /// An address that some machine had.
    var leftAddress: PeerAddress?
    /// How a machine's next write ends.
    var interruptions: [World.NodeID: TripFault] = [:]
}

extension TripRun {
    mutating func attack(
        _ fault: TripFault, _ id: World.NodeID, _ other: World.NodeID, _ draw: UInt64
    ) throws(Violation) {
        switch fault {
        case .alteration where id != other && world.alterNext(from: id, to: other):
            happened(.alteration)
            note("a bit is altered between \(id) and \(other)")
        default: break
        }
    }

    mutating func outsiderHeard(_ bytes: [UInt8], on connection: Int) throws(Violation) {
        guard let intruder = attacks.intruders[connection] else { return }
        switch intruder {
        case .stranger, .replayer:
            throw Violation(.silence, "somebody outside is sent \(bytes.count) bytes")
        }
    }

    mutating func outsiderCut(_ connection: Int) { attacks.intruders[connection] = nil }
}
