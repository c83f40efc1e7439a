package import DeltaCRDT

/// One unbroken chain of one log's changes. A copied home, a restored backup or a liar makes more than one of a log.
package struct Branch: Sendable {
    package let replica: ReplicaID
    /// The change that its first one follows, in another branch of the log; nil for one that begins the log.
    package let base: Int?
    /// Where its changes stand, ascending; never empty.
    package private(set) var indices: [Int32]

    init(replica: ReplicaID, base: Int?, first index: Int) {
        self.replica = replica
        self.base = base
        indices = [Int32(index)]
    }

    package var first: Int { Int(indices[0]) }
    package var last: Int { Int(indices[indices.count - 1]) }

    mutating func append(_ index: Int) {
        precondition(index > last, "index \(index) would follow \(last) in a branch")
        indices.append(Int32(index))
    }

    /// Its last change below an index. O(log changes).
    package func last(before end: Int) -> Int? {
        if last < end { return last }
        let count = indices.partitioningIndex { $0 >= end }
        return count > 0 ? Int(indices[count - 1]) : nil
    }

    /// How many of its changes are at or above one index, and not above another. O(log changes).
    package func count(from low: Int, upTo high: Int) -> Int {
        max(0, indices.partitioningIndex { $0 > high } - indices.partitioningIndex { $0 >= low })
    }
}
