package import DeltaCRDT

extension TripLog {
    /// An invite, and what became of it in all that is retained.
    package struct OpenedInvite: Sendable {
        package let id: Bytes32
        package let secret: Bytes32
        package let invite: Invite
        /// Where the log opens it.
        package let place: Int
        package let author: ReplicaID
        /// The devices that came by it.
        package let joined: Set<ReplicaID>
        package let ending: Ending?

        package enum Ending: Hashable, Sendable {
            case closed
            /// Somebody is out who may know its secret: nobody answers to it any more.
            case knownOutside
        }

        /// Whether somebody may be let in by it, at a time in milliseconds since 1970 by the asker's own clock.
        /// - Parameter device: who asks; nil for whoever has not come by it.
        package func isOpen(at wallTime: Int64, for device: ReplicaID? = nil) -> Bool {
            ending == nil && joined.count - (device.map { joined.contains($0) ? 1 : 0 } ?? 0) < invite.uses
                && invite.expires.map { wallTime < $0 } ?? true
        }
    }

    /// What became of an invite; nil where no effective change opens it. Of several openings, the lowest stamp that nobody knows
    /// who is out, or else the lowest. O(its openings · branches that remove somebody, and devices that came by it).
    package func invite(_ id: Bytes32) -> OpenedInvite? {
        let openings = (facts.invites.openings[id] ?? []).filter { isEffective($0.place) }
            .sorted { graph.changes[$0.place].stamp < graph.changes[$1.place].stamp }
        guard let first = openings.first else { return nil }
        let unknown = openings.first { !facts.invites.isKnownOutside($0, in: retained, of: graph) }
        var ending = unknown == nil ? OpenedInvite.Ending.knownOutside : nil
        if ending == nil, facts.invites.isClosed(id, in: retained, of: graph) { ending = .closed }
        let opening = unknown ?? first
        return OpenedInvite(
            id: id, secret: opening.invite.secret(openedBy: opening.author, using: cryptography),
            invite: opening.invite, place: opening.place, author: opening.author,
            joined: Set(facts.invites.devices(admittedBy: id, in: retained, of: graph)), ending: ending)
    }

    /// Every invite that was ever opened, the earliest first. O(all that was said of invites, times the branches
    /// that remove somebody).
    package var invites: [OpenedInvite] {
        facts.invites.openings.keys.compactMap { invite($0) }.sorted { $0.place < $1.place }
    }
}
