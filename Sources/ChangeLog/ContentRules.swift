package import DeltaCRDT

/// What a change's content may say: the application's part of the rule that every node applies.
package protocol ContentRules: Sendable {
    /// Nil where the content is allowed, else the reason in one line. Must depend on its arguments alone.
    ///
    /// - Parameters:
    ///   - resolve: the present name of a dot that the author named, or nil where it is not in the change's past.
    func refusal(
        of content: [UInt8], operationCount: Int, participant: Bytes16, resolve: (Dot) -> Dot?
    ) -> String?

    /// What content says, read once for all who judge it and apply it; nil where the rules leave that to each, or where
    /// it cannot be read. Must depend on its arguments alone.
    func read(_ content: [UInt8], operationCount: Int) -> (any ReadContent)?
}

/// A change's content as the application's rules have read it.
package protocol ReadContent: AnyObject, Sendable {
    /// Nil where it is allowed, else the reason in one line: the same as the rules give for the bytes.
    func refusal(resolve: (Dot) -> Dot?) -> String?
}

extension ContentRules {
    package func read(_ content: [UInt8], operationCount: Int) -> (any ReadContent)? { nil }
}
