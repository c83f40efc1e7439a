package import TripService

extension TerminalText {
    /// The text of `caravan members`: a line for each person, below their inviter.
    package static func members(_ view: MembersView, now: Int64, style: TextStyle = TextStyle()) -> String {
        let rows = view.people.map { person in
            (
                name: String(repeating: "  ", count: person.depth) + person.name,
                facts: facts(of: person, now: now, style)
            )
        }
        let width = column(rows.map(\.name), style)
        let lines = rows.flatMap { tableRow($0.name, to: width, $0.facts.joined(separator: ", "), style) }
        let overshot = view.overshotInvites.map {
            "An invite for \($0.uses) admitted \($0.joined) people, because two members accepted it at the same time"
        }
        return text(lines + overshot + view.people.filter(\.mayBeKept).prefix(keepQuestionsMax).map(question))
    }

    /// What the person here is asked of somebody who waits.
    private static func question(_ person: MemberView) -> String {
        "Keep \(person.name)? They came through \(person.removal?.waiting?.host ?? "somebody"), "
            + "who \(person.removal?.clause ?? "was removed"). What they did counts once you keep them: "
            + "`caravan members keep \(person.id.prefix(8))`, or `caravan members remove \(person.id.prefix(8))`"
    }

    /// Of more people who wait than so many, the rest stand in the list alone.
    static var keepQuestionsMax: Int { 8 }

    private static func facts(of person: MemberView, now: Int64, _ style: TextStyle) -> [String] {
        var facts = [person.sponsor.map { (person.isGuest ? "guest of " : "invited by ") + $0 } ?? "founder"]
        if person.devices.count > 1 { facts.append("\(person.devices.count) devices") }
        if let removal = person.removal {
            let event = removal.waiting.map { _ in "waits: " + removal.event() }
            facts.append(
                "\(event ?? removal.by.map { "removed by \($0)" } ?? "left") on \(style.time(removal.at))")
            if person.isYou { facts.append("you") }
        } else if person.isYou {
            facts.append("you")
        } else if person.isHere {
            facts.append("connected")
        } else if !person.isGuest {
            // A guest has no node that could be seen.
            facts.append(person.lastHeard.map { "last seen \(Span.ago($0, now: now))" } ?? "not met directly yet")
        }
        return facts
    }

    package static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// The text of `caravan trips`.
    package static func trips(_ trips: [TripEntry]) -> String {
        if trips.isEmpty {
            return
                "No trips yet. Create one with `caravan new TITLE --as NAME`, or join one with `caravan join LINK --as NAME`.\n"
        }
        return text(
            trips.map { trip in
                let mark = trip.isInUse ? "* " : "  "
                let title =
                    trip.title.map { $0.isEmpty ? "(no title yet)" : plain($0) } ?? "(\(trip.problem ?? "unknown"))"
                return
                    "\(mark)\(trip.id.prefix(6))  \(title)\(trip.isOut ? "  (no longer a member)" : "")\(trip.isArchived ? "  (archived)" : "")\(trip.isRunning ? "  (running)" : "")"
            })
    }
}
