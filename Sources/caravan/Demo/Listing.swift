import Foundation

/// What `caravan list --json` says, as far as the demo judges it.
struct Listing: Decodable {
    struct Vote: Decodable {
        let name: String
        let vote: String
    }

    struct Item: Decodable {
        let number: Int
        let title: String
        let removed: Bool
        let price: String?
        let host: String?
        let votes: [Vote]
        let also: [String: [String]]?
    }

    let items: [Item]

    init(_ json: String) {
        self = (try? JSONDecoder().decode(Listing.self, from: Data(json.utf8))) ?? Listing(items: [])
    }

    private init(items: [Item]) { self.items = items }

    /// What is missing of what the race must leave behind.
    /// - Parameter demanded: the voters of each item, by its number.
    func problems(demanded: [Int: [String]]) -> [String] {
        var problems: [String] = []
        let shown = items.filter { !$0.removed }
        guard shown.count == 4 else { return ["there are \(shown.count) items, not 4"] }
        for item in shown where item.number <= 3 {
            if item.price == nil || item.host == nil { problems.append("\"\(item.title)\" lost its fields") }
            if let voters = demanded[item.number], item.votes.map(\.name).sorted() != voters {
                problems.append("\"\(item.title)\" has the votes of \(item.votes.map(\.name))")
            }
        }
        let titles = [items[0].title] + (items[0].also?["title"] ?? [])
        if Set(titles) != ["Casa by the river", "Casa do Tejo"] { problems.append("a title is lost: \(titles)") }
        return problems
    }
}
