package import TripService

extension TerminalText {
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
            if view.mayBeCountedAsMember { lines.append(untoldLeave) }
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
        lines += otherVersions(view)
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
        if view.isInTwoPlaces == true { lines.append(inTwoPlaces(nil)) }
        lines += view.othersInTwoPlaces.map { inTwoPlaces($0) }
        lines += view.newerChanges.map { newer in
            "\(counted(newer.count, "change")) by \(newer.name) \(newer.count == 1 ? "needs" : "need") a newer version of caravan"
        }
        return text(within(lines, style))
    }

    /// What somebody reads who left, and has met nobody since.
    package static let untoldLeave =
        "The others may not know yet that you left, and count you as a member. Run `caravan up` near one of them."

    /// A line for each version that connected devices run and this one doesn't.
    private static func otherVersions(_ view: StatusView) -> [String] {
        let own = view.version.map { "; this device runs \($0)" } ?? ""
        let others = Dictionary(grouping: view.devices.filter { $0.version != nil && $0.version != view.version }) {
            $0.version ?? ""
        }
        return others.sorted { $0.key < $1.key }.map { version, devices in
            "\(joined(devices.map(\.label))) \(devices.count == 1 ? "runs" : "run") caravan \(version)\(own)"
        }
    }
}

extension TripJSON {
    /// The array of `caravan device list --json`: the other devices of the person here.
    package static func ownDevices(_ view: StatusView) -> JSONValue {
        .array(
            view.devices.filter(\.isYours).map { own in
                .object([
                    "id": .string(own.id), "name": .string(own.name ?? own.label), "here": .bool(own.isHere),
                    "lacks": .integer(Int64(own.lacks)), "last_heard": own.lastHeard.map { time($0) },
                ])
            })
    }

    private static func device(_ device: DeviceStatus) -> JSONValue {
        .object([
            "id": .string(device.id), "name": .string(device.label), "yours": .bool(device.isYours),
            "here": .bool(device.isHere), "lacks": .integer(Int64(device.lacks)),
            "last_heard": device.lastHeard.map { time($0) },
            "in_mailbox": device.inMailbox == 0 ? nil : .integer(Int64(device.inMailbox)),
            "version": device.version.map { .string($0) },
        ])
    }

    /// The object of `caravan status --json`: `devices` are the others', with `lacks`, the changes that each is not known
    /// to have; `photos_missing` are those of which something is not here, and who of those here has it, `photos_held_by`:
    /// left out where all is here.
    static func status(_ view: StatusView) -> JSONValue {
        .object([
            "title": .string(view.title), "you": .string(view.you), "changes": .integer(Int64(view.changes)),
            "running": .bool(view.listening != nil), "port": view.listening.map { .integer(Int64($0.port)) },
            "addresses": view.listening.map { .array($0.addresses.map { .string($0) }) },
            "discovery_problem": view.discoveryProblem.map { .string($0) },
            "writing_problem": view.writingProblem.map { .string($0) },
            "out": view.removal.map {
                .object([
                    "by": $0.by.map { .string($0) }, "at": time($0.at),
                    "waits_for": $0.waiting.map { .string($0.host) },
                ])
            },
            "waiting": view.waiting.isEmpty ? nil : .array(view.waiting.map { .string($0) }),
            "exposed_invites": view.exposedInvites.isEmpty
                ? nil : .array(view.exposedInvites.map { .string($0.id) }),
            "archived": view.isArchived ? .bool(true) : nil,
            "fetches_links": view.fetchesLinks ? .bool(true) : nil,
            "version": view.version.map { .string($0) },
            "everyone_has_this": .bool(view.everyoneHasEverything),
            "devices": .array(view.devices.map(device)),
            "mailboxes": view.mailboxes.isEmpty ? nil : .array(view.mailboxes.map(mailbox)),
            "photos_missing": view.photos.map { .integer(Int64($0.missing)) },
            "photos_held_by": view.photos.map { .array($0.holders.map { .string($0) }) },
            "in_two_places": .array(view.inTwoPlaces.map { .string($0) }),
            "needs_newer": view.newerChanges.isEmpty
                ? nil
                : .array(
                    view.newerChanges.map {
                        .object(["name": .string($0.name), "changes": .integer(Int64($0.count))])
                    }),
        ])
    }
}
