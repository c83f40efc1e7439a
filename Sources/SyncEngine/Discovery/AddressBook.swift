import ChangeLog
import DeltaCRDT

/// Where peers may be, and when to try next.
struct AddressBook: Sendable {
    struct Entry: Sendable {
        /// The instance whose addresses these were; nil where somebody named the address.
        var instance: String?
        /// Whether a person named the address. The node there may know itself by another address.
        var isNamed: Bool
        /// The device that a session at this address showed, and the run of its node; nil if the instance has changed since.
        var replica: ReplicaID?
        var incarnation: Bytes16?
        var connection: ConnectionID?
        var dialled: UInt64 = 0
        /// How often it was dialled since somebody was met there.
        var attempts = 0
        var nextAttempt: UInt64
        var backoff: Backoff
        /// When the entry last led to a session, or was made.
        var lastUse: UInt64
    }

    private(set) var entries: [PeerAddress: Entry] = [:]
    private let limits: SessionLimits
    private var jitter = Jitter()

    init(limits: SessionLimits) { self.limits = limits }

    /// Lets pauses differ by up to a half from now on.
    mutating func addJitter(using generator: inout some RandomNumberGenerator) {
        jitter.begin(using: &generator)
    }

    /// Adds an address, or lets a known one be tried at once.
    mutating func add(_ address: PeerAddress, instance: String?, isNamed: Bool, at now: UInt64) {
        if var entry = entries[address] {
            if let instance, instance != entry.instance { (entry.instance, entry.incarnation) = (instance, nil) }
            if isNamed { entry.isNamed = true }
            entry.nextAttempt = min(now, entry.nextAttempt)
            entry.backoff.reset()
            entries[address] = entry
            return
        }
        if entries.count >= limits.addressesMax {
            let idle = entries.filter { $0.value.connection == nil }
            guard let oldest = idle.min(by: { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }) else { return }
            entries[oldest.key] = nil
        }
        precondition(entries.count < limits.addressesMax, "\(entries.count) addresses, and room for one more")
        entries[address] = Entry(
            instance: instance, isNamed: isNamed, nextAttempt: now, backoff: Backoff(first: limits.redialDelayMin),
            lastUse: now)
    }

    /// Forgets what only an instance had named, when the instance left before anybody was met there.
    mutating func forget(instance: String) {
        for (address, entry) in entries where entry.instance == instance && entry.replica == nil {
            if entry.connection == nil { entries[address] = nil }
        }
    }

    /// Forgets all that no person named, those in use too: they are not dialled again.
    mutating func forgetUnnamed() { entries = entries.filter { $0.value.isNamed } }

    mutating func forget(_ address: PeerAddress) { entries[address] = nil }

    /// Forgets an address, unless it is dialled just now.
    mutating func forgetIdle(_ address: PeerAddress) {
        if entries[address]?.connection == nil { entries[address] = nil }
    }

    /// Forgets where devices were that are no longer in.
    mutating func forget(where isOut: (ReplicaID) -> Bool) {
        for (address, entry) in entries where entry.replica.map(isOut) ?? false { entries[address] = nil }
    }

    /// The addresses whose time has come and at which nobody is met yet, in ascending order.
    func due(at now: UInt64, isMet: (Entry) -> Bool) -> [PeerAddress] {
        var due: [PeerAddress] = []
        for (address, entry) in entries where entry.connection == nil && entry.nextAttempt <= now && !isMet(entry) {
            due.append(address)
        }
        return due.sorted()
    }

    /// Takes an address to be dialled now. Of one instance or device one is dialled at a time, and the next when the first
    /// has not led to a session within `dialStagger` (RFC 8305, section 5): where one is, it must wait.
    mutating func claim(_ address: PeerAddress, at now: UInt64) -> Bool {
        guard let entry = entries[address] else { return false }
        var rival: UInt64?
        for other in entries.values where other.connection != nil && now < other.dialled + limits.dialStagger {
            guard
                other.instance == entry.instance && entry.instance != nil
                    || other.replica == entry.replica && entry.replica != nil
            else { continue }
            // There may be several: the latest, whatever the order of a dictionary.
            rival = max(rival ?? 0, other.dialled)
        }
        if let rival {
            entries[address]?.nextAttempt = rival + limits.dialStagger
            return false
        }
        entries[address]?.dialled = now
        entries[address]?.attempts += 1
        // Holds back this one's rivals in the same round; the connection's number follows.
        entries[address]?.connection = ConnectionID(rawValue: 0)
        return true
    }

    /// How many devices may be behind the addresses that no instance has told of.
    var namedCount: Int {
        let found = Set(entries.values.compactMap { $0.instance == nil ? nil : $0.replica })
        var named: Set<ReplicaID> = []
        var unknown = 0
        for entry in entries.values where entry.instance == nil {
            if let replica = entry.replica {
                if !found.contains(replica) { named.insert(replica) }
            } else {
                unknown += 1
            }
        }
        return named.count + unknown
    }

    /// When the next address is due, leaving out those at which somebody is met.
    func nextAttempt(isMet: (Entry) -> Bool) -> UInt64? {
        entries.values.filter { $0.connection == nil && !isMet($0) }.map(\.nextAttempt).min()
    }

    /// Notes the connection that was asked for to a due address, or nil where there was no room for one.
    mutating func dialled(_ address: PeerAddress, as connection: ConnectionID?) {
        entries[address]?.connection = connection
    }

    /// A session began at an address. The device there has most likely moved from its other addresses.
    mutating func met(_ replica: ReplicaID, at address: PeerAddress, now: UInt64) {
        entries[address]?.replica = replica
        entries[address]?.attempts = 0
        entries[address]?.lastUse = now
        entries[address]?.backoff.reset()
        let others = entries.filter { $0.key != address && $0.value.replica == replica && $0.value.connection == nil }
            .sorted { ($0.value.lastUse, $0.key) > ($1.value.lastUse, $1.key) }
        for other in others.dropFirst(3) { entries[other.key] = nil }
    }

    /// Whoever was met at an address has said which run of their node this is.
    mutating func identified(_ incarnation: Bytes16, at address: PeerAddress) {
        entries[address]?.incarnation = incarnation
    }

    /// A connection to an address is over: try again later, and later still each time.
    ///
    /// - Parameter isElsewhere: whether the device that was there is met at another address.
    mutating func ended(_ address: PeerAddress, connection: ConnectionID, isElsewhere: Bool, at now: UInt64) {
        guard entries[address]?.connection == connection, var entry = entries[address] else { return }
        entry.connection = nil
        // An address without any session so far, or any more, may be dead. It is tried less and less.
        let longest = entry.replica == nil || isElsewhere ? limits.redialDelayMax * 15 : limits.redialDelayMax
        entry.nextAttempt = now + jitter.spread(entry.backoff.next(upTo: longest))
        entries[address] = entry
    }

    /// Lets the addresses of a device be tried soon.
    mutating func retry(_ replica: ReplicaID, at now: UInt64) {
        for address in entries.keys.filter({ entries[$0]?.replica == replica }).sorted() {
            entries[address]?.nextAttempt = now + jitter.spread(limits.redialDelayMin)
            entries[address]?.backoff.reset()
        }
    }

    /// Lets every address be tried at once.
    mutating func retryNow(at now: UInt64) {
        for address in entries.keys {
            entries[address]?.nextAttempt = now
            entries[address]?.backoff.reset()
        }
    }

    func checkInvariants() {
        precondition(entries.count <= limits.addressesMax, "\(entries.count) addresses are more than may be")
    }
}
