public import DeltaCRDT

/// How the state of a replica is written as bytes, and read again. A type that has one is held to two laws more:
/// ``Law/readability`` and ``Law/staysReadable``; where its states can be compared, to ``Law/oneForm`` too. What a replica shows
/// must follow from what is written.
///
/// ```swift
///     public static var codec: Codec<AskingSet>? { Codec(\.names) }
/// ```
public struct Codec<Subject: Sendable>: Sendable {
    let encode: @Sendable (Subject) -> [UInt8]
    let decode: @Sendable (inout Subject, [UInt8]) throws -> Void
    /// Nil where nobody says when two states are one.
    let areEqual: (@Sendable (Subject, Subject) -> Bool)?

    /// - Parameters:
    ///   - encode: the bytes of a replica's state; the same for the same state.
    ///   - decode: gives a replica the state that bytes tell of, and leaves its name alone; throws where they are no state.
    ///   - areEqual: whether the states of two replicas are equal, for ``Law/oneForm``; nil where that cannot be asked.
    public init(
        encode: @escaping @Sendable (Subject) -> [UInt8],
        decode: @escaping @Sendable (inout Subject, [UInt8]) throws -> Void,
        areEqual: (@Sendable (Subject, Subject) -> Bool)? = nil
    ) {
        self.encode = encode
        self.decode = decode
        self.areEqual = areEqual
    }

    /// For a replica whose state is one property, of a type of DeltaCRDT or with its coding.
    public init<State: CanonicalCodable & Equatable & SendableMetatype>(
        _ state: any WritableKeyPath<Subject, State> & Sendable
    ) {
        self.init {
            $0[keyPath: state].encoded()
        } decode: { subject, bytes in
            subject[keyPath: state] = try State(decoding: bytes)
        } areEqual: {
            $0[keyPath: state] == $1[keyPath: state]
        }
    }
}
