public import Convergence

/// A list in which siblings stand in the order of their authors' own counts. A letter that was typed after many others stands before
/// them where its author has written little: it is not where it was typed, depending on who typed.
///
/// Source: automerge/automerge-classic pull request 34, https://github.com/automerge/automerge-classic/pull/34, where an insert
/// after a merge went astray for some actors' names and not for others.
public struct OwnCount<R: Repair>: OperationList {
    public var state: OperationListState
    private var own: UInt64 = 0

    public init(birth: Birth) { state = OperationListState(birth) }

    public mutating func nextStamp() -> Stamp {
        own += 1
        guard !R.isDone else { return state.clock.tick() }
        return Stamp(time: own, writer: state.clock.last.writer)
    }

    public var order: [ListOperation] { tree { $0.stamp > $1.stamp } }

    public static func check(_ observation: Observation<Self>) -> Violation? { check(observation, interleaving: true) }
}
