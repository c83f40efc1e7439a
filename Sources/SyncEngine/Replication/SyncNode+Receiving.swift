import ChangeLog
import DeltaCRDT

// What a peer sends enters the log, is shown, and is handed to the disk.
extension SyncNode {
    mutating func receive(_ records: [[UInt8]], from session: ContributingSession) {
        let id = session.id
        guard let index = table.index(of: id) else { return }
        // Whoever knows nobody yet takes what it is given: its own admission is in it.
        if case .unproven = session, isLetIn,
            !table[at: index].probation.take(records, under: limits)
        {
            reached(.unprovenChanges)
            end(id)
            return
        }
        let received = accept(records)
        chargeAuthors(of: received.places)
        // Its device may be out, as it said itself, or others did: what came is kept all the same.
        guard let index = table.index(of: id) else { return }
        note(received, of: records, at: index)
        if !received.places.isEmpty { table[at: index].missingPast.answered(pause: limits.wantDelay) }
        if owesAtOnce(at: index) { sendHave(on: id) } else { announceSoon() }
        let repetitionsMax = isCrowded ? limits.crowdedRepetitionsMax : limits.repetitionsMax
        if table[at: index].push.repetitions >= repetitionsMax, table[at: index].push.isEager,
            session.device != nil
        {
            table[at: index].push.becomeLazy(from: replication.durableCount)
            send(.lazy, on: id)
        }
        promoteProven()
        requestBodies(on: id)
        switch received.refusal {
        case nil: break
        case .missingPast: requestMissingPast(on: id)
        case .some(let refusal):
            turn.effects.append(.notice(.misbehaved(.refusedChange(refusal), session.device)))
            end(id)
        }
    }

    /// Takes records into the log as far as none is refused, shows what came, and makes it durable.
    @discardableResult
    mutating func accept(_ records: [[UInt8]]) -> Received {
        let (membership, retention) = (log.membershipVersion, log.retentionVersion)
        let received = log.receive(records, ownedBy: secrets.device.participant)
        if log.membershipVersion != membership { turn.mustLook = true }
        if log.retentionVersion != retention { sendRegained() }
        noteMembership(arrivedFrom: received.places.lowerBound)
        noteAbsentBodies()
        take(received)
        return received
    }

    /// Shows what came, and makes it durable.
    private mutating func take(_ received: Received) {
        guard !received.places.isEmpty || !received.altered.isEmpty || !received.turned.isEmpty else { return }
        // At once, for the shell may take its time to show all anew.
        show(received.places)
        showAnew(received.turned)
        for place in received.places where log.graph.beginsFork(place) {
            let replica = log.graph[place].change.replica
            if let device = log.device(replica), log.isRetained(place) { turn.effects.append(.notice(.forked(device))) }
        }
        alter(received.altered)
        if !received.places.isEmpty { persist(received.places, then: .none) }
    }

    /// What the peer who sent a batch holds, and is to be told of.
    private mutating func note(_ received: Received, of records: [[UInt8]], at index: Int) {
        for place in received.known {
            table[at: index].knowledge.learn(place, in: log.graph)
            table[at: index].peerDurable.learn(place, in: log.graph)
        }
        if let last = received.known.last {
            // The last first, which tells when all of it is durable.
            table[at: index].acknowledgements.owe(last, bytes: records.reduce(0) { $0 + $1.count })
            if received.known.count > max(received.places.count, 1) {
                // What is new is told of in any case; what was here may have been told of before the peer had it.
                let earlier = Array(received.known.dropLast(received.places.count))
                for place in log.graph.heads(of: earlier, beside: [last], limit: PushLink.missingMax) {
                    table[at: index].acknowledgements.owe(place)
                }
            }
        }
        if received.places.isEmpty, received.refusal == nil {
            table[at: index].push.repetitions += 1
        } else {
            table[at: index].push.repetitions = 0
        }
    }
}
