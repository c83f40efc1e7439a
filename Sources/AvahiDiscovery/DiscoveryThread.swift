import CAvahi
import LibC
import SyncEngine

/// The thread on which all of Avahi lives: every pointer of Avahi's, every callback and every field here belong to it
/// alone, so that nothing needs a lock. It is told by its `DiscoveryInbox` and answers by its `EventQueue`.
///
/// Callbacks only note what they were told. Everything is done between two rounds of the poll, where clients, browsers
/// and groups may be freed.
final class DiscoveryThread {
    private let inbox: DiscoveryInbox
    private let poll: OpaquePointer
    private let networkWatch: Int32
    private var watches: [OpaquePointer?] = []
    private let found: FoundServices

    private var wanted: [Advertisement] = []
    private var network = NetworkInterfaces.current()
    private var connection: AvahiClientConnection?
    private var browser: Browser?
    private let publisher = Publisher()
    private let resolvers: ResolverPool

    private var backoff = Backoff(first: 500)
    /// When to connect again; nil while there is a client.
    private var reconnection: ContinuousClock.Instant? = .now
    /// When the client was made.
    private var connectionMade = ContinuousClock.now
    /// When to look at the interfaces again: links and addresses change in bursts.
    private var networkCheck: ContinuousClock.Instant?
    /// Whether a link was lost since then, though it may be back.
    private var hasLostLink = false

    /// How long a client waits for a daemon before another one is made.
    private static let connectionPatience = Duration.seconds(15)
    private static let networkCalm = Duration.milliseconds(200)
    /// How long a round lasts where nothing happens.
    private static let roundMost = Duration.seconds(60)
    /// The same while events are lost, or where one of the descriptors is missing.
    private static let roundWithout = Duration.seconds(1)

    /// Begins the thread. It ends by the order to stop, and then finishes the stream of events.
    static func start(_ inbox: DiscoveryInbox, _ found: FoundServices) {
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(Argument(inbox: inbox, found: found))
        let error = pthread_create(&thread, nil, discoveryThreadMain, argument.toOpaque())
        guard error != 0 else { return _ = pthread_detach(thread) }
        argument.release()
        inbox.events.yield(.unavailable(reason: "cannot start a thread for discovery (error \(error))"))
        inbox.events.finish()
    }

    fileprivate final class Argument {
        let inbox: DiscoveryInbox
        let found: FoundServices

        init(inbox: DiscoveryInbox, found: FoundServices) { (self.inbox, self.found) = (inbox, found) }
    }

    /// Nil where memory or descriptors are used up.
    fileprivate init?(_ argument: Argument) {
        guard let poll = avahi_simple_poll_new() else { return nil }
        (inbox, found) = (argument.inbox, argument.found)
        self.poll = poll
        resolvers = ResolverPool(network: network)
        networkWatch = caravan_network_watch_open()
        watches = [inbox.wakeDescriptor, networkWatch].filter { $0 >= 0 }.map { descriptor in
            // Only wakes the poll; what is there is read in `round`.
            avahi_simple_poll_get(poll).pointee.watch_new(
                avahi_simple_poll_get(poll), descriptor, AVAHI_WATCH_IN, { _, _, _, _ in }, nil)
        }
    }

    deinit {
        for watch in watches { avahi_simple_poll_get(poll).pointee.watch_free(watch) }
        if networkWatch >= 0 { close(networkWatch) }
        avahi_simple_poll_free(poll)
    }

    fileprivate func run() {
        while round() {
            guard avahi_simple_poll_iterate(poll, pollMilliseconds()) == 0 else {
                found.report(.unavailable(reason: "waiting for Avahi failed (\(String(cString: strerror(errno))))"))
                break
            }
        }
        disconnect()
    }

    /// Does what there is to do; false when it is time to end.
    private func round() -> Bool {
        let orders = inbox.take()
        guard !orders.isStopping else { return false }
        wanted = orders.advertisements ?? wanted
        watchNetwork()
        tendConnection()
        takeSightings()
        for instance in orders.resolve {
            if connection?.state != .running || !resolvers.ask(for: instance) { found.resolved(instance, at: []) }
        }
        serve()
        found.reportLosses()
        return true
    }

    private func watchNetwork() {
        var buffer = [UInt8](repeating: 0, count: 8192)
        var isDisturbed = networkWatch < 0
        // All links are read again later. Links that were lost and are back by then are remembered as lost. An overflow (ENOBUFS) counts
        // as news.
        for _ in 0..<64 where networkWatch >= 0 {
            let size = recv(networkWatch, &buffer, buffer.count, 0)
            if size <= 0 && errno != ENOBUFS { break }
            isDisturbed = true
            let lost = LinkNews.lost(in: buffer[..<max(0, size)])
            hasLostLink = hasLostLink || lost.contains { network[$0]?.isRunning == true }
        }
        if isDisturbed && networkCheck == nil { networkCheck = .now + Self.networkCalm }
        guard let check = networkCheck, check <= .now else { return }
        networkCheck = nil
        let current = NetworkInterfaces.current()
        guard current != network || hasLostLink else { return }
        hasLostLink = false
        network = current
        resolvers.network = current
        found.report(.networkChanged)
    }

    private func tendConnection() {
        if let reconnection, reconnection <= .now {
            switch AvahiClientConnection.open(on: avahi_simple_poll_get(poll)) {
            case .success(let new):
                connection = new
                connectionMade = .now
                self.reconnection = nil
            case .failure(let refusal):
                reconnect(refusal.reason)
            }
        }
        switch connection?.state {
        case .failed(let reason):
            reconnect("avahi-daemon stopped (\(reason))")
        case .waiting:
            found.report(availability: .unavailable(reason: "avahi-daemon is not running"))
            // A daemon that was busy when it was asked is not heard of again by the same client.
            if connectionMade + Self.connectionPatience <= .now { reconnect("avahi-daemon is not running") }
        case .running:
            if browser?.hasFailed == true { return reconnect("avahi-daemon stopped browsing") }
            guard browser == nil, let client = connection?.pointer else { return }
            browser = Browser(client: client)
            guard browser != nil else { return reconnect("avahi-daemon cannot browse") }
            backoff.reset()
            found.report(availability: .available)
        case nil: break
        }
    }

    private func reconnect(_ reason: String) {
        disconnect()
        reconnection = .now + .milliseconds(backoff.next(upTo: 15_000))
        found.report(availability: .unavailable(reason: reason))
    }

    /// Frees the client and all that hangs on it.
    private func disconnect() {
        for instance in resolvers.close() { found.resolved(instance, at: []) }
        publisher.close()
        browser?.close()
        browser = nil
        connection?.close()
        connection = nil
        found.forgetAvahi()
    }

    private func takeSightings() {
        for sighting in browser?.take() ?? [] {
            switch sighting {
            case .seen(let instance, let place): found.seen(instance, at: place)
            case .gone(let instance, let place): found.gone(instance, from: place)
            }
        }
    }

    private func serve() {
        guard let connection, connection.state == .running, let client = connection.pointer else { return }
        for refused in publisher.step(client: client, wanted: wanted, network: network, now: .now) {
            found.report(.refused(instance: refused.instance, reason: refused.reason))
        }
        for answer in resolvers.step(client: client, seenAt: found.interfaces, now: .now) {
            found.resolved(answer.instance, at: answer.addresses)
        }
    }

    private func pollMilliseconds() -> Int32 {
        let isBlind = inbox.wakeDescriptor < 0 || networkWatch < 0 || found.hasLosses
        let latest = ContinuousClock.now + (isBlind ? Self.roundWithout : Self.roundMost)
        let deadlines = [
            reconnection, connection?.state == .waiting ? connectionMade + Self.connectionPatience : nil, networkCheck,
            publisher.deadline, resolvers.deadline,
        ].compactMap(\.self)
        let wait = (deadlines.min().map { min($0, latest) } ?? latest) - .now
        let milliseconds = wait.components.seconds * 1000 + wait.components.attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, milliseconds) + 1)
    }
}

private func discoveryThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let given = Unmanaged<DiscoveryThread.Argument>.fromOpaque(argument).takeRetainedValue()
    // Signals are for the threads that know what to do about them.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    if let thread = DiscoveryThread(given) {
        thread.run()
    } else {
        given.inbox.events.yield(.unavailable(reason: "not enough memory for discovery"))
    }
    given.inbox.events.finish()
    return nil
}
