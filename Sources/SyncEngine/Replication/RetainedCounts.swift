package import ChangeLog
import DeltaCRDT

/// How many retained changes below an index peers are known to hold.
package struct RetainedCounts: Sendable {
    private let log: TripLog
    private let end: Int
    /// At each index, how many retained changes lie below it.
    private let below: [Int]

    /// - Parameter end: only changes below this index are counted.
    ///
    /// O(changes).
    package init(of log: TripLog, before end: Int) {
        precondition(end <= log.graph.count, "changes up to index \(end) of \(log.graph.count) would be counted")
        self.log = log
        self.end = end
        var below = [0]
        below.reserveCapacity(end + 1)
        for index in 0..<end { below.append(below[index] + (log.isRetained(index) ? 1 : 0)) }
        self.below = below
    }

    /// How many of them a peer is not known to hold. O(branches of which it holds more than of others · log changes).
    package func missing(at peer: PeerKnowledge) -> Int {
        let cut = peer.cut
        let prefix = min(Int(cut.prefix), end)
        let beyond = cut.beyond.reduce(0) { count, reach in
            let branch = Int32(bitPattern: reach.branch)
            guard let retained = log.graph.last(of: branch, in: log.retained) else { return count }
            let last = min(Int(reach.index), retained, end - 1)
            return count + log.graph.branches[Int(branch)].count(from: prefix, upTo: last)
        }
        return below[end] - below[prefix] - beyond
    }
}
