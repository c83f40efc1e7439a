import ChangeLog
import DeltaCRDT

/// A secret by which nodes recognize each other, and the keys derived from it.
struct Credential: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// All members have it.
        case epoch(Bytes16)
        /// Everybody who has the invite has it.
        case invite(Bytes32)
        /// Only two devices have it, which know each other's keys from the log.
        case pair(ReplicaID)
    }

    let kind: Kind
    let keys: KeySchedule

    init(_ epoch: Epoch, using cryptography: some Cryptography) {
        kind = .epoch(epoch.id)
        keys = KeySchedule(secret: epoch.secret, using: cryptography)
    }

    /// - Parameter id: the invite's id if it does not follow from the secret; nil if it does.
    init(inviteSecret: Bytes32, of id: Bytes32? = nil, using cryptography: some Cryptography) {
        kind = .invite(id ?? Invite.id(ofSecret: inviteSecret, using: cryptography))
        keys = KeySchedule(secret: inviteSecret, using: cryptography)
    }

    /// The secret that two devices derive from their keys. With it they find each other again if each has an epoch that the
    /// other does not know. Nil if the other's key is weak.
    init?(pairing secret: Bytes32, with device: Device, using cryptography: some Cryptography) {
        guard let shared = cryptography.agree(secret: secret, publicKey: device.agreementKey) else { return nil }
        kind = .pair(device.replica)
        keys = KeySchedule(secret: shared, using: cryptography)
    }
}

/// Derived credentials, kept because deriving them takes longer than handling most events.
struct Keyring: Sendable {
    private var epochs: [Bytes16: Credential] = [:]
    private var invites: [Bytes32: Credential] = [:]
    /// Nil for a device whose key is weak.
    private var pairs: [ReplicaID: Credential?] = [:]
    /// The invites of the log, as of a version of its membership.
    private var known: (invites: [TripLog.OpenedInvite], version: Int) = ([], -1)
    /// Those that are answered, at which version, and from when to when by the clock.
    private var answered: (invites: [TripLog.OpenedInvite], version: Int, times: Range<Int64>)?
    /// First messages that were compared with the keys of pairs, in the second that began at this time.
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

    /// The invites of a log, looked up again if the members or the retained changes may have changed.
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
        if pairs.count < limit { pairs.updateValue(made, forKey: device.replica) }
        return made
    }

    /// Whether one more first message may be compared with a pair's key.
    mutating func mayLookUp(at now: UInt64, limit: Int) -> Bool {
        if now >= lookups.since + 1_000 { lookups = (now, 0) }
        guard lookups.count < limit else { return false }
        lookups.count += 1
        return true
    }
}
