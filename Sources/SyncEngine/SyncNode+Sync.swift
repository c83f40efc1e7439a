import ChangeLog
import DeltaCRDT

// Reconciliation: compare frontiers, send what is lacked in causal order, acknowledge what is durable.
extension SyncNode {
    mutating func hello(_ digest: Bytes32, on id: ConnectionID) {
        let own = log.frontier(before: durableCount)
        if digest == own.digest(using: cryptography) {
            let tips = own.tips.compactMap { log.place(of: $0.hash) }
            update(id) { session, log in
                for tip in tips { session.knowledge.learn(tip, in: log) }
                session.durable = session.knowledge
                session.hasCompared = true
                session.cursor = 0
            }
            noteDurable(tips, on: id)
            pump(id)
        } else {
            sendFrontier(on: id)
        }
    }

    private mutating func sendFrontier(on id: ConnectionID) {
        let end = durableCount
        update(id) { session, _ in session.frontierEnd = end }
        send(.frontier(log.frontier(before: durableCount)), on: id)
    }

    mutating func compare(_ frontier: Frontier, on id: ConnectionID) {
        if connections[id]?.session?.frontierEnd == nil { sendFrontier(on: id) }
        guard let session = connections[id]?.session, let end = session.frontierEnd else { return }
        let comparison = log.compare(with: frontier, toldBefore: end, located: session.located)
        update(id) { session, _ in
            session.knowledge = comparison.knowledge
            session.hasCompared = true
            session.cursor = 0
        }
        noteDurable(frontier.tips.compactMap { log.place(of: $0.hash) }, on: id)
        for replica in comparison.diverging { send(.locator(replica, log.locator(for: replica)), on: id) }
        pump(id)
    }

    mutating func located(_ replica: ReplicaID, _ hashes: [Bytes32], on id: ConnectionID) {
        let places = hashes.compactMap { log.place(of: $0) }.filter { log.changes[$0].change.replica == replica }
        update(id) { session, log in
            session.located[replica] = places
            session.knowledge.forget(replica, in: log)
            for place in places { session.knowledge.learn(place, in: log) }
            session.cursor = 0
        }
        pump(id)
    }

    /// Sends what the peer lacks and what may leave, as far as its acknowledgements allow.
    mutating func pump(_ id: ConnectionID) {
        while let session = connections[id]?.session, session.hasCompared, session.cursor < durableCount,
            session.unacknowledgedBytes < limits.unacknowledgedBytesMax
        {
            let witness: Int?
            switch share(for: session) {
            case .everything: witness = nil
            case .past(let place): witness = place
            case .nothing: return
            }
            let batch = log.nextBatch(
                from: session.cursor, to: durableCount, lackedBy: session.knowledge, witness: witness,
                countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
            let sealed = batch.places.map { log.changes[$0].sealed }
            update(id) { session, log in
                session.cursor = batch.cursor
                for place in batch.places { session.knowledge.learn(place, in: log) }
                if let last = batch.places.last {
                    session.unacknowledged.append((last, sealed.reduce(0) { $0 + $1.count }))
                }
            }
            if !sealed.isEmpty { send(.changes(sealed), on: id) }
        }
    }

    /// What of the log a peer may be sent.
    private enum Share {
        case everything
        /// One change and its past.
        case past(of: Int)
        case nothing
    }

    /// Everything to a member; to an unproven peer the change that admitted this device, so that it can know us in turn.
    private func share(for session: Session) -> Share {
        switch session.standing {
        case .member: return .everything
        case .unproven:
            return log.membership.device(secrets.device.replica)?.admissions.first.map { .past(of: $0) } ?? .nothing
        case .joiner, .host: return .nothing
        }
    }

    mutating func receive(_ changes: [[UInt8]], on id: ConnectionID) {
        guard let session = connections[id]?.session else { return }
        if session.standing == .unproven {
            guard session.unprovenChanges + changes.count <= limits.unprovenChangesMax else {
                end(id)
                return
            }
        }
        let received = log.receive(changes)
        if received.renamed { learnNamesAnew() }
        noteMembership()
        guard connections[id]?.session != nil else {
            // Its device is out, as it said itself, or others did: what came is kept all the same.
            if !received.places.isEmpty { took(received, from: id) }
            return
        }
        update(id) { session, log in
            session.unprovenChanges += changes.count
            for place in received.known {
                session.knowledge.learn(place, in: log)
                session.durable.learn(place, in: log)
            }
            session.owedHave += received.known
        }
        noteDurable(received.known, on: id)
        if !received.places.isEmpty { took(received, from: id) }
        sendHave(on: id)
        promoteProven()
        switch received.refusal {
        case nil: break
        case .missingPast: fillGap(on: id)
        case .some(let refusal):
            effects.append(.notice(.refused(refusal, session.device)))
            end(id)
        }
    }

    /// Whether a change stands beside another of its replica: it begins a branch, or made another begin one.
    private func beginsFork(_ place: Int) -> Bool {
        let change = log.changes[place].change
        guard log.branches.isForked(change.replica) else { return false }
        return log.branches.indices(of: change.replica).contains {
            let first = log.branches.all[$0].firstPlace
            return first == place || log.changes[first].change.previous == change.previous
        }
    }

    private mutating func took(_ received: Received, from id: ConnectionID) {
        if received.renamed { effects.append(.rebuild) } else { show(received.places) }
        for place in received.places where log.isKept(place) {
            if beginsFork(place), let device = log.membership.device(log.changes[place].change.replica)?.device {
                effects.append(.notice(.forked(device)))
            }
        }
        persist(received.places, then: nil)
        for other in connections.keys.sorted() where other != id {
            let due = now.monotonic + limits.haveDelay
            update(other) { session, _ in
                session.owedHave += received.places
                session.haveDeadline = session.haveDeadline ?? due
            }
        }
    }

    /// What a peer sent stands on something that is not here: each side says again what it holds.
    private mutating func fillGap(on id: ConnectionID) {
        guard let session = connections[id]?.session, session.gaps < 16 else {
            end(id)
            return
        }
        update(id) { session, _ in session.gaps += 1 }
        sendFrontier(on: id)
    }

    mutating func learnNamesAnew() {
        for id in connections.keys.sorted() {
            update(id) { session, log in
                session.knowledge.relearn(in: log)
                session.durable.relearn(in: log)
            }
        }
        for replica in peers.keys { peers[replica]?.durable.relearn(in: log) }
    }

    /// Sessions whose peer's admission has come are a member's from now on.
    private mutating func promoteProven() {
        for id in connections.keys.sorted() {
            guard let session = connections[id]?.session, session.standing == .unproven,
                let member = log.membership.member(agreementKey: session.peerKey), member.isIn
            else { continue }
            let device = member.device
            update(id) { session, _ in
                session.standing = .member(device)
                session.cursor = 0
            }
            met(device, on: id)
            pump(id)
        }
    }

    // MARK: - What is durable where

    /// Tells a peer what it has sent, or what others have, once that is durable here.
    mutating func sendHave(on id: ConnectionID) {
        guard let session = connections[id]?.session, !session.owedHave.isEmpty else { return }
        let isDue = session.haveDeadline.map { $0 <= now.monotonic } ?? true
        guard isDue else { return }
        var tips: [Int32: Int] = [:]
        var others: [Int] = []
        for place in session.owedHave where place < self.durableCount {
            guard log.isKept(place) else {
                others.append(place)
                continue
            }
            let branch = log.branches.branchOfPlace[place]
            tips[branch] = max(tips[branch] ?? place, place)
        }
        let durableCount = durableCount
        update(id) { session, _ in
            session.owedHave.removeAll { $0 < durableCount }
            session.haveDeadline = nil
        }
        guard !tips.isEmpty || !others.isEmpty else { return }
        send(.have((tips.values + others).sorted().map { log.changes[$0].hash }), on: id)
    }

    mutating func acknowledged(_ hashes: [Bytes32], on id: ConnectionID) {
        let places = hashes.compactMap { log.place(of: $0) }
        update(id) { session, log in
            for place in places {
                session.knowledge.learn(place, in: log)
                session.durable.learn(place, in: log)
            }
            let durable = session.durable
            session.unacknowledged.removeAll { durable.contains($0.place, in: log) }
        }
        noteDurable(places, on: id)
        pump(id)
    }

    private mutating func noteDurable(_ places: [Int], on id: ConnectionID) {
        guard let replica = connections[id]?.session?.device?.replica else { return }
        var peer = peers[replica] ?? Peer(lastHeard: now.wall)
        peer.lastHeard = now.wall
        for place in places { peer.durable.learn(place, in: log) }
        peers[replica] = peer
    }
}
