package import DeltaCRDT

/// The last change of every branch that a node holds: what it has, said in a line a branch.
package struct Frontier: Hashable, Sendable {
    /// The end of one branch.
    package struct Tip: Hashable, Sendable {
        package let replica: ReplicaID
        /// The number of the last operation.
        package let counter: UInt64
        package let hash: Bytes32
    }

    /// In ascending order of hashes.
    package let tips: [Tip]

    init(tips: [Tip]) {
        self.tips = tips.sorted { $0.hash < $1.hash }
    }

    /// Equal digests mean equal sets of changes.
    package func digest(using cryptography: some Cryptography) -> Bytes32 {
        var encoder = CanonicalEncoder(reservingCapacity: tips.count * 32)
        for tip in tips { encoder.encode(fixed: tip.hash.bytes) }
        return cryptography.hash(encoder.bytes)
    }

    /// Bytes of one tip at the least.
    private static let tipSizeMin = 16 + 1 + 32

    package func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(count: tips.count)
        for tip in tips {
            encoder.encode(tip.replica)
            encoder.encode(tip.counter)
            encoder.encode(fixed: tip.hash.bytes)
        }
    }

    /// - Parameter limit: the greatest number of tips that is believed.
    package init(from decoder: inout CanonicalDecoder, limit: Int) throws(DecodingFailure) {
        var tips: [Tip] = []
        for _ in 0..<(try decoder.decodeCount(limit: limit, minimumSize: Frontier.tipSizeMin)) {
            let replica = try decoder.decodeReplicaID()
            let counter = try decoder.decodeUInt64()
            guard counter >= 1, counter <= ChangeLimits.counterMax else { throw .tooLarge }
            let hash = try decoder.decodeBytes32()
            if let last = tips.last, hash <= last.hash { throw .notCanonical }
            tips.append(Tip(replica: replica, counter: counter, hash: hash))
        }
        self.tips = tips
    }
}
