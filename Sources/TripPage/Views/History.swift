import TripModel
import TripService

extension TripPage {
    /// What happened, newest first, day by day. What is removed still can be restored here, long after the toast.
    static func historyView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "history"), .aria(.labelledby, "history-title")) {
            tag(.h2, .id("history-title")) { "What happened" }
            if state.history.entries.isEmpty {
                tag(.p, .class("note")) { "Nothing has happened yet." }
            }
            for day in days(state) {
                tag(.h3) { day.title }
                tag(.ol, .class("deeds")) { historyLines(day.entries, state: state) }
            }
            if state.history.entries.count >= PageState.historyMax {
                tag(.p, .class("hint")) {
                    "The last \(PageState.historyMax) changes. All of them: "
                    tag(.kbd) { "caravan history" }
                }
            }
        }
    }

    private static func historyLines(_ entries: [HistoryEntry], state: PageState) -> [HTML] {
        let wording = HistoryWording(state.history.names, state: state)
        return entries.map { entry in
            tag(.li, .id("h-\(entry.stamp.label)")) {
                historyLine(entry, wording: wording, state: state)
                for item in restorable(entry, in: state) {
                    actionButton(
                        .restore(items: [item.shortID]), state: state, label: "Restore",
                        description: "Restore \(item.title.displayed(limit: 80))")
                }
            }
        }
    }

    /// What a change removed that is removed now; of many no buttons are made.
    private static func restorable(_ entry: HistoryEntry, in state: PageState) -> [ItemView] {
        guard !state.viewer.isGuest, state.status.removal == nil, !state.trip.removedItems.isEmpty else { return [] }
        let removed = entry.events.compactMap { event in
            if case .item(let id, _, .removed, _) = event { id } else { nil }
        }
        guard !removed.isEmpty, removed.count <= 4 else { return [] }
        return state.trip.removedItems.filter { removed.contains($0.id) }
    }

    private struct Day {
        let title: String
        var entries: [HistoryEntry]
    }

    /// By the authors' clocks, in the order in which things happened: a clock that lies may begin a day twice.
    private static func days(_ state: PageState) -> [Day] {
        var days: [Day] = []
        for entry in state.history.entries.suffix(PageState.historyMax).reversed() {
            let title = dayText(entry.wallTime, state: state)
            if days.last?.title == title {
                days[days.count - 1].entries.append(entry)
            } else {
                days.append(Day(title: title, entries: [entry]))
            }
        }
        return days
    }

    /// "Today", "Yesterday", or "21 Nov".
    private static func dayText(_ milliseconds: Int64, state: PageState) -> String {
        let day = dateText(milliseconds, state: state)
        if day == dateText(state.now, state: state) { return "Today" }
        if day == dateText(state.now &- 86_400_000, state: state) { return "Yesterday" }
        return day
    }
}
