/// The chosen items by their days, and those that have none yet: derived from the items and the order of the lists.
package struct TripTimeline: Hashable, Sendable {
    /// What happens on a day, in order: departures, what takes the whole day and arrivals, then what has a time.
    package struct DayPlan: Hashable, Sendable {
        package let day: Day
        package let entries: [Entry]
    }

    /// An item on a day. A stay has two: its arrival and its departure.
    package struct Entry: Hashable, Sendable {
        package let item: ItemView
        package let span: DateSpan
        package let isDeparture: Bool

        package var time: DayTime? { span.time }
        /// How many days or times stand beside each other, because people wrote them at the same moment.
        package var versions: Int { 1 + (item.fields[.dates]?.alternatives.count ?? 0) }
    }

    /// Ascending. The days of the trip are all there, if one pair of dates was chosen.
    package let days: [DayPlan]
    /// In the order of the lists.
    package let unplanned: [ItemView]

    /// O(n log n) in the items, and in the trip's days.
    package init(_ trip: TripView) {
        var entries: [Day: [(rank: Int, entry: Entry)]] = [:]
        var unplanned: [(rank: Int, item: ItemView)] = []
        var spans: Set<DateSpan> = []
        let ranks = Dictionary(trip.inListOrder.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        for item in trip.items where item.isChosen && !item.isOfCosts {
            let rank = ranks[item.id] ?? .max
            if item.kind == .dates {
                if let span = item.dates { spans.insert(span) }
            } else if let span = item.dates {
                entries[span.arrival, default: []].append(
                    (rank, Entry(item: item, span: span, isDeparture: false)))
                if let departure = span.departure {
                    entries[departure, default: []].append((rank, Entry(item: item, span: span, isDeparture: true)))
                }
            } else if item.kind != .bring {
                unplanned.append((rank, item))
            }
        }
        if let span = spans.first, spans.count == 1 {
            var day: Day? = span.arrival
            while let present = day, present <= span.departure ?? span.arrival {
                entries[present, default: []] += []
                day = present.next
            }
        }
        days = entries.sorted { $0.key < $1.key }.map { DayPlan(day: $0.key, entries: Self.sorted($0.value)) }
        self.unplanned = unplanned.sorted { ($0.rank, $0.item.number) < ($1.rank, $1.item.number) }.map(\.item)
    }

    /// By the moment if every time of the day says its distance from UTC, as on a day that a flight over the date line makes
    /// twice as long; by the clock if not.
    private static func sorted(_ entries: [(rank: Int, entry: Entry)]) -> [Entry] {
        let isByMoment = entries.allSatisfy { $0.entry.time.map { $0.zone != nil } ?? true }
        return entries.map { rank, entry -> (group: Int, minute: Int, rank: Int, entry: Entry) in
            guard let time = entry.time else { return (entry.isDeparture ? 0 : 1, 0, rank, entry) }
            return (2, time.minute - (isByMoment ? time.zone?.offset ?? 0 : 0), rank, entry)
        }.sorted {
            ($0.group, $0.minute, $0.rank, $0.entry.item.number) < ($1.group, $1.minute, $1.rank, $1.entry.item.number)
        }.map(\.entry)
    }
}

extension TripTimeline {
    /// What is on at a moment, and what begins next on that day.
    package struct Present: Hashable, Sendable {
        package var on: [Entry] = []
        package var next: [Entry] = []
    }

    /// How long something is on whose length nobody has said, in minutes.
    private static let unsaidLength = 60

    /// By the moment where a plan says its distance from UTC, by the reader's clock where it does not. What has no time is
    /// neither on nor next. O(n).
    /// - Parameters:
    ///   - minute: by the reader's clock, after the midnight that began `day`.
    ///   - minutesSince1970: the same moment, in UTC.
    package func present(on day: Day, minute: Int, minutesSince1970: Int) -> Present {
        var present = Present()
        var soonest = DayTime.minutesInDay - minute
        for entry in days.lazy.flatMap(\.entries) {
            guard let time = entry.time else { continue }
            let start =
                entry.span.minutesSince1970.map { $0 - minutesSince1970 }
                ?? (entry.span.arrival.ordinal - day.ordinal) * DayTime.minutesInDay + time.minute - minute
            if start <= 0 {
                if start + (time.length ?? Self.unsaidLength) > 0 { present.on.append(entry) }
            } else if start <= soonest, start < DayTime.minutesInDay - minute {
                if start < soonest { present.next = [] }
                soonest = start
                present.next.append(entry)
            }
        }
        return present
    }
}

extension TripView {
    /// O(n log n) in the items.
    package var timeline: TripTimeline { TripTimeline(self) }

    /// The items that are there: those in no list, then list by list, each in its order. O(n).
    fileprivate var inListOrder: [ItemID] { unlistedItems.map(\.id) + lists.flatMap(\.items) }
}
