import DeltaCRDT

/// An operation, where it happened, and all that its replica had seen then, as a set of event numbers.
struct Event<Operation> {
    let number: Int
    let replica: ReplicaID
    let operation: Operation
    let past: UInt64
    /// What of its past this event overwrote.
    let covered: UInt64

    var bit: UInt64 { 1 << UInt64(number) }

    func saw(_ other: Event) -> Bool { past & other.bit != 0 }

    func overwrote(_ other: Event) -> Bool { covered & other.bit != 0 }
}

extension Array {
    /// Those that no other one overwrote.
    func alive<Operation>() -> [Event<Operation>] where Element == Event<Operation> {
        let covered = reduce(0) { $0 | $1.covered }
        return filter { covered & $0.bit == 0 }
    }
}

/// A type on trial: how to act on it, how to look at it, and what an omniscient observer would see.
protocol Specimen: SendableMetatype {
    associatedtype State: DeltaState & CanonicalCodable
    associatedtype Operation
    associatedtype View: Equatable

    static func operation(_ random: inout SplitMix64) -> Operation

    /// Acts and returns the delta.
    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State

    /// Whether an operation overwrites an earlier one that it has seen.
    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool

    /// The same, where it depends on who did them.
    static func overwrites(_ later: Operation, by replica: ReplicaID, _ earlier: Event<Operation>) -> Bool

    static func view(_ state: State) -> View

    /// The view after a change that a merge told of; `after` has what the change does not say.
    static func follow(_ view: View, _ change: State.Change, _ after: View) -> View

    /// What is to be seen by a replica that knows exactly the events `known` of a history, from what happened before
    /// what alone.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> View

    /// Brings one state up to another from its summary alone, where the type can.
    static func catchUp(_ state: State, from other: State) -> [State]
}

extension Specimen {
    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool { false }

    static func overwrites(_ later: Operation, by replica: ReplicaID, _ earlier: Event<Operation>) -> Bool {
        overwrites(later, earlier.operation)
    }

    static func catchUp(_ state: State, from other: State) -> [State] { [state.merging(other)] }
}

extension Specimen where State: CausalState {
    static func catchUp(_ state: State, from other: State) -> [State] {
        [
            state.merging(other.delta(since: state.summary())),
            state.merging(other.delta(since: state.summary(within: other.context.versionVector))),
            state.merging(other.delta(since: state.context.versionVector)),
        ]
    }
}

/// A law that did not hold, and the history in which it did not.
struct Violation: Error, CustomStringConvertible {
    let law: Law
    let seed: UInt64
    let detail: String

    var description: String { "\(law) broken by seed \(seed): \(detail)" }
}

enum Law: String, CaseIterable {
    case specification, deltaEqualsChange, associative, commutative, idempotent, reportsChange, tellsChanges
    case decompositionRejoins, decompositionMinimal, leastDelta, catchesUp, roundTrip, canonical, staysReadable
    /// Of texts alone.
    case nonInterleaving
    /// Of logged types alone: something is kept of those events alone that no other one overwrote.
    case keepsSurvivors
}
