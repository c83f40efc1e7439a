import ChangeLog
import DeltaCRDT

/// One of a node's connections, as far as its dialer needs to know it.
struct Contact: Sendable {
    let id: ConnectionID
    /// Whether this node dialed it.
    let isDialled: Bool
    /// When it was accepted, dialed or connected.
    let begun: UInt64
    /// The peer of its session; nil during the handshake.
    let peer: Peer?

    struct Peer: Hashable, Sendable {
        /// The member's device; nil if the peer is not known to be a member.
        var member: ReplicaID?
        /// The run of the peer's node; nil before its hello.
        var incarnation: Bytes16?
    }
}

/// A node's connections at one time, the sessions in ascending order of their numbers, and where their peers are in the invitation tree.
struct Contacts {
    let all: [Contact]
    /// The persons from the founder down to a device's own; empty for a device that is not in the log.
    let line: (ReplicaID) -> [Bytes32]

    /// Dials without a session so far.
    var dialsUnderWay: Int { all.count { $0.isDialled && $0.peer == nil } }

    /// Sessions with members.
    var memberCount: Int { all.count { $0.peer?.member != nil } }

    /// The sessions with members that this node dialed, the newest last.
    var dialledMembers: [Contact] { all.filter { $0.isDialled && $0.peer?.member != nil } }

    /// The devices and the runs of nodes that there are sessions with.
    struct Met {
        var replicas: [ReplicaID] = []
        var incarnations: [Bytes16] = []
    }

    var met: Met {
        var met = Met()
        for contact in all {
            if let replica = contact.peer?.member { met.replicas.append(replica) }
            if let incarnation = contact.peer?.incarnation { met.incarnations.append(incarnation) }
        }
        return met
    }

    /// Some sessions with members, by the branches of their persons.
    func branches(of some: [Contact]) -> InvitationBranches<ConnectionID> {
        var branches = InvitationBranches<ConnectionID>()
        for contact in some { branches.add(contact.id, line: contact.peer?.member.map(line) ?? []) }
        return branches
    }

    /// What becomes of a session that has just begun.
    enum Place: Hashable, Sendable {
        /// It stays.
        case free
        /// It stays, and this one ends.
        case inPlaceOf(ConnectionID)
        /// It ends.
        case none
    }

    /// Whether there is a place for a session that has just begun. A peer of the largest branch of the trip makes room. If the new
    /// session is in that branch too, a peer with an old session makes room.
    func place(
        for id: ConnectionID, at now: UInt64, limits: SessionLimits, using generator: inout some RandomNumberGenerator
    ) -> Place {
        let accepted = all.filter { !$0.isDialled && $0.peer?.member != nil }
        let others = accepted.filter { $0.id != id }
        guard others.count < accepted.count, others.count >= limits.acceptedPeersMax else { return .free }
        let overrepresented = Set(branches(of: accepted).overrepresented)
        guard overrepresented.contains(id) else {
            // A branch of the trip has more than its share. Its latest session ends, and its old ones stay.
            let latest = others.filter { overrepresented.contains($0.id) }.max { ($0.begun, $0.id) < ($1.begun, $1.id) }
            return latest.map { .inPlaceOf($0.id) } ?? .free
        }
        let settled = others.filter { overrepresented.contains($0.id) && $0.begun + limits.displaceableAge <= now }
        guard !settled.isEmpty else { return .none }
        return .inPlaceOf(settled[Int(generator.number(below: UInt64(settled.count)))].id)
    }
}
