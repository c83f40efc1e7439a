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

    /// Reports to every peer what has become durable here, if that is due, and asks for bodies that have become needed.
    mutating func announceDue() {
        guard let deadline = replication.announcementDeadline, deadline <= now.monotonic else { return }
        (replication.announcementDeadline, replication.announcedAt) = (nil, now.monotonic)
        for id in table.keys {
            sendHave(on: id)
            requestBodies(on: id)
        }
    }

    /// Whether to report at once, to the peer at an index of the table, that what it sent is durable here.
    func owesAtOnce(at index: Int) -> Bool {
        table[at: index].replication.owesAtOnce(
            durableCount: replication.durableCount, isCrowded: isCrowded, limits: limits)
    }

    /// Reports to a peer that what it sent is durable here, and which other changes are here that it may lack.
    mutating func sendHave(on id: ConnectionID) {
        tellOfAbsentBodies(on: id)
        // What a stranger says that it holds it isn't told to be here: that could tell this device from others.
        guard let index = table.index(of: id), table[at: index].standing != .stranger else { return }
        let indices = table[at: index].replication.report(
            toMember: table[at: index].isWithMember, before: replication.durableCount, in: log)
        if !indices.isEmpty { send(.have(indices.map { log.graph[$0].hash }), on: id) }
    }

    /// Tells a member which bodies are absent here if that changed, before any message that it may take to be complete.
    mutating func tellOfAbsentBodies(on id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].isWithMember,
            table[at: index].replication.isTold(absent: replication.absent)
        else { return }
        send(.bodiesAbsent(replication.absent), on: id)
    }

    /// Takes down which bodies are absent here. If they are others than before, everybody is told soon, and asked for them.
    mutating func noteAbsentBodies() {
        let absent = log.absentBodies
        guard absent != replication.absent else { return }
        replication.absent = absent
        announceSoon()
    }

    mutating func acknowledged(_ hashes: [Bytes32], in session: ComparingSession) {
        let id = session.id
        guard let index = table.index(of: id) else { return }
        var indices: [Int] = []
        var unknown: [Bytes32] = []
        for hash in hashes {
            if let found = log.graph.index(of: hash) { indices.append(found) } else { unknown.append(hash) }
        }
        indices.sort()
        if table[at: index].replication.noteDurable(indices, in: log.graph, isCrowded: isCrowded) {
            requestBodies(on: id)
        }
        guard let index = table.index(of: id) else { return }
        if !indices.isEmpty { turn.effects.append(.notice(.acknowledged)) }
        switch session {
        case .member, .unproven:
            guard !unknown.isEmpty else { break }
            table[at: index].replication.miss(unknown, until: now.monotonic + limits.wantDelay)
            if let due = table[at: index].replication.missingDeadline { turn.expect(due) }
        case .outsider: break
        }
        pump(id)
    }
}
