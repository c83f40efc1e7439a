import DeltaCRDT

/// An operation, where it happened, and all that its replica had seen then, as a set of event numbers.
struct Event<Operation> {
    let number: Int
    let replica: ReplicaID
    let operation: Operation
    let past: UInt64
    /// What of its past this event overwrote.
    let covered: UInt64

    func overwrote(_ other: Event) -> Bool { covered & 1 << UInt64(other.number) != 0 }
}

/// A type on trial: how to act on it, how to look at it, and what an omniscient observer would see.
protocol Specimen {
    associatedtype State: DeltaState & CanonicalCodable
    associatedtype Operation
    associatedtype View: Equatable

    static func operation(_ random: inout SplitMix64) -> Operation

    /// Acts and returns the delta.
    static func perform(_ operation: Operation, on state: inout State, by replica: ReplicaID) -> State

    /// Whether an operation overwrites an earlier one that it has seen.
    static func overwrites(_ later: Operation, _ earlier: Operation) -> Bool

    static func view(_ state: State) -> View

    /// What is to be seen by a replica that knows exactly the events `known` of a history, from what happened before
    /// what alone.
    static func expected(_ known: [Event<Operation>], in history: [Event<Operation>]) -> View
}

/// A law that did not hold, and the history in which it did not.
struct Violation: Error, Equatable, CustomStringConvertible {
    let law: Law
    let seed: UInt64
    let detail: String

    var description: String { "\(law) broken by seed \(seed): \(detail)" }

    static func == (left: Violation, right: Violation) -> Bool { left.law == right.law }
}

enum Law: CaseIterable {
    case specification, deltaEqualsChange, associative, commutative, idempotent, reportsChange
    case decompositionRejoins, decompositionMinimal, leastDelta, roundTrip, canonical
}
