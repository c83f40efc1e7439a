import ChangeLog
import DeltaCRDT

/// A secret that nodes recognise each other by, and the keys that come of it.
struct Credential: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// All members hold it.
        case epoch(Bytes16)
        /// Whoever was given the invite holds it.
        case invite(Bytes32)
        /// Two devices hold it that know each other's keys from the log, and nobody else.
        case pair(ReplicaID)
    }

    let kind: Kind
    /// Makes and recognises instance names; of a pair, which has none, what its first messages begin with.
    let discoveryKey: Bytes32
    /// The handshake's pre-shared key.
    let sessionKey: Bytes32

    init(epoch: Epoch) {
        kind = .epoch(epoch.id)
        discoveryKey = epoch.discoveryKey
        sessionKey = epoch.sessionKey
    }

    init(inviteSecret: Bytes32, using cryptography: some Cryptography) {
        // An invite's keys come of its secret as an epoch's of its own; only what they open differs.
        let keys = Epoch(secret: inviteSecret, using: cryptography)
        kind = .invite(Invite(secret: inviteSecret, uses: 1, expires: nil).id(using: cryptography))
        discoveryKey = keys.discoveryKey
        sessionKey = keys.sessionKey
    }

    /// What two devices share by their keys alone: so they find back to each other when each has gone on to an epoch
    /// that the other does not know. Nil where the other's key is weak.
    init?(pairing secret: Bytes32, with device: Device, using cryptography: some Cryptography) {
        guard let shared = cryptography.agree(secret: secret, publicKey: device.agreementKey) else { return nil }
        kind = .pair(device.replica)
        discoveryKey = cryptography.deriveKey(from: shared, label: "caravan pair selector")
        sessionKey = cryptography.deriveKey(from: shared, label: "caravan pair session")
    }

    /// Bytes before a pair's first message that tell the other device which key it is under, and strangers nothing.
    static let selectorSize = 16

    /// - Parameter ephemeralKey: the one with which the first message begins.
    func selector(_ ephemeralKey: Bytes32, using cryptography: some Cryptography) -> Bytes16 {
        cryptography.hash(ephemeralKey.bytes, key: discoveryKey).prefix16
    }
}
