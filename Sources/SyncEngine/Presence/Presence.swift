import ChangeLog

/// Who writes in notes at this moment: here, and at the nodes that this one has a session with. It is in memory only, each node says only
/// who writes there, and what isn't said again ends.
struct Presence: Sendable {
    /// Where somebody here writes.
    private struct Own: Sendable {
        let place: [UInt8]
        /// Since when they are at that place, and until when if they give no other sign.
        let since: UInt64
        let end: UInt64
    }

    /// What a peer says.
    private struct Heard: Sendable {
        var writers = LastSaid<[PresenceEntry]>()
        var since: UInt64 = 0
        var end: UInt64 = 0
    }

    /// By participant: the person here, and their guests.
    private var own: [Bytes32: Own] = [:]
    private var heard: [ConnectionID: Heard] = [:]
    /// Whether the peers are to be told who writes here; when they were told, and from when on they may be told again.
    private var isUntold = false
    private var told: UInt64 = 0
    private var free: UInt64 = 0

    /// When something is to be done, if nothing else comes.
    var deadline: UInt64? {
        guard isUntold || !own.isEmpty || !heard.isEmpty else { return nil }
        var next = isUntold ? free : .max
        for one in own.values { next = min(next, one.end) }
        for one in heard.values { next = min(next, one.end, one.writers.deadline ?? .max) }
        return next
    }

    // MARK: - Here

    /// Somebody here writes at a place; nil for no longer.
    /// - Returns: whether that is news.
    mutating func note(
        _ place: [UInt8]?, by participant: Bytes32, at now: UInt64, _ limits: SessionLimits
    ) -> Bool {
        let old = own[participant]
        guard let place else {
            own[participant] = nil
            isUntold = isUntold || old != nil
            return old != nil
        }
        guard old != nil || own.count < limits.writersMax else { return false }
        let isNews = old?.place != place
        let since = isNews ? now : old?.since ?? now
        own[participant] = Own(place: place, since: since, end: now + limits.writerDuration)
        // Signs without news are passed on less often.
        isUntold = isUntold || isNews || now >= told + limits.writerDuration / 3
        return isNews
    }

    /// Those who write here, in the order of their names for this trip.
    var here: [(participant: Bytes32, place: [UInt8], since: UInt64)] {
        own.sorted { $0.key < $1.key }.map { ($0.key, $0.value.place, $0.value.since) }
    }

    /// Whether peers are to be told now who writes here. They are from then on.
    mutating func takeUntold(at now: UInt64, _ limits: SessionLimits) -> Bool {
        guard isUntold, now >= free else { return false }
        (isUntold, told, free) = (false, now, now + limits.writersInterval)
        return true
    }

    // MARK: - Elsewhere

    /// A peer says who writes there, in place of what it said before.
    /// - Returns: whether that is news.
    mutating func heard(
        _ writers: [PresenceEntry], on id: ConnectionID, at now: UInt64, _ limits: SessionLimits
    ) -> Bool {
        var said = heard[id] ?? Heard()
        said.end = now + limits.writerDuration
        let change = said.writers.said(writers, at: now, interval: limits.writersInterval)
        if change != nil { said.since = now }
        heard[id] = said
        return change.map { $0.earlier ?? [] != writers } ?? false
    }

    /// A session is over.
    /// - Returns: whether somebody wrote there.
    mutating func left(_ id: ConnectionID) -> Bool { heard.removeValue(forKey: id)?.writers.value?.isEmpty == false }

    /// Those who write at each peer, and since when that is said.
    var elsewhere: [(peer: ConnectionID, writers: [PresenceEntry], since: UInt64)] {
        heard.sorted { $0.key < $1.key }.map { ($0.key, $0.value.writers.value ?? [], $0.value.since) }
    }

    /// The peers that said something.
    var peers: [ConnectionID] { Array(heard.keys) }

    func checkInvariants(under limits: SessionLimits) {
        precondition(own.count <= limits.writersMax, "\(own.count) people write here; \(limits.writersMax) may")
    }

    // MARK: - Time

    /// Ends what wasn't said again, and lets what had to wait count.
    /// - Returns: whether that is news.
    mutating func keep(at now: UInt64, _ limits: SessionLimits) -> Bool {
        var isNews = false
        let count = own.count
        own = own.filter { $0.value.end > now }
        if own.count < count { (isNews, isUntold) = (true, true) }
        for id in heard.keys.sorted() {
            guard var said = heard[id] else { continue }
            guard said.end > now else {
                if left(id) { isNews = true }
                continue
            }
            guard said.writers.becameDue(at: now, interval: limits.writersInterval) != nil else { continue }
            said.since = now
            heard[id] = said
            isNews = true
        }
        return isNews
    }
}
