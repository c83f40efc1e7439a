/// At which port of its address a peer says that it is reached: of what it says within a moment, the last counts. Each port that counts
/// costs a write and a dial, so a peer that says many may not cost more than one that says few.
struct ToldPort: Sendable {
    /// What counts.
    private(set) var port: UInt16?
    /// What was said since then.
    private var latest: UInt16?
    /// From when on another counts, in milliseconds.
    private var free: UInt64 = 0

    /// Another port counts from now on.
    struct Change: Hashable, Sendable {
        /// The one that counted before.
        let earlier: UInt16?
    }

    /// When what was said last counts, if nothing else comes.
    var deadline: UInt64? { latest == nil ? nil : free }

    /// Takes what the peer says. The first counts at once.
    mutating func said(_ port: UInt16, at now: UInt64, interval: UInt64) -> Change? {
        latest = port == self.port ? nil : port
        return becameDue(at: now, interval: interval)
    }

    /// Lets what was said last count, where its time has come.
    mutating func becameDue(at now: UInt64, interval: UInt64) -> Change? {
        guard let latest, now >= free else { return nil }
        let change = Change(earlier: port)
        (port, self.latest, free) = (latest, nil, now + interval)
        return change
    }
}
