package import ChangeLog

/// A change as it is stored, sent and backed up: one record. On the disk it is sealed (`StoreSeal`).
package struct StoredChange: Hashable, Sendable {
    package let hash: Bytes32
    /// The change's encoding and its signature (`SignedChange.record`).
    package let record: [UInt8]

    package init(hash: Bytes32, record: [UInt8]) {
        self.hash = hash
        self.record = record
    }
}
