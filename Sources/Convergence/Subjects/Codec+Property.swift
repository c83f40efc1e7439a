public import DeltaCRDT

extension Codec {
    /// For a replica whose state is one property, of a type of DeltaCRDT or with its coding.
    public init<State: CanonicalCodable & Equatable & SendableMetatype>(
        _ state: any WritableKeyPath<Subject, State> & Sendable
    ) {
        self.init {
            $0[keyPath: state].encoded()
        } decode: { subject, bytes throws(DecodingFailure) in
            subject[keyPath: state] = try State(decoding: bytes)
        } areEqual: {
            $0[keyPath: state] == $1[keyPath: state]
        }
    }
}
