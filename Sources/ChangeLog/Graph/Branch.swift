package import DeltaCRDT

/// One unbroken chain of one log's changes. A copied home, a restored backup or a liar makes more than one of a log.
package struct Branch: Sendable {
    package let replica: ReplicaID
    /// The change that its first one follows, in another branch of the log; nil for one that begins the log.
    package let base: Int?
    /// Where its changes stand, ascending; never empty.
    package private(set) var places: [Int32]

    init(replica: ReplicaID, base: Int?, first place: Int) {
        self.replica = replica
        self.base = base
        places = [Int32(place)]
    }

    package var first: Int { Int(places[0]) }
    package var last: Int { Int(places[places.count - 1]) }

    mutating func append(_ place: Int) {
        precondition(place > last, "place \(place) would follow \(last) in a branch")
        places.append(Int32(place))
    }

    /// Its last change below a place. O(log changes).
    package func last(before end: Int) -> Int? {
        if last < end { return last }
        let count = places.partitioningIndex { $0 >= end }
        return count > 0 ? Int(places[count - 1]) : nil
    }

    /// How many of its changes are at or above one place, and not above another. O(log changes).
    package func count(from low: Int, upTo high: Int) -> Int {
        max(0, places.partitioningIndex { $0 > high } - places.partitioningIndex { $0 >= low })
    }
}
