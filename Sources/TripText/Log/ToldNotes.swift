import TripModel

/// Of whose writing in which notes people were told: once in `NoteAuthor.span`, because live typing makes a change every half second.
///
/// A value that is told the time; moments are milliseconds since 1970.
struct ToldNotes: Sendable {
    private struct Key: Hashable {
        let trip: String?
        let writer: NoteAuthor
    }

    private var times: [Key: Int64] = [:]

    /// The most that are remembered.
    static let countMax = 256

    /// Whether people are to be told of it, because it is the first in that time.
    mutating func tells(_ writer: NoteAuthor, in trip: String? = nil, at now: Int64) -> Bool {
        let key = Key(trip: trip, writer: writer)
        if let last = times[key], Self.isRecent(last, now) { return false }
        if times.count >= Self.countMax { times = times.filter { Self.isRecent($0.value, now) } }
        if times.count >= Self.countMax { times = [:] }
        times[key] = now
        return true
    }

    /// A clock that is set back hides nothing.
    private static func isRecent(_ last: Int64, _ now: Int64) -> Bool {
        (last..<last + NoteAuthor.span).contains(now)
    }
}
