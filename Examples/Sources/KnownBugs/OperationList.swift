public import Convergence
public import DeltaCRDT

/// A list by operations that are kept, as most list types are at heart: what differs is how the operations make an order.
public protocol OperationList: ReplicatedType where Action == ListAction, Message == [ListOperation], View == [String] {
    var state: OperationListState { get set }
    /// What an insert says of its place, beside the element that it was put after.
    func place(after: Stamp?, before: Stamp?) -> Double
    /// The stamp of a new operation; usually the next of the clock.
    mutating func nextStamp() -> Stamp
    /// The elements' order, removed ones included.
    var order: [ListOperation] { get }
}

/// An element: its name, and where it was put.
public struct ListOperation: Hashable, Sendable {
    let stamp: Stamp
    let name: String
    let after: Stamp?
    let place: Double
}

/// What every such list keeps.
public struct OperationListState: Sendable {
    var clock: Clock
    var elements: [ListOperation] = []
    var removed: Set<Stamp> = []
    var removals: Set<Stamp> = []
    var last: String?
    var count = 0

    init(_ birth: Birth) { clock = Clock(birth) }
}

extension OperationList {
    public mutating func restarted(as birth: Birth) { state.clock.restart(birth) }
    public static func randomAction(using generator: inout SeededGenerator) -> ListAction { .random(using: &generator) }

    public func resolved(_ action: ListAction) -> ListAction {
        let writer = state.clock.last.writer
        let letter = Unicode.Scalar(UInt32(0x61 + writer.high % 26)).map { String($0) } ?? "?"
        return action.resolved(
            in: view, behind: state.last, as: "\(letter)\(writer.low == 0 ? "" : "\(writer.low).")\(state.count + 1)")
    }

    public func place(after: Stamp?, before: Stamp?) -> Double { 0 }
    public mutating func nextStamp() -> Stamp { state.clock.tick() }

    public mutating func perform(_ action: ListAction, at now: Int64) -> [Dot] {
        switch action {
        case .draw: return []
        case .insert(let name, let after, let before):
            let (left, right) = (stamp(of: after), stamp(of: before))
            let operation = ListOperation(
                stamp: nextStamp(), name: name, after: left, place: place(after: left, before: right))
            state.elements.append(operation)
            (state.last, state.count) = (name, state.count + 1)
            return [operation.stamp.dot]
        case .remove(let name):
            if let stamp = stamp(of: name) { state.removed.insert(stamp) }
            return []
        }
    }

    private func stamp(of name: String?) -> Stamp? {
        name.flatMap { name in state.elements.first { $0.name == name && !state.removed.contains($0.stamp) }?.stamp }
    }

    /// All elements, and what is removed as elements without a name.
    public mutating func message(to peer: Int, at now: Int64) -> [ListOperation]? {
        state.elements + state.removed.sorted().map { ListOperation(stamp: $0, name: "", after: nil, place: 0) }
    }

    public mutating func receive(_ message: [ListOperation], from peer: Int, at now: Int64) -> Reception<
        [ListOperation]
    > {
        for operation in message {
            state.clock.see(operation.stamp.time)
            if operation.name.isEmpty {
                state.removed.insert(operation.stamp)
            } else if !state.elements.contains(operation) {
                state.elements.append(operation)
            }
        }
        return .taken()
    }

    public var view: [String] { order.filter { !state.removed.contains($0.stamp) }.map(\.name) }

    /// Depth first: each element, then those that were put after it, the latest first (Grishchenko: *Deep hypertext*, 2010).
    func tree(_ precedes: (ListOperation, ListOperation) -> Bool) -> [ListOperation] {
        let children = Dictionary(grouping: state.elements.sorted(by: precedes)) { $0.after }
        var (order, stack) = ([ListOperation](), Array((children[nil] ?? []).reversed()))
        while let next = stack.popLast(), order.count < state.elements.count {
            order.append(next)
            stack += (children[next.stamp] ?? []).reversed()
        }
        return order
    }

    static func check(_ observation: Observation<Self>, interleaving: Bool) -> Violation? {
        SequenceSpecification.check(
            observation.view, before: observation.previous, of: observation.history, interleaving: interleaving,
            meaning: \.effect)
    }
}
