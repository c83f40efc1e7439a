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
        turns.chargeAuthors(of: received.indices, in: log)
        // Its device may be out, as it said itself, or others did: what came is kept all the same.
        guard let index = table.index(of: id) else { return }
        table[at: index].replication.received(
            received, bytes: records.reduce(0) { $0 + $1.count }, in: log.graph, pause: limits.wantDelay)
        if owesAtOnce(at: index) { sendHave(on: id) } else { announceSoon() }
        endPushing(in: session)
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
        noteMembership(arrivedFrom: received.indices.lowerBound)
        noteAbsentBodies()
        take(received)
        return received
    }

    /// Shows what came, and makes it durable.
    private mutating func take(_ received: Received) {
        guard !received.indices.isEmpty || !received.altered.isEmpty || !received.effectivenessChanged.isEmpty else {
            return
        }
        // At once, for the shell may take its time to show all anew.
        show(received.indices)
        showAnew(received.effectivenessChanged)
        for index in received.indices where log.graph.beginsFork(index) {
            let replica = log.graph[index].change.replica
            if let device = log.device(replica), log.isRetained(index) { turn.effects.append(.notice(.forked(device))) }
        }
        alter(received.altered)
        if !received.indices.isEmpty { persist(received.indices, then: .none) }
    }

    /// Asks a member that repeats what is here not to push.
    private mutating func endPushing(in session: ContributingSession) {
        guard case .member = session, let index = table.index(of: session.id) else { return }
        let most = isCrowded ? limits.crowdedRepetitionsMax : limits.repetitionsMax
        if table[at: index].replication.endsPushing(afterRepetitions: most, durableCount: replication.durableCount) {
            send(.lazy, on: session.id)
        }
    }
}
