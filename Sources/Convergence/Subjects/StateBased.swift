public import DeltaCRDT

/// A replica that consists of one state of DeltaCRDT's kind and the name of its writer. It sends the whole state, merges the
/// states that it receives, and writes under a new name after each restart. The type only adds what people do and see.
///
/// ```swift
/// public struct FairCounter: StateBased {
///     public var state = GCounter()
///     public var writer: ReplicaID
/// ```
///
/// A state with a form in bytes must also keep the laws of its coding.
public protocol StateBased: ReplicatedType where Message == State {
    /// What is merged.
    associatedtype State: DeltaState
    /// All of it.
    associatedtype Message = State

    /// What people write to, and peers are sent.
    var state: State { get set }

    /// The name under which this start of the replica writes: ``Birth/start``.
    var writer: ReplicaID { get set }
}

extension StateBased {
    /// Writes under the new start's name from now on.
    public mutating func restarted(as birth: Birth) { writer = birth.start }

    /// The whole state, to everybody.
    public mutating func message(to peer: Int, at now: Int64) -> State? { state }

    /// Merges all of what a peer has.
    public mutating func receive(_ message: State, from peer: Int, at now: Int64) -> Reception<State> {
        state.merge(message)
        return .taken()
    }
}

extension StateBased where State: CanonicalCodable {
    /// The state's own form.
    public static var codec: Codec<Self>? {
        Codec(
            encode: { $0.state.encoded() },
            decode: { replica, bytes throws(DecodingFailure) in replica.state = try State(decoding: bytes) },
            areEqual: { $0.state == $1.state })
    }
}
