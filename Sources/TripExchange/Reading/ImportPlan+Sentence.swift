import TripModel

extension ImportPlan {
    /// "added 98 items of “Mussels Party”; 2 were there already", for people: what was added, or would be, and what was not
    /// and why.
    package func sentence(for list: ImportedList, isDone: Bool) -> String {
        let of = list.name.map { " of \($0.quoted)" } ?? ""
        let added = "\(isDone ? "added" : "would add") \(Self.count(itemCount, "item"))\(of)"
        let others = [
            (knownCount, knownCount == 1 ? "was there already" : "were there already"),
            (list.hiddenCount, "hidden or removed where \(list.hiddenCount == 1 ? "it comes" : "they come") from"),
        ]
        let passed = others.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let shortened =
            list.shortenedCount == 0
            ? [] : ["\(Self.count(list.shortenedCount, "text")) too long, cut at “…”"]
        return ([added] + passed + shortened).joined(separator: "; ")
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
