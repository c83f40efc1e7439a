import ChangeLog

/// How a device joins: by an invite's link, and under the name that its person chose.
package struct Invitation: Hashable, Sendable {
    package let link: InviteLink
    package let name: String

    package init(link: InviteLink, name: String) {
        self.link = link
        self.name = name
    }
}

/// A device that joins, until its log holds its admission and it has an epoch's secret. The member who admitted it may restore an
/// earlier backup, and must then be asked again.
package struct JoinAttempt: Sendable {
    package let invitation: Invitation
    /// When it asks again, if it has a session with anybody; nil if it has none.
    private(set) var deadline: UInt64?
    private var attempts = 0
    /// Answers in mailboxes that were tried.
    private var tries = 0
    /// Whether its request was seen in a mailbox.
    private var hasAsked = false

    init(invitation: Invitation) { self.invitation = invitation }

    /// Whether one more answer may be tried that somebody put into a mailbox.
    func mayTry(limit: Int) -> Bool { tries < limit }

    mutating func tried() { tries += 1 }

    /// Notes that the request is in a mailbox.
    /// - Returns: whether that is new.
    mutating func asked() -> Bool {
        defer { hasAsked = true }
        return !hasAsked
    }

    /// Of the places where somebody is met, the one to ask now; nil where none is due. Each is asked in turn.
    mutating func nextPlace(of places: [PeerAddress], isAnybodyMet: Bool, at now: UInt64, pause: UInt64) -> PeerAddress?
    {
        guard isAnybodyMet else {
            deadline = nil
            return nil
        }
        guard let due = deadline, due <= now else {
            deadline = deadline ?? now + pause
            return nil
        }
        deadline = now + pause
        guard !places.isEmpty else { return nil }
        defer { attempts += 1 }
        return places[attempts % places.count]
    }
}
