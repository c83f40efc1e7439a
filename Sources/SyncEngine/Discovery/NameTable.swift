import ChangeLog

/// The instance names that are present, and what is known of each.
///
/// All are looked up alike, whatever they were made with: at the same pauses, in an order that has nothing to do with their
/// makers. So nobody who watches can tell which of them say something to this node.
struct NameTable: Sendable {
    private struct Entry: Sendable {
        /// The key that made it; nil where that is not here.
        var maker: Credential?
        /// When it is looked up next.
        var due: UInt64
        var unansweredPause: Backoff
        var answeredPause: Backoff
        /// What was found of one whose key is not here: that may come.
        var found: [ServiceAddress] = []
    }

    private var entries: [String: Entry] = [:]
    private var lookups = LookupRate()
    /// How many were made with a key that is here.
    private(set) var knownCount = 0
    /// When those made with none are compared with the keys again; nil where no key came since they were last.
    private(set) var comparison: UInt64?
    private var compared: UInt64?

    /// Of a name whose key is not here, so many of the addresses that were found are kept.
    private static let foundMax = 4

    var count: Int { entries.count }

    var unknownCount: Int { entries.count - knownCount }

    func contains(_ instance: String) -> Bool { entries[instance] != nil }

    /// The key that made a name; nil where that is not here.
    func credential(of instance: String) -> Credential? { entries[instance]?.maker }

    /// Those made with a key that is here, ascending.
    var known: [String] { entries.filter { $0.value.maker != nil }.keys.sorted() }

    /// Those made with none that is here, ascending.
    var unknown: [String] { entries.filter { $0.value.maker == nil }.keys.sorted() }

    /// Adds a name that is looked up as soon as may be.
    mutating func insert(_ instance: String, madeBy maker: Credential?, at now: UInt64, limits: SessionLimits) {
        guard entries[instance] == nil else { return }
        entries[instance] = Entry(
            maker: maker, due: now, unansweredPause: Backoff(first: limits.resolveDelayMin),
            answeredPause: Backoff(first: limits.resolvedDelayMin))
        if maker != nil { knownCount += 1 }
    }

    /// Other keys came. A member may begin epochs without end, so names are compared at once and then after a pause.
    mutating func keysChanged(at now: UInt64, limits: SessionLimits) {
        comparison = comparison ?? max(now, compared.map { $0 + limits.namesPause } ?? 0)
    }

    /// Whether the names made with no key that is here are compared with the keys now.
    mutating func takeComparison(at now: UInt64) -> Bool {
        guard let due = comparison, due <= now else { return false }
        (comparison, compared) = (nil, now)
        return true
    }

    /// A key came that made a name.
    /// - Returns: what was found of it so far.
    mutating func recognise(_ instance: String, as maker: Credential) -> [ServiceAddress] {
        guard let entry = entries[instance], entry.maker == nil else { return [] }
        entries[instance]?.maker = maker
        entries[instance]?.found = []
        knownCount += 1
        return entry.found
    }

    /// Notes where a name leads of which the key is not here.
    mutating func keep(_ found: [ServiceAddress], of instance: String) {
        entries[instance]?.found = Array(found.prefix(Self.foundMax))
    }

    /// Forgets a name.
    /// - Returns: whether it was present.
    @discardableResult
    mutating func remove(_ instance: String) -> Bool {
        guard let entry = entries.removeValue(forKey: instance) else { return false }
        if entry.maker != nil { knownCount -= 1 }
        precondition((0...entries.count).contains(knownCount), "\(knownCount) of \(entries.count) names have a key")
        return true
    }

    // MARK: - Looking up

    /// The names to look up now: as many as allowed, chosen at random. Each is looked up again after a pause, which grows.
    mutating func lookUps(
        at now: UInt64, limits: SessionLimits, using generator: inout some RandomNumberGenerator
    ) -> [String] {
        guard earliest.map({ $0 <= now }) ?? false else { return [] }
        var due = entries.filter { $0.value.due <= now }.keys.sorted()
        var chosen: [String] = []
        while !due.isEmpty, lookups.take(at: now, limits: limits) {
            let instance = due.remove(at: Int(generator.number(below: UInt64(due.count))))
            if let pause = entries[instance]?.answeredPause.next(upTo: limits.resolvedDelayMax) {
                entries[instance]?.due = now + pause
            }
            chosen.append(instance)
        }
        return chosen
    }

    /// When there is a name to look up; nil if there are none. O(n).
    func nextLookup(at now: UInt64, limits: SessionLimits) -> UInt64? {
        earliest.map { max($0, lookups.next(after: now, limits: limits)) }
    }

    private var earliest: UInt64? { entries.values.lazy.map(\.due).min() }

    /// Nobody answered for a name: that may be a link that was down, or a packet that was lost.
    mutating func unanswered(_ instance: String, at now: UInt64, limits: SessionLimits) {
        guard let entry = entries[instance] else { return }
        let pause = entries[instance]?.unansweredPause.next(upTo: limits.resolveDelayMax) ?? 0
        entries[instance]?.due = min(entry.due, now + pause)
    }

    func checkInvariants() {
        precondition(
            knownCount == entries.values.count { $0.maker != nil }, "\(knownCount) names are counted that have a key")
        precondition(
            entries.values.allSatisfy { $0.found.count <= ($0.maker == nil ? Self.foundMax : 0) },
            "of \(entries.count) names, one has a key and addresses, or more than \(Self.foundMax) addresses")
    }
}

/// How many names may be looked up now: a few at once, and then one after the other.
private struct LookupRate: Sendable {
    private var left: Int?
    /// Since when one more is due.
    private var since: UInt64 = 0

    /// Whether one more may be looked up; it counts then.
    mutating func take(at now: UInt64, limits: SessionLimits) -> Bool {
        let most = limits.lookupsAtOnceMax
        if left == nil { (left, since) = (most, now) }
        let gained = Int(clamping: (now - min(now, since)) / max(1, limits.lookupInterval))
        if gained > 0 {
            left = min(most, (left ?? 0) + min(gained, most))
            since += UInt64(gained) * max(1, limits.lookupInterval)
        }
        guard let left, left > 0 else { return false }
        self.left = left - 1
        return true
    }

    /// When one more may be looked up.
    func next(after now: UInt64, limits: SessionLimits) -> UInt64 {
        (left ?? 1) > 0 ? now : max(now, since + limits.lookupInterval)
    }
}
