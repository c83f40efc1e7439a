package import ChangeLog
package import DeltaCRDT

extension TripLog {
    /// An invite, and what became of it.
    package struct OpenedInvite: Sendable {
        package let id: Bytes32
        package let invite: Invite
        /// Where the log opens it.
        package let place: Int
        package let author: ReplicaID
        /// The devices that came by it.
        package let joined: Set<ReplicaID>
        package let ending: Ending?

        package enum Ending: Hashable, Sendable {
            /// Somebody closed it, or its author is out.
            case closed
            /// Somebody is out who may know its secret: nobody answers to it any more.
            case knownOutside
        }

        /// Whether one may come by it, at a time in milliseconds since 1970 by the asker's own clock.
        package func isOpen(at wallTime: Int64) -> Bool {
            ending == nil && joined.count < invite.uses && invite.expires.map { wallTime < $0 } ?? true
        }
    }

    /// What became of an invite; nil where nobody who may opened it. O(its openings, closings and uses, and the removals).
    package func invite(_ id: Bytes32) -> OpenedInvite? {
        let effective = (facts.openings[id] ?? []).filter { isEffective($0.place) }
        guard let opening = effective.first else { return nil }
        let removals = standing.cuttingRemovals
        var ending: OpenedInvite.Ending?
        if effective.contains(where: { opening in !removals.allSatisfy { graph.isPast($0, of: opening.place) } }) {
            ending = .knownOutside
        } else if !isIn(opening.author) || (facts.closings[id] ?? []).contains(where: { isEffective($0.place) }) {
            ending = .closed
        }
        let uses = (facts.admissionsByInvite[id] ?? []).map { facts.admissions[$0] }.filter { isEffective($0.place) }
        return OpenedInvite(
            id: id, invite: opening.invite, place: opening.place, author: opening.author,
            joined: Set(uses.map(\.device.replica)), ending: ending)
    }

    /// Every invite that was ever opened, the earliest first. O(all that was said of invites, times the removals).
    package var invites: [OpenedInvite] {
        facts.openings.keys.compactMap { invite($0) }.sorted { $0.place < $1.place }
    }
}
