/// What a person types to plan an item: what they leave out stays as it is.
package struct TypedPlan: Codable, Hashable, Sendable {
    /// "2026-06-12"; for a stay "2026-06-12..15".
    package var day: String?
    /// "14:30"; "none" for the whole day.
    package var start: String?
    /// "2h", "90m"; "none" for no length.
    package var length: String?
    /// "Europe/Lisbon"; "none" for the clock of wherever it is.
    package var zone: String?

    package init(day: String? = nil, start: String? = nil, length: String? = nil, zone: String? = nil) {
        (self.day, self.start, self.length, self.zone) = (day, start, length, zone)
    }

    private static let none = "none"

    /// The days and times to write for an item. O(n) in the trip's items, for its time zone.
    ///
    /// - Parameters:
    ///   - known: what the item has.
    ///   - clock: the clock of a zone at a time of a day.
    package func span(
        over known: DateSpan?, in trip: TripView, clock: (String, Day, _ minute: Int) throws(TripError) -> DayTime.Zone
    ) throws(TripError) -> DateSpan {
        let typed = try day.map { text throws(TripError) in try Self.days(text, clock: clock) }
        guard let days = typed ?? known else {
            throw TripError(.nothingNamed, "there is no day yet; give a day, too")
        }
        var minute = days.time?.minute ?? (days.departure == nil ? known?.time?.minute : nil)
        if let start {
            minute = start == Self.none ? nil : DayTime.minute(typed: start)
            guard minute != nil || start == Self.none else {
                throw TripError(.malformedValue, "the time \(start.quoted) is invalid; write it like 14:30")
            }
        }
        guard let minute else {
            guard length == nil || length == Self.none, zone == nil || zone == Self.none else {
                throw TripError(.nothingNamed, "a length or a time zone needs a time; give the time, too")
            }
            return days.departure == nil ? DateSpan(days.arrival, at: nil) : days
        }
        guard days.departure == nil else {
            throw TripError(.malformedValue, "a stay of several days has no time; plan its arrival as an item")
        }
        var minutes = days.time?.length ?? known?.time?.length
        if let length {
            minutes = length == Self.none ? nil : DayTime.length(typed: length)
            guard minutes != nil || length == Self.none else {
                throw TripError(.malformedValue, "the length \(length.quoted) is invalid; \(DayTime.lengthAdvice)")
            }
        }
        var clockZone: DayTime.Zone?
        if zone == nil, let named = typed?.time?.zone {
            clockZone = named
        } else if zone == nil, let time = known?.time, time.zone?.name == nil {
            clockZone = time.zone
        } else if let name = zone ?? known?.time?.zone?.name ?? trip.zoneName(near: days.arrival), name != Self.none {
            clockZone = try clock(name, days.arrival, minute)
        }
        return DateSpan(days.arrival, at: DayTime(minute: minute, length: minutes, zone: clockZone))
    }

    private static func days(
        _ text: String, clock: (String, Day, _ minute: Int) throws(TripError) -> DayTime.Zone
    ) throws(TripError) -> DateSpan {
        guard let span = DateSpan(typed: TextClasses.trimmed(text), clock: { try? clock($0, $1, $2) }) else {
            throw TripError(
                .malformedValue,
                "the day \(text.quoted) is invalid, or its end is before its start; write 2026-06-12 or 2026-06-12..15"
            )
        }
        return span
    }
}

extension TripView {
    /// The time zone in which a day's plans are, unless they name another: that of the last plan before, or else of the first
    /// one after; nil if no plan names one. O(n).
    package func zoneName(near day: Day) -> String? {
        let named = timeline.days.flatMap(\.entries).compactMap { entry in
            entry.time?.zone?.name.map { (day: entry.span.arrival, name: $0) }
        }
        return (named.last { $0.day <= day } ?? named.first)?.name
    }
}
