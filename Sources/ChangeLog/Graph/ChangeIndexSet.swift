import DeltaCRDT

/// Some changes, of which is counted how many lie in a past. What that costs follows from the past, and not from their
/// number: so nobody makes it cost more by crafting statements that have not seen each other.
struct ChangeIndexSet: Sendable {
    /// Ascending.
    private(set) var indices: [Int] = []
    private var ofBranch: [Int32: [Int]] = [:]

    /// Adds a change that came after all that are here.
    mutating func append(_ index: Int, _ order: some StatementOrder) {
        precondition(indices.last.map { $0 < index } ?? true, "index \(index) came before \(indices.last ?? 0)")
        indices.append(index)
        ofBranch[order.branch(of: index), default: []].append(index)
    }

    /// How many a set holds that is closed under pasts. O(log indices · the branches that it names beside its prefix).
    func count(in cut: CausalCut) -> Int {
        position(of: Int(cut.prefix)) + held(beyond: cut).reduce(0) { $0 + $1.count }
    }

    /// How many lie in the past of a change. O(log indices · the branches that its past names beside its prefix).
    func count(before index: Int, _ order: some StatementOrder) -> Int {
        guard !indices.isEmpty else { return 0 }
        let past = order.past(of: index)
        return count(in: past) + held(beyond: past, ofBranch: order.branch(of: index), before: index).count
    }

    /// How many a change has in its past, or is. The same cost.
    func count(upTo index: Int, _ order: some StatementOrder) -> Int {
        let position = position(of: index)
        return count(before: index, order) + (position < indices.count && indices[position] == index ? 1 : 0)
    }

    /// Of each branch those that a set holds and that are not in its prefix; the branches in no order.
    func held(beyond cut: CausalCut) -> [ArraySlice<Int>] {
        guard !cut.beyond.isEmpty, let last = indices.last, last >= Int(cut.prefix) else { return [] }
        guard cut.beyond.count > ofBranch.count else {
            return cut.beyond.map { held(beyond: cut, ofBranch: Int32($0.branch), before: Int($0.index) + 1) }
        }
        return ofBranch.keys.compactMap { branch in
            cut.reach(ofBranch: branch).map { held(beyond: cut, ofBranch: branch, before: $0 + 1) }
        }
    }

    /// Those of one branch below an index that are not in the prefix of a set.
    func held(beyond cut: CausalCut, ofBranch branch: Int32, before end: Int) -> ArraySlice<Int> {
        guard let indices = ofBranch[branch] else { return [] }
        let first = indices.partitioningIndex { $0 >= Int(cut.prefix) }
        let next = indices.partitioningIndex { $0 >= end }
        return first < next ? indices[first..<next] : []
    }

    private func position(of index: Int) -> Int { indices.partitioningIndex { $0 >= index } }
}
