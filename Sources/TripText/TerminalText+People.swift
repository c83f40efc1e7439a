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
        let width = rows.map { DisplayWidth.of($0.name) }.max() ?? 0
        let lines = rows.map { DisplayWidth.fit($0.name, to: width) + "  " + $0.facts.joined(separator: ", ") }
        let overshot = view.overshotInvites.map {
            "An invite for \($0.uses) admitted \($0.joined) people, because two members accepted it at the same time"
        }
        return text(lines + overshot + view.people.filter(\.mayBeKept).prefix(keepQuestionsMax).map(question))
    }

    /// What the person here is asked of somebody who waits.
    private static func question(_ person: MemberView) -> String {
        "Keep \(person.name)? They came through \(person.removal?.waiting?.host ?? "somebody"), "
            + "who \(person.removal?.clause ?? "was removed") while you were apart: "
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

    private static func presence(of device: DeviceStatus, now: Int64) -> String {
        guard !device.isHere else { return "connected" }
        return device.lastHeard.map { "last seen \(Span.ago($0, now: now))" } ?? "not met directly yet"
    }

    /// The text of `caravan device list`: the other devices of the person here, each with the beginning of its id.
    package static func ownDevices(_ view: StatusView, now: Int64) -> String {
        let own = view.devices.filter(\.isYours)
        guard !own.isEmpty else { return "You have no other device. Add one with `caravan device add`.\n" }
        return text(own.map { "\($0.id.prefix(8))  \($0.name ?? $0.label): \(presence(of: $0, now: now))" })
    }

    /// The text of `caravan status`: a line for each other device.
    /// - Parameter isOtherRunning: whether a node runs, and doesn't run this trip.
    package static func status(
        _ view: StatusView, now: Int64, style: TextStyle = TextStyle(), isOtherRunning: Bool = false
    ) -> String {
        var lines = ["\(plain(view.title)): \(counted(view.changes, "change")), you are \(view.you)"]
        if let removal = view.removal {
            lines.append("\(sentence(removal, style: style)). \(whatIsLeft(removal))")
        }
        if view.fetchesLinks {
            lines.append("Fetches details of the links that you add. Turn it off with `caravan fetch --no-always`")
        }
        if view.isArchived { lines.append("Archived: read-only here. Reopen it with `caravan archive --reopen`") }
        if let listening = view.listening {
            let at =
                listening.addresses.isEmpty ? "port \(listening.port)" : listening.addresses.joined(separator: ", ")
            lines.append("Running. Other members reach this node at \(at)")
        } else {
            lines.append(
                isOtherRunning
                    ? "Not running: your node runs only another trip. Run `caravan down`, then `caravan up`"
                    : "Not running. Start the node with `caravan up`")
        }
        if let problem = view.discoveryProblem {
            lines.append("Discovery problem: \(problem). Caravan keeps trying.")
        }
        if let problem = view.writingProblem { lines.append("Cannot write changes: \(problem)") }
        for device in view.devices {
            let presence = presence(of: device, now: now)
            // What is retained here isn't all that a person who is out, or waits, has done.
            guard view.removal == nil else {
                lines.append("  \(device.label): \(presence)")
                continue
            }
            let behind = "\(counted(device.lacks, "change")) behind"
            let what =
                device.lacks == 0 ? "up to date" : device.isHere ? behind : "may be \(behind)\(inMailbox(device))"
            lines.append("  \(device.label): \(presence), \(what)")
        }
        if view.removal == nil {
            if view.devices.isEmpty {
                let advice = view.isArchived ? "" : " Invite people with `caravan invite`"
                lines.append("No other members yet.\(advice)")
            } else if view.everyoneHasEverything {
                lines.append("Up to date with everyone")
            }
        }
        if !view.waiting.isEmpty {
            let more = view.waiting.count - keepQuestionsMax
            let people = joined(view.waiting.prefix(keepQuestionsMax) + (more > 0 ? ["\(more) more"] : []))
            lines.append(
                "\(people) \(view.waiting.count == 1 ? "waits" : "wait") for your answer: see `caravan members`")
        }
        if !view.exposedInvites.isEmpty {
            let count = view.exposedInvites.count
            lines.append(
                "\(counted(count, "invite")) \(count == 1 ? "waits" : "wait") for your answer: see `caravan invite list`"
            )
        }
        lines += mailboxLines(view.mailboxes, now: now)
        if let photos = view.photos { lines.append(photosLine(photos, hasMailbox: !view.mailboxes.isEmpty)) }
        lines += view.inTwoPlaces.map { inTwoPlaces($0) }
        lines += view.newerChanges.map { newer in
            "\(counted(newer.count, "change")) by \(newer.name) \(newer.count == 1 ? "needs" : "need") a newer version of caravan"
        }
        return text(lines)
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
