package import ChangeLog
import DeltaCRDT

/// Seals what a store holds under a key of its home (XChaCha20-Poly1305): without the key, a disk
/// reveals nothing that people wrote, and no members they met.
package struct StoreSeal: Sendable {
    private let cryptography: any Cryptography
    private let changeKey: Bytes32
    private let markKey: Bytes32
    private let peerKey: Bytes32
    private let peerNameKey: Bytes32

    private static let nonceSize = 24
    /// Bytes that a sealed text is longer than the text.
    static let overhead = nonceSize + 16

    /// - Parameter key: known only to this home.
    package init(key: Bytes32, using cryptography: some Cryptography) {
        self.cryptography = cryptography
        changeKey = cryptography.deriveKey(from: key, label: "caravan changes at rest")
        markKey = cryptography.deriveKey(from: key, label: "caravan marks at rest")
        peerKey = cryptography.deriveKey(from: key, label: "caravan peers at rest, sealed")
        peerNameKey = cryptography.deriveKey(from: key, label: "caravan peers at rest, named")
    }

    /// A change's record as its row holds it, bound to the change's hash.
    func seal(_ change: StoredChange) -> [UInt8] {
        seal(change.record, key: changeKey, boundTo: change.hash.bytes)
    }

    /// The record of the change with a hash; nil for what was not sealed here, or was altered.
    func open(_ sealed: [UInt8], of hash: Bytes32) -> StoredChange? {
        open(sealed, key: changeKey, boundTo: hash.bytes).map { StoredChange(hash: hash, record: $0) }
    }

    func seal(marks: [UInt8]) -> [UInt8] { seal(marks, key: markKey, boundTo: []) }

    func open(marks sealed: [UInt8]) -> [UInt8]? { open(sealed, key: markKey, boundTo: []) }

    /// What a device's row is found by.
    func rowName(of replica: ReplicaID) -> [UInt8] { cryptography.hash(replica.bytes, key: peerNameKey).bytes }

    /// A peer as its row holds it, bound to the row's name.
    func seal(peer encoded: [UInt8], rowName: [UInt8]) -> [UInt8] { seal(encoded, key: peerKey, boundTo: rowName) }

    func open(peer sealed: [UInt8], rowName: [UInt8]) -> [UInt8]? { open(sealed, key: peerKey, boundTo: rowName) }

    // MARK: -

    /// A random nonce, then the sealed text: of 192 random bits none comes twice.
    private func seal(_ text: [UInt8], key: Bytes32, boundTo context: [UInt8]) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let nonce = Array(Bytes32.random(using: &generator).bytes.prefix(Self.nonceSize))
        return nonce + cryptography.encrypt(text, nonce: nonce, key: key, authenticating: context)
    }

    private func open(_ sealed: [UInt8], key: Bytes32, boundTo context: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.overhead else { return nil }
        return cryptography.decrypt(
            Array(sealed.dropFirst(Self.nonceSize)), nonce: Array(sealed.prefix(Self.nonceSize)), key: key,
            authenticating: context)
    }
}
