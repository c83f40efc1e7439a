/// What a change may ask of those who hold it. Every number is checked before it is believed.
package enum ChangeLimits {
    /// Bytes of one change's content.
    package static let contentBytesMax = 1 << 20
    /// Operations of one change.
    package static let operationsMax = 10_000
    /// Other replicas' changes that one change may name as its heads.
    package static let headsMax = 1_024
    /// Bytes of one sealed change: its content, its heads and what surrounds them.
    package static let sealedBytesMax = contentBytesMax + headsMax * 32 + 4_096
    /// The number of a replica's last operation.
    package static let counterMax = UInt64(UInt32.max)
    /// The Lamport time of a change.
    package static let lamportMax = UInt64(1) << 48
    /// Bytes of a participant's name in UTF-8: four for each of the 64 characters that the trip's model allows.
    package static let nameBytesMax = 256
    /// Branches of one replica: with more than these it is no accident, and what comes after its first fork counts no more.
    package static let branchesMax = 8
    /// Bytes of all sealed changes of one replica that follow each other.
    package static let logBytesMax = 64 << 20
    /// Epochs whose secrets one admission may hand over.
    package static let epochsMax = 1_024
    /// Epochs that one device may begin.
    package static let epochsOfDeviceMax = 128
    /// Devices to which one change may seal an epoch's secret.
    package static let grantBoxesMax = 8_192
    /// Devices of one participant.
    package static let devicesMax = 16
    /// Guests of one host.
    package static let guestsMax = 20
    /// Uses of one invite.
    package static let inviteUsesMax = 1_000
    /// Invites that may be open at once.
    package static let openInvitesMax = 8
    /// Address hints in one invite's link.
    package static let addressHintsMax = 4
}
