/// Something that keeps trips from being kept or shared on this machine, as `caravan doctor` found it by a probe.
package enum Finding: Hashable, Sendable {
    case home(HomeFinding)
    case clock(ClockFinding)
    case node(NodeFinding)
    case network(NetworkFinding)
    case peer(PeerFinding)
    case picture(PictureFinding)
    case link(LinkFinding)

    /// Whether something is wrong that somebody should do something about.
    package var isProblem: Bool {
        switch self {
        case .node(.none), .home(.storeSealed), .home(.mailboxCluttered), .home(.mailboxOpen), .picture(.noDecoder),
            .link,
            .peer(.portClosed), .network(.neverReached(_, firewall: nil)):
            false
        default: true
        }
    }
}

extension [Finding] {
    /// Each finding once, where it is first.
    package var once: [Finding] {
        var seen: Set<Finding> = []
        return filter { seen.insert($0).inserted }
    }
}

/// What is wrong with what this machine keeps.
package enum HomeFinding: Hashable, Sendable {
    /// A file or folder of the home that other users may write to, or one above it that lets them put another in its place.
    case writableByOthers(path: String)
    case unwritable(path: String, reason: String)
    case diskFull(path: String, freeBytes: Int64)
    /// Changes can still be written, and not many.
    case diskNearlyFull(path: String, freeBytes: Int64)
    case storeDamaged(trip: String, reason: String)
    /// Its secrets are under a passphrase that nobody gave, so that its contents were not read.
    case storeSealed(trip: String)
    /// Changes of this device's person that the disk lost.
    case changesLost(trip: String, count: Int)
    /// A mailbox of a trip can't be used.
    case mailboxUnusable(trip: String, address: String, reason: String)
    /// A mailbox of a trip has little space left.
    case mailboxNearlyFull(trip: String, address: String, freeBytes: Int64)
    /// Somebody without a password can list a mailbox of a trip.
    case mailboxOpen(trip: String, address: String)
    /// A mailbox of a trip holds files that are no blocks.
    case mailboxCluttered(trip: String, address: String, MailboxView.Clutter)
    /// Another process has a trip open that is not this home's node.
    case heldByAnother(path: String, process: Int32?)
}

/// Others wrote, or files were written, at times that this machine's clock has yet to reach.
package struct ClockFinding: Hashable, Sendable {
    package enum Witness: Hashable, Sendable {
        /// People of a trip, by the times that they wrote.
        case people([String])
        case files
    }

    package let secondsBehind: Int64
    package let witness: Witness

    package init(secondsBehind: Int64, witness: Witness) {
        self.secondsBehind = secondsBehind
        self.witness = witness
    }
}

/// What is wrong with the node of a home.
package enum NodeFinding: Hashable, Sendable {
    /// None runs.
    case none
    /// Its process is stopped by a signal or a debugger.
    case stopped(process: Int32)
    /// It holds the home and does not answer.
    case notAnswering(process: Int32?)
}

/// What is wrong with the network as this machine has it.
package enum NetworkFinding: Hashable, Sendable {
    /// No address on any network; `unplugged` are the interfaces that are up and have no carrier.
    case noAddress(unplugged: [String])
    /// What is sent to a network of this machine does not go there: a VPN takes it.
    case routedElsewhere(network: String, interface: String)
    /// The system refuses to send to a network of this machine.
    case routeRefused(network: String, reason: String)
    case noBus(reason: String)
    case noDaemon(reason: String)
    case multicastNotSent(interface: String, reason: String)
    /// What this machine sends to all does not come back to itself: it lets no mDNS in.
    case multicastNotReceived(interface: String)
    /// There are more names of nodes than can be looked at.
    case crowded
    /// Nobody is heard by multicast, while there are sessions with other machines.
    case multicastNotForwarded
    /// This machine's own address does not accept where the node listens.
    case ownPortClosed(address: String)
    /// The node has reached others, and nobody has reached it yet, which may be chance; `firewall` is one that runs here.
    case neverReached(port: UInt16, firewall: String?)
}

/// What is wrong with the way to another node whose name is seen.
package enum PeerFinding: Hashable, Sendable {
    /// Its machine answers to nothing but multicast.
    case isolated(address: String)
    /// Its machine answers, and something drops or rejects what goes to the node's port.
    case portFiltered(address: String)
    /// Its machine has nobody at that port.
    case portClosed(address: String)
}

/// What is wrong with how details of links are fetched.
package enum LinkFinding: Hashable, Sendable {
    /// Nothing here fetches pages within a sandbox.
    case noFetcher(reason: String)
}

/// What is wrong with how photos are read.
package enum PictureFinding: Hashable, Sendable {
    /// Nothing here reads pictures, so that no photo can be attached.
    case noDecoder(reason: String)
    /// What reads pictures is not kept apart from the rest of this machine.
    case noSandbox(reason: String)
}
