import Convergence
package import SyncEngine

// Names: published, seen late or never, resolved truly or not.
extension World {
    mutating func advertise(_ names: [Advertisement], by id: NodeID) {
        guard names != machines[id].advertisements else { return }
        let gone = machines[id].advertisements.filter { old in !names.contains { $0.instance == old.instance } }
        let new = names.filter { name in !machines[id].advertisements.contains { $0.instance == name.instance } }
        machines[id].advertisements = names
        for name in gone { publisherOf[name.instance] = nil }
        for name in new { publisherOf[name.instance] = id }
        guard conditions.discovers else { return }
        for other in neighbours(of: id) where passes(from: id, to: other) {
            for name in gone { later(.disappeared(name.instance), on: other, at: time + 1_000) }
            for name in new { show(name.instance, of: id, to: other) }
        }
    }

    /// The others whose names a node sees, and who see its own, ascending.
    private func neighbours(of id: NodeID) -> [NodeID] {
        let count = machines.count
        if count <= conditions.neighboursMax + 1 { return machines.indices.filter { $0 != id } }
        return (1...conditions.neighboursMax / 2).flatMap { [(id + $0) % count, (id + count - $0) % count] }.sorted()
    }

    private mutating func show(_ instance: String, of id: NodeID, to other: NodeID) {
        guard !machines[other].sees.contains(instance) else { return }
        guard !hidden.contains(Hidden(name: id, from: other)) else {
            nameFaults[.missedName, default: 0] += 1
            return
        }
        if lateness > 0 { nameFaults[.lateName, default: 0] += 1 }
        let delay = UInt64(machines[other].chance.number(in: conditions.discoveryDelay))
        later(.appeared(instance), on: other, at: time + delay + lateness)
    }

    /// The machine is gone: others see its names leave, unless it had no time to say so.
    mutating func withdraw(_ id: NodeID, isHeard: Bool) {
        guard isHeard else {
            for name in machines[id].advertisements { publisherOf[name.instance] = nil }
            machines[id].advertisements = []
            return
        }
        advertise([], by: id)
    }

    package mutating func showNeighbours(to id: NodeID) {
        guard conditions.discovers, machines[id].isRunning else { return }
        for other in neighbours(of: id) where machines[other].isRunning {
            if passes(from: other, to: id) {
                for name in machines[other].advertisements { show(name.instance, of: other, to: id) }
            }
            if passes(from: id, to: other) {
                for name in machines[id].advertisements { show(name.instance, of: id, to: other) }
            }
        }
    }

    mutating func resolve(_ instance: String, for id: NodeID) {
        guard let other = publisherOf[instance], passes(from: other, to: id) else {
            // As the shell says after 5 s in which nobody answered.
            tell(id, .resolved(instance: instance, addresses: []), after: 5_000)
            return
        }
        let tags = machines[other].advertisements.first { $0.instance == instance }?.addressTags ?? []
        if let elsewhere = falseAddresses[other] {
            nameFaults[.falseAddress, default: 0] += 1
            tell(
                id, .resolved(instance: instance, addresses: elsewhere.map { ServiceAddress($0, tags: tags) }), after: 1
            )
            return
        }
        let delay = UInt64(machines[id].chance.number(in: conditions.latency))
        let address = ServiceAddress(machines[other].address, tags: tags)
        tell(id, .resolved(instance: instance, addresses: [address]), after: delay)
    }

    // MARK: - What goes wrong

    /// Hides a node's names from another until `endDiscoveryFaults`.
    package mutating func hide(_ id: NodeID, from other: NodeID) { hidden.insert(Hidden(name: id, from: other)) }

    /// Lets names published from now on be seen so much later.
    package mutating func delayNames(by milliseconds: UInt64) { lateness = milliseconds }

    /// Shows a node's names to another that they were hidden from.
    package mutating func unhide(_ id: NodeID, from other: NodeID) {
        hidden.remove(Hidden(name: id, from: other))
        showNeighbours(to: id)
    }

    /// Lets a node's names resolve to addresses of others; nil lets them resolve to its own again.
    package mutating func lie(about id: NodeID, _ addresses: [PeerAddress]?) { falseAddresses[id] = addresses }

    /// Shows a machine a name that no node of the trip published.
    package mutating func showFalseName(_ instance: String, to id: NodeID) {
        guard machines[id].sees.count < 4_096, machines[id].sees.insert(instance).inserted else { return }
        handle(.appeared(instance: instance), on: id)
    }

    /// Takes back every name that a machine sees and nobody publishes.
    package mutating func forgetFalseNames(on id: NodeID) {
        for name in machines[id].sees.sorted() where publisherOf[name] == nil {
            later(.disappeared(name), on: id, at: time)
        }
    }

    /// Tells a machine that a name left which did not, and shows it again.
    package mutating func repeatName(of id: NodeID, to other: NodeID) -> Bool {
        guard let name = machines[id].advertisements.first?.instance, machines[other].sees.contains(name) else {
            return false
        }
        later(.disappeared(name), on: other, at: time)
        later(.appeared(name), on: other, at: time + 50)
        return true
    }

    /// Ends all faults of discovery, and shows what was hidden.
    package mutating func endDiscoveryFaults() {
        hidden = []
        lateness = 0
        falseAddresses = [:]
        for id in machines.indices { showNeighbours(to: id) }
    }
}

/// A name that is hidden from one machine.
struct Hidden: Hashable {
    let name: Int
    let from: Int
}
