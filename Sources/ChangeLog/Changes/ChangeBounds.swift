/// What a change may ask of those who hold it. All nodes judge these alike: each depends on a change and its past alone.
package enum ChangeBounds {
    /// Bytes of one change's content.
    package static let contentBytesMax = 1 << 20
    /// Changes that one change may name beside its previous one.
    package static let headsMax = 1_024
    /// Changes that one change may name as those that its content acts on.
    package static let subjectsMax = 1_024
    /// Changes that a removal may name as kept.
    package static let keptMax = 64
    /// Bytes of a change's body: its content, and the boxes of a grant.
    package static let bodyBytesMax = contentBytesMax + 800_000
    /// Bytes of a change's header, its signature and its body.
    package static let recordBytesMax = 2_000_000
    /// The number of a log's last change.
    package static let numberMax = UInt64(UInt32.max)
    package static let lamportMax = UInt64(1) << 48
    /// Bytes of a participant's name in UTF-8: four for each of the 64 characters that the trip's model allows.
    package static let nameBytesMax = 256
    /// Devices to which one change may seal an epoch's secret.
    package static let grantBoxesMax = 8_192
    /// Uses of one invite.
    package static let inviteUsesMax = 1_000

    // Of a chain: a change and those before it in its log.

    /// Bytes of its records.
    package static let chainBytesMax = 64 << 20
    package static let chainAdmissionsMax = 512
    /// Removals, ends of devices, and epochs that it begins otherwise.
    package static let chainEpochsMax = 128
    package static let chainInvitesMax = 512

    // Of what an admission's past has admitted.

    /// Devices of one participant.
    package static let devicesMax = 16
    /// Guests of one host, but for those who were removed.
    package static let guestsMax = 20
    /// People above a participant.
    package static let depthMax = 16
}

/// What a chain has used of its bounds.
package struct ChainTotals: Hashable, Sendable {
    package private(set) var bytes = UInt32(0)
    package private(set) var admissions = UInt16(0)
    /// Removals, ends of devices, and epochs begun otherwise.
    package private(set) var epochs = UInt16(0)
    private var invites = UInt16(0)

    /// Counts one more change of the chain; false where it is one too many.
    mutating func add(_ signed: SignedChange) -> Bool {
        bytes += UInt32(signed.size)
        switch signed.change.statement {
        case .admit: admissions += 1
        case .remove, .beginEpoch, .end: epochs += 1
        case .invite: invites += 1
        case .found, .closeInvite, .grant, nil: break
        }
        return bytes <= ChangeBounds.chainBytesMax && admissions <= ChangeBounds.chainAdmissionsMax
            && epochs <= ChangeBounds.chainEpochsMax && invites <= ChangeBounds.chainInvitesMax
    }
}
