import TripModel
import TripService

/// When what of a trip is read again. The first thing that happens is read at once; what follows within `coalescing` is read
/// together. Who is here and who has what is read with `membersPause` between at least, and nothing waits for it.
struct ReadingPlan: Sendable {
    private var reading = DueReading()
    private(set) var isReading = false
    private var lastReading: ContinuousClock.Instant
    private var lastMembersReading: ContinuousClock.Instant

    static let coalescing = Duration.milliseconds(30)
    static let membersPause = Duration.milliseconds(200)

    /// - Parameter now: when all was read.
    init(at now: ContinuousClock.Instant) { (lastReading, lastMembersReading) = (now, now) }

    mutating func note(_ event: TripEvent) { reading.note(event) }

    /// Who is here and who has what is to be read.
    mutating func noteMembers() { reading.members = true }

    /// A note is to be read: that of an item, or for nil that of the trip.
    mutating func note(noteOf item: ItemID?) {
        if let item { reading.items.insert(item) } else { reading.tripNote = true }
    }

    /// Everything is to be read.
    mutating func noteEverything() { reading = .everything }

    /// When to read; nil where nothing is to be read, or something is being read.
    var due: ContinuousClock.Instant? {
        guard !isReading, !reading.isEmpty else { return nil }
        return reading.isMembersAlone ? lastMembersReading + Self.membersPause : lastReading + Self.coalescing
    }

    /// What to read now.
    mutating func begin(at now: ContinuousClock.Instant) -> DueReading {
        var wanted = reading
        (reading, isReading, lastReading) = (DueReading(), true, now)
        if wanted.members, !wanted.isWhole, now < lastMembersReading + Self.membersPause {
            (wanted.members, reading.members) = (false, true)
        }
        if wanted.members { lastMembersReading = now }
        return wanted
    }

    mutating func end() { isReading = false }
}
