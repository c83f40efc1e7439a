import TripModel

extension ImportPlan {
    /// "Added 98 items from “Mussels Party”; skipped 2 duplicates", for people: what was added, or would be, and what was not
    /// and why.
    package func sentence(for list: ImportedList, isDone: Bool) -> String {
        let of = list.name.map { " from \($0.quoted)" } ?? ""
        let added = "\(isDone ? "Added" : "Would add") \(Self.count(itemCount, "item"))\(of)"
        let skipped = [
            (knownCount, Self.count(knownCount, "duplicate")),
            (list.hiddenCount, "\(list.hiddenCount) hidden or removed at the source"),
        ]
        let passed = skipped.filter { $0.0 > 0 }.map { "skipped \($0.1)" }
        var changed: [String] = []
        if list.shapeCount > 0 {
            changed.append(
                "left out \(Self.count(list.shapeCount, "line, area or unnamed point", "lines, areas or unnamed points"))"
            )
        }
        if list.shortenedCount > 0 { changed.append("shortened \(Self.count(list.shortenedCount, "long text"))") }
        if list.adjustedCount > 0 {
            let quantities = Self.count(list.adjustedCount, "quantity", "quantities")
            changed.append(
                "adjusted \(quantities) (an item starts with 1 to \(Limits.quantityStep), or without a quantity)")
        }
        let others = changed + valueParts(list) + Self.calendarParts(list) + Self.ignoredPart(list)
        let noted = note == nil ? [] : ["\(isDone ? "wrote" : "would write") the note of the trip"]
        return ([added] + newListsPart(isDone) + noted + passed + others).joined(separator: "; ")
    }

    private func valueParts(_ list: ImportedList) -> [String] {
        var parts: [String] = []
        if list.unreadCount > 0 {
            let values = Self.count(list.unreadCount, "invalid value")
            let fields = list.unreadCounts.keys.sorted().map(\.name).joined(separator: ", ")
            parts.append("left out \(values) (\(fields))")
        }
        if strangerCount > 0 {
            let people = Self.count(strangerCount, "assignee who is not", "assignees who are not")
            parts.append("left out \(people) in this trip")
        }
        return parts
    }

    private static func calendarParts(_ list: ImportedList) -> [String] {
        var parts: [String] = []
        if list.repeatingCount > 0 {
            parts.append("took only the first day of \(count(list.repeatingCount, "repeating event"))")
        }
        if list.longCount > 0 {
            parts.append("left out the times of \(count(list.longCount, "event")) longer than a day")
        }
        if !list.unknownZones.isEmpty {
            parts.append(
                "left out \(count(list.unknownZones.count, "unknown time zone")) "
                    + "(\(few(list.unknownZones.map(\.quoted))))")
        }
        return parts
    }

    private static func ignoredPart(_ list: ImportedList) -> [String] {
        guard !list.ignoredColumns.isEmpty else { return [] }
        return ["ignored columns: \(few(list.ignoredColumns.map { $0.displayed(limit: 40) }))"]
    }

    /// The first names, and how many more there are.
    private static func few(_ names: [String]) -> String {
        names.count <= 6
            ? names.joined(separator: ", ")
            : names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more"
    }

    private func newListsPart(_ isDone: Bool) -> [String] {
        let titles = newLists
        guard !titles.isEmpty else { return [] }
        let verb = isDone ? "created" : "would create"
        let named = titles.count <= 5 ? " " + titles.map(\.quoted).joined(separator: ", ") : ""
        return ["\(verb) \(Self.count(titles.count, "list"))\(named)"]
    }

    private static func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
        "\(number) \(number == 1 ? one : several ?? one + "s")"
    }
}
