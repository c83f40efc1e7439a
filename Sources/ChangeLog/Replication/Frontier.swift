package import DeltaCRDT

/// What a node has, said in a line a branch: the retained changes that have no retained successor in their log.
package struct Frontier: Hashable, Sendable {
    /// The end of one branch.
    package struct Tip: Hashable, Sendable {
        package let replica: ReplicaID
        package let number: UInt64
        package let hash: Bytes32
    }

    /// In ascending order of hashes.
    package let tips: [Tip]

    init(tips: [Tip]) {
        self.tips = tips.sorted { $0.hash < $1.hash }
    }

    /// At most so many tips: of each log the first, then of each the second, and so on. A frontier may say less than is held: a peer
    /// sends more then.
    package func shortened(to limit: Int) -> Frontier {
        guard tips.count > limit else { return self }
        var counts: [ReplicaID: Int] = [:]
        let ranked = tips.map { tip in
            counts[tip.replica, default: 0] += 1
            return (rank: counts[tip.replica] ?? 0, tip: tip)
        }
        let first = ranked.sorted { ($0.rank, $0.tip.hash) < ($1.rank, $1.tip.hash) }.prefix(limit)
        return Frontier(tips: first.map(\.tip))
    }

    /// Equal digests mean equal retained changes, of which equal bodies are absent.
    ///
    /// - Parameter absent: the hashes of the changes whose bodies are needed and absent, ascending. None of them is a tip that another
    ///   frontier could have beside these tips, so that no two such pairs are one list.
    package func digest(without absent: [Bytes32] = [], using cryptography: some Cryptography) -> Bytes32 {
        var encoder = CanonicalEncoder(reservingCapacity: (tips.count + absent.count) * 32)
        for tip in tips { encoder.encode(fixed: tip.hash.bytes) }
        for hash in absent { encoder.encode(fixed: hash.bytes) }
        return cryptography.hash(encoder.bytes)
    }

    private static let tipSizeMin = 16 + 1 + 32

    package func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: tips.count)
        for tip in tips {
            encoder.encode(tip.replica)
            encoder.encode(tip.number)
            encoder.encode(fixed: tip.hash.bytes)
        }
    }

    /// - Parameter limit: the greatest number of tips that is believed.
    package init(from decoder: inout CanonicalDecoder, limit: Int) throws(DecodingFailure) {
        var tips: [Tip] = []
        for _ in 0..<(try decoder.decodeCount(limit: limit, minimumSize: Frontier.tipSizeMin)) {
            let replica = try decoder.decodeReplicaID()
            let number = try decoder.decodeUInt64()
            guard number >= 1, number <= ChangeBounds.numberMax else { throw .tooLarge }
            let hash = try decoder.decodeBytes32()
            if let last = tips.last, hash <= last.hash { throw .notCanonical }
            tips.append(Tip(replica: replica, number: number, hash: hash))
        }
        self.tips = tips
    }
}

extension TripLog {
    /// What is retained of all that stands below an index. O(branches log changes).
    package func frontier(before end: Int) -> Frontier {
        var ends: [Int] = []
        var followed: Set<Int> = []
        for branch in graph.branches.indices {
            guard let index = lastRetained(of: Int32(branch), before: end) else { continue }
            ends.append(index)
            if let base = graph.branches[branch].base { followed.insert(base) }
        }
        return Frontier(
            tips: ends.filter { !followed.contains($0) }.map { index in
                let signed = graph.changes[index]
                return Frontier.Tip(replica: signed.change.replica, number: signed.change.number, hash: signed.hash)
            })
    }

    package var frontier: Frontier { frontier(before: graph.count) }

    /// The last retained change of a branch below an index. O(log changes).
    package func lastRetained(of branch: Int32, before end: Int) -> Int? {
        guard let last = graph.last(of: branch, in: retained) else { return nil }
        return last < end ? last : graph.branches[Int(branch)].last(before: end)
    }
}
