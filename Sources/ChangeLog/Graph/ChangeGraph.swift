package import DeltaCRDT

/// The signed changes of one trip, each after its whole past: only ever appended to.
///
/// Inside a node a change is named by its *place* and its log's *branch*, both local numbers that never change, never leave the
/// node and never decide an order.
package struct ChangeGraph: Sendable {
    /// In the order in which they came.
    package private(set) var changes: [SignedChange] = []
    package private(set) var branches: [Branch] = []
    /// The branch of each change.
    package private(set) var branchOfPlace: [Int32] = []
    /// The branches of each log, the first to come first.
    package private(set) var branchesOfReplica: [ReplicaID: [Int32]] = [:]
    /// What each change's author had seen; how far it had seen its own branch goes without saying. They share storage, so a
    /// change that adds one branch to a past costs O(log branches) of memory.
    private var pasts: [CausalCut] = []
    /// What each change's chain has used of its bounds, with it.
    private var totals: [ChainTotals] = []
    /// The place of each change by its hash.
    private var places: [Bytes32: Int32] = [:]

    package var count: Int { changes.count }

    /// Whether any log has more than one branch. O(1).
    package var hasForks: Bool { branches.count > branchesOfReplica.count }

    /// The change at a place. O(1).
    package subscript(place: Int) -> SignedChange { changes[place] }

    package func place(of hash: Bytes32) -> Int? { places[hash].map { Int($0) } }

    /// Whether the change at `place` is, or is in the past of, the change at `later`. O(log branches).
    package func isPast(_ place: Int, of later: Int) -> Bool {
        let branch = branchOfPlace[place]
        return branch == branchOfPlace[later] ? place <= later : pasts[later].contains(place, branch: branch)
    }

    package func contains(_ place: Int, in cut: CausalCut) -> Bool { cut.contains(place, branch: branchOfPlace[place]) }

    /// What a change's author had seen, without the change itself; of its own branch nothing is said.
    package func past(of place: Int) -> CausalCut { pasts[place] }

    /// Adds a change and its past to a cut.
    package func include(_ place: Int, in cut: inout CausalCut) {
        guard !contains(place, in: cut) else { return }
        cut.formUnion(pasts[place])
        // Where all before it is held, as mostly, that is one number more.
        if cut.beyond.isEmpty, Int(cut.prefix) == place { return cut.raise(to: UInt32(place + 1)) }
        cut.extend(to: place, ofBranch: branchOfPlace[place])
    }

    /// Takes what lies below no gap into the prefix of a cut. O(log branches) for each change taken.
    package func settle(_ cut: inout CausalCut) { cut.settle(before: count) { branchOfPlace[$0] } }

    /// The last change of a branch that a cut holds. O(log changes).
    package func last(of branch: Int32, in cut: CausalCut) -> Int? {
        cut.reach(ofBranch: branch) ?? branches[Int(branch)].last(before: Int(cut.prefix))
    }

    /// The last change of a branch that is, or is in the past of, a change. O(log changes).
    package func last(of branch: Int32, upTo place: Int) -> Int? {
        branch == branchOfPlace[place] ? place : last(of: branch, in: pasts[place])
    }

    /// What the chain of a change, with it, has used of its bounds.
    package func chainTotals(of place: Int) -> ChainTotals { totals[place] }

    /// The changes of some branches up to a point, with all in their pasts, and those of these that none of them has in its past,
    /// ascending. O(branches · log branches), and for each such head the branches that its author had seen otherwise.
    func closure(of last: [Int32: Int]) -> (cut: CausalCut, heads: [Int]) {
        var past = CausalCut()
        // The latest first, for what a past holds adds nothing: however many forks somebody stands on, that is one union.
        for place in last.values.sorted(by: >) where !contains(place, in: past) { past.formUnion(pasts[place]) }
        let heads = last.values.filter { !contains($0, in: past) }.sorted()
        for (branch, place) in last { past.extend(to: place, ofBranch: branch) }
        settle(&past)
        return (past, heads)
    }

    /// Of places, those that neither one of some others nor any other of them stands on, the newest first. Of more than
    /// `limit`, the newest. O(places times what is returned and the others).
    package func heads(of places: [Int], beside others: [Int] = [], limit: Int) -> [Int] {
        var told = others
        for place in places.sorted(by: >) {
            guard told.count - others.count < limit else { break }
            if told.contains(where: { isPast(place, of: $0) }) { continue }
            told.append(place)
        }
        return Array(told[others.count...])
    }

    /// Puts the same change with or without its body at its place.
    mutating func replace(_ place: Int, with signed: SignedChange) {
        precondition(changes[place].hash == signed.hash, "place \(place) would get another change")
        changes[place] = signed
    }

    // MARK: - Adding

    /// What of a change could be found out before it is added.
    struct Links {
        let previous: Int?
        let past: CausalCut
        let totals: ChainTotals
    }

    /// Finds a change's past, and checks what is linked to it.
    func links(of signed: SignedChange) throws(Refusal) -> Links {
        let change = signed.change
        var greatest: UInt64 = 0
        var past = CausalCut()
        var totals = ChainTotals()
        var previous: Int?
        if let hash = change.previous {
            guard let place = place(of: hash) else { throw .missingPast }
            let before = changes[place].change
            guard before.replica == change.replica, before.number + 1 == change.number else { throw .brokenChain }
            (previous, greatest, totals) = (place, before.lamport, self.totals[place])
            include(place, in: &past)
        }
        for hash in change.heads {
            guard let place = place(of: hash) else { throw .missingPast }
            greatest = max(greatest, changes[place].change.lamport)
            include(place, in: &past)
        }
        guard change.lamport == greatest + 1 else { throw .wrongLamportTime }
        guard totals.add(signed) else { throw .chainFull }
        settle(&past)
        for hash in change.subjects {
            guard let place = place(of: hash), contains(place, in: past) else { throw .unknownSubject }
        }
        return Links(previous: previous, past: past, totals: totals)
    }

    /// Whether a change begins one more branch of its log. O(1).
    package func beginsFork(_ place: Int) -> Bool {
        let branch = branchOfPlace[place]
        return branches[Int(branch)].first == place
            && branchesOfReplica[changes[place].change.replica]?.first != branch
    }

    /// Adds a change that was found to be in order.
    mutating func append(_ signed: SignedChange, _ links: Links) {
        let place = changes.count
        precondition(Int(links.past.prefix) <= place, "the past of place \(place) goes up to \(links.past.prefix)")
        let branch: Int32
        if let previous = links.previous, branches[Int(branchOfPlace[previous])].last == previous {
            branch = branchOfPlace[previous]
            branches[Int(branch)].append(place)
        } else {
            branch = Int32(branches.count)
            branches.append(Branch(replica: signed.change.replica, base: links.previous, first: place))
            branchesOfReplica[signed.change.replica, default: []].append(branch)
        }
        changes.append(signed)
        branchOfPlace.append(branch)
        totals.append(links.totals)
        var past = links.past
        past.removeReach(ofBranch: branch)
        // In the storage of the change before, all of whose past is in this one: as far as both had seen the same.
        if let previous = links.previous {
            var shared = pasts[previous]
            shared.formUnion(past)
            past = shared
        }
        pasts.append(past)
        places[signed.hash] = Int32(place)
    }
}

extension ChangeGraph: StatementOrder {
    package func hasSeen(_ place: Int, by later: Int) -> Bool { isPast(place, of: later) }

    package func branch(of place: Int) -> Int32 { branchOfPlace[place] }
}

extension ChangeGraph {
    /// Traps where a structure contradicts another. For tests. O(changes · branches).
    package func checkInvariants() {
        precondition(
            changes.count == branchOfPlace.count && changes.count == pasts.count && changes.count == totals.count,
            "\(changes.count) changes have \(branchOfPlace.count) branches, \(pasts.count) pasts, \(totals.count) totals"
        )
        precondition(places.count == changes.count, "\(changes.count) changes have \(places.count) hashes")
        for place in changes.indices {
            let signed = changes[place]
            precondition(self.place(of: signed.hash) == place, "place \(place) is not found by its hash")
            let branch = branches[Int(branchOfPlace[place])]
            precondition(branch.replica == signed.change.replica, "place \(place) is in a branch of another log")
            precondition(branch.last(before: place + 1) == place, "the branch of place \(place) lacks it")
            for hash in signed.change.heads + [signed.change.previous].compactMap({ $0 }) {
                guard let before = self.place(of: hash) else { preconditionFailure("place \(place) lacks a past") }
                precondition(before < place && isPast(before, of: place), "place \(before) is no past of \(place)")
            }
        }
        let (placeCount, branchCount) = (
            branches.reduce(0) { $0 + $1.places.count }, branchesOfReplica.values.reduce(0) { $0 + $1.count }
        )
        precondition(placeCount == changes.count, "branches hold \(placeCount) of \(changes.count) changes")
        precondition(branchCount == branches.count, "logs have \(branchCount) of \(branches.count) branches")
        for (index, branch) in branches.enumerated() {
            let (base, first) = (branch.base ?? -1, changes[branch.first].change)
            let number = base < 0 ? 0 : changes[base].change.number
            precondition(
                base < branch.first && first.number == number + 1,
                "branch \(index) begins at place \(branch.first) with number \(first.number), after place \(base)")
            precondition(
                branch.places.allSatisfy { branchOfPlace[Int($0)] == Int32(index) },
                "branch \(index) has a change of another branch")
            precondition(
                zip(branch.places, branch.places.dropFirst()).allSatisfy { $0 < $1 }, "branch \(index) is out of order")
            precondition(
                branchesOfReplica[branch.replica]?.contains(Int32(index)) ?? false, "a log lacks its branch \(index)")
        }
    }
}
