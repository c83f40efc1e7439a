import AvahiDiscovery
import LibC
import SyncEngine
import TripService

/// Whether this machine is on a network, is found there, and reaches those who are seen.
struct NetworkCheck: Sendable {
    let node: NodeCheck.Result

    /// How long others may take to be heard and seen: they answer within half a second where a network is quiet.
    static let listeningMilliseconds = 2_500
    private static let networksMax = 8

    func examine() async -> [Finding] {
        let networks = LocalNetwork.current().filter { !$0.isPointToPoint && $0.isRunning }.prefix(Self.networksMax)
        async let multicast = multicast(at: Array(networks))
        let seen = await SeenNodes.look()
        var findings: [NetworkFinding] = []
        if LocalAddresses.current().isEmpty { findings.append(.noAddress(unplugged: LocalNetwork.unplugged())) }
        findings += networks.compactMap(route)
        findings += seen.problem.map { [$0] } ?? []
        let outcomes = await multicast
        findings += outcomes.compactMap { network, outcome in
            switch outcome {
            case .notSent(let reason): .multicastNotSent(interface: network.interface, reason: reason)
            case .notReceived: .multicastNotReceived(interface: network.interface)
            case .received, .unknown: nil
            }
        }
        let hearsOthers = outcomes.contains { $0.1 == .received(hearsOthers: true) }
        findings += silence(hearsOthers: hearsOthers || !seen.places.isEmpty, isExplained: !findings.isEmpty)
        findings += await ports(seesOthers: !seen.places.isEmpty)
        return findings.map { .network($0) } + (await peers(seen.places)).map { .peer($0) }
    }

    /// Whether what goes to a network of this machine goes there.
    private func route(_ network: LocalNetwork) -> NetworkFinding? {
        let all = LocalNetwork.current()
        for sample in network.samples {
            switch RouteProbe.route(to: sample) {
            case .refused(let reason): return .routeRefused(network: network.description, reason: reason)
            case .from(let address):
                // Wi-Fi and cable may be one network.
                guard !all.contains(where: { $0.address == address && $0.contains(sample) }) else { continue }
                let interface = all.first { $0.address == address }?.interface ?? "another interface"
                return .routedElsewhere(network: network.description, interface: interface)
            }
        }
        return nil
    }

    private func multicast(at networks: [LocalNetwork]) async -> [(LocalNetwork, MulticastProbe.Outcome)] {
        await withTaskGroup(of: (LocalNetwork, MulticastProbe.Outcome).self) { group in
            for network in networks {
                group.addTask {
                    let outcome = await onAnotherThread {
                        MulticastProbe.run(at: network, milliseconds: Self.listeningMilliseconds)
                    }
                    return (network, outcome)
                }
            }
            var outcomes: [(LocalNetwork, MulticastProbe.Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0.interface < $1.0.interface }
        }
    }

    /// Whether those that the node has sessions with, on other machines, are heard by multicast too.
    private func silence(hearsOthers: Bool, isExplained: Bool) -> [NetworkFinding] {
        let connections = (node.metrics?.trips ?? []).filter { $0.sessions > 0 }.map(\.connections)
        let hasOthers = connections.contains { $0.acceptedFromOthers + $0.dialledToOthers > 0 }
        return hasOthers && !hearsOthers && !isExplained ? [.multicastNotForwarded] : []
    }

    /// Whether the node's ports let others in.
    ///
    /// - Parameter seesOthers: whether others' names are seen here, as this node's are there.
    private func ports(seesOthers: Bool) async -> [NetworkFinding] {
        var findings: [NetworkFinding] = []
        for port in Set(node.trips.compactMap { $0.listening?.port }).sorted() {
            for address in LocalAddresses.current() where !address.contains(":") {
                let place = PeerAddress(host: address, port: port)
                let outcome = await onAnotherThread { ReachProbe.connect(to: place, milliseconds: 1_000) }
                if outcome != .accepted { findings.append(.ownPortClosed(address: place.description)) }
            }
        }
        guard findings.isEmpty, seesOthers else { return findings }
        let firewall = await FirewallProbe.find()
        for (trip, status) in zip(node.metrics?.trips ?? [], node.trips) {
            guard let port = status.listening?.port, trip.sessions > 0, trip.connections.dialledToOthers > 0,
                trip.connections.acceptedFromOthers == 0
            else { continue }
            findings.append(.neverReached(port: port, firewall: firewall))
        }
        return findings
    }

    /// Whether those whose names are seen can be reached.
    private func peers(_ places: [[PeerAddress]]) async -> [PeerFinding] {
        var findings: [PeerFinding] = []
        for addresses in places {
            var outcomes: [(PeerAddress, ReachProbe.Outcome)] = []
            for address in addresses {
                let outcome = await onAnotherThread { ReachProbe.connect(to: address, milliseconds: 2_000) }
                outcomes.append((address, outcome))
                if outcome == .accepted { break }
            }
            guard !outcomes.contains(where: { $0.1 == .accepted }) else { continue }
            // The word of one that answers in any way says more than the silence of another.
            if let (address, _) = outcomes.first(where: { $0.1 == .filtered }) {
                findings.append(.portFiltered(address: address.description))
            } else if let (address, _) = outcomes.first(where: { $0.1 == .refused }) {
                findings.append(.portClosed(address: address.description))
            } else if let (address, _) = outcomes.first(where: { $0.1 == .silent }) {
                findings.append(.isolated(address: address.description))
            }
        }
        return findings
    }
}
