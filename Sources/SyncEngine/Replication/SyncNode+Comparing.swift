import ChangeLog
import DeltaCRDT

// Reconciliation: compare frontiers, so that each side knows what the other lacks.
extension SyncNode {
    mutating func hello(_ digest: Bytes32, in session: ComparingSession) {
        let id = session.id
        guard let end = toldEnd(on: id) else { return }
        let frontier = log.frontier(before: end)
        guard digest == self.digest(of: frontier) else {
            sendFrontier(on: id)
            return
        }
        guard let index = table.index(of: id) else { return }
        table[at: index].replication.agreed(
            on: frontier, before: end, without: log.absentBodies, in: log.graph)
        noteCompared(in: session)
        pump(id)
    }

    /// One hash of the retained changes and the absent bodies that a peer is told of.
    func digest(of frontier: Frontier) -> Bytes32 {
        frontier.digest(without: frontier.tips.isEmpty ? [] : log.absentHashes, using: cryptography)
    }

    /// Where the changes end that a peer is told of. A device that is out, or a stranger, is told of none.
    func toldEnd(on id: ConnectionID) -> Int? {
        table[id].map { $0.standing.isOutsider ? 0 : replication.durableCount }
    }

    private mutating func sendFrontier(on id: ConnectionID) {
        guard let end = toldEnd(on: id), let index = table.index(of: id) else { return }
        table[at: index].replication.toldFrontier(before: end, durableCount: replication.durableCount)
        send(.frontier(log.frontier(before: end).shortened(to: limits.frontierTipsMax)), on: id)
    }

    mutating func compare(_ frontier: Frontier, in session: ComparingSession) {
        let id = session.id
        guard let index = table.index(of: id) else { return }
        if !table[at: index].replication.hasToldFrontier { sendFrontier(on: id) }
        guard let index = table.index(of: id) else { return }
        let diverging = table[at: index].replication.compare(frontier, in: log)
        noteCompared(in: session)
        switch session {
        case .member, .unproven:
            for replica in diverging { send(.locator(replica, log.locator(for: replica)), on: id) }
        case .outsider: break
        }
        requestBodies(on: id)
        pump(id)
    }

    /// People see what a member showed that it holds. If it lacks nothing and writes nothing, no acknowledgement follows.
    private mutating func noteCompared(in session: ComparingSession) {
        if case .member = session { turn.effects.append(.notice(.acknowledged)) }
    }

    mutating func located(_ replica: ReplicaID, _ hashes: [Bytes32], in session: ComparingSession) {
        // For a replica that is not here there is nothing to send, and nothing to remember.
        guard log.graph.branchesOfReplica[replica] != nil, let index = table.index(of: session.id) else { return }
        let indices = hashes.compactMap { log.graph.index(of: $0) }
            .filter { log.graph[$0].change.replica == replica }
        table[at: index].replication.located(
            replica, at: indices, durableCount: replication.durableCount, in: log.graph)
        pump(session.id)
    }

    /// A peer sent changes whose past is missing here, so they were not kept. This node sends its frontier again, and the peer
    /// sends the whole past.
    mutating func requestMissingPast(on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        guard table[at: index].replication.mayAskForPast(at: now.monotonic, pause: limits.wantDelay) else {
            if let due = table[at: index].replication.pastDeadline { turn.expect(due) }
            return
        }
        sendFrontier(on: id)
    }

    /// Changes that were here before are now retained. Peers that were sent everything later may lack them.
    mutating func sendRegained() {
        for index in table.values.indices { table[at: index].replication.regained() }
        turn.mustLook = true
    }
}
