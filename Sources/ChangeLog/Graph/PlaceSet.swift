import DeltaCRDT

/// Some changes, of which is counted how many lie in a past. What that costs follows from the past, and not from their
/// number: so nobody makes it cost more by crafting statements that have not seen each other.
struct PlaceSet: Sendable {
    /// Ascending.
    private(set) var places: [Int] = []
    private var ofBranch: [Int32: [Int]] = [:]

    /// Adds a change that came after all that are here.
    mutating func append(_ place: Int, _ order: some StatementOrder) {
        precondition(places.last.map { $0 < place } ?? true, "place \(place) came before \(places.last ?? 0)")
        places.append(place)
        ofBranch[order.branch(of: place), default: []].append(place)
    }

    /// How many a set holds that is closed under pasts. O(log places · the branches that it names beside its prefix).
    func count(in cut: CausalCut) -> Int {
        index(of: Int(cut.prefix)) + held(beyond: cut).reduce(0) { $0 + $1.count }
    }

    /// How many lie in the past of a change. O(log places · the branches that its past names beside its prefix).
    func count(before place: Int, _ order: some StatementOrder) -> Int {
        guard !places.isEmpty else { return 0 }
        let past = order.past(of: place)
        return count(in: past) + held(beyond: past, ofBranch: order.branch(of: place), before: place).count
    }

    /// How many a change has in its past, or is. The same cost.
    func count(upTo place: Int, _ order: some StatementOrder) -> Int {
        let index = index(of: place)
        return count(before: place, order) + (index < places.count && places[index] == place ? 1 : 0)
    }

    /// Of each branch those that a set holds and that are not in its prefix; the branches in no order.
    func held(beyond cut: CausalCut) -> [ArraySlice<Int>] {
        guard !cut.beyond.isEmpty, let last = places.last, last >= Int(cut.prefix) else { return [] }
        guard cut.beyond.count > ofBranch.count else {
            return cut.beyond.map { held(beyond: cut, ofBranch: Int32($0.branch), before: Int($0.place) + 1) }
        }
        return ofBranch.keys.compactMap { branch in
            cut.reach(ofBranch: branch).map { held(beyond: cut, ofBranch: branch, before: $0 + 1) }
        }
    }

    /// Those of one branch below a place that are not in the prefix of a set.
    func held(beyond cut: CausalCut, ofBranch branch: Int32, before end: Int) -> ArraySlice<Int> {
        guard let places = ofBranch[branch] else { return [] }
        let first = places.partitioningIndex { $0 >= Int(cut.prefix) }
        let next = places.partitioningIndex { $0 >= end }
        return first < next ? places[first..<next] : []
    }

    private func index(of place: Int) -> Int { places.partitioningIndex { $0 >= place } }
}
