import ChangeLog
import DeltaCRDT

// The overlay. A small group is a full mesh. In a larger group, each node dials and accepts a few peers, chosen at random,
// and replaces one now and then. The result is a random graph whose separated parts find each other again.
extension SyncNode {
    /// Whether there are too many nodes for a full mesh.
    var isCrowded: Bool { discovery.topology.isCrowded }

    /// Where too many names of members are remembered, lets one go, so that those that stay are a random choice of all
    /// (Vitter: *Random sampling with a reservoir*, 1985). False where it is the new one.
    mutating func makeRoom(using generator: inout some RandomNumberGenerator) -> Bool {
        let count = discovery.names.knownCount
        guard count >= limits.memberInstancesMax else { return true }
        discovery.topology.namesSeen = max(discovery.topology.namesSeen, UInt64(count)) + 1
        let index = Int(number(below: discovery.topology.namesSeen, using: &generator))
        guard index < count else { return false }
        discovery.names.remove(discovery.names.known[index])
        return true
    }

    /// A number below a bound, the same from the same generator in every release of the standard library.
    func number(below bound: UInt64, using generator: inout some RandomNumberGenerator) -> UInt64 {
        generator.next().multipliedFullWidth(by: bound).high
    }

    /// Dials the addresses that are due, and ends sessions for which there is no place.
    mutating func keepOverlay(using generator: inout some RandomNumberGenerator) {
        guard isMember || isLetIn || joining != nil else { return }
        discovery.topology.isCrowded = othersAround > limits.meshPeersMax
        guard discovery.topology.isCrowded else {
            discovery.topology = Topology()
            for address in dueAddresses { dial(address) }
            return
        }
        discovery.addresses.addJitter(using: &generator)
        keepReshuffling(using: &generator)
        letGo(using: &generator)
        keepFair()
        dialSome(using: &generator)
    }

    /// Somebody fell silent, or the network is another: there may be two parts that do not know of each other.
    mutating func suspectParting() {
        discovery.topology.hasNews = true
        discovery.topology.apartUntil = now.monotonic + limits.partingMax
    }

    /// How many others there are to meet, as far as is known.
    private var othersAround: Int {
        guard isMember else { return 0 }
        let named = discovery.names.knownCount
        return max(named + discovery.addresses.namedCount, connections.values.count(where: \.isWithMember))
    }

    private var dueAddresses: [PeerAddress] {
        let met = connections.met
        return discovery.addresses.due(at: now.monotonic) { isMet($0, among: met) }
    }

    private var nextAttempt: UInt64 {
        let met = connections.met
        return discovery.addresses.nextAttempt { isMet($0, among: met) } ?? .max
    }

    /// Whether the device last met at an address has a session, there or elsewhere.
    ///
    /// Behind a name that is present may be a copy of a device that is met: only a dial to it tells.
    private func isMet(_ entry: AddressBook.Entry, among met: ConnectionTable.Met) -> Bool {
        if let instance = entry.instance, discovery.names.credential(of: instance) != nil {
            return entry.incarnation.map { met.incarnations.contains($0) } ?? false
        }
        return entry.replica.map { met.replicas.contains($0) } ?? false
    }

    /// How many more dials may be under way. One's own: a crowd that dials this node must not keep it from going to others.
    var roomForDials: Int {
        limits.handshakesMax - connections.values.count { $0.address != nil && !$0.hasSession }
    }

    private mutating func dial(_ address: PeerAddress) {
        guard roomForDials > 0, discovery.addresses.claim(address, at: now.monotonic) else { return }
        let id = connections.nextID()
        connections.insert(
            Connection(.dialled(address, .meeting), begun: now.monotonic, phase: .dialling), as: id)
        discovery.addresses.dialled(address, as: id)
        turn.effects.append(.dial(id, address))
    }

    /// Goes by what is known on another network in place of all addresses but those that a person named.
    mutating func moved(to known: [PeerAddress]) {
        discovery.addresses.forgetUnnamed()
        for address in known { discovery.addresses.add(address, instance: nil, isNamed: false, at: now.monotonic) }
    }

    /// Dials every address at once. Dials under way began on the network before, and would wait for seconds to be sent again.
    mutating func dialAnew() {
        for id in connections.keys {
            if case .dialling = connections[id]?.phase { drop(id) }
        }
        discovery.addresses.retryNow(at: now.monotonic)
    }

    // MARK: - A few of many

    /// How many more are to be dialled now.
    private var dialsWanted: Int {
        let (now, stagger) = (now.monotonic, limits.dialStagger)
        var held = 0
        for connection in connections.values where connection.address != nil {
            if connection.hasSession || now < connection.begun + stagger { held += 1 }
        }
        return min(limits.dialledPeersMax + (discovery.topology.isReshuffling ? 1 : 0) - held, roomForDials)
    }

    private mutating func dialSome(using generator: inout some RandomNumberGenerator) {
        var wanted = dialsWanted
        guard wanted > 0 else { return }
        var due = dueAddresses
        while wanted > 0, !due.isEmpty {
            let address = choose(of: due, using: &generator)
            due.removeAll { $0 == address }
            dial(address)
            wanted -= 1
        }
    }

    /// Chooses at random between a known member, of the branch with the fewest of this node's sessions, and a new address.
    private func choose(
        of due: [PeerAddress], using generator: inout some RandomNumberGenerator
    ) -> PeerAddress {
        let new = due.filter { discovery.addresses.entries[$0]?.replica == nil }
        let known = new.count < due.count ? scarcest(of: due) : []
        let choice = known.isEmpty || !new.isEmpty && number(below: 2, using: &generator) == 0 ? new : known
        return choice[Int(number(below: UInt64(choice.count), using: &generator))]
    }

    /// Replaces a peer if more than half of the peers that this node dialed are in one branch of the trip, and an address waits whose
    /// device is in another branch, or may be. For a new address this happens at once, otherwise at growing intervals, because known
    /// members may have no place for this node. More equal shares would not be worth the sessions that end for them.
    private mutating func keepFair() {
        guard !discovery.topology.isReshuffling, let majority = dialledMajority else { return }
        let due = dueAddresses
        let isDue = now.monotonic >= discovery.topology.fairnessDue
        let hasCause = due.contains { isUntried($0) || isDue && mayBe($0, beyond: majority) }
        guard hasCause || isDue else { return }
        if !hasCause { discovery.topology.fairnessPause.reset() }
        discovery.topology.isReshuffling = hasCause
        discovery.topology.fairnessDue =
            now.monotonic + discovery.topology.fairnessPause.next(upTo: limits.reshuffleInterval)
    }

    /// The path from the founder to the smallest branch that holds more than half of the peers that this node dialed. Nil if that is
    /// the founder's, which holds all, or if this node can still dial more.
    private var dialledMajority: [Bytes32]? {
        let dialled = dialledMembers
        guard dialled.count >= limits.dialledPeersMax else { return nil }
        let majority = branches(of: dialled).majority
        return majority.count > 1 ? majority : nil
    }

    /// Whether an address was never dialed.
    private func isUntried(_ address: PeerAddress) -> Bool {
        discovery.addresses.entries[address].map { $0.replica == nil && $0.attempts == 0 } ?? false
    }

    /// Whether the device at an address may be outside the branch at the end of a path. For a new address, only a dial can tell.
    private func mayBe(_ address: PeerAddress, beyond persons: [Bytes32]) -> Bool {
        guard let replica = discovery.addresses.entries[address]?.replica else { return true }
        return log.person(of: replica) != nil && !log.line(of: replica).starts(with: persons)
    }

    /// When there is something to dial, as far as time alone brings it: where there is no room, a dial that is over does.
    func nextDial() -> UInt64 {
        guard discovery.topology.isCrowded else { return roomForDials > 0 ? max(nextAttempt, now.monotonic + 1) : .max }
        var next = discovery.topology.reshuffle ?? .max
        if dialsWanted > 0 { next = min(next, nextAttempt) }
        for connection in connections.values where connection.address != nil && !connection.hasSession {
            if now.monotonic < connection.begun + limits.dialStagger {
                next = min(next, connection.begun + limits.dialStagger)
            }
        }
        return max(next, now.monotonic + 1)
    }

    private mutating func keepReshuffling(using generator: inout some RandomNumberGenerator) {
        if discovery.topology.hasNews || discovery.topology.reshuffle == nil {
            let isEarly = discovery.topology.hasNews || now.monotonic < discovery.topology.apartUntil
            let interval = isEarly ? limits.reshuffleIntervalMin : limits.reshuffleInterval
            let earliest = max(now.monotonic, (discovery.topology.lastReshuffle ?? now.monotonic) + interval)
            let due = earliest + number(below: max(1, interval / 2), using: &generator)
            discovery.topology.reshuffle = min(discovery.topology.reshuffle ?? due, due)
            discovery.topology.hasNews = false
        }
        guard let due = discovery.topology.reshuffle, due <= now.monotonic else { return }
        discovery.topology.reshuffle = nil
        discovery.topology.lastReshuffle = now.monotonic
        discovery.topology.isReshuffling = true
        keepReshuffling(using: &generator)
    }

    /// The sessions with members that this node dialled, the newest last.
    private var dialledMembers: [ConnectionID] {
        connections.filter { $0.value.address != nil && $0.value.isWithMember }.map(\.key)
    }

    /// Ends sessions that this node dialled, where they are too many.
    private mutating func letGo(using generator: inout some RandomNumberGenerator) {
        while true {
            let dialled = dialledMembers
            guard dialled.count > limits.dialledPeersMax else { return }
            discovery.topology.isReshuffling = false
            // Not the newest, for whose sake it may be, unless it is one of too many.
            let crowded = crowded(among: dialled)
            let candidates = crowded.count > 1 ? crowded.filter { $0 != dialled.last } : crowded
            end(candidates[Int(number(below: UInt64(candidates.count), using: &generator))])
        }
    }

    /// Whether there is a place for a session that has just begun. A peer of the largest branch of the trip makes room. If the new
    /// session is in that branch too, a peer with an old session makes room.
    mutating func mayStay(_ id: ConnectionID, using generator: inout some RandomNumberGenerator) -> Bool {
        guard let own = connections.index(of: id), connections[at: own].address == nil,
            connections[at: own].isWithMember
        else { return true }
        let accepted = connections.filter { $0.value.address == nil && $0.value.isWithMember && $0.key != id }
        guard accepted.count >= limits.acceptedPeersMax else { return true }
        let crowded = crowded(among: accepted.map(\.key) + [id])
        guard crowded.contains(id) else {
            // A branch of the trip has more than its share. Its latest session ends, and its old ones stay.
            if let latest = crowded.max(by: { (begun($0), $0) < (begun($1), $1) }) { end(latest) }
            return true
        }
        let settled = accepted.filter {
            crowded.contains($0.key) && $0.value.begun + limits.displaceableAge <= now.monotonic
        }
        .map(\.key)
        guard !settled.isEmpty else { return false }
        end(settled[Int(number(below: UInt64(settled.count), using: &generator))])
        return true
    }

    private func begun(_ id: ConnectionID) -> UInt64 { connections[id]?.begun ?? 0 }
}
