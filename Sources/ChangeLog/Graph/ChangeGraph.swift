package import DeltaCRDT

/// The signed changes of one trip, each after its whole past: only ever appended to.
///
/// Inside a node a change is named by its *index* and its log's *branch*, both local numbers that never change, never leave the
/// node and never decide an order.
package struct ChangeGraph: Sendable {
    /// In the order in which they came.
    package private(set) var changes: [SignedChange] = []
    package private(set) var branches: [Branch] = []
    /// The branch of each change.
    package private(set) var branchOfChange: [Int32] = []
    /// The branches of each log, the first to come first.
    package private(set) var branchesOfReplica: [ReplicaID: [Int32]] = [:]
    /// What each change's author had seen; how far it had seen its own branch goes without saying. They share storage, so a
    /// change that adds one branch to a past costs O(log branches) of memory.
    private var pasts: [CausalCut] = []
    /// What each change's chain has used of its bounds, with it.
    private var totals: [ChainTotals] = []
    /// The index of each change by its hash.
    private var indices: [Bytes32: Int32] = [:]

    package var count: Int { changes.count }

    /// Whether any log has more than one branch. O(1).
    package var hasForks: Bool { branches.count > branchesOfReplica.count }

    /// The change at an index. O(1).
    package subscript(index: Int) -> SignedChange { changes[index] }

    package func index(of hash: Bytes32) -> Int? { indices[hash].map { Int($0) } }

    /// Whether the change at `index` is, or is in the past of, the change at `later`. O(log branches).
    package func isPast(_ index: Int, of later: Int) -> Bool {
        let branch = branchOfChange[index]
        return branch == branchOfChange[later] ? index <= later : pasts[later].contains(index, branch: branch)
    }

    package func contains(_ index: Int, in cut: CausalCut) -> Bool {
        cut.contains(index, branch: branchOfChange[index])
    }

    /// What a change's author had seen, without the change itself; of its own branch nothing is said.
    package func past(of index: Int) -> CausalCut { pasts[index] }

    /// Adds a change and its past to a cut.
    package func include(_ index: Int, in cut: inout CausalCut) {
        guard !contains(index, in: cut) else { return }
        cut.formUnion(pasts[index])
        // Where all before it is held, as mostly, that is one number more.
        if cut.beyond.isEmpty, Int(cut.prefix) == index { return cut.raise(to: UInt32(index + 1)) }
        cut.extend(to: index, ofBranch: branchOfChange[index])
    }

    /// Takes what lies below no gap into the prefix of a cut. O(log branches) for each change taken.
    package func advancePrefix(of cut: inout CausalCut) { cut.advancePrefix(before: count) { branchOfChange[$0] } }

    /// The last change of a branch that a cut holds. O(log changes).
    package func last(of branch: Int32, in cut: CausalCut) -> Int? {
        cut.reach(ofBranch: branch) ?? branches[Int(branch)].last(before: Int(cut.prefix))
    }

    /// The last change of a branch that is, or is in the past of, a change. O(log changes).
    package func last(of branch: Int32, upTo index: Int) -> Int? {
        branch == branchOfChange[index] ? index : last(of: branch, in: pasts[index])
    }

    /// What the chain of a change, with it, has used of its bounds.
    package func chainTotals(of index: Int) -> ChainTotals { totals[index] }

    /// The changes of some branches up to a point, with all in their pasts, and those of these that none of them has in its past,
    /// ascending. O(branches · log branches), and for each such head the branches that its author had seen otherwise.
    func closure(of last: [Int32: Int]) -> (cut: CausalCut, heads: [Int]) {
        var past = CausalCut()
        // The latest first, for what a past holds adds nothing: however many forks somebody stands on, that is one union.
        for index in last.values.sorted(by: >) where !contains(index, in: past) { past.formUnion(pasts[index]) }
        let heads = last.values.filter { !contains($0, in: past) }.sorted()
        for (branch, index) in last { past.extend(to: index, ofBranch: branch) }
        advancePrefix(of: &past)
        return (past, heads)
    }

    /// Of indices, those that neither one of some others nor any other of them stands on, the newest first. Of more than
    /// `limit`, the newest. O(indices times what is returned and the others).
    package func heads(of indices: [Int], beside others: [Int] = [], limit: Int) -> [Int] {
        var told = others
        for index in indices.sorted(by: >) {
            guard told.count - others.count < limit else { break }
            if told.contains(where: { isPast(index, of: $0) }) { continue }
            told.append(index)
        }
        return Array(told[others.count...])
    }

    /// Puts the same change with or without its body at its index.
    mutating func replace(_ index: Int, with signed: SignedChange) {
        precondition(changes[index].hash == signed.hash, "index \(index) would get another change")
        changes[index] = signed
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
            guard let index = index(of: hash) else { throw .missingPast }
            let before = changes[index].change
            guard before.replica == change.replica, before.number + 1 == change.number else { throw .brokenChain }
            (previous, greatest, totals) = (index, before.lamport, self.totals[index])
            include(index, in: &past)
        }
        for hash in change.heads {
            guard let index = index(of: hash) else { throw .missingPast }
            greatest = max(greatest, changes[index].change.lamport)
            include(index, in: &past)
        }
        guard change.lamport == greatest + 1 else { throw .wrongLamportTime }
        guard totals.add(signed) else { throw .chainFull }
        advancePrefix(of: &past)
        for hash in change.subjects {
            guard let index = index(of: hash), contains(index, in: past) else { throw .unknownSubject }
        }
        return Links(previous: previous, past: past, totals: totals)
    }

    /// Whether a change begins one more branch of its log. O(1).
    package func beginsFork(_ index: Int) -> Bool {
        let branch = branchOfChange[index]
        return branches[Int(branch)].first == index
            && branchesOfReplica[changes[index].change.replica]?.first != branch
    }

    /// Adds a change that was found to be in order.
    mutating func append(_ signed: SignedChange, _ links: Links) {
        let index = changes.count
        precondition(Int(links.past.prefix) <= index, "the past of index \(index) goes up to \(links.past.prefix)")
        let branch: Int32
        if let previous = links.previous, branches[Int(branchOfChange[previous])].last == previous {
            branch = branchOfChange[previous]
            branches[Int(branch)].append(index)
        } else {
            branch = Int32(branches.count)
            branches.append(Branch(replica: signed.change.replica, base: links.previous, first: index))
            branchesOfReplica[signed.change.replica, default: []].append(branch)
        }
        changes.append(signed)
        branchOfChange.append(branch)
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
        indices[signed.hash] = Int32(index)
    }
}

extension ChangeGraph: StatementOrder {
    package func hasSeen(_ index: Int, by later: Int) -> Bool { isPast(index, of: later) }

    package func branch(of index: Int) -> Int32 { branchOfChange[index] }
}

extension ChangeGraph {
    /// Traps where a structure contradicts another. For tests. O(changes · branches).
    package func checkInvariants() {
        precondition(
            changes.count == branchOfChange.count && changes.count == pasts.count && changes.count == totals.count,
            "\(changes.count) changes have \(branchOfChange.count) branches, \(pasts.count) pasts, \(totals.count) totals"
        )
        precondition(indices.count == changes.count, "\(changes.count) changes have \(indices.count) hashes")
        for index in changes.indices {
            let signed = changes[index]
            precondition(self.index(of: signed.hash) == index, "index \(index) is not found by its hash")
            let branch = branches[Int(branchOfChange[index])]
            precondition(branch.replica == signed.change.replica, "index \(index) is in a branch of another log")
            precondition(branch.last(before: index + 1) == index, "the branch of index \(index) lacks it")
            for hash in signed.change.heads + [signed.change.previous].compactMap({ $0 }) {
                guard let before = self.index(of: hash) else { preconditionFailure("index \(index) lacks a past") }
                precondition(before < index && isPast(before, of: index), "index \(before) is no past of \(index)")
            }
        }
        let (indexCount, branchCount) = (
            branches.reduce(0) { $0 + $1.indices.count }, branchesOfReplica.values.reduce(0) { $0 + $1.count }
        )
        precondition(indexCount == changes.count, "branches hold \(indexCount) of \(changes.count) changes")
        precondition(branchCount == branches.count, "logs have \(branchCount) of \(branches.count) branches")
        for (index, branch) in branches.enumerated() {
            let (base, first) = (branch.base ?? -1, changes[branch.first].change)
            let number = base < 0 ? 0 : changes[base].change.number
            precondition(
                base < branch.first && first.number == number + 1,
                "branch \(index) begins at index \(branch.first) with number \(first.number), after index \(base)")
            precondition(
                branch.indices.allSatisfy { branchOfChange[Int($0)] == Int32(index) },
                "branch \(index) has a change of another branch")
            precondition(
                zip(branch.indices, branch.indices.dropFirst()).allSatisfy { $0 < $1 },
                "branch \(index) is out of order")
            precondition(
                branchesOfReplica[branch.replica]?.contains(Int32(index)) ?? false, "a log lacks its branch \(index)")
        }
    }
}
