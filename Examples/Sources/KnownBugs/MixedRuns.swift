public import Convergence

/// A list in the order of dense places, with the author's name where two are equal: what two people type at one place at the same
/// time is mixed letter by letter.
///
/// Source: Kleppmann, Gomes, Mulligan, Beresford: *Interleaving anomalies in collaborative text editors*, 2019, of Logoot and LSEQ,
/// https://martin.kleppmann.com/2019/03/25/papoc-interleaving-anomalies.html; and automerge/automerge-classic issue 395.
public struct MixedRuns<R: Repair>: OperationList {
    public var state: OperationListState

    public init(birth: Birth) { state = OperationListState(birth) }

    public func place(after: Stamp?, before: Stamp?) -> Double {
        let left = state.elements.first { $0.stamp == after }?.place ?? 0
        let right = state.elements.first { $0.stamp == before }?.place ?? 1
        return (left + right) / 2
    }

    public var order: [ListOperation] {
        guard !R.isDone else { return tree { $0.stamp > $1.stamp } }
        return state.elements.sorted { ($0.place, $0.stamp) < ($1.place, $1.stamp) }
    }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        let violation = check(observation, interleaving: false)
        // That ties of places lose what was typed between is another fault.
        return R.isDone || violation?.law == .noInterleaving ? violation : nil
    }
}
