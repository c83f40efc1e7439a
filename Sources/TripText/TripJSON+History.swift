package import TripModel
import TripService

extension TripJSON {
    /// The array of `caravan history --json`, oldest first: `by`, `at`, and in `did` one object for each thing done.
    ///
    /// Each has `what`, and by that further keys, left out where they say nothing:
    ///
    /// | `what` | further keys |
    /// |---|---|
    /// | `took_back` | the objects after it say how this change took back an earlier one of its author |
    /// | `made_list`, `edited_list`, `removed_list`, `restored_list` | the list's `id` and `title`; as `edited` has them, `fields`, `cleared`, `instead_of`, `beside`; `stays`, true, where it is there in spite of its removal |
    /// | `titled` | the trip's `title`; `instead_of` and `beside`, other titles that it replaced, or that stand beside it |
    /// | `noted` | `added` and `removed` text; of an item, its `id` and `title` as below |
    /// | `named` | the person's `name`; `was`, the one before |
    /// | `added`, `edited`, `removed`, `restored`, `voted`, `unvoted`, `counted`, `claimed`, `unclaimed`, `answered`, `unanswered`, `commented`, `uncommented`, `recommented`, `amenities`, `moved`, `replied`, `unreplied`, `options`, `closed`, `reopened` | the item's `id`, and the `title` that it had then; `brought_back`, true, where the item was removed before and this made it exist again |
    /// | … `added` | `quantity`; the title of the `list` that it was put into; `question`, true |
    /// | … `replied` | `answer`: of each option its `option` and its `number` |
    /// | … `options` | `added` and `removed` options |
    /// | … `claimed` | `quantity`, how many the author brings |
    /// | … `answered` | `attendance` |
    /// | … `commented`, `uncommented`, `recommented` | `text` |
    /// | … `amenities` | `added` and `removed` words |
    /// | … `moved` | `list`, the title of the one that it is in now |
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
        case .titled(let title, let old, let siblings, let omitted):
            [
                "what": .string("titled"), "title": .string(title), "instead_of": strings(old),
                "beside": strings(siblings), "left_out": omitted.map { .integer(Int64($0)) },
            ]
        case .named(let name, let old):
            ["what": .string("named"), "name": .string(name), "was": old.map { .string($0) }]
        case .item(let id, let title, let event, let broughtBack):
            [
                "id": .string(names.shortID(of: id)), "title": .string(title),
                "brought_back": broughtBack ? .bool(true) : JSONValue?.none,
            ].merging(item(event, names)) { $1 }
        case .list(let id, let title, let event):
            ["id": .string(id.leastShortID), "title": .string(title)].merging(list(event, names)) { $1 }
        case .noted(let added, let removed):
            ["what": .string("noted"), "added": .string(added), "removed": .string(removed)]
        case .undid: ["what": .string("took_back")]
        case .founded: ["what": .string("founded")]
        case .letIn(let participant, let name, let admittance):
            [
                "what": .string("let_in"), "name": .string(names.name(of: participant, given: name)),
                "as": .string(admittance.rawValue),
            ]
        case .left: ["what": .string("left")]
        case .tookOut(_, let name):
            ["what": .string("took_out"), "name": .string(name.displayed(limit: 64))]
        case .endedDevice(let name): ["what": .string("removed_device"), "name": .string(name.displayed(limit: 64))]
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
        case .added(let quantity, let list, let cost, let asks):
            [
                "what": .string("added"), "quantity": quantity.map { .integer($0) },
                "question": asks ? .bool(true) : JSONValue?.none,
                "list": list.map { .string($0) }, "cost": cost.map { .string($0) },
            ]
        case .claimed(let count): ["what": .string("claimed"), "quantity": .integer(count)]
        case .unclaimed: ["what": .string("unclaimed")]
        case .answered(let attendance): ["what": .string("answered"), "attendance": .string(attendance.name)]
        case .unanswered: ["what": .string("unanswered")]
        case .replied(_, let answer?): ["what": .string("replied"), "answer": TripJSON.answer(answer)]
        case .replied(_, nil): ["what": .string("unreplied")]
        case .sealedReply: ["what": .string("sealed_reply")]
        case .revealed(_, let answer): ["what": .string("revealed"), "answer": TripJSON.answer(answer)]
        case .optionsChanged(let added, let removed):
            ["what": .string("options"), "added": strings(added), "removed": strings(removed)]
        case .noted(let added, let removed):
            ["what": .string("noted"), "added": .string(added), "removed": .string(removed)]
        case .closed: ["what": .string("closed")]
        case .reopened: ["what": .string("reopened")]
        case .commented(let text): ["what": .string("commented"), "text": .string(text)]
        case .uncommented(let text): ["what": .string("uncommented"), "text": .string(text)]
        case .recommented(let text): ["what": .string("recommented"), "text": .string(text)]
        case .moved(let list, _): ["what": .string("moved"), "list": list.map { .string($0) }]
        case .amenitiesChanged(let added, let removed):
            ["what": .string("amenities"), "added": strings(added), "removed": strings(removed)]
        case .removed(let upholders):
            ["what": .string("removed"), "upheld_by": strings(upholders.map { names[$0.participant] })]
        case .restored: ["what": .string("restored")]
        case .voted(let vote): ["what": .string("voted"), "vote": .string(vote.name)]
        case .unvoted: ["what": .string("unvoted")]
        case .counted(let step): ["what": .string("counted"), "change": .integer(step)]
        case .attached(let count): ["what": .string("attached"), "photos": .integer(Int64(count))]
        case .detached(let count): ["what": .string("detached"), "photos": .integer(Int64(count))]
        case .edited(let edits): edited(edits, names)
        }
    }

    private static func list(_ event: ListEvent, _ names: Names) -> [String: JSONValue?] {
        switch event {
        case .added: ["what": .string("made_list")]
        case .edited(let edits): edited(edits, names).merging(["what": .string("edited_list")]) { $1 }
        case .removed(let stays): ["what": .string("removed_list"), "stays": stays ? .bool(true) : JSONValue?.none]
        case .restored: ["what": .string("restored_list")]
        }
    }

    private static func edited(_ edits: [FieldEdit], _ names: Names) -> [String: JSONValue?] {
        let text = { (edit: FieldEdit, value: String) in
            edit.field.kind == .person ? edit.field.words(of: value) { names[$0] } : value
        }
        return [
            "what": .string("edited"),
            "fields": members(edits) { edit in edit.value.map { .string(text(edit, $0)) } },
            "cleared": strings(edits.filter { $0.value == nil }.map(\.field.name)),
            "instead_of": members(edits) { edit in strings(edit.insteadOf.map { text(edit, $0) }) },
            "beside": members(edits) { edit in strings(edit.siblings.map { text(edit, $0) }) },
            "left_out": members(edits) { edit in edit.omitted.map { .integer(Int64($0)) } },
        ]
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
