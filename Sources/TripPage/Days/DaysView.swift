import TripModel
import TripService

extension TripPage {
    /// Days that the view draws, and items of one day.
    static let daysMax = 100
    private static let dayRowsMax = 100

    /// The view of days: what is planned on each, and what has no day yet.
    static func daysView(_ state: PageState) -> HTML {
        let timeline = state.trip.timeline
        let (days, further) = drawnDays(of: timeline)
        let clock = CivilTime(milliseconds: state.now, offset: state.secondsFromUTC)
        let today = Day(clock.toTheMinute.prefix(10))
        let present = today.map {
            timeline.present(
                on: $0, minute: Int(clock.hour * 60 + clock.minute), minutesSince1970: Int(state.now / 60_000))
        }
        // Chosen dates of the trip are its days, and no plan.
        let undecided = state.trip.items.count { $0.dates != nil && !$0.isChosen && $0.kind != .dates }
        let rivals = state.trip.rivalDates
        let stays = timeline.days.flatMap(\.entries).filter { $0.span.departure != nil && !$0.isDeparture }
        return tag(.div, .class("days")) {
            if timeline.days.isEmpty, timeline.unplanned.isEmpty, undecided == 0, rivals.isEmpty {
                tag(.p, .class("hint")) {
                    "Nothing is planned yet."
                    if state.mayEdit { " Choose something on its card, and give it a day here." }
                }
            }
            if !rivals.isEmpty {
                tag(.p, .class("hint")) {
                    "Several dates are chosen: \(rivals.compactMap { $0.dates?.words(in: state.year) }.joined(separator: "; "))."
                    if state.mayEdit { " Keep one: press “★ Chosen” on the cards of the others." }
                }
            }
            if let present { self.present(present, state) }
            days.map { day($0.day, $0.entries, stays: stays, isToday: $0.day == today, state) }
            if further > 0 { moreDays(further) }
            if !timeline.unplanned.isEmpty {
                tag(.section, .id("plans"), .class("view"), .aria(.labelledby, "unplanned"), .data(.day, "")) {
                    tag(.h2, .id("unplanned")) { "Not planned yet" }
                    tag(.ul) {
                        timeline.unplanned.prefix(dayRowsMax).map { row($0, start: nil, facts: [], state) }
                    }
                    if timeline.unplanned.count > dayRowsMax { moreDays(timeline.unplanned.count - dayRowsMax) }
                }
            }
            if undecided > 0 {
                notChosen(undecided, isAlone: timeline.days.isEmpty && timeline.unplanned.isEmpty, state)
            }
            if let calendar = state.calendar {
                tag(.details, .class("calendar"), .id("calendar")) {
                    tag(.summary) { "Subscribe in a calendar" }
                    tag(.p, .class("hint")) {
                        "Add this address to a calendar program on this computer. It then shows the trip, and updates while "
                            + "Caravan runs. Keep the address secret: every program that knows it can read the trip."
                    }
                    copyField(calendar, label: "Calendar address", button: "Copy address", id: "calendar-address")
                }
            }
        }
    }

    /// The days to draw, those of a stay that have no plan among them, and how many more there are. O(days).
    private static func drawnDays(of timeline: TripTimeline) -> (
        drawn: [(day: Day, entries: [TripTimeline.Entry])], further: Int
    ) {
        var drawn: [(day: Day, entries: [TripTimeline.Entry])] = []
        var (count, next) = (0, Day?.none)
        // A stay has an entry on its first and on its last day, so it fills whole gaps between days that have entries.
        var stayedUntil: Day?
        for plan in timeline.days {
            if let until = stayedUntil, let first = next, plan.day <= until {
                count += plan.day.ordinal - first.ordinal
                while let day = next, day < plan.day, drawn.count < daysMax {
                    drawn.append((day, []))
                    next = day.next
                }
            }
            count += 1
            if drawn.count < daysMax { drawn.append((plan.day, plan.entries)) }
            next = plan.day.next
            stayedUntil = ([stayedUntil] + plan.entries.map(\.span.departure)).compactMap(\.self).max()
        }
        return (drawn, count - drawn.count)
    }

    /// What has dates, and is on no day because nobody chose it.
    private static func notChosen(_ count: Int, isAlone: Bool, _ state: PageState) -> HTML {
        let items = "\(count)\(isAlone ? "" : " other") item\(count == 1 ? " has" : "s have") dates"
        // Guests choose nothing, and in an archived trip nobody does.
        let how = state.mayEdit ? ": press “★ Choose” on its card" : state.viewer.isGuest ? ", and members choose" : ""
        return tag(.p, .class("hint")) {
            "\(items), but nobody has chosen \(count == 1 ? "it" : "them"). Only what is chosen is on a day\(how)."
        }
    }

    /// What is on now, and what comes next today; each leads to its row.
    private static func present(_ present: TripTimeline.Present, _ state: PageState) -> HTML? {
        guard !present.on.isEmpty || !present.next.isEmpty else { return nil }
        return tag(.p, .class("present")) {
            for (word, entries) in [("Now", present.on), ("Next", present.next)] where !entries.isEmpty {
                tag(.span) {
                    tag(.strong) { word }
                    entries.prefix(presentMax).map { entry in
                        tag(.span, .plain(.dir, "auto")) {
                            tag(.a, .href(.part(rowID(entry.item)))) { entry.item.title.displayed(limit: 80) }
                            " \(entry.time?.words ?? "")"
                            if let zone = entry.time?.zone, Int64(zone.offset) * 60 != state.secondsFromUTC {
                                " \(zone.words)"
                            }
                        }
                    }
                }
            }
        }
    }

    private static let presentMax = 3

    /// - Parameter part: of the rows of a stay, which one it is.
    private static func rowID(_ item: ItemView, _ part: String = planned) -> String { "\(part)-\(item.shortID)" }

    private static let planned = "planned"

    private static func moreDays(_ count: Int) -> HTML {
        tag(.p, .class("hint")) {
            "\(count) more: "
            tag(.kbd) { "caravan days" }
        }
    }

    /// - Parameter stays: all of the trip. Those that are on between their first and their last day have a row as well.
    private static func day(
        _ day: Day, _ entries: [TripTimeline.Entry], stays: [TripTimeline.Entry], isToday: Bool, _ state: PageState
    ) -> HTML {
        let heading = "day-" + day.text
        let staying = stays.filter { $0.span.arrival < day && day < $0.span.departure ?? day }.prefix(dayRowsMax)
        let shown = entries.prefix(dayRowsMax)
        let timed = shown.filter { $0.time != nil }
        return tag(
            .section, .id("plans-" + day.text), .class("view", isToday ? "today" : "day"),
            .aria(.labelledby, heading), .data(.day, day.text)
        ) {
            tag(.h2, .id(heading)) {
                tag(.time, .plain(.datetime, day.text)) { DateSpan(day, at: nil).words(in: state.year) }
                if isToday { tag(.mark) { "today" } }
            }
            if entries.isEmpty, staying.isEmpty { tag(.p, .class("hint")) { "Nothing planned" } }
            tag(.ol) {
                staying.map { row($0.item, start: nil, facts: until($0, state), state, "staying-" + day.text) }
                shown.map { entry($0, meets: timed.filter($0.meets), state) }
            }
            if entries.count > shown.count { moreDays(entries.count - shown.count) }
        }
    }

    /// - Parameter meets: the plans of the day at the same time.
    private static func entry(_ entry: TripTimeline.Entry, meets: [TripTimeline.Entry], _ state: PageState) -> HTML {
        var facts: [String] = []
        if let other = meets.first {
            let more = meets.count > 1 ? " and \(meets.count - 1) more" : ""
            facts.append("at the same time as \(other.item.title.displayed(limit: 80))\(more)")
        }
        facts += entry.isDeparture ? ["Departure"] : until(entry, state)
        if let length = entry.time?.length { facts.append(DayTime.words(ofLength: length)) }
        if let zone = entry.time?.zone { facts.append(zone.words) }
        if let address = entry.item.fields[.address] { facts.append(address.value.displayed(limit: 120)) }
        return row(entry.item, start: entry.time?.start, facts: facts, state, entry.isDeparture ? "leaving" : planned)
    }

    /// The last day of a stay.
    private static func until(_ entry: TripTimeline.Entry, _ state: PageState) -> [String] {
        entry.span.departure.map { ["until \(DateSpan($0, at: nil).words(in: state.year))"] } ?? []
    }

    private static func row(
        _ item: ItemView, start: String?, facts: [String], _ state: PageState, _ part: String = planned
    ) -> HTML {
        let title = item.title.displayed(limit: 120)
        let state = state.within(rowID(item, part))
        // A stay has two days: its form says both.
        let isMovable = state.mayEdit && item.dates?.departure == nil
        return tag(
            .li, .id(rowID(item, part)), isMovable ? .plain(.draggable, "true") : nil,
            isMovable ? .data(.mark, "movable") : nil
        ) {
            tag(.span, .class("clock")) { start ?? "" }
            tag(.div) {
                tag(.h3, .plain(.dir, "auto")) {
                    tag(
                        .a, .href(address(.cards, state: state, open: item.shortID)),
                        isMovable ? .aria(.keyshortcuts, "Alt+ArrowUp Alt+ArrowDown") : nil
                    ) { (item.isDone ? "✓ " : "") + title }
                }
                if !facts.isEmpty {
                    tag(.p, .class("facts")) { facts.map { fact in tag(.span, .plain(.dir, "auto")) { fact } } }
                }
                if part == planned { otherDays(item, state) }
            }
            if state.mayEdit, part == planned { planForm(item, state) }
        }
    }

    private static let otherDaysMax = 8

    /// The days that were written at the same moment, each with the button that keeps it.
    private static func otherDays(_ item: ItemView, _ state: PageState) -> HTML? {
        guard let field = item.fields[.dates], !field.alternatives.isEmpty else { return nil }
        return tag(.ul, .class("versions")) {
            for version in ([field.shown] + field.alternatives).prefix(otherDaysMax) {
                let (author, words) = (version.authorName, Field.dates.words(of: version.value, in: state.year))
                tag(.li) {
                    tag(.span) {
                        isolated(author)
                        ": "
                        isolated(words.displayed(limit: 200))
                    }
                    if state.mayEdit {
                        actionButton(
                            .pick(version.value, for: .dates, of: item), state: state, label: "Keep this",
                            description: "Keep this day of \(item.title.displayed(limit: 80)): \(author): \(words)",
                            class: "text")
                    }
                }
            }
        }
    }

    /// Gives an item a day, a time and a length, or takes it off its day; of a stay, off all its days.
    private static func planForm(_ item: ItemView, _ state: PageState) -> HTML {
        let (title, span) = (item.title.displayed(limit: 80), item.dates)
        let id = "plan-" + item.shortID
        let action = PageAction.plan(item.shortID, TypedPlan(), shown: item.standing(at: .dates))
        let refused = state.toast?.refusedPlan.flatMap { $0.item == item.shortID ? $0 : nil }
        return tag(.details, .class("plan"), .id(id), .flag(.open, refused != nil)) {
            tag(.summary, .aria(.label, span == nil ? "Plan \(title)" : "Change the day of \(title)")) {
                span == nil ? "Plan" : "Change"
            }
            actionForm(action.fields, PageTarget(state), class: "plan-form") {
                if let span, let departure = span.departure {
                    tag(.div, .class("field-pair")) {
                        field("First day", "day", span.arrival.text, id, type: "date")
                        field("Last day", "until", departure.text, id, type: "date")
                    }
                } else {
                    field("Day", "day", refused?.day ?? span?.arrival.text ?? "", id, type: "date")
                    field("Time", "start", refused?.start ?? span?.time?.start ?? "", id, type: "time")
                    field(
                        "Length", "length",
                        refused?.length ?? span?.time?.length.map(DayTime.words(ofLength:)) ?? "", id, type: "text",
                        placeholder: "2h", fault: planFaultID(item.shortID), isFaulty: refused != nil)
                }
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Save" }
                if span?.departure == nil { planFault(item.shortID, refused) }
            }
            if span != nil {
                actionButton(
                    .act(.plan(nil, shown: item.standing(at: .dates)), on: [item.shortID]), state: state,
                    label: span?.departure == nil ? "Take off this day" : "Take off its days",
                    description: "Take \(title) off its \(span?.departure == nil ? "day" : "days")", class: "text")
            }
        }
    }

    private static func field(
        _ label: String, _ name: String, _ value: String, _ id: String, type: String, placeholder: String? = nil,
        fault: String? = nil, isFaulty: Bool = false
    ) -> HTML {
        tag(.label) {
            tag(.span) { label }
            tag(
                .input, .plain(.type, type), .plain(.name, name), .plain(.value, value), .id("\(id)-\(name)"),
                placeholder.map { .plain(.placeholder, $0) },
                name == "day" ? .flag(.required) : nil, fault.map { .aria(.describedby, $0) },
                isFaulty ? .aria(.invalid, "true") : nil)
        }
    }
}

extension TripTimeline.Entry {
    /// Whether another plan of the day is at the same time: one that begins with it, or while it is on for as long as somebody said.
    /// By the moment if both say their distance from UTC, by the clock if not.
    fileprivate func meets(_ other: TripTimeline.Entry) -> Bool {
        guard item.id != other.item.id, let time, let otherTime = other.time else { return false }
        let lengths = (time.length ?? 1, otherTime.length ?? 1)
        let starts =
            if let start = span.minutesSince1970, let otherStart = other.span.minutesSince1970 {
                (start, otherStart)
            } else {
                (time.minute, otherTime.minute)
            }
        return starts.0 < starts.1 + lengths.1 && starts.1 < starts.0 + lengths.0
    }
}
