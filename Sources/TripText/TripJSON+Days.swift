package import TripModel

extension TripJSON {
    /// The object of `caravan days --json`.
    package static func days(_ view: TripView) -> JSONValue {
        let timeline = view.timeline
        return .object([
            "days": .array(
                timeline.days.map { plan in
                    .object(["day": .string(plan.day.text), "items": .array(plan.entries.map(entry))])
                }),
            "unplanned": .array(timeline.unplanned.map { .object(named($0)) }),
        ])
    }

    private static func entry(_ entry: TripTimeline.Entry) -> JSONValue {
        var keys = named(entry.item)
        keys["departure"] = .bool(entry.isDeparture)
        if let departure = entry.span.departure { keys["until"] = .string(departure.text) }
        keys["versions"] = .integer(Int64(entry.versions))
        if let time = entry.time {
            keys["start"] = .string(time.start)
            if let length = time.length { keys["minutes"] = .integer(Int64(length)) }
            if let zone = time.zone {
                keys["utc_offset"] = .string(zone.offsetText)
                if let name = zone.name { keys["zone"] = .string(name) }
            }
        }
        return .object(keys)
    }

    private static func named(_ item: ItemView) -> [String: JSONValue] {
        [
            "id": .string(item.shortID), "number": .integer(Int64(item.number)), "title": .string(item.title),
            "done": .bool(item.isDone),
        ]
    }
}
