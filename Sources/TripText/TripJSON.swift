package import TripModel

/// What reading commands print with `--json`. The keys are stable, and the text is the same on every converged node.
///
/// | key | what it is |
/// |---|---|
/// | `title` | the trip's title, or an item's |
/// | `also_titles` | other titles of the trip that were proposed at the same time, if any |
/// | `items` | the items, in the order asked for |
/// | `id`, `number` | what the item is called in commands: hexadecimal digits; its place among all items ever made |
/// | `note`, `link`, `price`, `place`, `host`, `details` | its fields; one that is not written is left out |
/// | `also` | for each field, other values that were proposed at the same time; left out where there are none |
/// | `done`, `removed` | true or false |
/// | `votes` | `name` of the voter and `vote`, "for" or "against", in the order of the names' bytes |
/// | `tally` | votes for less votes against |
/// | `quantity` | how many; left out where nobody has counted |
/// | `added_by`, `added_at` | whose item it is, and when by that person's clock, in UTC (RFC 3339) |
package enum TripJSON {
    /// The object of `caravan list --json`.
    package static func list(
        _ view: TripView, sortedBy order: ItemOrder = .order, includingRemoved: Bool = false
    ) -> JSONValue {
        let items = view.items(sortedBy: order) + (includingRemoved ? view.removedItems : [])
        return .object([
            "title": view.title.map { .string($0.value) },
            "also_titles": view.title.flatMap { strings($0.alternatives) },
            "items": .array(items.map(item)),
        ])
    }

    /// The object of `caravan show ITEM --json`, and of each item in a list.
    package static func item(_ item: ItemView) -> JSONValue {
        var members: [String: JSONValue?] = [
            "id": .string(item.shortID),
            "number": .integer(Int64(item.number)),
            "done": .bool(item.isDone),
            "removed": .bool(item.isRemoved),
            "tally": .integer(Int64(item.tally)),
            "votes": .array(item.votes.map { .object(["name": .string($0.name), "vote": .string($0.vote.name)]) }),
            "quantity": item.quantity.map { .integer($0) },
            "added_by": .string(item.addedByName),
            "added_at": .string(CivilTime.rfc3339(item.addedAt)),
        ]
        var also: [String: JSONValue?] = [:]
        for (field, shown) in item.fields where field != .done {
            members[field.name] = .string(shown.value)
            also[field.name] = strings(shown.alternatives)
        }
        members["also"] = also.values.contains { $0 != nil } ? .object(also) : JSONValue?.none
        return .object(members)
    }

    /// The array of `caravan history --json`, oldest first: `by`, `at`, and in `did` one object for each thing done.
    ///
    /// Each has `what`: "added", "edited", "removed", "restored", "voted", "unvoted" or "counted", with the item's `id`
    /// and the `title` that it had then; "titled", with the trip's `title`; or "named", with the person's `name`.
    /// Besides: `fields` (the new values) and `cleared` (names of fields) of an edit, `vote` of a vote, `change` of a
    /// count, `quantity` of what was added.
    package static func history(_ entries: [HistoryEntry], in view: TripView) -> JSONValue {
        let ids = view.shortIDs
        return .array(
            entries.map { entry in
                .object([
                    "by": .string(view.displayName(of: entry.participant)),
                    "at": .string(CivilTime.rfc3339(entry.wallTime)),
                    "did": .array(entry.events.map { event($0, ids: ids) }),
                ])
            })
    }

    private static func event(_ event: HistoryEvent, ids: [ItemID: String]) -> JSONValue {
        switch event {
        case .titled(let title, _): return .object(["what": .string("titled"), "title": .string(title)])
        case .named(let name, _): return .object(["what": .string("named"), "name": .string(name)])
        case .item(let id, let title, let event):
            var members: [String: JSONValue?] = [
                "what": .string(event.verb), "id": ids[id].map { .string($0) }, "title": .string(title),
            ]
            switch event {
            case .added(let quantity): members["quantity"] = quantity.map { .integer($0) }
            case .removed, .restored, .unvoted: break
            case .voted(let vote): members["vote"] = .string(vote.name)
            case .counted(let step): members["change"] = .integer(step)
            case .edited(let edits):
                let written = edits.filter { $0.value != nil }
                let cleared = edits.filter { $0.value == nil }
                members["fields"] =
                    written.isEmpty
                    ? JSONValue?.none
                    : .object(
                        Dictionary(uniqueKeysWithValues: written.map { ($0.field.name, $0.value.map { .string($0) }) }))
                members["cleared"] = cleared.isEmpty ? JSONValue?.none : .array(cleared.map { .string($0.field.name) })
            }
            return .object(members)
        }
    }

    private static func strings(_ proposals: [Proposal]) -> JSONValue? {
        proposals.isEmpty ? nil : .array(proposals.map { .string($0.value) })
    }
}
