extension TripText {
    /// The text of `caravan show ITEM`: everything about one item.
    package static func card(_ item: ItemView, style: TextStyle = TextStyle()) -> String {
        var lines = [
            style.bold(plain(item.title)) + (item.isDone ? "  ✓ done" : ""),
            "number \(item.number) · id \(item.shortID) · added by \(item.addedByName), \(style.time(item.addedAt))",
        ]
        if item.isRemoved { lines.append("removed: caravan restore \(item.shortID) brings it back") }
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
        if let quantity = item.quantity { rows.append(("quantity", ["×\(quantity)"])) }
        rows.append(("votes", item.votes.isEmpty ? ["none yet"] : ["\(tally(item)) · \(voters(item))"]))
        let label = rows.map(\.0.utf8.count).max() ?? 0
        for (name, texts) in rows {
            let wrapped = texts.flatMap { DisplayWidth.wrap($0, to: style.width - label - 2) }
            for (index, line) in wrapped.enumerated() {
                lines.append(DisplayWidth.fit(index == 0 ? name : "", to: label) + "  " + line)
            }
        }
        return text(lines)
    }

    /// The text of `caravan history`: a line for each thing done, oldest first.
    package static func history(
        _ entries: [HistoryEntry], in view: TripView, style: TextStyle = TextStyle()
    ) -> String {
        if entries.isEmpty { return "Nothing has happened yet.\n" }
        var lines: [String] = []
        for entry in entries {
            let name = view.displayName(of: entry.participant)
            let time = style.time(entry.wallTime)
            for (index, sentence) in sentences(entry.events).enumerated() {
                let lead = index == 0 ? "\(time)  " : String(repeating: " ", count: time.utf8.count + 2)
                let wrapped = DisplayWidth.wrap("\(name) \(sentence)", to: style.width - time.utf8.count - 2)
                lines.append(lead + (wrapped.first ?? ""))
                lines += wrapped.dropFirst().map { String(repeating: " ", count: time.utf8.count + 4) + $0 }
            }
        }
        return text(lines)
    }

    /// One sentence for a run of things of one kind: "added “Cabin”, “Hut” and 3 more".
    private static func sentences(_ events: [HistoryEvent]) -> [String] {
        var sentences: [String] = []
        var run: (opening: String, titles: [String], ending: String)?
        let close = { (run: (opening: String, titles: [String], ending: String)?) -> [String] in
            guard let run else { return [] }
            return ["\(run.opening) \(enumerated(run.titles))\(run.ending)"]
        }
        for event in events {
            switch event {
            case .titled(let title, let old):
                sentences += close(run)
                run = nil
                sentences.append("called the trip \(plain(title).quoted)\(insteadOf(old))")
            case .named(let name, let old):
                sentences += close(run)
                run = nil
                sentences.append(
                    old.map { "is now \(name.quoted), and was \($0.quoted)" } ?? "joined as \(name.quoted)")
            case .item(_, let title, let event):
                let (opening, ending) = frame(of: event)
                if run?.opening == opening, run?.ending == ending {
                    run?.titles.append(title)
                } else {
                    sentences += close(run)
                    run = (opening, [title], ending)
                }
            }
        }
        return sentences + close(run)
    }

    private static func frame(of event: ItemEvent) -> (opening: String, ending: String) {
        switch event {
        case .added(let quantity): ("added", quantity.map { " ×\($0)" } ?? "")
        case .removed: ("removed", "")
        case .restored: ("restored", "")
        case .voted(let vote): ("voted \(vote.name)", "")
        case .unvoted: ("took back the vote on", "")
        case .counted(let step): ("changed the quantity of", " by \(step > 0 ? "+" : "")\(step)")
        case .edited(let edits): ("edited", ": " + edits.map(sentence).joined(separator: "; "))
        }
    }

    private static func sentence(_ edit: FieldEdit) -> String {
        if edit.field == .done { return edit.value == nil ? "not done" : "done" }
        guard let value = edit.value else { return "\(edit.field.name) cleared\(insteadOf(edit.insteadOf))" }
        return "\(edit.field.name) \(plain(value).quoted)\(insteadOf(edit.insteadOf))"
    }

    private static func insteadOf(_ old: [String]) -> String {
        old.isEmpty ? "" : " (was \(old.map { plain($0).quoted }.joined(separator: " and ")))"
    }

    private static func enumerated(_ titles: [String]) -> String {
        let shown = titles.prefix(titles.count > 4 ? 3 : 4).map { plain($0).quoted }
        if titles.count > shown.count {
            return shown.joined(separator: ", ") + " and \(titles.count - shown.count) more"
        }
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}
