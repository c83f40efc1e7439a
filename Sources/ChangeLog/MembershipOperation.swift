/// What a member may say about who is in.
package enum MembershipOperation: Hashable, Sendable {
    /// The first change of a trip, by its founder, whose signing key is the trip's root.
    case found(founder: Device, name: String)
    /// Opens an invite. Its secret travels in the sealed change, so that any member can let the joiner in.
    case invite(Invite)
    /// Closes an invite before its uses or its time are over.
    case closeInvite(id: Bytes32)
    /// Lets a device in.
    case admit(Admission)
}

/// A secret that lets whoever shows it ask to be let in.
package struct Invite: Hashable, Sendable {
    package let secret: Bytes32
    /// How many may be let in by it.
    package let uses: Int
    /// Milliseconds since 1970 by the clock of the member who lets in; nil means that it does not end by itself.
    package let expires: Int64?

    package init(secret: Bytes32, uses: Int, expires: Int64?) {
        self.secret = secret
        self.uses = uses
        self.expires = expires
    }

    /// Names the invite among members without showing its secret.
    package func id(using cryptography: some Cryptography) -> Bytes32 {
        cryptography.deriveKey(from: secret, label: "caravan invite id")
    }
}

/// A device let in, and what it needs to read along.
package struct Admission: Hashable, Sendable {
    package let device: Device
    /// The name by which its person introduced themselves.
    package let name: String
    /// The invite that it came by.
    package let invite: Bytes32?
    /// The secrets of all epochs, oldest first, sealed to the device's agreement key.
    package let sealedSecrets: [UInt8]

    package init(device: Device, name: String, invite: Bytes32?, sealedSecrets: [UInt8]) {
        self.device = device
        self.name = name
        self.invite = invite
        self.sealedSecrets = sealedSecrets
    }
}
