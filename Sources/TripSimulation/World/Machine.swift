package import ChangeLog
package import Convergence
import DeltaCRDT
package import SyncEngine

extension World {
    /// One participant's machine: a node, and what surrounds it.
    package struct Machine: Sendable {
        package internal(set) var node: SyncNode
        package internal(set) var disk: Disk
        /// By what its node came, where it was no member from the beginning. Its disk and its log say what became of it.
        let invitation: Invitation?
        package internal(set) var clock = Clock()
        package internal(set) var isRunning = true
        /// Its cable is pulled.
        package internal(set) var isCutOff = false
        /// Counts the machine's starts, so that what was meant for an earlier one is lost.
        package internal(set) var start = 0
        /// Where it can be reached now.
        package internal(set) var address: PeerAddress

        /// What was shown to its people, in order, where the conditions ask for it.
        package internal(set) var applied: [AppliedChange] = []
        package internal(set) var notices: [Notice] = []
        package internal(set) var authored: [UInt64: Result<Bytes32, WritingFailure>] = [:]
        package internal(set) var traffic = Measurements.Traffic()

        /// How its next write ends, where that is not well.
        var nextInterruption: Disk.Interruption?
        var advertisements: [Advertisement] = []
        /// What its sessions stand on from its next start; nil for the world's.
        package var sessionCryptography: (any SessionCryptography)?
        /// Names that its discovery has shown it and not taken back.
        var sees: Set<String> = []
        /// When it wants to be woken, by its own clock, and when the world will look, by the world's.
        var wantedWake: UInt64?
        var plannedWake: UInt64?
        var ends: [ConnectionID: Int] = [:]
        var acceptedCount: UInt64 = 0
        /// Logs as earlier starts made them from the first records of the disk.
        var restorations: [Restoration] = []
        /// Connections that its node closed and that are open: none, but for a fault of the world.
        var keptConnections: Set<ConnectionID> = []
        /// What its node draws from, and what its network does.
        var entropy: SeededGenerator
        var chance: SeededGenerator
        /// When what was sent so far has left, in microseconds.
        var uplinkFree: UInt64 = 0
        /// Bytes a millisecond; nil for as many as the conditions say.
        var bandwidth: Int?
        /// Blocks that it put, which it believes to be there for ever: none, but for a fault of the world.
        var believed: [MailboxSlot: [BlockName]] = [:]
        /// Listings as it saw them first, where a fault of the world shows it no others.
        var firstListings: [MailboxSlot: [BlockName]?] = [:]
        /// What its log said of membership and of what is retained when that was last added up.
        var retentionVersion = 0
        /// How many bodies were needed and absent then.
        var lackingCount = 0
        /// Added up over the retained changes of its log: equal for equal sets of changes.
        var holding: UInt64 = 0

        init(node: SyncNode, invitation: Invitation?, disk: Disk, number: Int, address: PeerAddress, seed: UInt64) {
            self.node = node
            self.disk = disk
            self.invitation = invitation
            self.address = address
            entropy = SeededGenerator(seed: SplitMix64.mixed(seed ^ UInt64(number) << 20 ^ 1))
            chance = SeededGenerator(seed: SplitMix64.mixed(seed ^ UInt64(number) << 20 ^ 2))
            holding = Self.holding(of: node.log)
        }

        mutating func handle(_ event: Event, at time: UInt64) -> [Effect] {
            node.handle(event, at: clock.now(at: time), using: &entropy)
        }

        static func holding(of log: TripLog) -> UInt64 {
            // What nobody needs any more is held by some and not by others.
            log.graph.changes.indices.reduce(0) { log.isRetained($1) ? $0 &+ weight(of: $1, in: log) : $0 }
        }

        /// What a change adds to what is held: something else while its body is needed and absent.
        static func weight(of index: Int, in log: TripLog) -> UInt64 {
            let weight = SplitMix64.mixed(log.graph[index].hash.words.0)
            return log.lackingBodies.contains(index) ? SplitMix64.mixed(weight) : weight
        }
    }
}
