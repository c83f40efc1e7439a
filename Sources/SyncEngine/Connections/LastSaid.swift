/// What a peer says again and again: of what it says within a moment, the last counts. Each value that counts costs this node work, so a
/// peer that says many may not cost more than one that says few.
struct LastSaid<Value: Hashable & Sendable>: Sendable {
    /// What counts.
    private(set) var value: Value?
    /// What was said since then.
    private var latest: Value?
    /// From when on another counts, in milliseconds.
    private var free: UInt64 = 0

    /// Another value counts from now on.
    struct Change: Hashable, Sendable {
        /// The one that counted before.
        let earlier: Value?
    }

    /// When what was said last counts, if nothing else comes.
    var deadline: UInt64? { latest == nil ? nil : free }

    /// Takes what the peer says. The first counts at once.
    mutating func said(_ value: Value, at now: UInt64, interval: UInt64) -> Change? {
        latest = value == self.value ? nil : value
        return becameDue(at: now, interval: interval)
    }

    /// Lets what was said last count, where its time has come.
    mutating func becameDue(at now: UInt64, interval: UInt64) -> Change? {
        guard let latest, now >= free else { return nil }
        let change = Change(earlier: value)
        (value, self.latest, free) = (latest, nil, now + interval)
        return change
    }
}
