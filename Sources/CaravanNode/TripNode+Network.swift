import AvahiDiscovery
import ChangeLog
import Glibc
import PeerTransport
import SyncEngine
import TripStore

// The network: sockets, discovery, and what they report.
extension TripNode {
    /// How a node meets others.
    package struct NetworkOptions: Sendable {
        /// Addresses to dial besides those that are discovered, as `host:port`.
        package var peers: [String] = []
        /// The port to accept connections at; 0 for any.
        package var listenPort: UInt16 = 0
        /// Whether to publish this node and look for others by mDNS.
        package var discovers = true

        package init(peers: [String] = [], listenPort: UInt16 = 0, discovers: Bool = true) {
            self.peers = peers
            self.listenPort = listenPort
            self.discovers = discovers
        }

        /// - Throws: where one of `peers` is not an address.
        package func check() throws(NodeError) {
            for text in peers { _ = try PeerAddress(parsing: text) }
        }
    }

    /// Listens, publishes and looks for others. Returns once this node is published.
    package func up(_ options: NetworkOptions = NetworkOptions()) async throws(NodeError) {
        var named: [PeerAddress] = []
        for text in options.peers { named.append(try PeerAddress(parsing: text)) }
        whereabouts.named = named
        // Called on the transport's thread: what finds no room is a connection that asks too much.
        let transport = TCPTransport { [weak self] event in self?.happened(event) }
        self.transport = transport
        intake.attach(transport)
        let port: UInt16
        do {
            port = try await transport.listen(port: options.listenPort)
        } catch {
            throw NodeError(
                options.listenPort == 0
                    ? "no port can be opened: \(error)"
                    : "port \(options.listenPort) cannot be opened: choose another with --port")
        }
        listeningPort = port
        if options.discovers { discover() }
        tell(.listening(port: port))
        if options.discovers {
            await discoveryAnswered()
            if let problem = discoveryProblem, named.isEmpty {
                throw NodeError("\(problem): start it (Scripts/setup does), or name somebody with --peer HOST:PORT")
            }
        }
        for address in named + rememberedAddresses() { tell(.addAddress(address)) }
    }

    private func discover() {
        let discovery = AvahiDiscovery()
        self.discovery = discovery
        let events = discovery.events
        discoveryPump = Task { [weak self] in
            for await event in events { _ = self?.post(.discovery(event)) }
        }
        discovery.start()
    }

    /// Says goodbye, stops everything and closes the store.
    package func close() async {
        if transport != nil { tell(.stop) }
        discovery?.stop()
        await transport?.stop()
        discoveryPump?.cancel()
        intake.attach(nil)
        transport = nil
        discovery = nil
        await drainWriter()
        finish()
        store.close()
    }

    private nonisolated func happened(_ event: TransportEvent) {
        let hadRoom =
            switch event {
            case .accepted(let id, _): post(.event(.accepted(id)))
            case .connected(let id): post(.event(.connected(id)))
            case .received(let id, let bytes): received(bytes, on: id)
            case .closed(let id), .refused(let id, _): post(.event(.closed(id)))
            }
        if !hadRoom { Task { await self.overwhelmed() } }
    }

    private nonisolated func received(_ bytes: [UInt8], on id: ConnectionID) -> Bool {
        intake.arrived(bytes.count, on: id)
        return post(.event(.received(id, bytes)))
    }

    /// Something was lost on its way in: begin every session anew.
    private func overwhelmed() {
        for id in node.connectionIDs {
            transport?.close(id)
            tell(.closed(id))
        }
    }

    func discovered(_ event: DiscoveryEvent) {
        whereabouts.note(event)
        switch event {
        case .appeared(let instance): tell(.appeared(instance: instance))
        case .disappeared(let instance): tell(.disappeared(instance: instance))
        case .resolved(let instance, let addresses): tell(.resolved(instance: instance, addresses: addresses))
        case .available:
            // What was published before is forgotten by others: they believe only a new name.
            if discoveryProblem != nil, discoveryHasAnswered { tell(.networkChanged) }
            discoveryProblem = nil
            discoveryAnswers()
        case .unavailable(let reason):
            discoveryProblem = reason
            discoveryAnswers()
        case .networkChanged: tell(.networkChanged)
        case .refused, .dropped: break
        }
    }

    // MARK: - Addresses

    func noticed(_ notice: Notice) {
        if case .met(let device, let address?) = notice { remember(address, of: device) }
        if case .admitted = notice { wasAdmitted() }
        if case .joinRefused(let refusal) = notice { joinEnded(.failure(NodeError(describing: refusal))) }
        for watcher in watchers.values { watcher.yield(.notice(notice)) }
    }

    /// Where this node can be reached now, for the link of an invite.
    var addressHints: [String] {
        guard let port = listeningPort else { return [] }
        return LocalAddresses.current().prefix(ChangeLimits.addressHintsMax)
            .map { PeerAddress(host: $0, port: port).description }
    }
}

/// The machine's own addresses that others may reach: IPv4, then global IPv6; neither loopback nor link-local.
enum LocalAddresses {
    static func current() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: Set<String> = []
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard let interface = entry?.pointee, let address = interface.ifa_addr,
                interface.ifa_flags & UInt32(IFF_UP) != 0, interface.ifa_flags & UInt32(IFF_LOOPBACK) == 0
            else { continue }
            let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
            guard isIPv6 || Int32(address.pointee.sa_family) == AF_INET else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            guard getnameinfo(address, socklen_t(size), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if !host.hasPrefix("fe80") { addresses.insert(host) }
        }
        return addresses.sorted { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
    }
}

extension PeerAddress {
    /// Reads `10.0.0.2:4000` or `[fe80::1%eth0]:4000`.
    package init(parsing text: String) throws(NodeError) {
        let wrong = NodeError("\"\(text)\" is not an address: write HOST:PORT, as 10.0.0.2:4000 or [fe80::1%eth0]:4000")
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { throw wrong }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw wrong
        }
        guard !host.isEmpty, host.utf8.count <= 64 else { throw wrong }
        self.init(host: host, port: port)
    }
}

extension TripNode {
    /// Where people were met before, the latest first.
    func rememberedAddresses() -> [PeerAddress] {
        let known = (try? store.knownPeers(peerSeal)) ?? []
        return known.flatMap(\.addresses).compactMap { try? PeerAddress(parsing: $0) }
    }

    /// A hint that is lost does no harm.
    func remember(_ address: PeerAddress, of device: Device) {
        let known = (try? store.knownPeers(peerSeal))?.first { $0.device == device.agreementKey }?.addresses ?? []
        let text = address.description
        let peer = KnownPeer(
            device: device.agreementKey, addresses: [text] + known.filter { $0 != text }, lastSeen: Now.current.wall)
        try? store.remember([peer], peerSeal)
    }
}
