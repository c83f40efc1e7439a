import ChangeLog

// Acknowledgements: which peers have made which changes durable.
extension SyncNode {
    /// - Parameter isOwn: whether there is news of changes written here, which nobody else reports.
    mutating func announceSoon(isOwn: Bool = false) {
        let due =
            if isOwn, isCrowded {
                max(now.monotonic, replication.announcedAt.map { $0 + limits.haveDelay } ?? 0)
            } else {
                now.monotonic + (isCrowded ? limits.crowdedHaveDelay : limits.haveDelay)
            }
        guard replication.announcementDeadline.map({ due < $0 }) ?? true else { return }
        replication.announcementDeadline = due
        // What is due already leaves as this turn ends.
        if due > now.monotonic { turn.wake(at: due) }
    }

    /// Reports to every peer what has become durable here, if that is due.
    mutating func announceDue() {
        guard let deadline = replication.announcementDeadline, deadline <= now.monotonic else { return }
        (replication.announcementDeadline, replication.announcedAt) = (nil, now.monotonic)
        for id in table.keys { sendHave(on: id) }
    }

    /// Whether to report at once, to the peer at an index of the table, that what it sent is durable here.
    func owesAtOnce(at index: Int) -> Bool {
        let acknowledgements = table[at: index].acknowledgements
        guard let first = acknowledgements.owed.first, first < replication.durableCount else { return false }
        return !isCrowded || acknowledgements.owedBytes > limits.unacknowledgedBytesMax / 4
    }

    /// Reports to a peer that what it sent is durable here, and which other changes are here that it may lack.
    mutating func sendHave(on id: ConnectionID) {
        tellOfAbsentBodies(on: id)
        guard let index = table.index(of: id) else { return }
        let end = replication.durableCount
        let announced = table[at: index].acknowledgements.announced
        let owed = table[at: index].acknowledgements.owed.filter { $0 < end }
        let places: [Int]
        if !table[at: index].isWithMember {
            // A peer whose admission is not known gets reports only of what came from it.
            places = log.graph.heads(of: owed, limit: PushLink.missingMax)
            table[at: index].acknowledgements.acknowledged(before: end)
        } else if owed.isEmpty {
            guard announced < end, table[at: index].window.hasCompared else { return }
            let knowledge = table[at: index].knowledge
            places = log.heads(from: announced, before: end).filter { !knowledge.contains($0, in: log.graph) }
            table[at: index].acknowledgements.told(before: end)
        } else {
            let heads = log.heads(from: announced, before: end)
            places =
                heads
                + log.graph.heads(
                    of: owed.filter { $0 < announced || !log.isRetained($0) }, beside: heads, limit: PushLink.missingMax
                )
            table[at: index].acknowledgements.told(before: end)
        }
        guard !places.isEmpty else { return }
        send(.have(places.map { log.graph[$0].hash }), on: id)
    }

    /// Tells a member which bodies are absent here if that changed, before any message that it may take to be complete.
    mutating func tellOfAbsentBodies(on id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].isWithMember,
            table[at: index].acknowledgements.absent != replication.absent
        else { return }
        table[at: index].acknowledgements.absent = replication.absent
        send(.bodiesAbsent(replication.absent), on: id)
    }

    /// Takes down which bodies are absent here, and tells everybody soon where they are others than before.
    mutating func noteAbsentBodies() {
        let absent = log.absentBodies
        guard absent != replication.absent else { return }
        replication.absent = absent
        announceSoon()
    }

    mutating func acknowledged(_ hashes: [Bytes32], in session: ComparingSession) {
        let id = session.id
        guard let index = table.index(of: id) else { return }
        var places: [Int] = []
        var unknown: [Bytes32] = []
        for hash in hashes {
            if let place = log.graph.place(of: hash) { places.append(place) } else { unknown.append(hash) }
        }
        places.sort()
        let showed = table[at: index].peerDurable
        noteDurable(places, at: index)
        if places.contains(where: { !showed.contains($0, in: log.graph) }) { requestBodies(on: id) }
        guard let index = table.index(of: id) else { return }
        if !places.isEmpty { turn.effects.append(.notice(.acknowledged)) }
        switch session {
        case .member, .unproven:
            guard !unknown.isEmpty else { break }
            table[at: index].push.miss(unknown, until: now.monotonic + limits.wantDelay)
            if let due = table[at: index].push.requestDeadline { turn.expect(due) }
        case .outsider: break
        }
        pump(id)
    }

    /// Notes that changes, whose places ascend, are durable at the peer at an index of the table, and that what it was sent
    /// is acknowledged by that.
    mutating func noteDurable(_ places: [Int], at index: Int) {
        if !isCrowded {
            // It may not know yet that they are here too, and would not be told, for it lacks nothing.
            let announced = table[at: index].acknowledgements.announced
            for place in places where place >= announced {
                guard !table[at: index].knowledge.contains(place, in: log.graph) else { continue }
                table[at: index].acknowledgements.owe(place)
            }
        }
        for place in places {
            table[at: index].knowledge.learn(place, in: log.graph)
            table[at: index].peerDurable.learn(place, in: log.graph)
        }
        let durable = table[at: index].peerDurable
        table[at: index].window.free(durable, in: log.graph)
    }
}
