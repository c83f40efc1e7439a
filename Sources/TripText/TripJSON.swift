package import TripModel
import TripService

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
/// | `votes` | `name` of the voter and `vote`, "for" or "against", in the order of the names' bytes; `out`, true, where the voter is out |
/// | `tally` | votes for less votes against, of those who are in |
/// | `quantity` | how many; left out where nobody has counted; below 0 where it is short by so many |
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
            "votes": .array(item.votes.map(vote)),
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

    private static func vote(_ vote: VoteView) -> JSONValue {
        .object([
            "name": .string(vote.name), "vote": .string(vote.vote.name),
            "out": vote.isOut ? .bool(true) : JSONValue?.none,
        ])
    }

    static func strings(_ proposals: [Proposal]) -> JSONValue? {
        proposals.isEmpty ? nil : .array(proposals.map { .string($0.value) })
    }
}
