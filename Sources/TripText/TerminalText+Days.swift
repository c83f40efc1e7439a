package import TripModel

extension TerminalText {
    /// The text of `caravan days`.
    ///
    ///     Friday 12 June 2026
    ///        3          Casa do Rio · until 15 June 2026
    ///        5  14:30   Castle · 2 h
    ///
    ///     Not planned yet
    ///        7          Oceanarium
    package static func days(_ view: TripView, style: TextStyle = TextStyle()) -> String {
        let timeline = view.timeline
        let rivals = rivalDates(view, style)
        guard !timeline.days.isEmpty || !timeline.unplanned.isEmpty || !rivals.isEmpty else {
            return "Nothing is planned yet. Plan an item with `caravan plan ITEM --on DAY`.\n"
        }
        let items = timeline.days.flatMap(\.entries).map(\.item) + timeline.unplanned
        let width = items.map { String($0.number).utf8.count }.max() ?? 1
        var lines: [String] = []
        var zone: DayTime.Zone?
        for plan in timeline.days {
            let words = DateSpan(plan.day, at: nil).words
            lines += (lines.isEmpty ? [] : [""]) + [style.bold("\(plan.day.weekday) \(words)")]
            if plan.entries.isEmpty { lines.append("   Nothing planned") }
            for entry in plan.entries {
                // A clock is named where it changes.
                let isNew = entry.time?.zone.map { $0.words != zone?.words } ?? false
                if isNew { zone = entry.time?.zone }
                lines += row(entry.item, entry.time?.start, facts(entry, zone: isNew ? zone : nil), width, style)
            }
        }
        if !timeline.unplanned.isEmpty {
            lines += (lines.isEmpty ? [] : [""]) + [style.bold("Not planned yet")]
            for item in timeline.unplanned { lines += row(item, nil, [], width, style) }
        }
        if !rivals.isEmpty { lines += (lines.isEmpty ? [] : [""]) + rivals }
        return text(lines)
    }

    /// What to do if several dates are chosen.
    static func rivalDates(_ view: TripView, _ style: TextStyle) -> [String] {
        let rivals = view.rivalDates.map { "\($0.number) (\($0.dates?.words ?? ""))" }
        guard !rivals.isEmpty else { return [] }
        return style.wrap(
            "Several dates are chosen: \(joined(rivals)). To give the trip its days and nights, keep one, and unmark the "
                + "others with `caravan choose ITEM --not`.")
    }

    private static func facts(_ entry: TripTimeline.Entry, zone: DayTime.Zone?) -> [String] {
        var facts: [String] = []
        if let departure = entry.span.departure {
            facts.append(entry.isDeparture ? "departure" : "until \(DateSpan(departure, at: nil).words)")
        }
        if let length = entry.time?.length { facts.append(DayTime.words(ofLength: length)) }
        if let zone { facts.append(zone.words) }
        if let others = entry.item.fields[.dates]?.alternatives, !others.isEmpty, !entry.isDeparture {
            let values = others.map { "\(Field.dates.words(of: $0.value)) (\(plain($0.authorName)))" }
            facts.append("also proposed: \(values.joined(separator: ", "))")
        }
        return facts
    }

    private static func row(
        _ item: ItemView, _ start: String?, _ facts: [String], _ width: Int, _ style: TextStyle
    ) -> [String] {
        let number = String(item.number)
        let title = (item.isDone ? "✓ " : "") + plain(item.title)
        let head = String(repeating: " ", count: 3 + width - number.utf8.count) + number + "  " + (start ?? "")
        return tableRow(head, to: width + 10, ([title] + facts).joined(separator: " · "), style)
    }
}
