/// Everybody who is or was in: each after whoever brought them.
package struct MembersView: Codable, Hashable, Sendable {
    package let people: [MemberView]
    /// Invites by which more came than they were for, which happens where two members let somebody in at once.
    package let overshotInvites: [OvershotInvite]

    package struct OvershotInvite: Codable, Hashable, Sendable {
        package let uses: Int
        package let joined: Int

        package init(uses: Int, joined: Int) {
            self.uses = uses
            self.joined = joined
        }
    }

    package init(people: [MemberView], overshotInvites: [OvershotInvite]) {
        self.people = people
        self.overshotInvites = overshotInvites
    }
}

/// A person of the trip. Times are milliseconds since 1970.
package struct MemberView: Codable, Hashable, Sendable {
    /// In hexadecimal digits.
    package let id: String
    package let name: String
    /// How many steps below the founder.
    package let depth: Int
    /// Who let them in; nil for the founder.
    package let sponsor: String?
    package let isGuest: Bool
    package let isYou: Bool
    package let isHere: Bool
    /// How they went; nil while they are in.
    package let removal: RemovalView?
    /// Whether they wait, because somebody above them was removed, and the person here may keep them.
    package let mayBeKept: Bool
    package let lastHeard: Int64?
    package let devices: [Device]

    package struct Device: Codable, Hashable, Sendable {
        package let id: String
        package let name: String?
        package let isHere: Bool
        package let lastHeard: Int64?

        package init(id: String, name: String?, isHere: Bool, lastHeard: Int64?) {
            self.id = id
            self.name = name
            self.isHere = isHere
            self.lastHeard = lastHeard
        }
    }

    package init(
        id: String, name: String, depth: Int, sponsor: String?, isGuest: Bool, isYou: Bool, isHere: Bool,
        removal: RemovalView?, mayBeKept: Bool = false, lastHeard: Int64?, devices: [Device]
    ) {
        self.id = id
        self.name = name
        self.depth = depth
        self.sponsor = sponsor
        self.isGuest = isGuest
        self.isYou = isYou
        self.isHere = isHere
        self.removal = removal
        self.mayBeKept = mayBeKept
        self.lastHeard = lastHeard
        self.devices = devices
    }
}

/// How somebody went out of the trip.
package struct RemovalView: Codable, Hashable, Sendable {
    /// Who removed them, or somebody above them; nil where they left by themselves.
    package let by: String?
    /// Milliseconds since 1970, by the clock of the person who did it.
    package let at: Int64
    /// Who was removed, where they wait for that reason alone: the person who admitted them, or somebody above. They are in again
    /// once somebody keeps them.
    package let waitsFor: String?

    package init(by: String?, at: Int64, waitsFor: String? = nil) {
        self.by = by
        self.at = at
        self.waitsFor = waitsFor
    }
}
