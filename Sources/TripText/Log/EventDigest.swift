import TripModel
package import TripService

/// Which events of a node are told one by one, and which in sum: however often somebody comes and goes or is refused, a
/// minute has a bounded number of lines. Nothing is left out: what is not told at once is told with its number.
///
/// A value that is told the time; moments are milliseconds since 1970. It begins a minute with an event, and tells the sum
/// when that is over (`due`).
package struct EventDigest: Sendable {
    /// One thing to tell.
    package struct Entry: Hashable, Sendable {
        /// The trip's title where several run.
        package let trip: String?
        package let event: TripEvent
        /// How often it happened in the last minute, besides those that were told; 1 for one that is told at once.
        package let times: Int
    }

    package static let minute: Int64 = 60_000
    /// How often the same is told at once in a minute: of one person, and of what people do.
    static let shownMax = 3
    static let changesShownMax = 60
    /// People, in all, who are told apart in a minute. The others are one.
    static let peopleMax = 16

    private struct Key: Hashable {
        let trip: String?
        let kind: String
        let person: String?
    }

    private struct Count {
        let order: Int
        var shown = 0
        var hidden = 0
        var last: TripEvent
    }

    private var counts: [Key: Count] = [:]
    private var end: Int64?
    private var notes = ToldNotes()

    package init() {}

    /// When the sums are to be told; nil where nothing was heard.
    package var due: Int64? { end }

    /// What to tell now of an event, after the sums of a minute that is over.
    package mutating func heard(_ event: TripEvent, in trip: String?, at now: Int64) -> [Entry] {
        var entries = now >= end ?? .max ? finish() : []
        guard let (kind, person, most) = Self.sort(event) else {
            return entries + [Entry(trip: trip, event: event, times: 1)]
        }
        end = end ?? now + Self.minute
        let isMoreOfNote = isMoreOfNote(event, in: trip, at: now)
        var (key, event) = (Key(trip: trip, kind: kind, person: person), event)
        if counts[key] == nil, counts.keys.count(where: { $0.kind == kind }) >= Self.peopleMax {
            (key, event) = (Key(trip: nil, kind: kind, person: nil), event.ofAnybody)
        }
        let order = counts.count
        counts[key, default: Count(order: order, last: event)].last = event
        if !isMoreOfNote, counts[key]?.shown ?? 0 < most {
            counts[key]?.shown += 1
            entries.append(Entry(trip: key.trip, event: event, times: 1))
        } else {
            counts[key]?.hidden += 1
        }
        return entries
    }

    /// Whether somebody goes on writing in a note, of which was told already.
    private mutating func isMoreOfNote(_ event: TripEvent, in trip: String?, at now: Int64) -> Bool {
        guard case .changed(let view) = event, let writer = view.entries.first?.noteAuthor,
            view.entries.allSatisfy({ $0.noteAuthor == writer })
        else { return false }
        return !notes.tells(writer, in: trip, at: now)
    }

    /// The sums of what was not told, in the order in which it began; the minute is over.
    package mutating func finish() -> [Entry] {
        let hidden = counts.filter { $0.value.hidden > 0 }.sorted { $0.value.order < $1.value.order }
        (counts, end) = ([:], nil)
        return hidden.map { Entry(trip: $0.key.trip, event: $0.value.last, times: $0.value.hidden) }
    }

    /// What is counted together, and how often it is told at once; nil for what is told whenever it happens.
    private static func sort(_ event: TripEvent) -> (kind: String, person: String?, most: Int)? {
        switch event {
        case .changed: ("changed", nil, changesShownMax)
        case .here(let name): ("here", name, shownMax)
        case .gone(let name): ("gone", name, shownMax)
        case .inTwoPlaces(let name, _): ("forked", name, shownMax)
        case .full(let name): ("full", name, shownMax)
        case .refused(let name): ("refused", name, shownMax)
        case .misbehaved(let name): ("misbehaved", name, shownMax)
        case .needsNewer(let name): ("needs newer", name, shownMax)
        case .limit(let limit): (limit.rawValue, nil, shownMax)
        case .discovery: ("discovery", nil, shownMax)
        case .problem: ("problem", nil, shownMax)
        case .missed: ("missed", nil, shownMax)
        case .rebuilt, .membership, .spread, .writing, .pictures, .own, .youAreOut: nil
        }
    }
}

extension TripEvent {
    /// The same of somebody who is not named.
    fileprivate var ofAnybody: TripEvent {
        switch self {
        case .here: .here(name: "Someone else")
        case .gone: .gone(name: "Someone else")
        case .inTwoPlaces: .inTwoPlaces(name: "Someone else")
        case .full: .full(name: "Someone else")
        case .refused: .refused(name: "someone else")
        case .misbehaved: .misbehaved(name: "someone else")
        case .needsNewer: .needsNewer(name: "Someone else")
        default: self
        }
    }
}

extension TerminalText {
    /// An entry in lines: of a sum the last that happened, and how often that was.
    package static func lines(_ entry: EventDigest.Entry, style: TextStyle = TextStyle()) -> [String] {
        guard entry.times > 1 else { return prefixed(lines(entry.event, style: style), entry.trip) }
        if case .changed = entry.event {
            return prefixed(
                ["\(entry.times) more changes in the last minute. See `caravan history`."], entry.trip)
        }
        return prefixed(
            lines(entry.event, style: style).suffix(1).map { "\($0) (\(entry.times) times in the last minute)" },
            entry.trip
        )
    }

    private static func prefixed(_ lines: [String], _ trip: String?) -> [String] {
        trip.map { trip in lines.map { "\(trip): \($0)" } } ?? lines
    }
}
