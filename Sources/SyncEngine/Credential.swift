import ChangeLog

/// A secret that nodes recognise each other by, and the keys that come of it.
struct Credential: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// All members hold it.
        case epoch(Bytes16)
        /// Whoever was given the invite holds it.
        case invite(Bytes32)
    }

    let kind: Kind
    /// Makes and recognises instance names.
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
}
