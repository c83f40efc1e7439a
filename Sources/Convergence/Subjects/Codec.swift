/// How the state of a replica is written as bytes, and read again. A type that has one must keep two more laws,
/// ``Law/readability`` and ``Law/staysReadable``. If its states can be compared, it must also keep ``Law/oneForm``. A replica's
/// view must depend only on the written bytes.
///
/// ```swift
///     public static var codec: Codec<AskingSet>? { Codec(\.names) }
/// ```
public struct Codec<Subject: Sendable>: Sendable {
    let encode: @Sendable (Subject) -> [UInt8]
    /// Nil if the bytes hold a state; else says why they do not.
    let decode: @Sendable (inout Subject, [UInt8]) -> Refusal?
    /// Nil if states can't be compared.
    let areEqual: (@Sendable (Subject, Subject) -> Bool)?

    /// Written only if it is asked: most altered bytes are refused, and nobody is told.
    typealias Refusal = () -> String

    /// - Parameters:
    ///   - encode: the bytes of a replica's state; the same for the same state.
    ///   - decode: gives a replica the state in the bytes, and keeps its name; throws if the bytes hold no state.
    ///   - areEqual: whether the states of two replicas are equal, for ``Law/oneForm``; nil if states can't be compared.
    public init<Failure: Error>(
        encode: @escaping @Sendable (Subject) -> [UInt8],
        decode: @escaping @Sendable (inout Subject, [UInt8]) throws(Failure) -> Void,
        areEqual: (@Sendable (Subject, Subject) -> Bool)? = nil
    ) {
        self.encode = encode
        self.decode = { subject, bytes in
            do throws(Failure) {
                try decode(&subject, bytes)
                return nil
            } catch {
                return { "\(error)" }
            }
        }
        self.areEqual = areEqual
    }
}
