import TripModel

/// Decides when news is told, and in how few words. News within 5 s is one notification, and there is at most one every 10 s. In quiet
/// hours nothing is told and nothing is kept for later: the history has it.
///
/// A value that is told the time; moments are milliseconds since 1970.
package struct NewsDigest: Sendable {
    package struct Notification: Hashable, Sendable {
        /// The trip's.
        package let title: String
        /// One line to three.
        package let text: String
    }

    /// How long is waited for more, from the first.
    package static let gatheringTime: Int64 = 5_000
    /// From one notification to the next.
    package static let interval: Int64 = 10_000
    /// Of each kind of thing that waits: beyond, only the count goes on.
    static let tripsMax = 64
    static let peopleMax = 16
    static let sentencesMax = 3

    /// What waits to be told of one trip.
    fileprivate struct Pending {
        let trip: String
        let since: Int64
        var count = 0
        var sentences: [String] = []
        /// In the order in which they first did something.
        var people: [String] = []
        var otherPeople = false
    }

    private var pending: [Pending] = []
    private var last: Int64?

    package init() {}

    package mutating func heard(_ news: [News], in trip: String, at now: Int64) {
        guard !news.isEmpty else { return }
        let place: Int
        if let known = pending.firstIndex(where: { $0.trip == trip }) {
            place = known
        } else {
            guard pending.count < Self.tripsMax else { return }
            place = pending.count
            pending.append(Pending(trip: trip, since: now))
        }
        for piece in news {
            pending[place].count += 1
            if pending[place].sentences.count < Self.sentencesMax { pending[place].sentences.append(piece.sentence) }
            guard !pending[place].people.contains(piece.person) else { continue }
            if pending[place].people.count < Self.peopleMax {
                pending[place].people.append(piece.person)
            } else {
                pending[place].otherPeople = true
            }
        }
    }

    /// When there is something to tell; nil where nothing waits.
    package var due: Int64? {
        pending.first.map { max($0.since + Self.gatheringTime, (last ?? .min / 2) + Self.interval) }
    }

    /// What is told now; nil before it is due. Of several trips, the one that waited longest.
    /// - Parameter isQuiet: whether these are quiet hours: then all that waits is dropped.
    package mutating func next(at now: Int64, isQuiet: Bool) -> Notification? {
        if isQuiet { pending = [] }
        guard let due, due <= now else { return nil }
        last = now
        return pending.removeFirst().notification
    }
}

extension NewsDigest.Pending {
    fileprivate var notification: NewsDigest.Notification {
        NewsDigest.Notification(
            title: trip.displayed(limit: 60),
            text: count <= NewsDigest.sentencesMax
                ? sentences.joined(separator: "\n") : "\(everybody) made \(count) changes")
    }

    /// "Noah", "Noah and Mia", "Noah, Mia and others".
    private var everybody: String {
        people.count > 3 || otherPeople
            ? TerminalText.joined(people.prefix(2) + ["others"]) : TerminalText.joined(people)
    }
}

/// Hours of the day in which nothing is told, from one minute to another, over midnight where the second is smaller.
package struct QuietHours: Hashable, Sendable {
    private let start: Int64
    private let end: Int64

    /// Reads "22:00-08:00"; nil for anything else, and for an empty span.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minute($0) }
        guard ends.count == 2, let start = ends[0], let end = ends[1], start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    private static func minute(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let hour = Int64(parts[0]),
            let minute = Int64(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// Whether a minute of the day, from 0 to 1,439, is among them: the first is, the last is not.
    package func contains(_ minute: Int64) -> Bool {
        start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}
