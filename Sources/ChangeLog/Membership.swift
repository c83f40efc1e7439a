package import DeltaCRDT

/// Who is in, as the changes held say.
package struct Membership: Sendable {
    /// A device that was let in, or that founded the trip.
    package struct Member: Sendable {
        package let device: Device
        /// The name by which its person introduced themselves when they came.
        package private(set) var name: String
        /// The changes that let it in, by their places in the log: more than one where two members did so at once.
        package private(set) var admissions: [Int]
        /// The log of the device that let it in: of several, that of the lowest Lamport time and hash.
        package private(set) var parent: ReplicaID?
        private var stamp: (lamport: UInt64, hash: Bytes32)

        init(device: Device, name: String, place: Int, parent: ReplicaID?, stamp: (lamport: UInt64, hash: Bytes32)) {
            self.device = device
            self.name = name
            admissions = [place]
            self.parent = parent
            self.stamp = stamp
        }

        mutating func admit(name: String, place: Int, parent: ReplicaID?, stamp: (lamport: UInt64, hash: Bytes32)) {
            admissions.append(place)
            guard stamp < self.stamp else { return }
            (self.name, self.parent, self.stamp) = (name, parent, stamp)
        }
    }

    /// An invite, and what became of it.
    package struct OpenedInvite: Sendable {
        package let invite: Invite
        /// Where the log opens it.
        package let place: Int
        package let author: ReplicaID
        package fileprivate(set) var isClosed = false
        /// The devices that came by it.
        package fileprivate(set) var joined: Set<ReplicaID> = []

        /// Whether one may still come by it, at a time in milliseconds since 1970 by the asker's own clock.
        package func isOpen(at wallTime: Int64) -> Bool {
            guard !isClosed, joined.count < invite.uses else { return false }
            guard let expires = invite.expires else { return true }
            return wallTime < expires
        }
    }

    private var members: [ReplicaID: Member] = [:]
    private var replicaOfAgreementKey: [Bytes32: ReplicaID] = [:]
    private var invites: [Bytes32: OpenedInvite] = [:]

    package func device(_ replica: ReplicaID) -> Member? { members[replica] }

    /// The member that shows this X25519 key in sessions.
    package func member(agreementKey: Bytes32) -> Member? {
        replicaOfAgreementKey[agreementKey].flatMap { members[$0] }
    }

    package func invite(_ id: Bytes32) -> OpenedInvite? { invites[id] }

    /// Every device, in the order of their logs' names.
    package var allMembers: [Member] {
        members.values.sorted { $0.device.replica < $1.device.replica }
    }

    /// The invites that one may come by at a time, the earliest opened first.
    package func openInvites(at wallTime: Int64) -> [(id: Bytes32, invite: OpenedInvite)] {
        sortedInvites { $0.isOpen(at: wallTime) }
    }

    /// The invites that are used up, closed or past their time, in the order of the log.
    package func endedInvites(at wallTime: Int64) -> [(id: Bytes32, invite: OpenedInvite)] {
        sortedInvites { !$0.isOpen(at: wallTime) }
    }

    private func sortedInvites(
        where isMeant: (OpenedInvite) -> Bool
    ) -> [(id: Bytes32, invite: OpenedInvite)] {
        invites.map { (id: $0.key, invite: $0.value) }
            .filter { isMeant($0.invite) }
            .sorted { $0.invite.place < $1.invite.place }
    }

    mutating func apply(
        _ operation: MembershipOperation, at place: Int, hash: Bytes32, change: Change,
        using cryptography: some Cryptography
    ) {
        switch operation {
        case .found(let founder, let name):
            admit(founder, name: name, place: place, parent: nil, stamp: (change.lamport, hash))
        case .invite(let invite):
            let id = invite.id(using: cryptography)
            if invites[id] == nil {
                invites[id] = OpenedInvite(invite: invite, place: place, author: change.replica)
            }
        case .closeInvite(let id):
            invites[id]?.isClosed = true
        case .admit(let admission):
            admit(
                admission.device, name: admission.name, place: place, parent: change.replica,
                stamp: (change.lamport, hash))
            if let id = admission.invite { invites[id]?.joined.insert(admission.device.replica) }
        }
    }

    private mutating func admit(
        _ device: Device, name: String, place: Int, parent: ReplicaID?, stamp: (lamport: UInt64, hash: Bytes32)
    ) {
        if members[device.replica] == nil {
            members[device.replica] = Member(device: device, name: name, place: place, parent: parent, stamp: stamp)
        } else {
            members[device.replica]?.admit(name: name, place: place, parent: parent, stamp: stamp)
        }
        // Where two devices claim one session key, the lower name has it, whichever was heard of first.
        if let other = replicaOfAgreementKey[device.agreementKey], other < device.replica { return }
        replicaOfAgreementKey[device.agreementKey] = device.replica
    }
}
