package import TripModel

extension TerminalText {
    /// The text of `caravan show ITEM`: everything about one item.
    package static func card(_ item: ItemView, style: TextStyle = TextStyle()) -> String {
        let done = item.isDone ? "  ✓ done" : ""
        var lines = style.wrap(plain(item.title), beside: done.count).map(style.bold)
        lines[lines.count - 1] += done
        lines += style.wrap(
            "number \(item.number) · id \(item.shortID) · added by \(item.addedByName), \(style.time(item.addedAt))")
        if item.isRemoved { lines += style.wrap("removed: caravan restore \(item.shortID) brings it back") }
        lines.append("")
        if let title = item.fields[.title], !title.alternatives.isEmpty {
            lines += alsoProposed(title, label: nil, indent: 0, style) + [""]
        }
        var rows: [(String, [String])] = []
        for field in Field.allCases where field != .title && field != .done {
            guard let view = item.fields[field] else { continue }
            rows.append((field.name, [plain(view.value)]))
            for other in view.alternatives {
                rows.append(("", ["also proposed: \(plain(other.value)) (\(other.authorName))"]))
            }
        }
        if let quantity = item.quantity { rows.append(("quantity", [self.quantity(quantity)])) }
        rows.append(("votes", item.votes.isEmpty ? ["none yet"] : ["\(tally(item)) · \(voters(item))"]))
        let label = rows.map(\.0.utf8.count).max() ?? 0
        for (name, texts) in rows {
            let wrapped = texts.flatMap { style.wrap($0, beside: label + 2) }
            for (index, line) in wrapped.enumerated() {
                lines.append(DisplayWidth.fit(index == 0 ? name : "", to: label) + "  " + line)
            }
        }
        return text(lines)
    }
}
