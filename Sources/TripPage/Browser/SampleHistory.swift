import TripModel

#if DEBUG
extension SampleTrip {
    /// One change of each kind, with what the browser calls it.
    static let changes: [(state: String, entry: HistoryEntry)] = [
        ("founded", entry(1, jie, [.founded])),
        ("named the trip", entry(2, jie, [.titled(title: "Lisbon in June", insteadOf: ["Summer"], siblings: [])])),
        ("joined", entry(3, mia, [.named(name: "Mia", insteadOf: nil)])),
        ("renamed themselves", entry(4, noah, [.named(name: "Noah", insteadOf: "N")])),
        ("made an invite", entry(5, jie, [.invited(uses: 5, forOwnDevice: false)])),
        ("closed an invite", entry(6, jie, [.closedInvite])),
        ("let somebody in", entry(7, jie, [.letIn(participant: mia.id, name: "Mia", as: .participant)])),
        ("let a guest in", entry(8, jie, [.letIn(participant: lea.id, name: "Lea", as: .guest)])),
        ("let a device in", entry(9, mia, [.letIn(participant: mia.id, name: "Mia", as: .device)])),
        ("added", entry(10, mia, [thing(1, .added(quantity: nil))])),
        ("added with a quantity", entry(11, jie, [thing(3, .added(quantity: 2))])),
        (
            "added many",
            entry(
                12, noah,
                ["Tent", "Rope", "Maps", "Salt", "Torch"].enumerated().map {
                    thing(4 + $0, .added(quantity: nil), called: $1)
                })
        ),
        ("voted for", entry(13, ana, [thing(1, .voted(vote: .for))])),
        ("voted against", entry(14, noah, [thing(1, .voted(vote: .against))])),
        ("took a vote back", entry(15, noah, [thing(2, .unvoted)])),
        ("counted", entry(16, jie, [thing(3, .counted(by: -1))])),
        (
            "set a field",
            entry(17, mia, [thing(1, .edited(fields: [edit(.price, "€120", insteadOf: ["€110"])]))])
        ),
        (
            "renamed, beside another",
            entry(
                18, noah,
                [thing(1, .edited(fields: [edit(.title, "Casa do Tejo", siblings: ["Casa do Rio"], by: [mia.id])]))])
        ),
        (
            "edited several fields",
            entry(
                19, mia,
                [thing(1, .edited(fields: [edit(.host, "Dona Amélia"), edit(.note, nil, insteadOf: ["Loud"])]))])
        ),
        ("ticked", entry(20, jie, [thing(3, .edited(fields: [edit(.done, Field.setValue)]))])),
        ("removed", entry(21, jie, [thing(2, .removed(upheldBy: []))])),
        (
            "removed, but it stays",
            entry(22, jie, [thing(1, .removed(upheldBy: [Upholder(participant: noah.id, vote: .for)]))])
        ),
        ("restored", entry(23, jie, [thing(2, .restored)])),
        (
            "brought back",
            entry(
                24, ana,
                [.item(id: itemID(2), title: "Hostel by the station", event: .voted(vote: .for), broughtBack: true)])
        ),
        ("left", entry(25, tom, [.left])),
        ("took somebody out", entry(26, jie, [.tookOut(participant: tom.id, name: "Tom")])),
        (
            "script in a title",
            entry(27, noah, [thing(2, .added(quantity: nil), called: "<script>alert(1)</script>")])
        ),
        (
            "took off its day",
            entry(28, ana, [thing(1, .edited(fields: [edit(.dates, nil, insteadOf: ["2026-06-12T14:30"])]))])
        ),
        ("ended a device", entry(29, mia, [.endedDevice(name: "Laptop")])),
    ]

    static var historyEntries: [HistoryEntry] { changes.map(\.entry) }

    private static func entry(_ place: Int, _ person: Person, _ events: [HistoryEvent]) -> HistoryEntry {
        HistoryEntry(
            participant: person.id, stamp: stamp(place), wallTime: now - Int64(30 - place) * 130 * minute,
            events: events)
    }

    private static func thing(_ number: Int, _ event: ItemEvent, called title: String? = nil) -> HistoryEvent {
        let known = trip.items.first { $0.number == number }?.title ?? "Thing"
        return .item(id: itemID(number), title: title ?? known, event: event, broughtBack: false)
    }

    private static func edit(
        _ field: Field, _ value: String?, insteadOf: [String] = [], siblings: [String] = [],
        by siblingAuthors: [ParticipantID] = []
    ) -> FieldEdit {
        FieldEdit(field: field, value: value, insteadOf: insteadOf, siblings: siblings, by: siblingAuthors)
    }
}
#endif
