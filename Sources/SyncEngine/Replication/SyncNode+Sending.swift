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
            if isOwn, !isCrowded { table[at: index].push.pushEnd = end }
            if table.lacksSomething(at: index, before: end) {
                pump(id)
                guard index < table.count, table.keys[index] == id else { continue }
            }
            if owesAtOnce(at: index) {
                sendHave(on: id)
            } else if isOwn || replication.announcementDeadline == nil, !owesNews {
                owesNews = table[at: index].acknowledgements.announced < end
            }
        }
        if owesNews { announceSoon(isOwn: isOwn) }
    }

    /// Sends what the peer lacks and what may leave, as far as its acknowledgements allow.
    mutating func pump(_ id: ConnectionID) {
        learnNamed(by: id)
        while let index = table.index(of: id), let batch = nextBatch(at: index) {
            if !batch.isEmpty { send(.changes(batch), on: id) }
        }
        endIfTold(on: id)
    }

    /// The next message of changes for a peer; nil where there is nothing more to send now.
    private mutating func nextBatch(at index: Int) -> [[UInt8]]? {
        guard table[at: index].window.hasCompared else { return nil }
        let durable = replication.durableCount
        let push = table[at: index].push
        let end = push.isEager ? durable : min(push.pushEnd, durable)
        let cursor = max(table[at: index].window.cursor, table[at: index].knowledge.prefix)
        guard cursor < end,
            table[at: index].window.unacknowledgedBytes < limits.unacknowledgedBytesMax
        else { return nil }
        var witness: Int?
        if !table[at: index].isWithMember {
            switch table[at: index].standing {
            // So that it can know this device in turn.
            case .unproven: witness = log.admission(of: secrets.device.replica)
            case .outside: witness = log.departure(of: table[at: index].peer.replica)?.place
            case .member, .joiner, .sponsor: break
            }
            guard witness != nil else { return nil }
        }
        let batch = log.nextBatch(
            from: cursor, to: end, lackedBy: table[at: index].knowledge,
            witness: witness, countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
        table[at: index].window.cursor = batch.cursor
        guard let last = batch.places.last else { return [] }
        // A closure would copy the node.
        var records: [[UInt8]] = []
        records.reserveCapacity(batch.places.count)
        var bytes = 0
        let isOutside = table[at: index].standing == .outside
        for place in batch.places {
            records.append(isOutside ? log.graph[place].head : log.recordToSend(place))
            bytes += records[records.count - 1].count
            table[at: index].knowledge.learn(place, in: log.graph)
        }
        table[at: index].window.sent(upTo: last, bytes: bytes)
        return records
    }

    /// Once all is here that a member named, sends what leads elsewhere, and tells the member what came.
    private mutating func learnNamed(by id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].isWithMember else { return }
        let places = table[at: index].knowledge.learnNamed(in: log.graph)
        guard !places.isEmpty else { return }
        table[at: index].window.cursor = 0
        for place in places { table[at: index].acknowledgements.owe(place) }
        announceSoon()
    }

    /// Ends the session with a peer that is out, once the peer was sent its removal.
    private mutating func endIfTold(on id: ConnectionID) {
        guard let index = table.index(of: id), table[at: index].standing == .outside,
            table[at: index].window.hasCompared,
            table[at: index].window.cursor >= replication.durableCount
        else { return }
        end(id)
    }

    /// Asks a peer to push if the changes that it announced have not arrived from anybody.
    mutating func requestMissing(on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        // What it told of before it was here is known to be there by now.
        var places: [Int] = []
        var missing: Bytes32?
        for hash in table[at: index].push.missing {
            if let place = log.graph.place(of: hash) { places.append(place) } else if missing == nil { missing = hash }
        }
        if !places.isEmpty { noteDurable(places.sorted(), at: index) }
        guard let missing else {
            table[at: index].push.forgetMissing()
            pump(id)
            return
        }
        if let later = replication.mayRequest(missing, at: now.monotonic, pause: 2 * limits.wantDelay) {
            table[at: index].push.requestDeadline = later
            return
        }
        table[at: index].push.forgetMissing()
        table[at: index].push.becomeEager()
        sendHave(on: id)
        send(.want(missing), on: id)
        pump(id)
    }
}
