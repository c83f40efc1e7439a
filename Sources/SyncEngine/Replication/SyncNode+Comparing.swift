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
        for tip in frontier.tips {
            guard let place = log.graph.place(of: tip.hash) else { continue }
            table[at: index].knowledge.learn(place, in: log.graph)
        }
        table[at: index].peerDurable = table[at: index].knowledge
        table[at: index].window.hasCompared = true
        table[at: index].window.cursor = end
        table[at: index].acknowledgements.announced = end
        pump(id)
    }

    /// One hash of the retained changes and the absent bodies that a peer is told of.
    func digest(of frontier: Frontier) -> Bytes32 {
        frontier.digest(without: frontier.tips.isEmpty ? [] : log.absentHashes, using: cryptography)
    }

    /// Where the changes end that a peer is told of. A device that is out is told of none.
    func toldEnd(on id: ConnectionID) -> Int? {
        table[id].map { $0.standing == .outside ? 0 : replication.durableCount }
    }

    private mutating func sendFrontier(on id: ConnectionID) {
        guard let end = toldEnd(on: id), let index = table.index(of: id) else { return }
        table[at: index].comparison.toldEnd = end
        table[at: index].acknowledgements.announced = replication.durableCount
        send(.frontier(log.frontier(before: end).shortened(to: limits.frontierTipsMax)), on: id)
    }

    mutating func compare(_ frontier: Frontier, in session: ComparingSession) {
        let id = session.id
        if table[id]?.comparison.toldEnd == nil { sendFrontier(on: id) }
        guard let index = table.index(of: id), let end = table[at: index].comparison.toldEnd
        else { return }
        let comparison = log.compare(
            with: frontier, toldBefore: end, located: table[at: index].comparison.located,
            isFirst: !table[at: index].window.hasCompared)
        table[at: index].knowledge = comparison.knowledge
        table[at: index].comparison.shown = comparison.knowledge
        table[at: index].window.hasCompared = true
        table[at: index].window.cursor = 0
        for place in frontier.tips.compactMap({ log.graph.place(of: $0.hash) }) {
            table[at: index].peerDurable.learn(place, in: log.graph)
        }
        switch session {
        case .member, .unproven:
            for replica in comparison.diverging { send(.locator(replica, log.locator(for: replica)), on: id) }
        case .outsider: break
        }
        requestBodies(on: id)
        pump(id)
    }

    mutating func located(_ replica: ReplicaID, _ hashes: [Bytes32], in session: ComparingSession) {
        // For a replica that is not here there is nothing to send, and nothing to remember.
        guard log.graph.branchesOfReplica[replica] != nil, let index = table.index(of: session.id) else { return }
        let places = hashes.compactMap { log.graph.place(of: $0) }
            .filter { log.graph[$0].change.replica == replica }
        table[at: index].comparison.located[replica] = places
        let shown = table[at: index].comparison.shown
        table[at: index].knowledge.correct(replica, holds: places, shown: shown, in: log.graph)
        table[at: index].window.cursor = 0
        table[at: index].push.pushEnd = replication.durableCount
        pump(session.id)
    }

    /// A peer sent changes whose past is missing here, so they were not kept. This node sends its frontier again, and the peer
    /// sends the whole past.
    mutating func requestMissingPast(on id: ConnectionID) {
        guard let index = table.index(of: id) else { return }
        guard table[at: index].missingPast.mayAsk(at: now.monotonic, pause: limits.wantDelay) else {
            if let due = table[at: index].missingPast.deadline { turn.expect(due) }
            return
        }
        sendFrontier(on: id)
    }

    /// Changes that were here before are now retained. Peers that were sent everything later may lack them.
    mutating func sendRegained() {
        for index in table.values.indices {
            table[at: index].window.cursor = 0
            table[at: index].acknowledgements.announced = 0
        }
        turn.mustLook = true
    }
}
