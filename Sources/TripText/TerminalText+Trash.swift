package import TripService

extension TerminalText {
    /// The text of `caravan trash`.
    package static func trash(_ trips: [TrashedTrip], style: TextStyle = TextStyle()) -> String {
        guard !trips.isEmpty else { return "The trash is empty.\n" }
        let lines = trips.map { trip in
            "\(trip.reference)  \(trip.title.map(plain) ?? "(cannot be read)"), deleted "
                + "\(style.time(trip.deletedAt * 1_000)), kept until \(style.time(trip.restorableUntil * 1_000))"
        }
        return text(lines + ["Restore one with `caravan trash restore TRIP`."])
    }
}

extension TripJSON {
    /// The array of `caravan trash --json`.
    package static func trash(_ trips: [TrashedTrip]) -> JSONValue {
        .array(
            trips.map { trip in
                .object([
                    "id": .string(trip.id), "title": trip.title.map { .string($0) },
                    "copy": .integer(Int64(trip.copy)), "deleted_at": time(trip.deletedAt * 1_000),
                    "until": time(trip.restorableUntil * 1_000),
                ])
            })
    }
}
