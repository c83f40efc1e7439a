/// A generation of the secret that opens sessions and discovery, and of nothing else.
package struct Epoch: Hashable, Sendable {
    package let secret: Bytes32
    /// Names the epoch in the log; says nothing of the secret.
    package let id: Bytes16

    package init(secret: Bytes32, using cryptography: some Cryptography) {
        self.secret = secret
        id = cryptography.deriveKey(from: secret, label: "caravan epoch id").prefix16
    }
}
