import AvahiDiscovery
import ChangeLog
import PeerTransport
import SyncEngine
package import TripService
import TripStore

// The network: sockets, discovery, and what they report.
extension TripNode {
    /// Listens, publishes and looks for others. Returns once this node is published, or once `discoveryProblem` says why
    /// Avahi does not answer: it is waited for in the background then, and `TripEvent.discovery` says when it comes.
    package func up(_ options: NetworkOptions = NetworkOptions()) async throws(ServiceError) {
        try await goOnline(options)
        await discoveryAnswered()
    }

    /// Listens, dials known members, and begins to publish this node and to look for others.
    func goOnline(_ options: NetworkOptions) async throws(ServiceError) {
        var named: [PeerAddress] = []
        for text in options.peers { named.append(try PeerAddress(parsing: text)) }
        if let writingProblem { throw ServiceError(.unwritable, writingProblem) }
        // Called on the transport's thread: what finds no room is a connection that asks too much.
        let intake = Intake()
        let transport = TCPTransport { [weak self] event in self?.happened(event, intake) }
        intake.attach(transport)
        let port: UInt16
        do {
            port = try await listen(transport, at: options.listenPort)
        } catch {
            throw ServiceError(
                options.listenPort == 0
                    ? "cannot open a port: \(error)"
                    : "cannot open port \(options.listenPort); choose another with --port")
        }
        var network = Network(
            transport: transport, intake: intake, place: Self.place(at: port),
            isPortRenewable: options.listenPort == 0 && options.discovers, whereabouts: Whereabouts(named: named))
        if options.discovers { discover(&network) }
        network.remembering = rememberPeersNowAndThen()
        connectivity = .online(network)
        if let lossProblem { tellWatchers(.problem(lossProblem)) }
        network.discovery?.start()
        lookForPhotos()
        tellOfListening(at: port)
        attachMailboxes()
        // At once: Avahi may take seconds to answer, or never do.
        for address in named { tell(.addAddress(address, isNamed: true)) }
        for address in peers.addresses { tell(.addAddress(address, isNamed: false)) }
    }

    /// Accepts connections at a port, and for a while at the port of the last run, because other nodes may know only that one.
    /// That happens only if this machine has an address that it had then, so the port reveals nothing that the address doesn't.
    /// If the link of an open invite names that port, the port stays.
    private func listen(_ transport: TCPTransport, at chosen: UInt16) async throws(TransportError) -> UInt16 {
        let hosts = LocalAddresses.current()
        guard chosen == 0, let last = own.place, last.isHere(at: hosts),
            (try? await transport.listen(port: last.port)) != nil
        else { return try await transport.listen(port: chosen) }
        let replica = node.secrets.device.replica
        if node.log.openInvites(at: Now.current.wall).contains(where: { $0.author == replica }) { return last.port }
        return (try? await transport.listenAnew(lingering: last.linger(at: hosts))) ?? last.port
    }

    /// Tells the node its own addresses.
    func tellOfListening(at port: UInt16) {
        noteListeningPlace(at: port)
        tell(.ownAddresses(PublishedAddresses.current()))
        tell(.listening(port: port, isRenewable: connectivity.network?.isPortRenewable ?? false))
        revealSoon()
    }

    /// Accepts connections at another port. Existing connections continue.
    func renewPort() async {
        guard let network = connectivity.network else { return }
        let linger = network.place.linger(at: LocalAddresses.current())
        let port = (try? await network.transport.listenAnew(lingering: linger)) ?? network.place.port
        guard connectivity.network != nil else { return }
        updateNetwork { $0.place = Self.place(at: port) }
        tellOfListening(at: port)
    }

    private func discover(_ network: inout Network) {
        let discovery = AvahiDiscovery(interfaces: NetworkOptions.interfaces)
        let events = discovery.events
        network.discovery = discovery
        network.discoveryPump = Task { [weak self] in
            for await event in events {
                // Discovery says itself what it had no room for.
                while let self, !self.inbox.offer(.discovery(event)), !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
        }
    }

    /// Why others are not found by themselves now; nil where they are.
    var discoveryProblem: String? {
        guard let state = connectivity.network?.discoveryState else { return nil }
        return state.problem ?? (state.isCrowded ? StatusView.crowdedNetwork : nil)
    }

    /// This node's addresses, for people; nil while it is offline.
    var place: String? {
        listeningPort.map { port in addresses(at: port).first ?? "port \(port) (this machine only)" }
    }

    /// Where the transport accepts connections; nil while this node meets nobody.
    package var listeningPort: UInt16? { connectivity.network?.place.port }

    private static func place(at port: UInt16) -> OwnFile.ListeningPlace {
        OwnFile.ListeningPlace(port: port, hosts: LocalAddresses.current())
    }

    /// Says goodbye, stops everything and closes the store.
    package func close() async {
        rememberPeers()
        if let network = connectivity.network {
            tell(.stop)
            await closeMailboxes()
            await network.stop()
            // A caller may wait for discovery's answer, which would never come.
            updateNetwork { $0.discoveryState.stopWaiting() }
            connectivity = .offline
        }
        await drainWriter()
        rememberBlocks()
        finish()
        store.close()
    }

    private nonisolated func happened(_ event: TransportEvent, _ intake: Intake) {
        switch event {
        case .accepted(let id, let address, let caller):
            inbox.offer(.event(.accepted(id, at: address, from: caller)))
        case .connected(let id): inbox.offer(.event(.connected(id)))
        case .received(let id, let bytes):
            intake.arrived(bytes.count, on: id)
            inbox.offer(.event(.received(id, bytes)))
        case .closed(let id), .refused(let id, _): inbox.offer(.event(.closed(id)))
        }
    }

    /// Something was lost on its way in, perhaps the end of a connection or its beginning: all of them end.
    func overwhelmed() {
        connectivity.network?.transport.resetAll()
        for id in node.connectionIDs {
            connectivity.network?.intake.ended(id)
            tell(.closed(id))
        }
    }

    // MARK: - Discovery

    func advertise(_ names: [Advertisement]) {
        updateNetwork { network in
            network.whereabouts.own = Set(names.map(\.instance))
            network.discovery?.advertise(names)
        }
    }

    func discovered(_ event: DiscoveryEvent) {
        updateNetwork { $0.whereabouts.note(event) }
        switch event {
        case .appeared(let instance): tell(.appeared(instance: instance))
        case .disappeared(let instance): tell(.disappeared(instance: instance))
        case .resolved(let instance, let addresses): tell(.resolved(instance: instance, addresses: addresses))
        case .available:
            let hadProblem = connectivity.network?.discoveryState.problem != nil
            updateNetwork { $0.discoveryState.answered(problem: nil) }
            guard hadProblem else { break }
            // What was published before is forgotten by others: they believe only a new name.
            changeNetwork()
            tellWatchers(.discovery(problem: nil))
        case .unavailable(let reason):
            // The first answer is for the caller that started the node and waits for it.
            let state = connectivity.network?.discoveryState
            let isNews = state?.hasAnswered ?? false && state?.problem != reason
            updateNetwork { $0.discoveryState.answered(problem: reason) }
            if isNews { tellWatchers(.discovery(problem: reason)) }
        case .networkChanged: changeNetwork()
        case .crowded(let isCrowded):
            let before = discoveryProblem
            updateNetwork { $0.discoveryState.isCrowded = isCrowded }
            if discoveryProblem != before { tellWatchers(.discovery(problem: discoveryProblem)) }
        case .refused, .dropped: break
        }
    }

    private func noteListeningPlace(at port: UInt16) {
        own.listens(at: Self.place(at: port))
    }

    private func changeNetwork() {
        if let port = listeningPort { noteListeningPlace(at: port) }
        tell(.ownAddresses(PublishedAddresses.current()))
        let known = peers.addressesOfOtherNetwork()
        // On another network nobody is reached by them, and what the system sent again would tell who is looked for.
        if known != nil { connectivity.network?.transport.resetAll() }
        tell(.networkChanged(known: known))
    }

    /// Returns once Avahi has said whether it takes orders, or after 2 s; at once where nobody is looked for.
    func discoveryAnswered() async {
        guard connectivity.network?.discovery != nil else { return }
        let deadline = Task { [weak self] in
            try await Task.sleep(for: .seconds(2))
            await self?.updateNetwork { $0.discoveryState.stopWaiting() }
        }
        await withCheckedContinuation { continuation in
            updateNetwork { $0.discoveryState.wait(continuation) }
        }
        deadline.cancel()
    }

    func updateNetwork(_ body: (inout Network) -> Void) {
        guard case .online(var network) = connectivity else { return }
        body(&network)
        connectivity = .online(network)
    }

    // MARK: - Addresses

    func addresses(at port: UInt16) -> [String] {
        LocalAddresses.current().map { PeerAddress(host: $0, port: port).description }
    }
}
