public import Convergence

/// A list in the order of fractions: a new element's is in the middle between its neighbours'. Two people who insert at one place at
/// the same time choose the same fraction, and the order of the two is that in which they came.
///
/// Source: rocicorp/fractional-indexing issue 14, https://github.com/rocicorp/fractional-indexing/issues/14; loro-dev/loro issue 140 and
/// tldraw/tldraw pull request 4312 tell of the same.
public struct FractionalPlace<R: Repair>: OperationList {
    public var state: OperationListState

    public init(birth: Birth) { state = OperationListState(birth) }

    public func place(after: Stamp?, before: Stamp?) -> Double {
        let left = state.elements.first { $0.stamp == after }?.place ?? 0
        let right = state.elements.first { $0.stamp == before }?.place ?? 1
        return (left + right) / 2
    }

    public var order: [ListOperation] {
        guard !R.isDone else { return tree { $0.stamp > $1.stamp } }
        return state.elements.enumerated().sorted { ($0.1.place, $0.0) < ($1.1.place, $1.0) }.map(\.element)
    }

    public static func check(_ observation: Observation<Self>) -> Violation? { check(observation, interleaving: true) }
}
