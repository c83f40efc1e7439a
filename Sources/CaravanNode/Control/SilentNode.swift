import Synchronization

/// A node that runs and does not answer, such as a suspended one, as a process that only reads deals with it: it reads the store beside
/// the node. It tells people so once, and does not wait for the node again.
package final class SilentNode: Sendable {
    private let isFound = Mutex(false)
    private let report: @Sendable () -> Void

    /// - Parameter report: tells people that the store was read in the node's place.
    package init(report: @escaping @Sendable () -> Void) { self.report = report }

    /// Whether the node did not answer before.
    package var wasFound: Bool { isFound.withLock { $0 } }

    /// Notes that the node does not answer and that the store was read.
    func found() {
        let isNew = isFound.withLock { isFound in
            defer { isFound = true }
            return !isFound
        }
        if isNew { report() }
    }
}
