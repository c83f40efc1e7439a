public import Convergence

/// A walk through a list that forgets elements. Elements that were put after the same one stand in the order of their stamps, the
/// latest first; but the walk looks for the next among those whose author's name is smaller. What is earlier by an author with a greater name
/// is passed over.
///
/// Source: automerge/automerge-classic pull request 34, https://github.com/automerge/automerge-classic/pull/34, and `getNext` in
/// src/op_set.js at e46ca46, which compares `actor:number` as text.
public struct SiblingsByName<R: Repair>: OperationList {
    public var state: OperationListState

    public init(birth: Birth) { state = OperationListState(birth) }

    public var order: [ListOperation] {
        let children = Dictionary(grouping: state.elements.sorted { $0.stamp > $1.stamp }) { $0.after }
        let elements = Dictionary(uniqueKeysWithValues: state.elements.map { ($0.stamp, $0) })
        var (order, next) = ([ListOperation](), children[nil]?.first)
        while let element = next {
            order.append(element)
            next = children[element.stamp]?.first
            var left: ListOperation? = element
            while next == nil, let last = left {
                next = children[last.after]?.first { follows($0.stamp, last.stamp) }
                left = last.after.flatMap { elements[$0] }
            }
        }
        return order
    }

    private func follows(_ sibling: Stamp, _ last: Stamp) -> Bool {
        R.isDone ? sibling < last : (sibling.writer, sibling.time) < (last.writer, last.time)
    }

    public static func check(_ observation: Observation<Self>) -> Violation? { check(observation, interleaving: true) }
}
