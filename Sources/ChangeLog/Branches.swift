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
    package fileprivate(set) var places: [Int]
}

/// How the log's changes fall into branches: a pure function of the set of changes.
package struct Branches: Sendable {
    package private(set) var all: [Branch] = []
    /// The branch of each change, by its place in the log.
    package private(set) var branchOfPlace: [Int] = []
    private var byName: [ReplicaID: Int] = [:]
    private var byReplica: [ReplicaID: [Int]] = [:]

    /// The branch that bears a name.
    package func index(named name: ReplicaID) -> Int? { byName[name] }

    /// The branches of one replica, in no particular order.
    package func indices(of replica: ReplicaID) -> [Int] { byReplica[replica] ?? [] }

    /// Whether any name may differ from what its author knew it by.
    package func isForked(_ replica: ReplicaID) -> Bool { indices(of: replica).count > 1 }

    package var hasForks: Bool { all.count > byReplica.count }

    /// The change that comes after a place in its branch.
    package func successor(of place: Int) -> Int? {
        let places = all[branchOfPlace[place]].places
        let next = places.partitionIndex { $0 > place }
        return next < places.count ? places[next] : nil
    }

    /// The last change of a branch below a place.
    package func tip(of branch: Int, before end: Int) -> Int? {
        let places = all[branch].places
        let count = places.partitionIndex { $0 >= end }
        return count > 0 ? places[count - 1] : nil
    }

    /// Adds the change at the next place. Returns true when an older branch had to take another name.
    mutating func append(_ signed: SignedChange, previousPlace: Int?, hashOf: (Int) -> Bytes32) -> Bool {
        let place = branchOfPlace.count
        let change = signed.change
        let sibling: Int?
        if let previousPlace {
            sibling = successor(of: previousPlace)
        } else {
            sibling = byName[change.replica].map { all[$0].places[0] }
        }
        guard let sibling else {
            if let previousPlace {
                let branch = branchOfPlace[previousPlace]
                all[branch].places.append(place)
                branchOfPlace.append(branch)
            } else {
                open(named: change.replica, of: change.replica, base: 0, places: [place])
                branchOfPlace.append(all.count - 1)
            }
            return false
        }
        if signed.hash > hashOf(sibling) {
            open(named: signed.hash.replicaID, of: change.replica, base: change.counter - 1, places: [place])
            branchOfPlace.append(all.count - 1)
            return false
        }
        split(before: sibling, hash: hashOf(sibling), base: change.counter - 1)
        branchOfPlace.append(branchOfPlace[sibling])
        let elder: Int
        if let previousPlace {
            elder = branchOfPlace[previousPlace]
        } else {
            elder = all.count
            open(named: change.replica, of: change.replica, base: 0, places: [])
        }
        all[elder].places.append(place)
        branchOfPlace[place] = elder
        return true
    }

    /// Lets a change and all that follow it in its branch become a branch of their own.
    private mutating func split(before place: Int, hash: Bytes32, base: UInt64) {
        let old = branchOfPlace[place]
        let start = all[old].places.partitionIndex { $0 >= place }
        let moved = Array(all[old].places[start...])
        if start == 0 {
            // The whole branch is renamed: it began at the log's root, or at a fork of its own.
            byName[all[old].name] = nil
            all[old].name = hash.replicaID
            byName[hash.replicaID] = old
            return
        }
        all[old].places.removeSubrange(start...)
        open(named: hash.replicaID, of: all[old].replica, base: base, places: moved)
        for place in moved { branchOfPlace[place] = all.count - 1 }
    }

    private mutating func open(named name: ReplicaID, of replica: ReplicaID, base: UInt64, places: [Int]) {
        byName[name] = all.count
        byReplica[replica, default: []].append(all.count)
        all.append(Branch(name: name, replica: replica, base: base, places: places))
    }
}

extension Array where Element == Int {
    /// The first index whose element satisfies a predicate that, once true, stays true. O(log n).
    func partitionIndex(_ belongs: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
