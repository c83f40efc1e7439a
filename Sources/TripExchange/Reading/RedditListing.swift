import TripModel
import TripService

/// A page of a subreddit as `/r/NAME.json` gives it: posts with a title, a link, a score and a domain. Those that are
/// hidden or removed are passed over.
struct RedditListing {
    private let posts: [JSONText]

    /// Nil for JSON of another form.
    init?(_ root: JSONText) {
        guard root["kind"]?.text == "Listing", let posts = root["data"]?["children"]?.array else { return nil }
        self.posts = posts
    }

    func read() throws(ServiceError) -> ImportedList {
        var list = ImportedList(entryName: "post")
        for (index, post) in posts.enumerated() {
            guard let data = post["data"], let title = data["title"]?.text else {
                throw ServiceError("post \(index + 1) has no title")
            }
            if Self.isHidden(data, title: title) {
                list.hiddenCount += 1
                continue
            }
            var record = ListingRecord()
            // Reddit escapes three characters as HTML does, in addresses as well.
            record.note(PlainText.withoutEntities(title), as: .field(.title))
            if let link = Self.link(data) { record.note(PlainText.withoutEntities(link), as: .field(.link)) }
            record.note(Self.note(data), as: .field(.note))
            do throws(ServiceError) { try list.add(record, number: index + 1) } catch {
                throw ServiceError("post \(index + 1): \(error.message)")
            }
        }
        return list
    }

    private static func isHidden(_ post: JSONText, title: String) -> Bool {
        ["hidden", "removed", "removed_by_category", "banned_by", "spam"].contains { post[$0]?.isSaid ?? false }
            || title == "[deleted by user]" || title == "[removed]"
    }

    /// Where it leads, or else the post itself.
    private static func link(_ post: JSONText) -> String? {
        if let link = post["url"]?.text, WebAddress(link) != nil { return link }
        guard let path = post["permalink"]?.text, path.hasPrefix("/") else { return nil }
        return "https://www.reddit.com" + path
    }

    /// "123 points · airbnb.com".
    private static func note(_ post: JSONText) -> String {
        let score = post["score"]?.text.map { $0 == "1" ? "1 point" : "\($0) points" }
        return [score, post["domain"]?.text].compactMap(\.self).joined(separator: " · ")
    }
}
