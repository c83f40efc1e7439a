package import ChangeLog

/// The records that any node of this process has read, so that a thousand nodes need not read each a thousand times over:
/// their bytes are the same and never change.
///
/// For the one thread of a run.
package final class SharedChanges: ReadRecords, @unchecked Sendable {
    private var changes: [UInt64: SignedChange] = [:]

    package init() {}

    package func change(record: [UInt8]) -> SignedChange? {
        guard record.count > 64, let change = changes[SharedChanges.key(record)], change.record == record else {
            return nil
        }
        return change
    }

    package func note(_ change: SignedChange) { changes[SharedChanges.key(change.record)] = change }

    /// Of the signature, which is like a hash of what is signed.
    private static func key(_ record: [UInt8]) -> UInt64 {
        record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: record.count - 64, as: UInt64.self) }
    }
}
