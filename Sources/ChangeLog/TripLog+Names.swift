import DeltaCRDT

// A change names dots as its author knew them. Where a replica has forked, what its author knew by one name may bear
// another among those who hold more branches; where none has, every name is as written.
extension TripLog {
    /// The present name of a dot that was named in view of `past`; nil where it is not in that past.
    func present(_ dot: Dot, past: Past) -> Dot? {
        guard dot.counter >= 1 else { return nil }
        if let branch = branches.index(named: dot.replica), !branches.isForked(branches.all[branch].replica) {
            return holds(past, operation: dot.counter, ofBranch: branch) ? dot : nil
        }
        guard branches.hasForks, let (first, base) = beginning(of: dot.replica, past: past) else { return nil }
        let (counter, overflow) = base.addingReportingOverflow(dot.counter)
        guard !overflow, let place = walk(from: first, toOperation: counter, past: past) else { return nil }
        let branch = branches.branch(ofPlace: place)
        return Dot(replica: branch.name, counter: counter - branch.base)
    }

    /// The first change of the branch that bore a name in view of `past`, and the number before its first operation.
    private func beginning(of name: ReplicaID, past: Past) -> (place: Int, base: UInt64)? {
        var lowest: Int?
        for index in branches.indices(of: name) where branches.all[index].base == 0 {
            let root = branches.all[index].firstPlace
            if holds(past, root), lowest.map({ changes[root].hash < changes[$0].hash }) ?? true { lowest = root }
        }
        if let lowest { return (lowest, 0) }
        if let index = branches.index(named: name) {
            let place = branches.all[index].firstPlace
            if changes[place].hash.replicaID == name, isNamedApart(place, past: past) {
                return (place, changes[place].change.counter - 1)
            }
        }
        // It goes on under another name now: a sibling of one that begins a branch.
        for branch in branches.all where branches.isForked(branch.replica) {
            for place in siblings(of: branch.firstPlace)
            where changes[place].hash.replicaID == name && isNamedApart(place, past: past) {
                return (place, changes[place].change.counter - 1)
            }
        }
        return nil
    }

    /// Whether a change that is in `past` began a branch with a name of its own there: where `past` holds none of its
    /// siblings that is lower by hash, it went on under the elder's name, however many others hold. What a name says must
    /// not depend on those: who has not got them, or has set them aside, would refuse what others take.
    private func isNamedApart(_ place: Int, past: Past) -> Bool {
        holds(past, place)
            && siblings(of: place).contains { changes[$0].hash < changes[place].hash && holds(past, $0) }
    }

    /// Follows a branch, as it was in view of `past`, to the change that holds an operation. O(branches log changes).
    ///
    /// The next of a branch is the lowest by hash of all that follow, and so of those in `past` where that holds it:
    /// only where what is held of a branch ends may another have borne its name.
    private func walk(from first: Int, toOperation counter: UInt64, past: Past) -> Int? {
        var place = first
        while true {
            let branch = branches.branch(ofPlace: place)
            guard let last = lastHeld(past, ofBranch: Int(branches.branchOfPlace[place])), last >= place else {
                return nil
            }
            if changes[last].change.lastCounter >= counter {
                let found = branch.places.partitioningIndex { changes[Int($0)].change.lastCounter >= counter }
                let holder = max(place, Int(branch.places[found]))
                return changes[holder].change.counter <= counter ? holder : nil
            }
            guard let next = lowestHash(children(of: last).filter { holds(past, $0) }) else { return nil }
            place = next
        }
    }

    private func holds(_ past: Past, _ place: Int) -> Bool { past.contains(place, in: branches) }

    /// Whether a dot, by its present name, is in a past. O(log changes).
    func holds(_ past: Past, _ dot: Dot) -> Bool {
        guard let branch = branches.index(named: dot.replica) else { return false }
        return holds(past, operation: dot.counter + branches.all[branch].base, ofBranch: branch)
    }

    /// The last change of a branch that a past holds. O(log changes).
    private func lastHeld(_ past: Past, ofBranch branch: Int) -> Int? {
        past.reach(ofBranch: branch) ?? branches.tip(of: branch, before: Int(past.prefix))
    }

    /// Whether an operation, by its number in its replica's log, is in a past. O(log changes).
    private func holds(_ past: Past, operation counter: UInt64, ofBranch branch: Int) -> Bool {
        lastHeld(past, ofBranch: branch).map { counter <= changes[$0].change.lastCounter } ?? false
    }

    private func lowestHash(_ places: [Int]) -> Int? {
        places.min { changes[$0].hash < changes[$1].hash }
    }

    /// The changes of one replica that follow a change directly.
    private func children(of place: Int) -> [Int] {
        let hash = changes[place].hash
        let forks = branches.indices(of: changes[place].change.replica).map { branches.all[$0].firstPlace }
        let others = forks.filter { changes[$0].change.previous == hash }
        guard let successor = branches.successor(of: place), !others.contains(successor) else { return others }
        return [successor] + others
    }

    /// The changes that share a change's predecessor.
    private func siblings(of place: Int) -> [Int] {
        guard let previous = changes[place].change.previous, let parent = self.place(of: previous) else {
            return branches.indices(of: changes[place].change.replica)
                .map { branches.all[$0] }.filter { $0.base == 0 }.map { $0.firstPlace }
        }
        return children(of: parent)
    }
}
