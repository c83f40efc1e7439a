extension FetchPlan {
    /// Traps where it contradicts itself, or waits for nothing. O(what is wanted · peers).
    package func checkInvariants() {
        precondition(
            missingCount == wanted.count && urgent.allSatisfy { wanted[$0] != nil },
            "\(wanted.count) chunks are wanted, \(missingCount) counted, \(urgent.count) urgent")
        precondition(
            askedCount == wanted.values.count { $0.asked != nil }
                && askedCount == peers.values.reduce(0) { $0 + $1.asks.count },
            "\(askedCount) chunks are counted as asked for")
        let failures = peers.values.flatMap(\.failures.values).max() ?? 0
        precondition(failures <= ChunkExchangeLimits.failuresMax, "a peer was asked \(failures) times in vain")
        for (chunk, standing) in wanted {
            precondition(
                standing.asked.map { peers[$0.peer]?.asks.contains(chunk) ?? false } ?? true,
                "a chunk is asked of a peer that knows nothing of it")
            let holders = peers.values.count { $0.held.contains(chunk) }
            precondition(
                standing.holders == holders, "\(holders) peers hold a chunk, and \(standing.holders) are counted")
        }
        guard askedCount < ChunkExchangeLimits.asksMax else { return }
        for (peer, state) in peers where state.asks.count < ChunkExchangeLimits.asksPerPeer {
            let idle = state.held.count(where: mayAsk)
            precondition(idle == 0, "\(peer) is asked for nothing, and has \(idle) chunks that nobody is asked for")
        }
    }
}
