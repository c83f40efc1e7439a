/// How a node keeps to a few peers if there are too many nodes for a full mesh: which names of members it remembers, and when it replaces
/// a peer.
struct Topology: Sendable {
    /// Whether there are too many nodes for a full mesh.
    private(set) var isCrowded = false
    /// How many names of members were seen since there were too many to remember.
    private var namesSeen: UInt64 = 0
    /// When the next replacement begins; nil if none is planned.
    private(set) var replacement: UInt64?
    private var lastReplacement: UInt64?
    /// Whether a replacement is under way: the node dials one more peer than it keeps, until a session that it dialed ends.
    private(set) var isReplacing = false
    /// Whether a member appeared, or was lost, since the next replacement was planned.
    private var hasNews = false
    /// Until when the nodes may be in separate parts, because a peer fell silent.
    private var partingEnd: UInt64 = 0
    /// When the next replacement for fair shares may begin, and how long after that again.
    private var fairnessDue: UInt64 = 0
    private var fairnessPause = Backoff(first: 1_000)

    /// Takes the number of other nodes. With few, all else is forgotten.
    mutating func count(_ others: Int, limits: SessionLimits) {
        guard others > limits.meshPeersMax else {
            self = Topology()
            return
        }
        isCrowded = true
    }

    /// A member appeared.
    mutating func noteNews() { if isCrowded { hasNews = true } }

    /// A peer fell silent, or the network is another: there may be two parts that do not know of each other.
    mutating func suspectParting(at now: UInt64, limits: SessionLimits) {
        hasNews = true
        partingEnd = now + limits.partingMax
    }

    /// Which of the remembered names of members makes room for one more. A number that is not below `count` is the new name itself. So the
    /// names that stay are a random choice of all (Vitter: *Random sampling with a reservoir*, 1985).
    mutating func outgoingName(of count: Int, using generator: inout some RandomNumberGenerator) -> Int {
        namesSeen = max(namesSeen, UInt64(count)) + 1
        return Int(generator.number(below: namesSeen))
    }

    // MARK: - Replacing a peer

    /// Begins the replacement that is due, and plans the next: sooner if members appeared or were lost.
    mutating func keepReplacing(
        at now: UInt64, limits: SessionLimits, using generator: inout some RandomNumberGenerator
    ) {
        if hasNews || replacement == nil { plan(at: now, limits: limits, using: &generator) }
        guard let due = replacement, due <= now else { return }
        (replacement, lastReplacement, isReplacing) = (nil, now, true)
        plan(at: now, limits: limits, using: &generator)
    }

    private mutating func plan(at now: UInt64, limits: SessionLimits, using generator: inout some RandomNumberGenerator)
    {
        let isEarly = hasNews || now < partingEnd
        let interval = isEarly ? limits.reshuffleIntervalMin : limits.reshuffleInterval
        let earliest = max(now, (lastReplacement ?? now) + interval)
        let due = earliest + generator.number(below: max(1, interval / 2))
        replacement = min(replacement ?? due, due)
        hasNews = false
    }

    /// A session that this node dialed ended.
    mutating func replaced() { isReplacing = false }

    func isFairnessDue(at now: UInt64) -> Bool { now >= fairnessDue }

    /// Begins a replacement for fair shares if there is a cause. Without one, it looks again after the first pause, otherwise after
    /// growing pauses.
    mutating func keepFair(hasCause: Bool, at now: UInt64, limits: SessionLimits) {
        if !hasCause { fairnessPause.reset() }
        isReplacing = hasCause
        fairnessDue = now + fairnessPause.next(upTo: limits.reshuffleInterval)
    }
}

extension RandomNumberGenerator {
    /// A number below a bound, the same from the same generator in every release of the standard library.
    mutating func number(below bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }
}
