package import TripModel
import TripService

extension TripJSON {
    /// The array of `caravan history --json`, oldest first: `by`, `at`, and in `did` one object for each thing done.
    ///
    /// Each has `what`, and by that further keys, left out where they say nothing:
    ///
    /// | `what` | further keys |
    /// |---|---|
    /// | `titled` | the trip's `title`; `instead_of` and `beside`, other titles that it replaced, or that stand beside it |
    /// | `named` | the person's `name`; `was`, the one before |
    /// | `added`, `edited`, `removed`, `restored`, `voted`, `unvoted`, `counted` | the item's `id`, and the `title` that it had then; `brought_back`, true, where the item was removed before and this made it exist again |
    /// | … `added` | `quantity` |
    /// | … `edited` | `fields` (the new values) and `cleared` (names of fields); for each field that has them, `instead_of` and `beside` |
    /// | … `removed` | `upheld_by`, names of those who did something with it at the same moment: it stays |
    /// | … `voted` | `vote` |
    /// | … `counted` | `change` |
    /// | `founded`, `left`, `closed_invite` | |
    /// | `let_in` | the `name`; `as`, "participant", "device" or "guest" |
    /// | `took_out` | the `name` |
    /// | `invited` | `uses`; `device`, true, where it is for a further device of one's own |
    package static func history(_ entries: [HistoryEntry], _ names: HistoryNames) -> JSONValue {
        let names = Names(names)
        return .array(entries.map { entry($0, names) })
    }

    /// One object of that array.
    package static func entry(_ entry: HistoryEntry, _ names: HistoryNames) -> JSONValue {
        self.entry(entry, Names(names))
    }

    private static func entry(_ entry: HistoryEntry, _ names: Names) -> JSONValue {
        .object([
            "by": .string(names[entry.participant]), "at": .string(CivilTime.rfc3339(entry.wallTime)),
            "did": .array(entry.events.map { .object(event($0, names)) }),
        ])
    }

    private static func event(_ event: HistoryEvent, _ names: Names) -> [String: JSONValue?] {
        switch event {
        case .titled(let title, let old, let beside):
            [
                "what": .string("titled"), "title": .string(title), "instead_of": strings(old),
                "beside": strings(beside),
            ]
        case .named(let name, let old):
            ["what": .string("named"), "name": .string(name), "was": old.map { .string($0) }]
        case .item(let id, let title, let event, let broughtBack):
            [
                "id": .string(names.shortID(of: id)), "title": .string(title),
                "brought_back": broughtBack ? .bool(true) : JSONValue?.none,
            ].merging(item(event, names)) { $1 }
        case .founded: ["what": .string("founded")]
        case .letIn(let participant, let name, let admittance):
            [
                "what": .string("let_in"), "name": .string(names.name(of: participant, given: name)),
                "as": .string(admittance.rawValue),
            ]
        case .left: ["what": .string("left")]
        case .tookOut(_, let name):
            ["what": .string("took_out"), "name": .string(name.displayed(limit: 64))]
        case .invited(let uses, let forOwnDevice):
            [
                "what": .string("invited"), "uses": .integer(Int64(uses)),
                "device": forOwnDevice ? .bool(true) : JSONValue?.none,
            ]
        case .closedInvite: ["what": .string("closed_invite")]
        }
    }

    private static func item(_ event: ItemEvent, _ names: Names) -> [String: JSONValue?] {
        switch event {
        case .added(let quantity): ["what": .string("added"), "quantity": quantity.map { .integer($0) }]
        case .removed(let upholders):
            ["what": .string("removed"), "upheld_by": strings(upholders.map { names[$0.participant] })]
        case .restored: ["what": .string("restored")]
        case .voted(let vote): ["what": .string("voted"), "vote": .string(vote.name)]
        case .unvoted: ["what": .string("unvoted")]
        case .counted(let step): ["what": .string("counted"), "change": .integer(step)]
        case .edited(let edits):
            [
                "what": .string("edited"), "fields": members(edits) { $0.value.map { .string($0) } },
                "cleared": strings(edits.filter { $0.value == nil }.map(\.field.name)),
                "instead_of": members(edits) { strings($0.insteadOf) }, "beside": members(edits) { strings($0.beside) },
            ]
        }
    }

    /// An object with a member for each field of which there is something to say; nil where there is none.
    private static func members(_ edits: [FieldEdit], _ value: (FieldEdit) -> JSONValue?) -> JSONValue? {
        let members = edits.compactMap { edit in value(edit).map { (edit.field.name, JSONValue?.some($0)) } }
        return members.isEmpty ? nil : .object(Dictionary(uniqueKeysWithValues: members))
    }

    private static func strings(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }
}
