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
}
