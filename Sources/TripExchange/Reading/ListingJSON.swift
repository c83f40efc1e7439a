import TripModel
import TripService

/// A listing in JSON: Reddit's, an array of objects, or an object that holds one as `items`, `listings` or `results`, and
/// perhaps as `lists` what is in which list, as `questions` questions and beside `items` a `note` of the trip, as `caravan export`
/// writes them.
enum ListingJSON {
    static func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        let root = try JSONText(reading: bytes)
        if let listing = RedditListing(root) { return try listing.read() }
        guard let plans = root.array ?? ["items", "listings", "results"].lazy.compactMap({ root[$0]?.array }).first
        else {
            throw ServiceError(
                "this JSON is not a list of items; give an array of objects, each with a title or a link")
        }
        var list = ImportedList(name: root["title"]?.text, entryName: "element")
        if root["items"]?.array != nil, let note = root["note"]?.text {
            list.note = ListingRecord.note(note, shortened: &list.shortenedCount)
        }
        let places = try parts(root, into: &list)
        // What `caravan list --json` says of a trip besides is known to who made it.
        let isOurs = plans.contains { $0["added_by"] != nil && $0["tally"] != nil }
        var ignored: Set<String> = []
        let elements = plans + (root["questions"]?.array ?? [])
        for (index, element) in elements.enumerated() {
            do throws(ServiceError) {
                guard case .object(let members) = element else { throw ServiceError("it is not an object") }
                if let question = try QuestionJSON.read(element) {
                    if element["removed"]?.isSaid != true { try list.add(question, number: index + 1) }
                    continue
                }
                let record = record(members)
                if !isOurs {
                    ignored.formUnion(members.filter { ListingColumn(named: $0.key) == nil && $0.value.isSaid }.keys)
                }
                var part = members["number"]?.text.flatMap { places[$0]?.part }
                if part == nil, let title = record.text(.list) {
                    part = try list.part(ImportedList.Part(title: title.displayed().trimmed))
                }
                try list.add(record, number: index + 1, part: part)
            } catch { throw ServiceError("element \(index + 1): \(error.message)") }
        }
        list.ignoredColumns = ignored.subtracting(["number"]).sorted()
        // What is in no list first, then each list in its own order.
        let keys = list.entries.enumerated().map { index, entry in
            let number = elements[entry.number - 1]["number"]?.text
            return (entry.part ?? -1, number.flatMap { places[$0]?.place } ?? Int.max, index)
        }
        list.entries = keys.sorted(by: <).map { list.entries[$0.2] }
        return list
    }

    /// Makes the parts of `lists`; gives, by an element's number, the part that it is in, and where among all that are in one.
    private static func parts(
        _ root: JSONText, into list: inout ImportedList
    ) throws(ServiceError) -> [String: (part: Int, place: Int)] {
        var places: [String: (part: Int, place: Int)] = [:]
        for object in root["lists"]?.array ?? [] {
            guard let title = object["title"]?.text, !title.isBlank, object["removed"]?.isSaid != true else { continue }
            let part = try list.newPart(
                ImportedList.Part(
                    title: title.displayed().trimmed, kind: object["kind"]?.text.flatMap(ItemKind.init(rawValue:)),
                    note: object["note"]?.text))
            for number in object["items"]?.array ?? [] {
                if let number = number.text { places[number] = (part, places.count) }
            }
        }
        return places
    }

    private static func record(_ members: [String: JSONText]) -> ListingRecord {
        var record = ListingRecord()
        // Several names may mean one column: our own counts before others', and these in their order by bytes.
        let own = Field.ofPlans.map(\.name)
        for name in own + members.keys.sorted() {
            guard let column = ListingColumn(named: name), let value = members[name] else { continue }
            if column == .amenities, let words = value.array {
                record.note(words.compactMap(\.text).joined(separator: ","), as: column)
            } else if let text = value.text {
                record.note(text, as: column)
            }
        }
        return record
    }
}
