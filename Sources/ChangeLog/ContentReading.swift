/// Reads what a change's content says, once for all who apply it: nothing that content says is a reason to refuse a change.
package protocol ContentReading: Sendable {
    /// Must depend on its argument alone.
    func read(_ content: [UInt8]) -> any ReadContent
}

/// A change's content as the application has read it.
package protocol ReadContent: AnyObject, Sendable {}
