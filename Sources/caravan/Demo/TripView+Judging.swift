import TripModel

extension TripView {
    /// What is missing of what the race must leave behind.
    /// - Parameter demanded: the voters of each item, by its number.
    func problems(demanded: [Int: [String]]) -> [String] {
        var problems: [String] = []
        guard items.count == 4 else { return ["there are \(items.count) items instead of 4"] }
        for item in items where item.number <= 3 {
            if item.fields[.price] == nil || item.fields[.host] == nil {
                problems.append("“\(item.title)” lost its fields")
            }
            if let voters = demanded[item.number], item.votes.map(\.name).sorted() != voters {
                problems.append("“\(item.title)” has the votes of \(item.votes.map(\.name))")
            }
        }
        let titles = items[0].titles
        if Set(titles) != ["Casa by the river", "Casa do Tejo"] { problems.append("a title is lost: \(titles)") }
        return problems
    }

    /// What is missing of what the last act must leave behind.
    var problemsOfDecision: [String] {
        var problems: [String] = []
        if items.first?.isChosen != true { problems.append("nothing is chosen") }
        if items.first?.sayings.comments.map(\.authorName) != ["Michelle"] { problems.append("a comment is lost") }
        let toBring = items.filter { $0.sayings.list?.title == "Mussels party" }
        if toBring.map(\.quantity) != [1, 1] { problems.append("an item to bring is lost") }
        if toBring.last?.sayings.claims.map(\.name) != ["Michelle"] { problems.append("who brings the fries is lost") }
        return problems
    }
}
