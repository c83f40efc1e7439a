import AvahiDiscovery
import SyncEngine

/// Facts about other nodes that are reported once, kept for a restarted node: addresses that people named, and the
/// names that are present. No more names than discovery sees at once.
struct Whereabouts: Sendable {
    /// Addresses that people named.
    var named: [PeerAddress] = []
    /// The names of this node's own, which discovery sees like any other's.
    var own: Set<String> = []
    private var present: Set<String> = []

    init(named: [PeerAddress] = []) { self.named = named }

    mutating func note(_ event: DiscoveryEvent) {
        switch event {
        case .appeared(let instance): present.insert(instance)
        case .disappeared(let instance): present.remove(instance)
        // What is seen is reported anew after either.
        case .unavailable, .dropped: present = []
        case .resolved, .available, .refused, .crowded, .networkChanged: break
        }
    }

    /// Forgets the node's own names: the next one would not know them for its own.
    mutating func forgetOwn() { present.subtract(own) }

    /// What to tell a node that has heard nothing.
    var events: [Event] {
        named.map { .addAddress($0, isNamed: true) } + present.sorted().map { .appeared(instance: $0) }
    }
}
