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
        case .unproven: log.admission(of: secrets.device.replica).map { .unproven(witness: $0) }
        case .outside:
            departure(of: table[at: index].peer.replica, besides: table[at: index].replication.knowledge)
                .map { .outsider(removal: $0) }
        case .stranger, .joiner, .sponsor: nil
        }
    }

    /// Once all is here that a member named, sends what leads elsewhere, and tells the member what came.
    private mutating func learnNamed(by id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].isWithMember else { return }
        if table[at: index].replication.learnNamed(in: log.graph) { announceSoon() }
    }

    /// Ends the session with a peer that is out, once the peer was sent its removal, or is known to need none.
    private mutating func endIfTold(on id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].standing == .outside else { return }
        let peer = table[at: index].replication
        if peer.wasSentAll(before: replication.durableCount) || peer.window.hasCompared && audience(at: index) == nil {
            end(id)
        }
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
