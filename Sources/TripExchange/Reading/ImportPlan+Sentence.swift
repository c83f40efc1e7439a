import TripModel

extension ImportPlan {
    /// "Added 98 items from “Mussels Party”; skipped 2 duplicates", for people: what was added, or would be, and what was not
    /// and why.
    package func sentence(for list: ImportedList, isDone: Bool) -> String {
        let of = list.name.map { " from \($0.quoted)" } ?? ""
        let added = "\(isDone ? "Added" : "Would add") \(Self.count(itemCount, "item"))\(of)"
        let others = [
            (knownCount, Self.count(knownCount, "duplicate")),
            (list.hiddenCount, "\(list.hiddenCount) hidden or removed at the source"),
        ]
        let passed = others.filter { $0.0 > 0 }.map { "skipped \($0.1)" }
        let shortened = list.shortenedCount == 0 ? [] : ["shortened \(Self.count(list.shortenedCount, "long text"))"]
        return ([added] + passed + shortened).joined(separator: "; ")
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
