public import DeltaCRDT

/// How the state of a replica is written as bytes, and read again. A type that has one must keep two more laws,
/// ``Law/readability`` and ``Law/staysReadable``. If its states can be compared, it must also keep ``Law/oneForm``. A replica's
/// view must depend only on the written bytes.
///
/// ```swift
///     public static var codec: Codec<AskingSet>? { Codec(\.names) }
/// ```
public struct Codec<Subject: Sendable>: Sendable {
    let encode: @Sendable (Subject) -> [UInt8]
    let decode: @Sendable (inout Subject, [UInt8]) throws -> Void
    /// Nil if states can't be compared.
    let areEqual: (@Sendable (Subject, Subject) -> Bool)?

    /// - Parameters:
    ///   - encode: the bytes of a replica's state; the same for the same state.
    ///   - decode: gives a replica the state in the bytes, and keeps its name; throws if the bytes hold no state.
    ///   - areEqual: whether the states of two replicas are equal, for ``Law/oneForm``; nil if states can't be compared.
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
