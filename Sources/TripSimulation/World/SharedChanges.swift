package import ChangeLog

/// The changes that any node of this process has opened, so that a thousand nodes need not open each a thousand times
/// over: their bytes are the same and never change.
///
/// For the one thread of a run.
package final class SharedChanges: OpenedChanges, @unchecked Sendable {
    private var changes: [UInt64: SignedChange] = [:]

    package init() {}

    package func change(sealed: [UInt8]) -> SignedChange? {
        guard sealed.count > 41, let change = changes[SharedChanges.key(sealed)], change.sealed == sealed else {
            return nil
        }
        return change
    }

    package func note(_ change: SignedChange) { changes[SharedChanges.key(change.sealed)] = change }

    /// Of the nonce, which is a hash of what is sealed.
    private static func key(_ sealed: [UInt8]) -> UInt64 {
        sealed.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 17, as: UInt64.self) }
    }
}
