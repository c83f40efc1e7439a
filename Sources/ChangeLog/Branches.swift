package import DeltaCRDT

/// One unbroken chain of one replica's changes.
package struct Branch: Sendable {
    package let replica: ReplicaID
    /// The places of its changes in the log, ascending.
    fileprivate(set) var places: [Int32] {
        didSet { lastPlace = Int(places[places.count - 1]) }
    }
    /// The place of its last change.
    package private(set) var lastPlace: Int

    /// The place of its first change.
    package var firstPlace: Int { Int(places[0]) }

    fileprivate init(replica: ReplicaID, beginningAt place: Int) {
        self.replica = replica
        places = [Int32(place)]
        lastPlace = place
    }
}

/// How the log's changes fall into branches, by the order in which they came: what goes on where a branch ends belongs to
/// it, all else begins one.
package struct Branches: Sendable {
    package private(set) var all = ChunkedArray<Branch>()
    /// The branch of each change, by its place in the log; −1 for one that is set aside.
    package private(set) var branchOfPlace = ChunkedArray<Int32>()
    /// The first branch of every replica.
    private var firsts: [ReplicaID: Int] = [:]
    /// All branches of the replicas that have more than one.
    private var forks: [ReplicaID: [Int]] = [:]

    /// The branches of one replica, in the order in which they came.
    package func indices(of replica: ReplicaID) -> [Int] {
        if hasForks, let indices = forks[replica] { return indices }
        return firsts[replica].map { [$0] } ?? []
    }

    package func isForked(_ replica: ReplicaID) -> Bool { hasForks && forks[replica] != nil }

    package var hasForks: Bool { !forks.isEmpty }

    /// The last change of a branch below a place.
    package func tip(of branch: Int, before end: Int) -> Int? {
        let last = all[branch].lastPlace
        if last < end { return last }
        let places = all[branch].places
        let count = places.partitioningIndex { $0 >= end }
        return count > 0 ? Int(places[count - 1]) : nil
    }

    /// Leaves the next place out: what stands there belongs to no branch.
    mutating func skip() { branchOfPlace.append(-1) }

    /// Adds the change at the next place. Nothing before it has another branch than it had.
    mutating func append(_ signed: SignedChange, previousPlace: Int?) {
        let place = branchOfPlace.count
        if let previousPlace {
            let branch = branchOfPlace[previousPlace]
            if all[Int(branch)].lastPlace == previousPlace {
                all[Int(branch)].places.append(Int32(place))
                branchOfPlace.append(branch)
                return
            }
        }
        let index = all.count
        branchOfPlace.append(Int32(index))
        all.append(Branch(replica: signed.change.replica, beginningAt: place))
        if let first = firsts[signed.change.replica] {
            forks[signed.change.replica, default: [first]].append(index)
        } else {
            firsts[signed.change.replica] = index
        }
    }
}
