import ChangeLog
import DeltaCRDT

/// Decides which peers a node dials, and when: from the names and addresses that it was told, and from the connections that it has.
///
/// A small group is a full mesh. In a larger group, each node dials and accepts a few peers, chosen at random, and replaces one now and
/// then. The result is a random graph whose separated parts find each other again.
struct Dialer: Sendable {
    private(set) var names = NameTable()
    private(set) var addresses: AddressBook
    private var topology = Topology()
    private let limits: SessionLimits

    init(limits: SessionLimits) {
        self.limits = limits
        addresses = AddressBook(limits: limits)
    }

    /// Whether there are too many nodes for a full mesh.
    var isCrowded: Bool { topology.isCrowded }

    // MARK: - Which peers to dial

    /// What a node does next to have the peers that it is to have.
    enum Step: Hashable, Sendable {
        /// End this session, because this node dialed more peers than it keeps. Then ask for the next step.
        case hangUp(ConnectionID)
        /// Dial these addresses, in this order, and tell the dialer the number of each connection (`dialling`). Nothing else is due.
        case dial([PeerAddress])
    }

    /// Looks at the number of other nodes, and plans when a peer is replaced. Before the first step.
    mutating func look(
        at contacts: Contacts, isMember: Bool, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) {
        topology.count(
            isMember ? max(names.knownCount + addresses.namedCount, contacts.memberCount) : 0, limits: limits)
        guard isCrowded else { return }
        addresses.addJitter(using: &generator)
        topology.keepReplacing(at: now, limits: limits, using: &generator)
    }

    /// The next step, by the connections that there are now.
    mutating func next(
        with contacts: Contacts, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> Step {
        var room = room(with: contacts)
        guard isCrowded else {
            return .dial(due(with: contacts, at: now).filter { claim($0, at: now, room: &room) })
        }
        if let id = surplus(of: contacts.dialledMembers, in: contacts, using: &generator) { return .hangUp(id) }
        keepFair(with: contacts, at: now)
        var wanted = dialsWanted(with: contacts, at: now)
        var due = wanted > 0 ? due(with: contacts, at: now) : []
        var chosen: [PeerAddress] = []
        while wanted > 0, !due.isEmpty {
            let address = choose(of: due, with: contacts, using: &generator)
            due.removeAll { $0 == address }
            if claim(address, at: now, room: &room) { chosen.append(address) }
            wanted -= 1
        }
        return .dial(chosen)
    }

    /// When the next step is due, as far as time alone brings it. Without room for a dial, the end of one brings it.
    func deadline(with contacts: Contacts, at now: UInt64) -> UInt64 {
        let room = room(with: contacts)
        guard isCrowded else { return room > 0 ? max(nextAttempt(with: contacts), now + 1) : .max }
        var next = topology.replacement ?? .max
        if dialsWanted(with: contacts, at: now) > 0 { next = min(next, nextAttempt(with: contacts)) }
        for contact in contacts.all where contact.isDialled && contact.peer == nil {
            let staggered = contact.begun + limits.dialStagger
            if now < staggered { next = min(next, staggered) }
        }
        return max(next, now + 1)
    }

    /// How many more dials may be under way. Only this node's own count, so that a crowd that dials this node does not stop it from
    /// dialing others.
    func room(with contacts: Contacts) -> Int { limits.handshakesMax - contacts.dialsUnderWay }

    private mutating func claim(_ address: PeerAddress, at now: UInt64, room: inout Int) -> Bool {
        guard room > 0, addresses.claim(address, at: now) else { return false }
        room -= 1
        return true
    }

    private func due(with contacts: Contacts, at now: UInt64) -> [PeerAddress] {
        let met = contacts.met
        return addresses.due(at: now) { isMet($0, among: met) }
    }

    private func nextAttempt(with contacts: Contacts) -> UInt64 {
        let met = contacts.met
        return addresses.nextAttempt { isMet($0, among: met) } ?? .max
    }

    /// Whether the device last met at an address has a session, there or elsewhere.
    ///
    /// Behind a name that is present may be a copy of a device that is met: only a dial to it tells.
    private func isMet(_ entry: AddressBook.Entry, among met: Contacts.Met) -> Bool {
        if let instance = entry.instance, names.credential(of: instance) != nil {
            return entry.incarnation.map { met.incarnations.contains($0) } ?? false
        }
        return entry.replica.map { met.replicas.contains($0) } ?? false
    }

    // MARK: - A few of many

    /// How many more are to be dialed now.
    private func dialsWanted(with contacts: Contacts, at now: UInt64) -> Int {
        let held = contacts.all.count { $0.isDialled && ($0.peer != nil || now < $0.begun + limits.dialStagger) }
        return min(limits.dialledPeersMax + (topology.isReplacing ? 1 : 0) - held, room(with: contacts))
    }

    /// Chooses at random between a known member, of the branch with the fewest of this node's sessions, and a new address.
    private func choose(
        of due: [PeerAddress], with contacts: Contacts, using generator: inout some RandomNumberGenerator
    ) -> PeerAddress {
        let new = due.filter { addresses.entries[$0]?.replica == nil }
        let known = new.count < due.count ? scarcest(of: due, with: contacts) : []
        let choice = known.isEmpty || !new.isEmpty && generator.number(below: 2) == 0 ? new : known
        return choice[Int(generator.number(below: UInt64(choice.count)))]
    }

    /// Among the addresses of known members, those whose branches have the fewest of this node's sessions.
    private func scarcest(of due: [PeerAddress], with contacts: Contacts) -> [PeerAddress] {
        let branches = contacts.branches(of: contacts.all.filter { $0.peer?.member != nil })
        let counted = due.compactMap { address in
            addresses.entries[address]?.replica.map {
                (address: address, counts: branches.counts(along: contacts.line($0)))
            }
        }
        guard let fewest = counted.map(\.counts).min(by: { $0.lexicographicallyPrecedes($1) }) else { return [] }
        return counted.filter { $0.counts == fewest }.map(\.address)
    }

    /// A session of too many that this node dialed; nil if there are not too many. Not the newest, which may be the replacement, unless
    /// its branch has too many.
    private mutating func surplus(
        of dialled: [Contact], in contacts: Contacts, using generator: inout some RandomNumberGenerator
    ) -> ConnectionID? {
        guard dialled.count > limits.dialledPeersMax else { return nil }
        topology.replaced()
        let overrepresented = contacts.branches(of: dialled).overrepresented
        let candidates = overrepresented.count > 1 ? overrepresented.filter { $0 != dialled.last?.id } : overrepresented
        return candidates[Int(generator.number(below: UInt64(candidates.count)))]
    }

    /// Replaces a peer if more than half of the peers that this node dialed are in one branch of the trip, and an address waits whose
    /// device is in another branch, or may be. For a new address this happens at once, otherwise at growing intervals, because known
    /// members may have no place for this node. More equal shares would not be worth the sessions that end for them.
    private mutating func keepFair(with contacts: Contacts, at now: UInt64) {
        guard !topology.isReplacing, let majority = dialledMajority(of: contacts) else { return }
        let isDue = topology.isFairnessDue(at: now)
        let hasCause = due(with: contacts, at: now).contains {
            isUntried($0) || isDue && mayBe($0, beyond: majority, with: contacts)
        }
        if hasCause || isDue { topology.keepFair(hasCause: hasCause, at: now, limits: limits) }
    }

    /// The path from the founder to the smallest branch that holds more than half of the peers that this node dialed. Nil if that is
    /// the founder's, which holds all, or if this node can still dial more.
    private func dialledMajority(of contacts: Contacts) -> [Bytes32]? {
        let dialled = contacts.dialledMembers
        guard dialled.count >= limits.dialledPeersMax else { return nil }
        let majority = contacts.branches(of: dialled).majority
        return majority.count > 1 ? majority : nil
    }

    /// Whether an address was never dialed.
    private func isUntried(_ address: PeerAddress) -> Bool {
        addresses.entries[address].map { $0.replica == nil && $0.attempts == 0 } ?? false
    }

    /// Whether the device at an address may be outside the branch at the end of a path. For a new address, only a dial can tell.
    private func mayBe(_ address: PeerAddress, beyond persons: [Bytes32], with contacts: Contacts) -> Bool {
        guard let replica = addresses.entries[address]?.replica else { return true }
        let line = contacts.line(replica)
        return !line.isEmpty && !line.starts(with: persons)
    }

    // MARK: - Addresses

    /// A person named an address, or this node remembers it.
    mutating func add(_ address: PeerAddress, isNamed: Bool, at now: UInt64) {
        addresses.add(address, instance: nil, isNamed: isNamed, at: now)
    }

    /// On another network, the addresses that are known there replace all addresses except those that a person named.
    mutating func moved(to known: [PeerAddress], at now: UInt64) {
        addresses.forgetUnnamed()
        for address in known { add(address, isNamed: false, at: now) }
    }

    /// Lets every address be dialed at once.
    mutating func retryNow(at now: UInt64) { addresses.retryNow(at: now) }

    /// An address of a step is dialed, as this connection.
    mutating func dialling(_ address: PeerAddress, as id: ConnectionID) { addresses.dialled(address, as: id) }

    /// A session began with a member at an address that this node dialed.
    mutating func met(_ replica: ReplicaID, at address: PeerAddress, now: UInt64) {
        addresses.met(replica, at: address, now: now)
    }

    /// A dialed peer said which run of its node it is.
    mutating func identified(_ incarnation: Bytes16, at address: PeerAddress) {
        addresses.identified(incarnation, at: address)
    }

    /// This node itself is at an address.
    mutating func metItself(at address: PeerAddress) { addresses.forget(address) }

    /// A member said that it moved from an address.
    mutating func left(_ address: PeerAddress) { addresses.forgetIdle(address) }

    /// A member said that it is reached at an address. If the address is known, it may be another node's, so this changes nothing.
    /// - Parameter dialled: where this node dialed the member; nil if the member dialed.
    mutating func said(
        _ replica: ReplicaID, isAt address: PeerAddress, dialled: PeerAddress?, now: UInt64
    ) {
        guard addresses.entries[address] == nil else { return }
        let isNamed = dialled.flatMap { addresses.entries[$0]?.isNamed } ?? false
        add(address, isNamed: isNamed, at: now)
        addresses.met(replica, at: address, now: now)
    }

    /// A dialed connection ended.
    /// - Parameters:
    ///   - isElsewhere: whether the device last met there has another session.
    ///   - wasWithMember: whether it was a session with a member.
    mutating func ended(
        _ id: ConnectionID, to address: PeerAddress, isElsewhere: Bool, wasWithMember: Bool, at now: UInt64
    ) {
        addresses.ended(address, connection: id, isElsewhere: isElsewhere, at: now)
        if wasWithMember { topology.replaced() }
    }

    /// The last session with a member ended. The member may be back soon.
    mutating func parted(from replica: ReplicaID, at now: UInt64) { addresses.retry(replica, at: now) }

    /// A peer fell silent, or the network is another: there may be two parts that do not know of each other.
    mutating func suspectParting(at now: UInt64) { topology.suspectParting(at: now, limits: limits) }

    /// Forgets where devices were that are out.
    mutating func forget(where isOut: (ReplicaID) -> Bool) { addresses.forget(where: isOut) }

    /// What is known of an address that is dialed.
    struct Trace {
        /// The key that made the name that led to it; nil if none did.
        let maker: Credential?
        /// How often it was dialed since a member was met there. 0 if the address was forgotten and discovered again since.
        let attempts: Int
        /// The device that was met there last.
        let replica: ReplicaID?
        let isNamed: Bool
    }

    func trace(of address: PeerAddress) -> Trace {
        let entry = addresses.entries[address]
        return Trace(
            maker: entry?.instance.flatMap { names.credential(of: $0) }, attempts: entry?.attempts ?? 0,
            replica: entry?.replica, isNamed: entry?.isNamed ?? false)
    }

    /// The addresses at which some runs of nodes were met, in any order.
    func addresses(of runs: [Bytes16]) -> [PeerAddress] {
        addresses.entries.filter { $0.value.incarnation.map { runs.contains($0) } ?? false }.map(\.key)
    }

    // MARK: - Names

    /// What becomes of an instance name that appeared.
    enum Appearance: Hashable, Sendable {
        /// It leads to a member, so the shell is to hold it.
        case held
        /// Its maker is not known. It is looked up like the others.
        case noted
        /// It is not kept, because there are too many of unknown makers.
        case tooMany
        /// It is not kept, because the members' names that are remembered are a random choice.
        case passedOver
    }

    /// - Parameter maker: the key that made the name; nil if that is not here.
    mutating func appeared(
        _ instance: String, madeBy maker: Credential?, at now: UInt64, using generator: inout some RandomNumberGenerator
    ) -> Appearance {
        if maker == nil {
            guard names.unknownCount < limits.instancesMax else { return .tooMany }
        } else {
            guard makeRoom(using: &generator) else { return .passedOver }
            topology.noteNews()
        }
        names.insert(instance, madeBy: maker, at: now, limits: limits)
        return maker == nil ? .noted : .held
    }

    private mutating func makeRoom(using generator: inout some RandomNumberGenerator) -> Bool {
        let count = names.knownCount
        guard count >= limits.memberInstancesMax else { return true }
        let index = topology.outgoingName(of: count, using: &generator)
        guard index < count else { return false }
        names.remove(names.known[index])
        return true
    }

    /// Other keys came, which may have made names that are present.
    mutating func keysChanged(at now: UInt64) { names.keysChanged(at: now, limits: limits) }

    /// Whether names are compared with the keys again now.
    mutating func takeComparison(at now: UInt64) -> Bool { names.takeComparison(at: now) }

    /// A key came that made a name, which leads to a member. The shell is to hold it.
    mutating func recognise(
        _ instance: String, madeBy maker: Credential, at now: UInt64, using cryptography: some Cryptography
    ) {
        let found = names.recognise(instance, as: maker)
        topology.noteNews()
        believe(found, of: instance, madeBy: maker, at: now, using: cryptography)
    }

    mutating func disappeared(_ instance: String) {
        if names.remove(instance) { addresses.forget(instance: instance) }
    }

    /// A lookup found these addresses behind a name.
    mutating func resolved(
        _ instance: String, _ found: [ServiceAddress], at now: UInt64, using cryptography: some Cryptography
    ) {
        guard !found.isEmpty else { return names.unanswered(instance, at: now, limits: limits) }
        guard let maker = names.credential(of: instance) else { return names.keep(found, of: instance) }
        believe(found, of: instance, madeBy: maker, at: now, using: cryptography)
    }

    /// Takes the addresses behind a name that its maker stated. A node that copies a name can't add its own address.
    private mutating func believe(
        _ found: [ServiceAddress], of instance: String, madeBy maker: Credential, at now: UInt64,
        using cryptography: some Cryptography
    ) {
        guard let name = InstanceName(instance) else { return }
        for service in found.prefix(limits.resolvedAddressesMax) {
            guard let tag = name.addressTag(of: service.address, maker, using: cryptography),
                service.tags.contains(tag),
                // Said again it is no news.
                addresses.entries[service.address]?.instance != instance
            else { continue }
            addresses.add(service.address, instance: instance, isNamed: false, at: now)
        }
    }

    /// The names to look up now, in this order.
    mutating func lookUps(at now: UInt64, using generator: inout some RandomNumberGenerator) -> [String] {
        names.lookUps(at: now, limits: limits, using: &generator)
    }

    /// When there is a name to look up; nil if there are none.
    func nextLookup(at now: UInt64) -> UInt64? { names.nextLookup(at: now, limits: limits) }

    func checkInvariants() {
        names.checkInvariants()
        precondition(
            names.unknownCount <= limits.instancesMax,
            "\(names.unknownCount) of \(names.count) names have an unknown maker")
        addresses.checkInvariants()
    }
}
