package import TripModel
import TripService

/// What reading commands print with `--json`. The keys are stable, and the text is the same on every converged node.
///
/// | key | what it is |
/// |---|---|
/// | `title` | the trip's title, or an item's |
/// | `also_titles` | other titles of the trip that were proposed at the same time, if any |
/// | `note` | of the trip, or of an item |
/// | `items` | the items, in the order asked for |
/// | `id`, `number` | what the item is called in commands: hexadecimal digits; its place among all items ever made |
/// | `lists` | the lists: `id`, `title`, `kind`, `note`, `also`, and the numbers of their `items` in their order |
/// | `group` | `people` who are in, and `nights` of the dates that were chosen |
/// | each name of `Field.ofPlans` | its fields; one that is not written is left out. Of the assignee, the name |
/// | `declined` | true where the assignee answered that they won't do it |
/// | `cost` | the price as data, where it is understood: `amount`, `currency`, `per` ("night", "person", "person and night", "all"), and `each`, what each person pays |
/// | `nights` | of its own dates |
/// | `list` | the title of the list that it is in |
/// | `chosen`, `chosen_by` | true where the group decided for it, and who said so |
/// | `claims` | `name` and `quantity` of each person who brings it; `out`, true |
/// | `attendance` | `name`, and `attendance`, "going", "maybe" or "not-going", in the order of the names' bytes; `out`, true |
/// | `not_answered` | names of those who are in and did not answer whether they are going, where somebody has |
/// | `amenities` | words, in the order of their bytes |
/// | `question` | of a question: see `TripJSON.question` |
/// | `comments` | `by`, `at` and `text`, oldest first |
/// | `not_voted` | names of those who are in and have no vote on it, where somebody has |
/// | `also` | for each field, other values that were proposed at the same time; left out where there are none |
/// | `done`, `removed` | true or false |
/// | `votes` | `name` of the voter and `vote`, "for", "against" or "if-need-be", in the order of the names' bytes; `out`, true, where the voter is out |
/// | `tally` | votes for less votes against, of those who are in |
/// | `quantity` | how many; left out where nobody has counted; below 0 where it is short by so many |
/// | `photos` | of each its `id`, its `width` and `height` in pixels, who attached it, `by`, and where some of its pictures are not here yet, their sizes, `absent`; left out where there are none |
/// | `added_by`, `added_at` | whose item it is, and when by that person's clock, in UTC (RFC 3339) |
/// | `waiting` | true where that person waits to be kept |
package enum TripJSON {
    /// The object of `caravan list --json`.
    package static func list(
        _ whole: TripView, sortedBy order: ItemOrder = .order, includingRemoved: Bool = false, limit: Int? = nil
    ) -> JSONValue {
        let view = whole.first(limit, sortedBy: order, includingRemoved: includingRemoved).part
        let sorted = order == .order ? view.itemsAsOrdered : view.items(sortedBy: order)
        let items = sorted + (includingRemoved ? view.removedItems : [])
        let group = whole.group
        return .object([
            "group": .object([
                "people": .integer(Int64(group.members.count)), "nights": group.nights.map { .integer(Int64($0)) },
            ]),
            "lists": view.lists.isEmpty ? nil : .array(view.lists.map { list($0, in: view) }),
            "title": view.title.map { .string($0.value) },
            "also_titles": view.title.flatMap { strings($0.alternatives) },
            "note": whole.note.map { .string($0.value) },
            "items": .array(items.map { item($0, of: group) }),
        ])
    }

    /// An object of the array of `caravan lists --json`.
    package static func list(_ list: ListView, in view: TripView? = nil) -> JSONValue {
        var members: [String: JSONValue?] = [
            "id": .string(list.shortID), "added_by": .string(list.addedByName),
            "removed": list.isRemoved ? .bool(true) : JSONValue?.none,
            "items": view.map { .array($0.items(of: list).map { .integer(Int64($0.number)) }) },
        ]
        add(list.fields, to: &members) { _ in nil }
        return .object(members)
    }

    /// The values that are shown, and those beside them.
    /// - Parameter name: the name of a person.
    private static func add(
        _ fields: [Field: FieldView], to members: inout [String: JSONValue?], name: (ParticipantID) -> String?
    ) {
        func text(_ field: Field, _ value: String) -> String {
            field.kind == .person ? ParticipantID(value).flatMap(name) ?? value : value
        }
        var also: [String: JSONValue?] = [:]
        for (field, shown) in fields where ![.flag, .cost, .question].contains(field.kind) {
            members[field.name] = .string(text(field, shown.value))
            also[field.name] = strings(shown.alternatives.map { text(field, $0.value) })
        }
        members["also"] = also.values.contains { $0 != nil } ? .object(also) : JSONValue?.none
    }

    /// The object of `caravan show ITEM --json`, and of each item in a list.
    package static func item(_ item: ItemView, of group: Group) -> JSONValue {
        var members: [String: JSONValue?] = [
            "id": .string(item.shortID),
            "number": .integer(Int64(item.number)),
            "done": .bool(item.isDone),
            "removed": .bool(item.isRemoved),
            "tally": .integer(Int64(item.tally)),
            "votes": words(item.votes, "vote") { .string($0.name) } ?? .array([]),
            "quantity": item.quantity.map { .integer($0) },
            "photos": item.photos.isEmpty ? nil : .array(item.photos.map(photo)),
            "added_by": .string(item.addedByName),
            "waiting": item.isWaiting ? .bool(true) : JSONValue?.none,
            "added_at": .string(CivilTime.rfc3339(item.addedAt)),
        ]
        add(item.fields, to: &members, name: group.name)
        members.merge(sayings(of: item, group)) { $1 }
        return .object(members)
    }

    /// What few items have.
    private static func sayings(of item: ItemView, _ group: Group) -> [String: JSONValue?] {
        let sayings = item.sayings
        let waiting = item.votes.isEmpty ? [] : group.waiting(for: item).map(\.displayName)
        let unanswered = sayings.attendance.isEmpty ? [] : group.unanswered(for: item).map(\.displayName)
        return [
            "cost": item.price.map { cost($0, each: group.each(of: item)) },
            "nights": item.dates.flatMap { $0.nights > 0 ? .integer(Int64($0.nights)) : nil },
            "list": sayings.list.map { .string($0.title) },
            "question": QuestionView(item, in: group).map { question($0, of: item) },
            "chosen": item.isChosen ? .bool(true) : JSONValue?.none,
            "chosen_by": item.fields[.chosen].map { .string($0.shown.authorName) },
            "declined": item.isDeclined ? .bool(true) : JSONValue?.none,
            "claims": words(sayings.claims, "quantity") { .integer($0) },
            "attendance": words(sayings.attendance, "attendance") { .string($0.name) },
            "not_answered": unanswered.isEmpty ? nil : .array(unanswered.map { .string($0) }),
            "amenities": sayings.amenities.isEmpty ? nil : .array(sayings.amenities.map { .string($0) }),
            "comments": sayings.comments.isEmpty
                ? nil
                : .array(
                    sayings.comments.map {
                        .object([
                            "by": .string($0.authorName), "at": .string(CivilTime.rfc3339($0.at)),
                            "text": .string($0.text),
                        ])
                    }),
            "not_voted": waiting.isEmpty ? nil : .array(waiting.map { .string($0) }),
        ]
    }

    private static func cost(_ price: Price, each: Int64?) -> JSONValue {
        .object([
            "amount": .string(price.amount), "currency": price.currency.map { .string($0) },
            "per": price.per.map { .string($0.rawValue) }, "remark": price.remark.isEmpty ? nil : .string(price.remark),
            "each": each.map { .string(Price.digits($0)) },
        ])
    }

    /// Nil where nobody said any.
    private static func words<Word>(
        _ words: [LastWord<Word>], _ key: String, _ value: (Word) -> JSONValue
    ) -> JSONValue? {
        guard !words.isEmpty else { return nil }
        return .array(
            words.map { word in
                .object([
                    "name": .string(word.name), key: value(word.word),
                    "out": word.isOut ? .bool(true) : JSONValue?.none,
                ])
            })
    }

    static func strings(_ proposals: [Proposal]) -> JSONValue? { strings(proposals.map(\.value)) }

    private static func strings(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }
}
