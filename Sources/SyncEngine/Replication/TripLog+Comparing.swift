package import ChangeLog
package import DeltaCRDT

extension TripLog {
    /// What a peer that has shown its frontier holds, and what must be asked about.
    package struct Comparison: Sendable {
        /// What the peer holds of what is here.
        package var knowledge = PeerKnowledge()
        /// Logs of which the peer holds a branch that is not here, while it need not hold all that is here: it must be told
        /// how far both agree.
        package var diverging: [ReplicaID] = []
    }

    /// Compares a peer's frontier with what is here. O(tips, and branches of the logs that they are of): a peer may name many tips of a log
    /// that has many branches.
    ///
    /// A tip that is unknown here lies ahead of what is here, or on a branch of its own. Where it is ahead by its
    /// number, the peer is taken to hold what it was told of, until it says otherwise by a locator of its own, or by a frontier that
    /// is not its first. Where its log has no other branch, the peer is also taken to hold what comes of that log before the tip.
    /// - Parameters:
    ///   - end: the first index that the peer was not told of by this node's own frontier.
    ///   - located: what locators have said already, by log: the indices that the peer holds.
    package func compare(
        with frontier: Frontier, toldBefore end: Int, located: [ReplicaID: [Int]], isFirst: Bool = true
    ) -> Comparison {
        var comparison = Comparison()
        // The logs of unknown tips, in the order of their first ones.
        var replicas: [ReplicaID] = []
        var unknown: [ReplicaID: [Frontier.Tip]] = [:]
        for tip in frontier.tips {
            if let index = graph.index(of: tip.hash) {
                comparison.knowledge.learn(index, in: graph)
                continue
            }
            if unknown[tip.replica] == nil { replicas.append(tip.replica) }
            unknown[tip.replica, default: []].append(tip)
        }
        for replica in replicas {
            if let indices = located[replica] {
                for index in indices { comparison.knowledge.learn(index, in: graph) }
                continue
            }
            let tips = unknown[replica] ?? []
            let (lowest, highest) = (tips.map(\.number).min() ?? 0, tips.map(\.number).max() ?? 0)
            var isDiverging = false
            for branch in graph.branchesOfReplica[replica] ?? [] {
                guard let index = lastRetained(of: branch, before: end) else { continue }
                let number = graph.changes[index].change.number
                if isFirst, number < highest { comparison.knowledge.assume(index, in: graph) }
                // For the peer, this branch may be the one that is ahead. Then it does not ask, so it is sent what it may already have.
                if number >= lowest { isDiverging = true }
            }
            if isDiverging { comparison.diverging.append(replica) }
            if isFirst, tips.count == 1, !isDiverging { comparison.knowledge.name(tips[0]) }
        }
        return comparison
    }

    /// Hashes of a log's changes, the newest of each branch first and then at doubling distances, down to the first: enough for
    /// a peer to find the last that both hold. At most `locatorHashesMax` of them.
    package func locator(for replica: ReplicaID) -> [Bytes32] {
        var hashes: [Bytes32] = []
        for branch in graph.branchesOfReplica[replica] ?? [] {
            guard let last = lastRetained(of: branch, before: graph.count) else { continue }
            let indices = graph.branches[Int(branch)].indices
            let count = indices.partitioningIndex { $0 > last }
            var distance = 0
            while distance < count {
                hashes.append(graph.changes[Int(indices[count - 1 - distance])].hash)
                distance = distance * 2 + 1
            }
            hashes.append(graph.changes[Int(indices[0])].hash)
            if hashes.count >= TripLog.locatorHashesMax { break }
        }
        return Array(hashes.prefix(TripLog.locatorHashesMax))
    }

    /// The greatest number of hashes in a locator: 32 doublings for each of 8 branches.
    package static let locatorHashesMax = 33 * 8

    /// The indices of the next changes to send to a peer, in causal order, and where to go on afterwards.
    ///
    /// - Parameters:
    ///   - end: the first index that must not be sent yet.
    ///   - witness: where given, only this change and its past are sent.
    package func nextBatch(
        from cursor: Int, to end: Int, lackedBy knowledge: PeerKnowledge, witness: Int?, countMax: Int, bytesMax: Int
    ) -> (indices: [Int], cursor: Int) {
        precondition(end <= graph.count, "changes up to index \(end) of \(graph.count) would be sent")
        var indices: [Int] = []
        var bytes = 0
        var cursor = cursor
        while cursor < end {
            let isMeant = witness.map { graph.isPast(cursor, of: $0) } ?? isRetained(cursor)
            let isTaken = witness == nil && knowledge.leadsToNamed(cursor, in: graph)
            if isMeant, !isTaken, !knowledge.contains(cursor, in: graph) {
                let size = recordToSend(cursor).count
                guard indices.count < countMax, bytes + size <= bytesMax || indices.isEmpty else { break }
                indices.append(cursor)
                bytes += size
            }
            cursor += 1
        }
        return (indices, cursor)
    }

    /// The indices of the next changes of a past to send to a peer, by their stamps. That is a causal order, too, and the same at each node: the
    /// order in which they came here would tell this node from others. O(changes · log changes).
    func nextOfPast(
        of witness: Int, lackedBy knowledge: PeerKnowledge, countMax: Int, bytesMax: Int
    ) -> [Int] {
        let lacked = (0...witness).filter { graph.isPast($0, of: witness) && !knowledge.contains($0, in: graph) }
            .sorted { graph[$0].stamp < graph[$1].stamp }
        var bytes = 0
        let count = lacked.prefix(countMax).prefix { index in
            bytes += graph[index].head.count
            return bytes <= bytesMax
        }.count
        return Array(lacked.prefix(max(count, 1)))
    }

    /// Of the retained changes from one index to before another, those that no other of them has in its past, ascending.
    /// O(heads) where nothing stands behind `end`.
    package func heads(from start: Int, before end: Int) -> [Int] {
        precondition(end <= graph.count, "heads before index \(end) of \(graph.count)")
        guard start < end else { return [] }
        if end == graph.count { return Array(heads[heads.partitioningIndex { $0 >= start }...]) }
        var found: [Int] = []
        for index in (start..<end).reversed()
        where isRetained(index) && !found.contains(where: { graph.isPast(index, of: $0) }) {
            found.append(index)
        }
        return found.reversed()
    }
}
