package import TripModel

extension TerminalText {
    /// The text of `caravan show ITEM`: everything about one item.
    package static func card(_ item: ItemView, of group: Group, style: TextStyle = TextStyle()) -> String {
        let done =
            (item.isChosen ? "  ★ chosen" : "") + (item.isDone ? item.question == nil ? "  ✓ done" : "  ✓ closed" : "")
        var lines = style.wrap(plain(item.title), beside: done.count).map(style.bold)
        lines[lines.count - 1] += done
        lines += style.wrap(
            "number \(item.number) · id \(item.shortID) · added by \(item.addedByName) on \(style.time(item.addedAt))")
        if item.isRemoved { lines += style.wrap("removed; restore with `caravan restore \(item.shortID)`") }
        lines.append("")
        if let title = item.fields[.title], !title.alternatives.isEmpty {
            lines += alsoProposed(title, indent: 0, style) + [""]
        }
        var rows: [(String, [String])] = []
        if let list = item.sayings.list { rows.append(("list", [plain(list.title)])) }
        for (index, line) in question(item, of: group, style).enumerated() {
            rows.append((index == 0 ? "question" : "", [line]))
        }
        for field in Field.allCases where field != .title && field.kind != .flag && field != .question {
            guard let view = item.fields[field] else { continue }
            let remark = field == .due && style.isOverdue(item) ? ", overdue" : field == .payment ? dispute(item) : ""
            rows.append((field.name, marked(shown(view.value, field, of: item, group) + remark)))
            for other in view.alternatives {
                let value = shown(other.value, field, of: item, group)
                rows.append(("", marked("also proposed: \(value) (\(other.authorName))")))
            }
        }
        if let quantity = item.quantity { rows.append(("quantity", [self.quantity(quantity)])) }
        if !item.sayings.amenities.isEmpty {
            rows.append(("amenities", [plain(item.sayings.amenities.joined(separator: ", "))]))
        }
        if !item.sayings.claims.isEmpty { rows.append(("bringing", [claims(item)])) }
        if !item.sayings.attendance.isEmpty {
            let unanswered = group.unanswered(for: item).map(\.displayName)
            rows.append(("going", [attendance(item)]))
            rows.append(
                (
                    "",
                    [
                        unanswered.isEmpty
                            ? "everybody has answered" : "no answer yet: \(unanswered.joined(separator: ", "))"
                    ]
                )
            )
        }
        if let chosen = item.fields[.chosen] { rows.append(("chosen", ["by \(chosen.shown.authorName)"])) }
        if item.question == nil || !item.votes.isEmpty {
            rows.append(("votes", item.votes.isEmpty ? ["none yet"] : ["\(tally(item)) · \(voters(item))"]))
        }
        let waiting = group.waiting(for: item).map(\.displayName)
        if !waiting.isEmpty, !item.votes.isEmpty {
            rows.append(("", ["not voted yet: \(waiting.joined(separator: ", "))"]))
        }
        if !item.photos.isEmpty { rows.append(("photos", [photoAuthors(item)])) }
        for (index, comment) in item.sayings.comments.enumerated() {
            let text = "\(index + 1) \(comment.authorName): \(plain(comment.text))"
            rows.append((index == 0 ? "comments" : "", marked(text)))
        }
        let label = rows.map(\.0.utf8.count).max() ?? 0
        for (name, texts) in rows {
            let wrapped = texts.flatMap { style.wrap($0, beside: label + 2) }
            for (index, line) in wrapped.enumerated() {
                lines.append(DisplayWidth.fit(index == 0 ? name : "", to: label) + "  " + line)
            }
        }
        return text(lines)
    }

    /// The lines of a text, each but the first with a mark: else it could pass for a line of the card, or for another comment.
    private static func marked(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines.prefix(1)) + lines.dropFirst().map { "│ " + $0 }
    }

    private static func shown(_ value: String, _ field: Field, of item: ItemView, _ group: Group) -> String {
        if field == .price, value == item.fields[.price]?.value { return price(item, group) ?? plain(value) }
        if field == .assignee {
            let vacancy = value == item.fields[.assignee]?.value ? group.vacancy(of: item) : nil
            return plain(vacancy ?? field.words(of: value, group.name))
        }
        guard let cost = field.kind == .cost ? Cost(value) : nil else { return shown(value, field) }
        let names = { (shares: [Share]) in joined(shares.map { plain(group.name(of: $0.person)) }) }
        if cost.payment != nil { return "\(cost.words), \(names(cost.payers)) to \(names(cost.shares))" }
        return "\(cost.words): \(names(cost.payers)) paid for \(names(cost.shares)), \(cost.way.words)"
    }

    private static func shown(_ value: String, _ field: Field) -> String {
        guard field.kind == .dates || field.kind == .day, let dates = DateSpan(value) else { return plain(value) }
        return dates.words + (dates.nights > 0 ? " (\(counted(dates.nights, "night")))" : "")
    }
}
