import TripModel
import TripService

/// A listing in JSON: Reddit's, an array of objects, or an object that holds one as `items`, `listings` or `results`.
enum ListingJSON {
    static func read(_ bytes: [UInt8]) throws(ServiceError) -> ImportedList {
        let root = try JSONText(reading: bytes)
        if let listing = RedditListing(root) { return try listing.read() }
        guard let elements = root.array ?? ["items", "listings", "results"].lazy.compactMap({ root[$0]?.array }).first
        else {
            throw ServiceError(
                "this JSON is not a list of items; give an array of objects, each with a title or a link")
        }
        var list = ImportedList(name: root["title"]?.text, entryName: "element")
        for (index, element) in elements.enumerated() {
            do throws(ServiceError) {
                guard case .object(let members) = element else { throw ServiceError("it is not an object") }
                try list.add(record(members), number: index + 1)
            } catch { throw ServiceError("element \(index + 1): \(error.message)") }
        }
        return list
    }

    private static func record(_ members: [String: JSONText]) -> ListingRecord {
        var record = ListingRecord()
        // Several names may mean one column: our own counts before others', and these in their order by bytes.
        let own = Field.allCases.map(\.name)
        for name in own + members.keys.sorted() {
            guard let column = ListingColumn(named: name), let text = members[name]?.text else { continue }
            record.note(text, as: column)
        }
        return record
    }
}
