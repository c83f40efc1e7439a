import AvahiDiscovery
import LibC
import SyncEngine
package import TripService
import TripStore

/// All trips of a home, or one of them, that this process runs, each with a node of its own.
package actor HomeNode {
    package nonisolated let home: Home
    private let owner: OwnerLock
    private let network: NetworkOptions?
    private let passphrases: PassphraseSource
    private let report: Report
    private var nodes: [String: TripNode] = [:]
    private var listeners: [String: Task<Void, Never>] = [:]
    private var counters: [String: TripCounters] = [:]
    /// Why trips that this process was to run could not be opened, by their ids.
    package private(set) var problems: [String: String] = [:]
    private let start = ContinuousClock.now
    private var isClosed = false

    /// Told what happens in a trip, by its id, with its title if several run; from any thread.
    package typealias Report = @Sendable (_ id: String, _ title: String?, TripEvent) -> Void

    /// Becomes the one process that runs trips of a home.
    ///
    /// - Parameters:
    ///   - network: how the nodes go online; nil if they only answer commands.
    ///   - report: told what happens.
    package init(
        home: Home, network: NetworkOptions?, passphrases: PassphraseSource = .none,
        report: @escaping Report = { _, _, _ in }
    ) throws(ServiceError) {
        try network?.check()
        self.home = home
        self.network = network
        self.passphrases = passphrases
        self.report = report
        try home.make()
        do { owner = try OwnerLock(folder: home.folder) } catch {
            guard error.code == .owned else { throw ServiceError(error) }
            // One that does not answer is said so.
            _ = try ControlClient(home: home).isAnswered()
            throw ServiceError(
                .owned,
                "the node is already running; see `caravan status`; if it should run other trips, stop it first with `caravan down`"
            )
        }
        // On a full disk trips still open, and a node that can keep nothing would only seem to sync.
        if network != nil { try HomeCheck(home: home).requireWritable() }
    }

    /// Opens these trips. It reports a trip that can't be opened, and runs the others. If none can be opened, it throws. It
    /// also reports the trips that this device is out of, because nobody connects there.
    package func open(_ ids: [String]) async throws(ServiceError) {
        var first: ServiceError?
        for id in ids {
            do { try await open(id) } catch {
                first = first ?? error
                problems[id] = error.message
                if ids.count > 1 { report(id, String(id.prefix(6)), .problem(error.message)) }
            }
        }
        if let first, nodes.isEmpty { throw first }
        for id in ids {
            guard let node = nodes[id], let removal = await node.ownRemoval else { continue }
            let title = await node.title
            report(id, isAlone ? nil : title, .youAreOut(removal))
        }
    }

    /// Puts the nodes of all open trips online.
    ///
    /// - Returns: once they are published, nil; or why nobody finds them by themselves yet.
    package func up() async throws(ServiceError) -> String? {
        guard let network else { return nil }
        let ids = nodes.keys.sorted()
        for id in ids { try await nodes[id]?.goOnline(network) }
        var problem: String?
        for id in ids {
            await nodes[id]?.discoveryAnswered()
            problem = await nodes[id]?.discoveryProblem ?? problem
        }
        return problem
    }

    /// Where others reach each trip, in a line each.
    package var places: [String] {
        get async {
            var lines: [String] = []
            for id in nodes.keys.sorted() {
                guard let node = nodes[id], let place = await node.place else { continue }
                lines.append("“\(await node.title)”: listening on \(place)")
            }
            return lines
        }
    }

    /// Runs a trip that was added to the home.
    /// - Parameter passphrases: where to ask for that of its keys; nil as for the others.
    package func run(_ id: String, _ passphrases: PassphraseSource? = nil) async throws(ServiceError) {
        guard nodes[id] == nil, !isClosed else { return }
        try await open(id, passphrases)
        guard var network else { return }
        // The port is another trip's, if there is one.
        if nodes.count > 1 { network.listenPort = 0 }
        try await nodes[id]?.up(network)
    }

    private func open(_ id: String, _ other: PassphraseSource? = nil) async throws(ServiceError) {
        let node = try await TripAccess(home: home, id: id, passphrases: other ?? passphrases).open()
        nodes[id] = node
        problems[id] = nil
        let title = await node.title
        let (report, events) = (report, await node.events())
        listeners[id] = Task { [weak self] in
            for await event in events {
                await self?.count(event, of: id)
                report(id, await self?.isAlone ?? true ? nil : title, event)
            }
        }
    }

    private func count(_ event: TripEvent, of id: String) { counters[id, default: TripCounters()].count(event) }

    private var isAlone: Bool { nodes.count < 2 }

    /// Stops running a trip, and releases its folder.
    package func release(_ id: String) async {
        let node = nodes.removeValue(forKey: id)
        await node?.close()
        await listeners.removeValue(forKey: id)?.value
        counters[id] = nil
    }

    /// The node of a trip; nil for one that is not run here.
    package func node(of id: String) -> TripNode? { nodes[id] }

    package var tripIDs: [String] { nodes.keys.sorted() }

    /// Says goodbye for every trip, and closes them all.
    package func close() async {
        isClosed = true
        let (nodes, listeners) = (nodes, listeners)
        (self.nodes, self.listeners, counters) = ([:], [:], [:])
        // All at once: each may wait for somebody who does not read.
        await withDiscardingTaskGroup { group in
            for node in nodes.values { group.addTask { await node.close() } }
        }
        for listener in listeners.values { await listener.value }
    }
}

extension HomeNode {
    /// The version of the protocol that its nodes speak.
    package static var protocolVersion: Int { ProtocolVersion.current }
}

extension HomeNode: HomeService {
    package func trips() async -> [TripEntry] {
        let inUse = try? home.tripInUse()
        var entries: [TripEntry] = []
        for id in tripIDs {
            guard let node = nodes[id] else { continue }
            entries.append(
                TripEntry(
                    id: id, title: await node.title, problem: nil, isInUse: id == inUse, isOut: await node.isOut,
                    isRunning: true))
        }
        return entries
    }

    package func trip(_ id: String) -> (any TripService)? { nodes[id] }

    package func problem(ofTrip id: String) async -> String? {
        guard nodes[id] == nil, let ids = try? home.tripIDs(), ids.contains(id) else { return nil }
        let isLocked = (try? await isUnderPassphrase(trip: id)) ?? false
        let advice =
            isLocked
            ? "this trip waits for its passphrase: run `caravan down`, then `caravan up` in a terminal, which asks for it"
            : "this trip is not running: run `caravan down`, then `caravan up`"
        // The advice says what to run.
        let failure = problems[id]?.replacing("run this in a terminal, or set", with: "set")
        return advice + (failure.map { ". The last start failed: \($0)" } ?? "")
    }

    package func create(title: String, name: String) async throws(ServiceError) -> String {
        let id = try await TripNode.create(title: title, name: name, in: home)
        try home.use(trip: id)
        try await run(id)
        return id
    }

    package func join(link: String, name: String) async throws(ServiceError) -> String {
        let id = try await TripNode.join(
            link: link, name: name, in: home, peers: network?.peers ?? [], discovers: network?.discovers ?? false,
            patience: Self.joinPatience, passphrases: passphrases)
        try home.use(trip: id)
        try await run(id)
        return id
    }

    /// In seconds.
    private static let joinPatience = 90
}

extension HomeNode {
    /// What is counted and measured here.
    ///
    /// - Parameter commands: how many are at the control socket.
    func metrics(commands: Int) async -> NodeMetrics {
        var trips: [TripMetrics] = []
        for id in tripIDs {
            guard let metrics = await nodes[id]?.metrics(id: id) else { continue }
            trips.append(counters[id]?.added(to: metrics) ?? metrics)
        }
        return NodeMetrics(
            uptimeSeconds: (ContinuousClock.now - start) / .seconds(1), residentBytes: ProcessFigures.residentBytes,
            openDescriptors: ProcessFigures.openDescriptors, commands: commands, trips: trips)
    }

    /// This machine's addresses on the network, those first that others most likely reach.
    package nonisolated var networkAddresses: [String] { LocalAddresses.current() }
}
