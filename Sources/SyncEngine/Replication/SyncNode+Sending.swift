import ChangeLog
import DeltaCRDT

// Sends the changes that a peer lacks in causal order, by push or announcement.
extension SyncNode {
    /// Reports newly durable changes: at once to peers that need to know, and a little later to the others.
    ///
    /// - Parameter isOwn: whether it was written here. Where everybody meets everybody, nobody brings it sooner.
    mutating func spread(isOwn: Bool) {
        let end = replication.durableCount
        var owesNews = false
        var index = 0
        while index < table.count {
            let id = table.keys[index]
            // One whose cipher is used up is gone afterwards, and another stands there.
            defer { if index < table.count, table.keys[index] == id { index += 1 } }
            if isOwn, !isCrowded { table[at: index].replication.pushAll(before: end) }
            if table[at: index].replication.lacksSomething(before: end) {
                pump(id)
                guard index < table.count, table.keys[index] == id else { continue }
            }
            if owesAtOnce(at: index) {
                sendHave(on: id)
            } else if isOwn || replication.announcementDeadline == nil, !owesNews {
                owesNews = table[at: index].replication.lacksNews(before: end)
            }
        }
        if owesNews { announceSoon(isOwn: isOwn) }
    }

    /// Sends what the peer lacks and what may leave, as far as its acknowledgements allow.
    mutating func pump(_ id: ConnectionID) {
        learnNamed(by: id)
        while let index = table.index(of: id), let audience = audience(at: index),
            let batch = table[at: index].replication.nextBatch(
                for: audience, in: log, durableCount: replication.durableCount, limits: limits)
        {
            if !batch.isEmpty { send(.changes(batch), on: id) }
        }
        endIfTold(on: id)
    }

    /// What the peer at an index of the table may be sent; nil for nothing.
    private func audience(at index: Int) -> PeerReplication.Audience? {
        switch table[at: index].standing {
        case .member: .member
        // So that it can know this device in turn.
        case .unproven: log.introduction(of: secrets.device.replica).map { .unproven(witness: $0) }
        case .outside: departure(toldAt: index).map { .outsider(removal: $0) }
        case .stranger where mayTell(at: index): departure(toldAt: index).map { .outsider(removal: $0) }
        case .stranger, .joiner, .sponsor: nil
        }
    }

    /// The change that says to the peer at an index of the table why it is out; nil for nothing.
    private func departure(toldAt index: Int) -> Int? {
        let replication = table[at: index].replication
        return replication.told ?? departure(of: table[at: index].peer.replica, besides: replication.knowledge)
    }

    /// Whether the stranger at an index of the table has shown its admission: else it would see whether this device knew of it.
    private func mayTell(at index: Int) -> Bool {
        table[at: index].shownAdmission.isComplete
            && membership.isStillTold(table[at: index].peer.replica, in: log, at: now.wall)
    }

    /// Once all is here that a member named, sends what leads elsewhere, and tells the member what came.
    private mutating func learnNamed(by id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].isWithMember else { return }
        if table[at: index].replication.learnNamed(in: log.graph) { announceSoon() }
    }

    /// Ends the session with a peer that is out, once the peer was sent its removal, or is known to need none.
    private mutating func endIfTold(on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        let peer = table[at: index].replication
        let isTold =
            switch table[at: index].standing {
            case .outside:
                peer.wasSentAll(before: replication.durableCount)
                    || peer.window.hasCompared && audience(at: index) == nil
            // What it shows next may be a later admission.
            case .stranger: peer.told != nil && peer.wasSentAll(before: replication.durableCount)
            case .member, .unproven, .joiner, .sponsor: false
            }
        if isTold { end(id) }
    }

    /// Asks a peer to push if the changes that it announced have not arrived from anybody.
    mutating func requestMissing(on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        let first = table[at: index].replication.firstMissing(in: log.graph, isCrowded: isCrowded)
        // What came from others is known to be there by now, and may have come without its body.
        requestBodies(on: id)
        guard let index = table.index(of: id), let missing = first else {
            pump(id)
            return
        }
        if let later = replication.mayRequest(missing, at: now.monotonic, pause: 2 * limits.wantDelay) {
            table[at: index].replication.waitForMissing(until: later)
            return
        }
        table[at: index].replication.askedToPush()
        sendHave(on: id)
        send(.want(missing), on: id)
        pump(id)
    }
}
