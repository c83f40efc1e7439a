package import DeltaCRDT

extension TripLog {
    /// An invite, and what became of it in all that is retained.
    package struct OpenedInvite: Sendable {
        package let id: Bytes32
        package let secret: Bytes32
        package let invite: Invite
        /// Where the log opens it.
        package let index: Int
        package let author: ReplicaID
        /// The devices that came by it.
        package let joined: Set<ReplicaID>
        /// Why nobody answers to it any more; nil where it is open, or only used up.
        package let ending: RosterIndex.Ending?

        /// Whether it still admits people, at a time in milliseconds since 1970 by the asker's own clock.
        /// - Parameter device: the device that asks; nil for one that has not joined by it.
        package func isOpen(at wallTime: Int64, for device: ReplicaID? = nil) -> Bool {
            ending == nil && joined.count - (device.map { joined.contains($0) ? 1 : 0 } ?? 0) < invite.uses
                && invite.expires.map { wallTime < $0 } ?? true
        }
    }

    /// What became of an invite; nil where no change that counts opens it. Of several openings, one by which it is open, or else any.
    /// O(what was said of it, depth, and removals by those above).
    package func invite(_ id: Bytes32) -> OpenedInvite? {
        guard let invite = facts.index(ofInvite: id) else { return nil }
        let opened = facts.invites[invite]
        let openings = facts.said.invites[invite].openings.filter { isEffective($0.index) }
            .sorted { graph[$0.index].stamp < graph[$1.index].stamp }
        let endings = facts.said.endings(of: openings, of: invite, in: retained)
        guard let first = openings.first, let ending = endings.first else { return nil }
        let best = endings.firstIndex { $0 == nil || $0 == .usedUp }
        // For a new person, or for a further device of its opener.
        let admissions = (facts.admissionsNaming[id] ?? []).filter { isRetained($0) }
        let joined = admissions.compactMap { index -> ReplicaID? in
            guard case .admit(let admission) = graph[index].change.statement else { return nil }
            let device = admission.device
            return isFirst(device) || device.participant == opened.opener.participant ? device.replica : nil
        }
        return OpenedInvite(
            id: id, secret: opened.invite.secret(openedBy: opened.opener, using: cryptography),
            invite: opened.invite, index: best.map { openings[$0].index } ?? first.index,
            author: opened.opener.replica, joined: Set(joined),
            ending: best == nil ? ending : nil)
    }

    /// Every invite that was ever opened, the earliest first. O(all that was said of invites).
    package var invites: [OpenedInvite] {
        facts.invites.compactMap { invite($0.id) }.sorted { $0.index < $1.index }
    }
}
