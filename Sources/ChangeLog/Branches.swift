package import DeltaCRDT

/// One unbroken chain of one replica's changes.
package struct Branch: Sendable {
    /// What the dots of its operations are named by: the replica, or the hash of its first change where the
    /// replica has forked and a sibling with a lower hash goes on under the replica's name.
    package fileprivate(set) var name: ReplicaID
    package let replica: ReplicaID
    /// The number of the replica's last operation before this branch. Its own dots count from here.
    package let base: UInt64
    /// The places of its changes in the log, ascending.
    fileprivate(set) var places: [Int32] {
        didSet { lastPlace = Int(places[places.count - 1]) }
    }
    /// The place of its last change.
    package private(set) var lastPlace: Int
    /// The number of its last operation.
    package fileprivate(set) var lastCounter: UInt64

    /// The place of its first change.
    package var firstPlace: Int { Int(places[0]) }

    /// - Parameter places: of one change at least.
    fileprivate init(name: ReplicaID, replica: ReplicaID, base: UInt64, places: [Int32], lastCounter: UInt64) {
        self.name = name
        self.replica = replica
        self.base = base
        self.places = places
        self.lastCounter = lastCounter
        lastPlace = Int(places[places.count - 1])
    }
}

/// How the log's changes fall into branches: a pure function of the set of changes.
package struct Branches: Sendable {
    package private(set) var all = ChunkedArray<Branch>()
    /// The branch of each change, by its place in the log; −1 for one that is set aside.
    package private(set) var branchOfPlace = ChunkedArray<Int32>()
    /// One branch of every replica bears the replica's own name.
    private var byName: [ReplicaID: Int] = [:]
    /// All branches of the replicas that have more than one.
    private var forks: [ReplicaID: [Int]] = [:]

    /// The branch that bears a name. O(1).
    package func index(named name: ReplicaID) -> Int? { byName[name] }

    /// The branches of one replica, in no particular order.
    package func indices(of replica: ReplicaID) -> [Int] {
        if hasForks, let indices = forks[replica] { return indices }
        return byName[replica].map { [$0] } ?? []
    }

    /// Whether any name may differ from what its author knew it by.
    package func isForked(_ replica: ReplicaID) -> Bool { hasForks && forks[replica] != nil }

    package var hasForks: Bool { !forks.isEmpty }

    /// The branch of a change. O(1).
    package func branch(ofPlace place: Int) -> Branch { all[Int(branchOfPlace[place])] }

    /// The name of a change's branch, and the number of the replica's last operation before it. O(1).
    func naming(ofPlace place: Int) -> (name: ReplicaID, base: UInt64) {
        let index = Int(branchOfPlace[place])
        return (all[index].name, all[index].base)
    }

    /// The change that comes after a place in its branch.
    package func successor(of place: Int) -> Int? {
        let branch = Int(branchOfPlace[place])
        guard all[branch].lastPlace != place else { return nil }
        let places = all[branch].places
        let next = places.partitioningIndex { $0 > place }
        return next < places.count ? Int(places[next]) : nil
    }

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

    /// Adds the change at the next place.
    /// - Returns: where an older branch had to take another name, the first place of what has that name now. Nothing
    ///   before it has another name, branch or past than it had.
    mutating func append(
        _ signed: SignedChange, previousPlace: Int?, changes: ChunkedArray<SignedChange>
    ) -> Int? {
        let place = branchOfPlace.count
        let change = signed.change
        let sibling: Int?
        if let previousPlace {
            sibling = successor(of: previousPlace)
        } else {
            sibling = byName[change.replica].map { all[$0].firstPlace }
        }
        guard let sibling else {
            if let previousPlace {
                let branch = branchOfPlace[previousPlace]
                all[Int(branch)].places.append(Int32(place))
                all[Int(branch)].lastCounter = change.lastCounter
                branchOfPlace.append(branch)
            } else {
                begin(change.replica, at: place, end: change.lastCounter)
            }
            return nil
        }
        let siblingHash = changes[sibling].hash
        if signed.hash > siblingHash {
            open(
                named: signed.hash.replicaID, of: change.replica, base: change.counter - 1, places: [Int32(place)],
                end: change.lastCounter)
            return nil
        }
        split(before: sibling, hash: siblingHash, base: change.counter - 1)
        if let previousPlace {
            let elder = branchOfPlace[previousPlace]
            all[Int(elder)].places.append(Int32(place))
            all[Int(elder)].lastCounter = change.lastCounter
            branchOfPlace.append(elder)
        } else {
            open(named: change.replica, of: change.replica, base: 0, places: [Int32(place)], end: change.lastCounter)
        }
        return sibling
    }

    /// Lets a change and all that follow it in its branch become a branch of their own. What remains of the old one
    /// gets its end from the change that it is made room for.
    private mutating func split(before place: Int, hash: Bytes32, base: UInt64) {
        let old = Int(branchOfPlace[place])
        let start = all[old].places.partitioningIndex { $0 >= place }
        if start == 0 {
            // The whole branch is renamed: it began at the log's root, or at a fork of its own.
            byName[all[old].name] = nil
            all[old].name = hash.replicaID
            byName[hash.replicaID] = old
            return
        }
        let moved = Array(all[old].places[start...])
        all[old].places.removeSubrange(start...)
        let index = Int32(all.count)
        enter(named: hash.replicaID, of: all[old].replica, base: base, places: moved, end: all[old].lastCounter)
        for place in moved { branchOfPlace[Int(place)] = index }
    }

    /// Begins the first branch of a replica, with the change at the next place: there is no other to look for.
    private mutating func begin(_ replica: ReplicaID, at place: Int, end: UInt64) {
        byName[replica] = all.count
        branchOfPlace.append(Int32(all.count))
        all.append(Branch(name: replica, replica: replica, base: 0, places: [Int32(place)], lastCounter: end))
    }

    /// Begins a branch with the change at the next place.
    private mutating func open(
        named name: ReplicaID, of replica: ReplicaID, base: UInt64, places: [Int32], end: UInt64
    ) {
        branchOfPlace.append(Int32(all.count))
        enter(named: name, of: replica, base: base, places: places, end: end)
    }

    private mutating func enter(
        named name: ReplicaID, of replica: ReplicaID, base: UInt64, places: [Int32], end: UInt64
    ) {
        let index = all.count
        all.append(Branch(name: name, replica: replica, base: base, places: places, lastCounter: end))
        if forks[replica] != nil {
            forks[replica]?.append(index)
        } else if let first = anyBranch(of: replica) {
            forks[replica] = [first, index]
        }
        byName[name] = index
    }

    /// The branch of a replica that has one alone.
    private func anyBranch(of replica: ReplicaID) -> Int? {
        if let index = byName[replica] { return index }
        // Its name was taken from it a moment ago, for the one that is about to bear it.
        return all.indices.first { all[$0].replica == replica && $0 != all.count - 1 }
    }
}
