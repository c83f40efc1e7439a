import CAvahi
import LibC
package import SyncEngine

/// Publishes services of the type `_caravan._tcp` and reports those that are seen, by the avahi-daemon of this machine.
///
/// It knows no secrets: whose name is whose is the engine's to tell. All of Avahi lives on one thread of its own, so
/// that neither a slow daemon nor a slow consumer holds up the other; see `DiscoveryThread`. Beside it hosts are asked
/// themselves; see `DirectDiscovery`.
package final class AvahiDiscovery: Sendable {
    /// What is seen, for one consumer. At most 1,024 events wait. Finishes after `stop`, when everything is withdrawn.
    package let events: AsyncStream<DiscoveryEvent>

    private let inbox: DiscoveryInbox
    private let found: FoundServices
    private let interfaces: Set<String>?

    /// - Parameter interfaces: the names of those on which hosts are asked directly; all where nil. Avahi has its own setting.
    package init(interfaces: Set<String>? = nil) {
        let (events, continuation) = AsyncStream.makeStream(
            of: DiscoveryEvent.self, bufferingPolicy: .bufferingOldest(DiscoveryLimits.eventsWaiting))
        let inbox = DiscoveryInbox(continuation)
        continuation.onTermination = { [weak inbox] _ in inbox?.change { $0.isStopping = true } }
        self.events = events
        self.inbox = inbox
        found = FoundServices(continuation)
        self.interfaces = interfaces
    }

    deinit { stop() }

    /// Begins, once; where Avahi is absent, `unavailable` is said and the attempt repeated.
    package func start() {
        let isFirst = inbox.change { orders in
            defer { orders.isStarted = true }
            return !orders.isStarted && !orders.isStopping
        }
        guard isFirst else { return }
        DiscoveryThread.start(inbox, found)
        DirectDiscovery.start(found, on: interfaces)
    }

    /// Publishes these, as many as a node ever has, in place of all that was published before. What stays is not touched.
    ///
    /// A service points to a host name of its own, with the addresses of each interface on that interface, so that the
    /// machine's name is not said.
    package func advertise(_ advertisements: [Advertisement]) {
        let wanted = Array(advertisements.prefix(DiscoveryLimits.advertisements))
        found.advertise(wanted)
        inbox.change { $0.advertisements = wanted }
    }

    /// Asks where an instance may be dialled. Answered by `resolved`, within 5 s of its turn.
    ///
    /// At most 16 are asked for at once, and 64 wait; beyond that a request is answered with no address.
    package func resolve(instance: String) {
        // At once where a host said it, for Avahi may be busy.
        let isKnown = found.ask(for: instance)
        let isTaken = inbox.change { orders in
            if orders.resolve.contains(instance) { return true }
            guard orders.resolve.count < DiscoveryLimits.resolutionsWaiting else { return false }
            orders.resolve.append(instance)
            return true
        }
        if !isTaken, !isKnown { inbox.events.yield(.resolved(instance: instance, addresses: [])) }
    }

    /// Keeps an instance's room as long as it is seen: a flood of others does not push it out. Bounded by how many are seen.
    package func hold(instance: String) { found.hold(instance) }

    /// Withdraws everything and ends the stream of events. Returns at once; there is no way back.
    package func stop() {
        found.stop()
        let isNeverStarted = inbox.change { orders in
            orders.isStopping = true
            return !orders.isStarted
        }
        if isNeverStarted { inbox.events.finish() }
    }
}

/// The bounds of everything that the network or a caller can make grow.
enum DiscoveryLimits {
    static let eventsWaiting = 1024
    /// All that the engine asks for: what is left out here could be found by nobody.
    static let advertisements = SessionLimits().publishedInstancesMax
    /// Those of which a TXT record says something: nobody dials another.
    static let addressesPerHost = AddressTag.count
    static let instances = 256
    static let placesPerInstance = 64
    /// New names of Avahi's that are looked at: at once, and a second.
    static let newcomers = 512
    static let newcomersPerSecond = 64
    static let resolutions = 16
    static let resolutionsWaiting = 64
    static let interfacesPerResolution = 4
    /// RFC 6763, section 4.1.1: an instance name is one label.
    static let instanceBytes = 63
}
