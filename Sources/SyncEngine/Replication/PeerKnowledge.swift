package import ChangeLog
package import DeltaCRDT

/// Which changes a peer is known to hold.
package struct PeerKnowledge: Sendable {
    /// What the peer showed, or was sent. A node that holds a change holds its past.
    private var held = CausalCut()
    /// What it is taken to hold until it says otherwise, branch by branch.
    private var assumed = CausalCut()
    /// The ends of logs that it named and that aren't here yet. What comes of such a log up to its end, it is taken to hold.
    private var named: [ReplicaID: Frontier.Tip] = [:]
    /// The number of changes here when the named ends were last looked up.
    private var namedCount = 0

    package init() {}

    /// Notes that the peer holds a change, and so the change's past. O(1) where it holds all that came before it here,
    /// O(branches) at worst.
    package mutating func learn(_ index: Int, in graph: ChangeGraph) {
        guard !graph.contains(index, in: held) else { return }
        graph.include(index, in: &held)
        graph.advancePrefix(of: &held)
    }

    /// Notes that the peer most likely holds a change and what came before it in its log. O(branches of the log · log
    /// branches).
    mutating func assume(_ index: Int, in graph: ChangeGraph) {
        var next: Int? = index
        // What came before a change that it is taken to hold was noted with that.
        while let index = next, !graph.contains(index, in: assumed) {
            let branch = graph.branchOfChange[index]
            assumed.extend(to: index, ofBranch: branch)
            next = graph.branches[Int(branch)].base
        }
    }

    /// Whether the peer is known to hold the change at an index. O(log branches).
    package func contains(_ index: Int, in graph: ChangeGraph) -> Bool {
        graph.contains(index, in: held) || graph.contains(index, in: assumed)
    }

    /// All that the peer is known or taken to hold. O(branches that it is taken to hold · log branches).
    var cut: CausalCut {
        var cut = held
        cut.formUnion(assumed)
        return cut
    }

    /// Every change below this index is held.
    package var prefix: Int { Int(held.prefix) }

    /// Notes an end of a log that it named and that is not here yet.
    mutating func name(_ tip: Frontier.Tip) { named[tip.replica] = tip }

    /// Whether the peer named an end of a log that the change at an index most likely leads to. O(log changes).
    func leadsToNamed(_ index: Int, in graph: ChangeGraph) -> Bool {
        guard !named.isEmpty else { return false }
        let change = graph.changes[index].change
        guard let tip = named[change.replica], change.number <= tip.number else { return false }
        return graph.branchesOfReplica[change.replica]?.count == 1
    }

    /// Takes the named ends that have come as known. O(named ends) where anything has come, else O(1).
    ///
    /// - Returns: the indices of these ends, ascending, once all of them have come. What leads elsewhere may have been passed over until
    ///   then.
    package mutating func learnNamed(in graph: ChangeGraph) -> [Int] {
        guard !named.isEmpty, namedCount != graph.count else { return [] }
        namedCount = graph.count
        var indices: [Int] = []
        for tip in named.values {
            guard let index = graph.index(of: tip.hash) else { return [] }
            indices.append(index)
        }
        named = [:]
        indices.sort()
        for index in indices { learn(index, in: graph) }
        return indices
    }

    /// Notes what the peer said that it holds of one log: the last of these indices, and their pasts. Where it was taken to hold more,
    /// what it was sent in that belief may have been refused, so only what its frontier showed is known to be there. O(branches · indices ·
    /// log changes).
    package mutating func correct(
        _ replica: ReplicaID, holds indices: [Int], shown: PeerKnowledge, in graph: ChangeGraph
    ) {
        named[replica] = nil
        var wasMistaken = false
        for branch in graph.branchesOfReplica[replica] ?? [] {
            guard let last = graph.last(of: branch, in: assumed) else { continue }
            assumed.removeReach(ofBranch: branch)
            if !indices.contains(where: { $0 == last || graph.isPast(last, of: $0) }) { wasMistaken = true }
        }
        if wasMistaken { held = shown.held }
        for index in indices { learn(index, in: graph) }
    }
}

// What is known outlives the process by the names of changes: indices are of one run.
extension PeerKnowledge {
    /// Hashes in a summary.
    package static let summaryMax = 64

    /// The hashes of changes that, with their pasts, are what the peer showed that it holds, the newest here first. Of more
    /// than `summaryMax`, the newest: a summary may say less than is known, and never more. O(branches · `summaryMax`, and branches ·
    /// absent bodies · log changes).
    ///
    /// - Parameter absent: the bodies that are absent at the peer: what stands on one is left out.
    package func summary(in graph: ChangeGraph, without absent: AbsentBodies = AbsentBodies()) -> [Bytes32] {
        guard absent.count == absent.named.count else { return [] }
        let lacking = absent.named.compactMap { graph.index(of: $0) }
        let ends = graph.branches.indices.compactMap { branch -> Int? in
            guard let last = graph.last(of: Int32(branch), in: held) else { return nil }
            let below = lacking.filter { graph.isPast($0, of: last) }
            guard !below.isEmpty else { return last }
            let indices = graph.branches[branch].indices
            let count = indices.partitioningIndex { index in below.contains { graph.isPast($0, of: Int(index)) } }
            return count > 0 ? Int(indices[count - 1]) : nil
        }
        return graph.heads(of: ends, limit: Self.summaryMax).map { graph.changes[$0].hash }
    }

    /// What a summary says of the changes that are here.
    package init(summary: [Bytes32], in graph: ChangeGraph) {
        self.init()
        for index in summary.prefix(Self.summaryMax).compactMap({ graph.index(of: $0) }).sorted(by: >) {
            learn(index, in: graph)
        }
    }
}
