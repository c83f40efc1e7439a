public import Convergence
public import DeltaCRDT

/// A list in which an element is moved by removing it and inserting it elsewhere: two who move one at the same time make two of it.
///
/// Source: Kleppmann: *Moving elements in list CRDTs*, 2020, https://martin.kleppmann.com/2020/04/27/papoc-list-move.html; loro-dev/loro
/// pull request 293 is a list without the fault.
public struct MoveAsCopy<R: Repair>: ReplicatedType {
    public struct Move: Sendable, CustomStringConvertible {
        let name: String
        let place: Int
        public var description: String { "move \(name) to \(place)" }
    }

    public struct Copy: Hashable, Sendable {
        let stamp: Stamp
        let name: String
        let place: Int
    }

    public struct State: Sendable {
        var copies: Set<Copy> = []
        var removed: Set<Stamp> = []
    }

    private var clock: Clock
    private var state = State()

    public init(birth: Birth) { clock = Clock(birth) }
    public mutating func restarted(as birth: Birth) { clock.restart(birth) }

    public static func randomAction(using generator: inout SeededGenerator) -> Move {
        Move(name: ["tent", "stove", "map"][generator.number(in: 0...2)], place: generator.number(in: 0...9))
    }

    public mutating func perform(_ action: Move, at now: Int64) -> [Dot] {
        state.removed.formUnion(state.copies.filter { $0.name == action.name }.map(\.stamp))
        let copy = Copy(stamp: clock.tick(), name: action.name, place: action.place)
        state.copies.insert(copy)
        return [copy.stamp.dot]
    }

    public mutating func message(to peer: Int, at now: Int64) -> State? { state }

    public mutating func receive(_ message: State, from peer: Int, at now: Int64) -> Reception<State> {
        state.copies.formUnion(message.copies)
        state.removed.formUnion(message.removed)
        clock.see(message.copies.map(\.stamp.time).max() ?? 0)
        return .taken()
    }

    /// The element's place is the last that was written (a register beside the list); the others stay hidden.
    private var shown: [Copy] {
        let there = state.copies.filter { !state.removed.contains($0.stamp) }
        guard R.isDone else { return there.sorted { ($0.place, $0.stamp) < ($1.place, $1.stamp) } }
        let last = Dictionary(grouping: there, by: \.name).values.compactMap { $0.max { $0.stamp < $1.stamp } }
        return last.sorted { ($0.place, $0.stamp) < ($1.place, $1.stamp) }
    }

    public var view: [String] { shown.map(\.name) }

    public static func check(_ observation: Observation<Self>) -> Violation? {
        var seen: Set<String> = []
        if let twice = observation.view.first(where: { !seen.insert($0).inserted }) {
            return Violation(.shownOnce, "\(twice) is there twice")
        }
        let moved = Set(observation.history.events.map(\.action.name))
        return moved == seen
            ? nil : Violation(.nothingLost, "\(moved.sorted()) were put in, \(seen.sorted()) are shown")
    }
}
