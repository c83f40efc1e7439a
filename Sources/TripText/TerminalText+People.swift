package import TripService

extension TerminalText {
    /// The text of `caravan members`: a line for each person, below whoever brought them.
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
            "an invite for \($0.uses) let \($0.joined) in: two members did so at once"
        }
        return text(lines + overshot)
    }

    private static func facts(of person: MemberView, now: Int64, _ style: TextStyle) -> [String] {
        var facts = [person.sponsor.map { (person.isGuest ? "guest of " : "let in by ") + $0 } ?? "founder"]
        if person.devices.count > 1 { facts.append("\(person.devices.count) devices") }
        if let removal = person.removal {
            facts.append("\(removal.by.map { "taken out by \($0)" } ?? "left") on \(style.time(removal.at))")
            if person.isYou { facts.append("you") }
        } else if person.isYou {
            facts.append("you")
        } else if person.isHere {
            facts.append("here")
        } else if !person.isGuest {
            // A guest has no node that could be seen.
            facts.append(person.lastHeard.map { "last seen \(Span.ago($0, now: now))" } ?? "not seen by this device")
        }
        return facts
    }

    /// The text of `caravan status`: a line for each other device.
    package static func status(_ view: StatusView, now: Int64, style: TextStyle = TextStyle()) -> String {
        var lines = ["\(plain(view.title)): \(counted(view.changes, "change")), you are \(view.you)"]
        if let removal = view.removal {
            lines.append("\(sentence(removal, style: style)): what you have stays readable")
        }
        if let listening = view.listening {
            let at =
                listening.addresses.isEmpty ? "port \(listening.port)" : listening.addresses.joined(separator: ", ")
            lines.append("this node runs, others reach it at \(at)")
        } else {
            lines.append("no node runs here: `caravan up` starts one")
        }
        if let problem = view.discoveryProblem { lines.append("discovery: \(problem); it is tried again and again") }
        if let problem = view.writingProblem { lines.append("nothing can be written: \(problem)") }
        for device in view.devices {
            let presence =
                device.isHere
                ? "here" : device.lastHeard.map { "last seen \(Span.ago($0, now: now))" } ?? "not seen by this device"
            let what = device.lacks == 0 ? "has everything" : "may lack \(counted(device.lacks, "change"))"
            lines.append("  \(device.label): \(presence), \(what)")
        }
        if view.removal == nil {
            if view.devices.isEmpty {
                lines.append("no other device is in yet: `caravan invite` makes a link")
            } else if view.everyoneHasEverything {
                lines.append("everyone has this")
            }
        }
        if let photos = view.photos { lines.append(photosLine(photos)) }
        lines += view.inTwoPlaces.map { "\($0)'s device writes in two places: both count" }
        lines += view.newerChanges.map { newer in
            "\(counted(newer.count, "change")) by \(newer.name) \(newer.count == 1 ? "needs" : "need") a newer caravan"
        }
        return text(lines)
    }

    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// The text of `caravan trips`.
    package static func trips(_ trips: [TripEntry]) -> String {
        if trips.isEmpty { return "there is no trip here: start one with `caravan new TITLE --as NAME`, or join one\n" }
        return text(
            trips.map { trip in
                let mark = trip.isInUse && trips.count > 1 ? "* " : "  "
                let title =
                    trip.title.map { $0.isEmpty ? "(no title yet)" : plain($0) } ?? "(\(trip.problem ?? "unknown"))"
                return
                    "\(mark)\(trip.id.prefix(6))  \(title)\(trip.isOut ? "  (you are out)" : "")\(trip.isRunning ? "  (running)" : "")"
            })
    }
}
