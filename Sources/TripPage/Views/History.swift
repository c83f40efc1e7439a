import TripModel
import TripService

extension TripPage {
    /// What stands above the list `history`.
    static func historyHead(_ state: PageState) -> HTML {
        tag(.section, .class("view")) {
            tag(.h2) { "History" }
            if state.history.entries.isEmpty {
                tag(.p, .class("note")) { "Nothing has happened yet." }
            } else if state.history.entries.count >= PageState.historyMax {
                tag(.p, .class("hint")) {
                    "The last \(PageState.historyMax) changes. For all of them, use "
                    tag(.kbd) { "caravan history" }
                }
            }
            if state.mayEdit, state.history.entries.contains(where: { $0.participant == state.viewer.participant }) {
                actionForm(.undo, state: state) {
                    tag(.button, .class("button"), .plain(.type, "submit"), .data(.key, "z"), .aria(.keyshortcuts, "z"))
                    {
                        "Undo your last change"
                    }
                }
            }
        }
    }

    /// The list `history`: what happened, newest first, each day with a heading. What is removed still can be restored here,
    /// long after the toast.
    ///
    /// - Parameter trip: the whole trip, where the state has what is planned only.
    static func history(
        _ state: PageState, of trip: TripView? = nil, most: Int = PageState.historyMax
    ) -> FragmentList {
        let wording = HistoryWording(state.history.names, state: state, trip: trip)
        return FragmentList(
            id: "history",
            fragments: days(state, most: most).flatMap { day in
                // Named by the day's first change, for others come on top.
                [line("d-\(day.entries[day.entries.count - 1].stamp.label)", tag(.h3) { day.title })]
                    + day.entries.map { entry in
                        line("h-\(entry.stamp.label)", deed(entry, wording: wording, state: state))
                    }
            })
    }

    private static func line(_ id: String, _ html: HTML) -> Fragment {
        Fragment(id: id, html: tag(.li, .id(id)) { html })
    }

    private static func deed(_ entry: HistoryEntry, wording: HistoryWording, state: PageState) -> HTML {
        let removed = restorable(entry, in: state)
        return .group(
            [historyLine(entry, wording: wording, state: state)]
                + removed.map { item in
                    actionButton(
                        .act(.restore, on: [item.shortID]), state: state,
                        label: removed.count == 1 ? "Restore" : "Restore \(item.title.quoted)",
                        description: "Restore \(item.title.displayed(limit: 80))")
                })
    }

    /// What a change removed that is removed now; of many no buttons are made.
    private static func restorable(_ entry: HistoryEntry, in state: PageState) -> [ItemView] {
        guard state.mayEdit, !state.trip.removedItems.isEmpty else { return [] }
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
    private static func days(_ state: PageState, most: Int) -> [Day] {
        var days: [Day] = []
        var later: HistoryEntry?
        for entry in state.history.entries.suffix(most).joiningNotes().reversed() {
            defer { later = entry }
            // Of a person who changes their mind about an item again and again, the last vote is told.
            if let item = entry.votedItem, item == later?.votedItem, entry.participant == later?.participant {
                continue
            }
            let title = dayText(entry.wallTime, state: state)
            if days.last?.title == title {
                days[days.count - 1].entries.append(entry)
            } else {
                days.append(Day(title: title, entries: [entry]))
            }
        }
        return days
    }

    /// "Today", "Yesterday", or "Sat 21 November".
    private static func dayText(_ milliseconds: Int64, state: PageState) -> String {
        let day = dateText(milliseconds, state: state)
        if day == dateText(state.now, state: state) { return "Today" }
        if day == dateText(state.now &- 86_400_000, state: state) { return "Yesterday" }
        return day
    }
}

extension HistoryEntry {
    /// The item on which a change votes; nil where it does more, or something else.
    fileprivate var votedItem: ItemID? {
        guard events.count == 1, case .item(let id, _, let event, false) = events[0] else { return nil }
        return switch event {
        case .voted, .unvoted: id
        default: nil
        }
    }
}
