public import DeltaCRDT

/// How the state of a replica is written as bytes, and read again. A type that has one is held to two laws more:
/// ``Law/readability`` and ``Law/staysReadable``. What a replica shows must follow from what is written.
///
/// ```swift
///     public static var codec: Codec<AskingSet>? { Codec(\.names) }
/// ```
public struct Codec<Subject: Sendable>: Sendable {
    let encode: @Sendable (Subject) -> [UInt8]
    let decode: @Sendable (inout Subject, [UInt8]) throws -> Void

    /// - Parameters:
    ///   - encode: the bytes of a replica's state; the same for the same state.
    ///   - decode: gives a replica the state that bytes tell of, and leaves its name alone; throws where they are no state.
    public init(
        encode: @escaping @Sendable (Subject) -> [UInt8],
        decode: @escaping @Sendable (inout Subject, [UInt8]) throws -> Void
    ) {
        self.encode = encode
        self.decode = decode
    }

    /// For a replica whose state is one property, of a type of DeltaCRDT or with its coding.
    public init<State: CanonicalCodable & SendableMetatype>(_ state: any WritableKeyPath<Subject, State> & Sendable) {
        self.init {
            $0[keyPath: state].encoded()
        } decode: { subject, bytes in
            subject[keyPath: state] = try State(decoding: bytes)
        }
    }
}
