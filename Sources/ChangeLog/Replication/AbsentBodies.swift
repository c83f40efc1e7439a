package import DeltaCRDT

/// The bodies that are needed at a node and aren't there: how many, and of which changes, as far as one message names them.
package struct AbsentBodies: Hashable, Sendable {
    package let count: Int
    /// Hashes of changes. Where there are more, the first that came there.
    package let named: [Bytes32]

    package static let namedMax = 256

    package init(count: Int = 0, named: [Bytes32] = []) { (self.count, self.named) = (count, named) }

    package func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(UInt64(count))
        encoder.encode(count: named.count)
        for hash in named { encoder.encode(fixed: hash.bytes) }
    }

    package init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let count = try decoder.decodeUInt64()
        guard count <= UInt64(Int32.max) else { throw .tooLarge }
        var named: [Bytes32] = []
        for _ in 0..<(try decoder.decodeCount(limit: Self.namedMax, minimumSize: 32)) {
            named.append(try decoder.decodeBytes32())
        }
        guard named.count == min(Int(count), Self.namedMax) else { throw .notCanonical }
        self.init(count: Int(count), named: named)
    }

    /// How many of the bodies that are here are absent there: those that aren't named may all be. O(`namedMax`).
    package func missing(of log: TripLog) -> Int {
        let absentInBoth = named.count { hash in log.graph.index(of: hash).map { !log.graph[$0].isWhole } ?? true }
        return count - absentInBoth
    }
}

extension TripLog {
    /// The hashes of all changes whose bodies are needed and absent, ascending. O(absent bodies · log absent bodies).
    package var absentHashes: [Bytes32] { bodies.lacking.map { graph[$0].hash }.sorted() }

    /// O(`namedMax`).
    package var absentBodies: AbsentBodies {
        AbsentBodies(count: bodies.lacking.count, named: bodies.named.map { graph[$0].hash })
    }
}
