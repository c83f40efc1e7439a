import ChangeLog
import DeltaCRDT

/// A secret that nodes recognise each other by, and the keys that follow from it.
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
    let keys: KeySchedule

    init(_ epoch: Epoch, using cryptography: some Cryptography) {
        kind = .epoch(epoch.id)
        keys = KeySchedule(secret: epoch.secret, using: cryptography)
    }

    /// - Parameter id: of the invite, where that does not follow from the secret; nil where it does.
    init(inviteSecret: Bytes32, of id: Bytes32? = nil, using cryptography: some Cryptography) {
        kind = .invite(id ?? Invite.id(ofSecret: inviteSecret, using: cryptography))
        keys = KeySchedule(secret: inviteSecret, using: cryptography)
    }

    /// What two devices share by their keys alone: so they find back to each other when each has gone on to an epoch
    /// that the other does not know. Nil where the other's key is weak.
    init?(pairing secret: Bytes32, with device: Device, using cryptography: some Cryptography) {
        guard let shared = cryptography.agree(secret: secret, publicKey: device.agreementKey) else { return nil }
        kind = .pair(device.replica)
        keys = KeySchedule(secret: shared, using: cryptography)
    }
}

/// The credentials that were derived, kept, for that takes longer than most events to handle.
struct Keyring: Sendable {
    private var epochs: [Bytes16: Credential] = [:]
    private var invites: [Bytes32: Credential] = [:]
    private var pairs: [ReplicaID: Credential] = [:]
    /// The invites of the log, as of a version of its membership.
    private var known: (invites: [TripLog.OpenedInvite], version: Int) = ([], -1)
    /// Those that are answered, at which version, and from when to when by the clock.
    private var answered: (invites: [TripLog.OpenedInvite], version: Int, times: Range<Int64>)?
    /// First messages that were held to the keys of pairs, in the second that began at this time.
    private var lookups = (since: UInt64(0), count: 0)

    private static let epochsMax = 64
    private static let invitesMax = 64

    mutating func credential(of epoch: Epoch, using cryptography: some Cryptography) -> Credential {
        if let known = epochs[epoch.id] { return known }
        if epochs.count >= Self.epochsMax { epochs = [:] }
        let made = Credential(epoch, using: cryptography)
        epochs[epoch.id] = made
        return made
    }

    mutating func credential(
        ofInviteWith secret: Bytes32, id: Bytes32? = nil, using cryptography: some Cryptography
    ) -> Credential {
        if let known = invites[secret] { return known }
        if invites.count >= Self.invitesMax { invites = [:] }
        let made = Credential(inviteSecret: secret, of: id, using: cryptography)
        invites[secret] = made
        return made
    }

    /// The invites of a log, which are looked up anew where who is in, or what is retained, may have changed.
    mutating func invites(of log: TripLog) -> [TripLog.OpenedInvite] {
        // Both only grow.
        let version = log.membershipVersion + log.retentionVersion
        if known.version != version { known = (log.invites, version) }
        return known.invites
    }

    /// The invites of a log that are answered at a time, as chosen from all: chosen again where they may be others. O(1) else.
    mutating func answeredInvites(
        of log: TripLog, at time: Int64, chosenBy choose: ([TripLog.OpenedInvite]) -> [TripLog.OpenedInvite]
    ) -> [TripLog.OpenedInvite] {
        let all = invites(of: log)
        if let answered, answered.version == known.version, answered.times.contains(time) { return answered.invites }
        let chosen = choose(all)
        let end = all.compactMap(\.invite.expires).filter { $0 > time }.min() ?? .max
        answered = (chosen, known.version, time..<end)
        return chosen
    }

    mutating func forgetAnsweredInvites() { answered = nil }

    /// Nil where the other's key is weak.
    mutating func credential(
        pairing secrets: DeviceSecrets, with device: Device, limit: Int, using cryptography: some Cryptography
    ) -> Credential? {
        if let known = pairs[device.replica] { return known }
        let made = Credential(pairing: secrets.agreementSecret, with: device, using: cryptography)
        if pairs.count < limit { pairs[device.replica] = made }
        return made
    }

    /// Whether one more first message may be held to a pair's key.
    mutating func mayLookUp(at now: UInt64, limit: Int) -> Bool {
        if now >= lookups.since + 1_000 { lookups = (now, 0) }
        guard lookups.count < limit else { return false }
        lookups.count += 1
        return true
    }
}
