import CAvahi
import SyncEngine

/// Asks for the addresses of instances: at most 16 at once, 5 seconds each, the others in turn.
///
/// Lives on the discovery thread; `close` before the client is freed.
final class ResolverPool {
    /// One instance that is asked for, by several questions: IPv4 and IPv6, on each interface that shows it.
    fileprivate final class Resolution {
        let instance: String
        let deadline: ContinuousClock.Instant
        var questions: [Question] = []
        var addresses: Set<ServiceAddress> = []
        var hasNews = false

        init(_ instance: String, deadline: ContinuousClock.Instant) {
            self.instance = instance
            self.deadline = deadline
        }
    }

    /// One AvahiServiceResolver. It gives one address at most.
    fileprivate final class Question {
        unowned let resolution: Resolution
        unowned let pool: ResolverPool
        var pointer: OpaquePointer?
        var isAnswered = false

        init(_ resolution: Resolution, in pool: ResolverPool) {
            self.resolution = resolution
            self.pool = pool
        }

        func close() {
            if let pointer { avahi_service_resolver_free(pointer) }
            pointer = nil
        }
    }

    private static let patience = Duration.seconds(5)

    /// To tell which addresses may be believed on which interface.
    var network: NetworkInterfaces
    private var waiting: [String] = []
    private var running: [Resolution] = []

    init(network: NetworkInterfaces) {
        self.network = network
    }

    /// Takes a request; false where too many wait already.
    func ask(for instance: String) -> Bool {
        guard !waiting.contains(instance) else { return true }
        guard waiting.count < DiscoveryLimits.resolutionsWaiting else { return false }
        waiting.append(instance)
        return true
    }

    /// Begins what there is room for, and gives what is known of those that have news or are over.
    func step(
        client: OpaquePointer, seenAt interfaces: (String) -> [Int32], now: ContinuousClock.Instant
    ) -> [(instance: String, addresses: [ServiceAddress])] {
        var answers: [(instance: String, addresses: [ServiceAddress])] = []
        while running.count < DiscoveryLimits.resolutions, !waiting.isEmpty {
            let instance = waiting.removeFirst()
            running.removeAll { resolution in
                guard resolution.instance == instance else { return false }
                resolution.questions.forEach { $0.close() }
                return true
            }
            running.append(begin(instance, on: interfaces(instance), client: client, now: now))
        }
        running.removeAll { resolution in
            for question in resolution.questions where question.isAnswered { question.close() }
            resolution.questions.removeAll { $0.isAnswered }
            let isOver = resolution.questions.isEmpty || resolution.deadline <= now
            if resolution.hasNews || (isOver && resolution.addresses.isEmpty) {
                answers.append((resolution.instance, resolution.addresses.sorted()))
            }
            resolution.hasNews = false
            if isOver { resolution.questions.forEach { $0.close() } }
            return isOver
        }
        return answers
    }

    /// When the next resolution runs out of time.
    var deadline: ContinuousClock.Instant? { running.map(\.deadline).min() }

    /// Ends everything. Those that were asked for and have no address yet.
    func close() -> [String] {
        let unanswered = running.filter { $0.addresses.isEmpty }.map(\.instance) + waiting
        for resolution in running { resolution.questions.forEach { $0.close() } }
        running = []
        waiting = []
        return unanswered
    }

    private func begin(
        _ instance: String, on interfaces: [Int32], client: OpaquePointer, now: ContinuousClock.Instant
    ) -> Resolution {
        let resolution = Resolution(instance, deadline: now + Self.patience)
        let asked =
            interfaces.isEmpty ? [Avahi.anyInterface] : interfaces.prefix(DiscoveryLimits.interfacesPerResolution)[...]
        for interface in asked {
            for addressProtocol in [Avahi.ipv4, Avahi.ipv6] {
                let question = Question(resolution, in: self)
                question.pointer = avahi_service_resolver_new(
                    client, interface, Avahi.anyProtocol, instance, Avahi.serviceType, Avahi.domain,
                    addressProtocol, AVAHI_LOOKUP_USE_MULTICAST, resolverAnswered,
                    Unmanaged.passUnretained(question).toOpaque())
                if question.pointer != nil { resolution.questions.append(question) }
            }
        }
        return resolution
    }
}

private func resolverAnswered(
    _: OpaquePointer?, interface: AvahiIfIndex, _: AvahiProtocol, event: AvahiResolverEvent,
    _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    address: UnsafePointer<AvahiAddress>?, port: UInt16, text: UnsafeMutablePointer<AvahiStringList>?,
    _: AvahiLookupResultFlags, context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let question = Unmanaged<ResolverPool.Question>.fromOpaque(context).takeUnretainedValue()
    question.isAnswered = true
    guard event == AVAHI_RESOLVER_FOUND, let address = address?.pointee, let tags = Avahi.tags(of: text),
        let peer = question.pool.network.peerAddress(address, port: port, interface: interface)
    else { return }
    let found = ServiceAddress(peer, tags: tags)
    if question.resolution.addresses.insert(found).inserted { question.resolution.hasNews = true }
}
