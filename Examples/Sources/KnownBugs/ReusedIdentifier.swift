public import Convergence

/// A list whose new element has the number after the greatest of those that are there. Where the last one was removed, its number is
/// used again, for another element.
///
/// Source: automerge/automerge-classic issues 145 and 151, https://github.com/automerge/automerge-classic/issues/151 (“Duplicate list
/// element ID”). Pull requests 149 and 153 tell the cause: the greatest number was forgotten, after a load or with its element.
public struct ReusedIdentifier<R: Repair>: OperationList {
    public var state: OperationListState

    public init(birth: Birth) { state = OperationListState(birth) }

    public mutating func nextStamp() -> Stamp {
        guard !R.isDone else { return state.clock.tick() }
        let there = state.elements.filter { !state.removed.contains($0.stamp) }
        return Stamp(time: (there.map(\.stamp.time).max() ?? 0) + 1, writer: state.clock.last.writer)
    }

    public var order: [ListOperation] { tree { ($0.stamp, $0.name) > ($1.stamp, $1.name) } }

    public static func check(_ observation: Observation<Self>) -> Violation? { check(observation, interleaving: true) }
}
