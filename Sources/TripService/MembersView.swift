/// Everybody who is or was a member: each after their inviter.
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

    /// The same, with the guests of these ids as here: they have no device that a node could meet.
    package func showing(guestsHere: Set<String>) -> MembersView {
        guard !guestsHere.isEmpty else { return self }
        let people = people.map { person in
            var person = person
            if person.isGuest, person.removal == nil, guestsHere.contains(person.id) { person.isHere = true }
            return person
        }
        return MembersView(people: people, overshotInvites: overshotInvites)
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
    package fileprivate(set) var isHere: Bool
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
    package enum Reason: String, Codable, Sendable {
        case removed
        case left
        /// They ended one of their devices; where nobody waits, the one here.
        case deviceEnded
    }

    /// For a person who waits: the host who was removed, left or ended a device, and the member who may keep the person.
    package struct Waiting: Codable, Hashable, Sendable {
        package let host: String
        package let keeper: String

        package init(host: String, keeper: String) {
            self.host = host
            self.keeper = keeper
        }
    }

    /// Of those who wait, what happened to the host.
    package let reason: Reason
    /// The person who did it; nil where they did it themselves.
    package let by: String?
    /// Milliseconds since 1970, by the clock of the person who did it.
    package let at: Int64
    /// Where they may be kept. Until then, what they do is theirs alone.
    package let waiting: Waiting?

    package init(_ reason: Reason, by: String? = nil, at: Int64, waiting: Waiting? = nil) {
        self.reason = reason
        self.by = by
        self.at = at
        self.waiting = waiting
    }

    /// What happened: "Jie removed Noah" where somebody waits, "Jie removed you" elsewhere.
    /// - Parameter you: how a sentence names the person who is out.
    package func event(you: String = "you") -> String {
        switch reason {
        case .removed: "\(by ?? "somebody") removed \(waiting?.host ?? "you")"
        case .left: "\(waiting?.host ?? by ?? you) left"
        case .deviceEnded: waiting.map { "\($0.host) removed one of their devices" } ?? "\(you) removed this device"
        }
    }

    /// Why the person here is out, for them.
    package func explanation(you: String = "you") -> String {
        event(you: you) + (waiting.map { ", and you joined through \($0.host)" } ?? "")
    }

    /// How the person here returns, where they wait for nobody: "run `caravan join` with a new invite to return". A device that its own
    /// person removed is added again, because an invite would make it a second person.
    package var wayBack: String {
        reason == .deviceEnded
            ? "to return, run `caravan device add` on your first device, and `caravan join LINK` here"
            : "run `caravan join` with a new invite to return"
    }

    /// What happened to the host, after "Noah, who".
    package var clause: String {
        switch reason {
        case .removed: "was removed"
        case .left: "left"
        case .deviceEnded: "removed the device that admitted them"
        }
    }
}
