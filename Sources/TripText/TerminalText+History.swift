package import TripModel

extension TerminalText {
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
                let wrapped = style.wrap("\(name) \(sentence)", beside: time.utf8.count + 2)
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
