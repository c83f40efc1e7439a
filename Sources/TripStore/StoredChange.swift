package import ChangeLog

/// A change as it lies in the store, and as it goes over the wire.
package struct StoredChange: Hashable, Sendable {
    /// The hash of the opened change.
    package let hash: Bytes32
    package let sealed: [UInt8]
    /// Whether this device has checked the signature, or made it.
    package var isVerified: Bool

    package init(hash: Bytes32, sealed: [UInt8], isVerified: Bool) {
        self.hash = hash
        self.sealed = sealed
        self.isVerified = isVerified
    }
}
