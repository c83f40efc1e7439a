import AvahiDiscovery
import ChangeLog
import Foundation
import PeerTransport
import SyncEngine
package import TripService

/// Whether a trip is only read and written here, or meets others.
enum Connectivity {
    case offline
    case online(Network)

    var network: Network? {
        guard case .online(let network) = self else { return nil }
        return network
    }
}

/// The shells of an online node: sockets, discovery, and the reports that a restarted node needs again.
struct Network: Sendable {
    let transport: TCPTransport
    /// Slows peers that send faster than the node handles.
    let intake: Intake
    /// Where the transport accepts connections, and the machine's addresses when it began to.
    var place: OwnFile.ListeningPlace
    /// Whether it may be another one now and then: where a person chose none, and others are told of it.
    let isPortRenewable: Bool
    /// Nil where nobody is looked for.
    var discovery: AvahiDiscovery?
    var discoveryPump: Task<Void, Never>?
    var discoveryState = DiscoveryState()
    var whereabouts: Whereabouts
    /// The ways to the trip's mailboxes, by their prefixes.
    var couriers: [Bytes16: MailboxCourier] = [:]
    /// Writes down now and then what is known of others.
    var remembering: Task<Void, Never>?

    /// Withdraws everything, and returns once all connections are closed.
    func stop() async {
        remembering?.cancel()
        discovery?.stop()
        await transport.stop()
        discoveryPump?.cancel()
        intake.attach(nil)
    }
}

/// Whether Avahi takes orders, and can be relied on.
struct DiscoveryState: Sendable {
    /// Why it does not; nil where it does, or has not said.
    private(set) var problem: String?
    /// Whether there are more names than can be looked at.
    var isCrowded = false
    private(set) var hasAnswered = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// Resumed with the first answer.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
        if hasAnswered { continuation.resume() } else { waiting = continuation }
    }

    mutating func answered(problem: String?) {
        self.problem = problem
        stopWaiting()
    }

    mutating func stopWaiting() {
        hasAnswered = true
        waiting?.resume()
        waiting = nil
    }
}

/// How a node meets others.
package struct NetworkOptions: Sendable {
    /// Addresses to dial besides those that are discovered, as `host:port`.
    package var peers: [String]
    /// The port to accept connections at; 0 for any.
    package var listenPort: UInt16
    /// Whether to publish this node and look for others by mDNS.
    package var discovers: Bool

    /// The interfaces on which other machines are asked for their nodes, as `CARAVAN_INTERFACES` names them; all where nil.
    static var interfaces: Set<String>? {
        ProcessInfo.processInfo.environment["CARAVAN_INTERFACES"].map { Set($0.split(separator: ",").map(String.init)) }
    }

    package init(peers: [String] = [], listenPort: UInt16 = 0, discovers: Bool = true) {
        self.peers = peers
        self.listenPort = listenPort
        self.discovers = discovers
    }

    /// - Throws: where one of `peers` is not an address.
    package func check() throws(ServiceError) {
        for text in peers { _ = try PeerAddress(parsing: text) }
    }
}
