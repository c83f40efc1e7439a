package import ChangeLog

/// The keys that follow from a secret which several nodes share: an epoch's, an invite's, or a pair's.
package struct KeySchedule: Hashable, Sendable {
    /// The pre-shared key of sessions.
    package let session: Bytes32
    /// Tells in a first message which pre-shared key it is under (HMAC-SHA256).
    package let selector: Bytes32
    /// Makes and recognises instance names (HMAC-SHA256).
    package let discovery: Bytes32

    package init(secret: Bytes32, using cryptography: some Cryptography) {
        session = cryptography.deriveKey(from: secret, label: "caravan session")
        selector = cryptography.deriveKey(from: secret, label: "caravan selector")
        discovery = cryptography.deriveKey(from: secret, label: "caravan discovery")
    }
}
