import ChangeLog
import DeltaCRDT

// Reconciliation: compare frontiers, send what is lacked in causal order, acknowledge what is durable.
extension SyncNode {
    mutating func hello(_ digest: Bytes32, on id: ConnectionID) {
        guard digest == log.frontier(before: durableCount).digest(using: cryptography) else {
            sendFrontier(on: id)
            return
        }
        let end = durableCount
        update(id) { session, log in
            session.knowledge.learnAll(before: end, in: log)
            session.durable = session.knowledge
            session.hasCompared = true
            session.cursor = end
            session.announced = end
        }
        pump(id)
    }

    private mutating func sendFrontier(on id: ConnectionID) {
        let end = durableCount
        update(id) { session, _ in
            session.frontierEnd = end
            session.announced = end
        }
        send(.frontier(log.frontier(before: durableCount)), on: id)
    }

    mutating func compare(_ frontier: Frontier, on id: ConnectionID) {
        if connections[id]?.session?.frontierEnd == nil { sendFrontier(on: id) }
        guard let session = connections[id]?.session, let end = session.frontierEnd else { return }
        let comparison = log.compare(with: frontier, toldBefore: end, located: session.located)
        let places = frontier.tips.compactMap { log.place(of: $0.hash) }
        update(id) { session, log in
            session.knowledge = comparison.knowledge
            session.hasCompared = true
            session.cursor = 0
            for place in places { session.durable.learn(place, in: log) }
        }
        for replica in comparison.diverging { send(.locator(replica, log.locator(for: replica)), on: id) }
        pump(id)
    }

    mutating func located(_ replica: ReplicaID, _ hashes: [Bytes32], on id: ConnectionID) {
        // Of a replica that is not here there is nothing to send, and nothing to remember.
        guard !log.branches.indices(of: replica).isEmpty else { return }
        let places = hashes.compactMap { log.place(of: $0) }.filter { log.changes[$0].change.replica == replica }
        let end = durableCount
        update(id) { session, log in
            session.located[replica] = places
            session.knowledge.forget(replica, in: log)
            for place in places { session.knowledge.learn(place, in: log) }
            session.cursor = 0
            session.pushEnd = end
        }
        pump(id)
    }

    // MARK: - Sending

    /// What became durable is told to those who are to hear of it at once; to the others, a little later.
    ///
    /// - Parameter isOwn: whether it was written here. Where everybody meets everybody, nobody brings it sooner.
    mutating func spread(isOwn: Bool) {
        let end = durableCount
        var owesNews = false
        var index = 0
        while index < connections.count {
            let id = connections.keys[index]
            // One whose cipher is used up is gone afterwards, and another stands there.
            defer { if index < connections.count, connections.keys[index] == id { index += 1 } }
            guard connections.hasSession(at: index) else { continue }
            if isOwn, !isCrowded { connections[session: index].pushEnd = end }
            if connections.lacksSomething(at: index, before: end) {
                pump(id)
                guard index < connections.count, connections.keys[index] == id else { continue }
            }
            if owesAtOnce(at: index) {
                sendHave(on: id)
            } else if announcementDeadline == nil, !owesNews {
                owesNews = connections[session: index].announced < end
            }
        }
        if owesNews { announceSoon() }
    }

    /// Whether the peer at an index of the table is to hear at once that what it sent is durable here.
    private func owesAtOnce(at index: Int) -> Bool {
        guard let first = connections[session: index].owed.first, first < durableCount else { return false }
        return !isCrowded || connections[session: index].owedBytes > limits.unacknowledgedBytesMax / 4
    }

    private mutating func announceSoon() {
        guard announcementDeadline == nil else { return }
        let due = now.monotonic + (isCrowded ? limits.crowdedHaveDelay : limits.haveDelay)
        announcementDeadline = due
        wake(at: due)
    }

    /// Sends what the peer lacks and what may leave, as far as its acknowledgements allow.
    mutating func pump(_ id: ConnectionID) {
        while let index = connections.sessionIndex(of: id), let batch = nextBatch(at: index) {
            if !batch.isEmpty { send(.changes(batch), on: id) }
        }
    }

    /// The next message of changes for a peer; nil where there is nothing more to send now.
    private mutating func nextBatch(at index: Int) -> [[UInt8]]? {
        guard connections[session: index].hasCompared else { return nil }
        let end =
            connections[session: index].isEager ? durableCount : min(connections[session: index].pushEnd, durableCount)
        let cursor = max(connections[session: index].cursor, connections[session: index].knowledge.prefix)
        guard cursor < end, connections[session: index].unacknowledgedBytes < limits.unacknowledgedBytesMax else {
            return nil
        }
        var witness: Int?
        if !connections[at: index].isWithMember {
            switch share(for: connections[session: index].standing) {
            case .everything: break
            case .past(let place): witness = place
            case .nothing: return nil
            }
        }
        let batch = log.nextBatch(
            from: cursor, to: end, lackedBy: connections[session: index].knowledge,
            witness: witness, countMax: limits.batchChangesMax, bytesMax: limits.batchBytesMax)
        connections[session: index].cursor = batch.cursor
        guard let last = batch.places.last else { return [] }
        // A closure would copy the node.
        var sealed: [[UInt8]] = []
        sealed.reserveCapacity(batch.places.count)
        var bytes = 0
        for place in batch.places {
            sealed.append(log.change(at: place).sealed)
            bytes += sealed[sealed.count - 1].count
        }
        connections[session: index].unacknowledged.append((last, bytes))
        connections[session: index].unacknowledgedBytes += bytes
        log.note(batch.places, heldBy: &connections[session: index].knowledge)
        return sealed
    }

    /// What of the log a peer may be sent.
    private enum Share {
        case everything
        /// One change and its past.
        case past(of: Int)
        case nothing
    }

    /// Everything to a member; to an unproven peer the change that admitted this device, so that it can know us in turn.
    private func share(for standing: Session.Standing) -> Share {
        switch standing {
        case .member: return .everything
        case .unproven:
            return log.membership.device(secrets.device.replica)?.admissions.first.map { .past(of: $0) } ?? .nothing
        case .joiner, .host: return .nothing
        }
    }

    mutating func receive(_ changes: [[UInt8]], on id: ConnectionID) {
        guard let index = connections.sessionIndex(of: id) else { return }
        if connections[session: index].standing == .unproven {
            let bytes = changes.reduce(0) { $0 + $1.count }
            connections[session: index].unprovenChanges += changes.count
            connections[session: index].unprovenBytes += bytes
            guard connections[session: index].unprovenChanges <= limits.unprovenChangesMax,
                connections[session: index].unprovenBytes <= limits.unprovenBytesMax
            else {
                reached(.unprovenChanges)
                end(id)
                return
            }
        }
        let device = connections[session: index].device
        let received = log.receive(changes)
        adoptEpochs()
        if received.isRebuilt { learnBranchesAnew() }
        noteMembership(arrivedFrom: received.places.lowerBound)
        guard let index = connections.sessionIndex(of: id) else {
            // Its device is out, as it said itself, or others did: what came is kept all the same.
            if !received.places.isEmpty { took(received) }
            return
        }
        note(received, of: changes, at: index)
        if !received.places.isEmpty { took(received) }
        if owesAtOnce(at: index) { sendHave(on: id) } else { announceSoon() }
        let repetitionsMax = isCrowded ? limits.crowdedRepetitionsMax : limits.repetitionsMax
        if connections[session: index].repetitions >= repetitionsMax, connections[session: index].isEager, device != nil
        {
            becomeLazy(id)
            send(.lazy, on: id)
        }
        promoteProven()
        switch received.refusal {
        case nil: break
        case .missingPast: fillGap(on: id)
        case .some(let refusal):
            effects.append(.notice(.refused(refusal, device)))
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

    /// What the peer who sent a batch holds, and is to be told of.
    private mutating func note(_ received: Received, of changes: [[UInt8]], at index: Int) {
        log.note(received.known, heldBy: &connections[session: index].knowledge)
        log.note(received.known, heldBy: &connections[session: index].durable)
        if let last = received.known.last {
            // The last first, which tells when all of it is durable.
            connections[session: index].owed.append(last)
            if received.known.count > max(received.places.count, 1) {
                // What is new is told of in any case; what was here may have been told of before the peer had it.
                let earlier = Array(received.known.dropLast(received.places.count))
                let repeated = log.heads(of: earlier, beside: [last], limit: SessionLimits.missingMax)
                connections[session: index].owed.append(contentsOf: repeated)
            }
            connections[session: index].owedBytes += changes.reduce(0) { $0 + $1.count }
        }
        if received.places.isEmpty, received.refusal == nil {
            connections[session: index].repetitions += 1
        } else {
            connections[session: index].repetitions = 0
        }
    }

    private mutating func took(_ received: Received) {
        if received.isRebuilt { effects.append(.rebuild) } else { show(received.places) }
        if log.branches.hasForks {
            for place in received.places where log.isKept(place) {
                if beginsFork(place), let device = log.membership.device(log.changes[place].change.replica)?.device {
                    effects.append(.notice(.forked(device)))
                }
            }
        }
        persist(received.places, then: nil)
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

    mutating func learnBranchesAnew() {
        let keptAgain = log.takeKeptAgain()
        for id in connections.keys.sorted() {
            update(id) { session, log in session.relearn(in: log, keptAgain: keptAgain) }
        }
        for replica in peers.keys { peers[replica]?.durable.relearn(in: log, keptAgain: keptAgain) }
    }

    // MARK: - Who pushes to whom

    // Changes are pushed along the links of a tree, and announced along all others; where the tree has a gap, an
    // announcement mends it (Leitão, Pereira, Rodrigues: *Epidemic broadcast trees*, 2007).

    /// Stops pushing to a peer what comes from now on.
    mutating func becomeLazy(_ id: ConnectionID) {
        let end = durableCount
        update(id) { session, _ in
            session.isEager = false
            session.pushEnd = max(session.pushEnd, end)
            session.repetitions = 0
        }
    }

    /// Pushes to a peer what it lacks, and what comes from now on.
    mutating func becomeEager(_ id: ConnectionID, wanting hash: Bytes32) {
        update(id) { session, _ in
            session.isEager = true
            session.repetitions = 0
        }
        pump(id)
    }

    /// Asks a peer to push, where what it said it holds has not come from anybody.
    mutating func askForMissing(on id: ConnectionID) {
        guard let index = connections.sessionIndex(of: id) else { return }
        let told = connections[session: index].missing
        // What it told of before it was here is known to be there by now.
        var places: [Int] = []
        var missing: Bytes32?
        for hash in told {
            if let place = log.place(of: hash) { places.append(place) } else if missing == nil { missing = hash }
        }
        if !places.isEmpty { noteDurable(places.sorted(), at: index) }
        guard let missing else {
            update(id) { session, _ in (session.missing, session.wantDeadline) = ([], nil) }
            pump(id)
            return
        }
        // One is asked at a time.
        let again = lastAsked + 4 * limits.wantDelay
        guard lastAsked == 0 || now.monotonic >= again else {
            update(id) { session, _ in session.wantDeadline = again }
            return
        }
        lastAsked = now.monotonic
        update(id) { session, _ in
            (session.missing, session.wantDeadline) = ([], nil)
            (session.isEager, session.repetitions) = (true, 0)
        }
        sendHave(on: id)
        send(.want(missing), on: id)
        pump(id)
    }
}
