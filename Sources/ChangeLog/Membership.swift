package import DeltaCRDT

/// Who is in, as the changes held say: what they say in order, and what follows from it.
package struct Membership: Sendable {
    /// A device that was let in at some time, or that founded the trip.
    package struct Member: Sendable {
        package let device: Device
        /// The changes that let it in, by their places in the log: more than one where two members did so at once.
        package fileprivate(set) var admissions: [Int] = []
        /// The name by which it was introduced.
        package fileprivate(set) var name = ""
        /// Whether an admission of it counts, and nobody took its participant out.
        package fileprivate(set) var isIn = false
    }

    /// Somebody of the trip, with all devices.
    package struct Person: Sendable {
        package let id: Bytes16
        /// The name by which they introduced themselves when they came.
        package let name: String
        /// Who brought them: whose invite they came by, or who let them in without one; nil for the founder.
        package let parent: Bytes16?
        /// Whether they have no node of their own, and their parent's keeps their log.
        package let isGuest: Bool
        /// Their devices, the first ones first.
        package internal(set) var devices: [ReplicaID] = []
        /// The changes that took them out, by place, ascending. What lies in the past of all of these counts.
        package internal(set) var removals: [Int] = []
        /// How many steps above them the founder is.
        package let depth: Int

        package var isIn: Bool { removals.isEmpty }

        /// Whether a change at a place was written before every removal of them, or is one.
        func wasIn(at place: Int, isPast: (Int, Int) -> Bool) -> Bool {
            removals.allSatisfy { $0 == place || isPast(place, $0) }
        }
    }

    /// An invite, and what became of it.
    package struct OpenedInvite: Sendable {
        package let invite: Invite
        /// Where the log opens it.
        package let place: Int
        package let author: ReplicaID
        /// Whether somebody closed it, or its author is out.
        package internal(set) var isClosed = false
        /// Whether somebody who was taken out may know its secret: then it is closed, and nobody answers to it any more.
        package internal(set) var isKnownOutside = false
        /// The devices that came by it.
        package internal(set) var joined: Set<ReplicaID> = []

        fileprivate init(_ fact: OpeningFact) {
            invite = fact.invite
            place = fact.place
            author = fact.author
        }

        /// Whether one may still come by it, at a time in milliseconds since 1970 by the asker's own clock.
        package func isOpen(at wallTime: Int64) -> Bool {
            guard !isClosed, !isKnownOutside, joined.count < invite.uses else { return false }
            guard let expires = invite.expires else { return true }
            return wallTime < expires
        }
    }

    struct AdmissionFact: Sendable {
        let place: Int
        let author: ReplicaID
        let device: Device
        let name: String
        let invite: Bytes32?
        let isGuest: Bool
        let isFounding: Bool
        let stamp: Stamp
    }

    struct OpeningFact: Sendable {
        let place: Int
        let author: ReplicaID
        let invite: Invite
        let stamp: Stamp
    }

    /// Orders what says the same: the lower goes first.
    struct Stamp: Comparable, Sendable {
        let lamport: UInt64
        let hash: Bytes32

        static func < (left: Stamp, right: Stamp) -> Bool {
            (left.lamport, left.hash) < (right.lamport, right.hash)
        }
    }

    struct RemovalFact: Sendable {
        let place: Int
        let author: ReplicaID
        let participant: Bytes16
    }

    struct EpochFact: Sendable {
        let place: Int
        let author: ReplicaID
        let epoch: Bytes16
        let hash: Bytes32
        /// The replicas that it was sealed to.
        let replicas: [ReplicaID]
        let kind: Kind

        enum Kind: Hashable, Sendable {
            case removal, beginning
            /// Seals an epoch again that something else began.
            case grant
        }
    }

    var admissions: [AdmissionFact] = []
    /// The changes that opened each invite, the lowest stamp first: more than one where somebody opened another's again.
    private var openings: [Bytes32: [OpeningFact]] = [:]
    var removals: [RemovalFact] = []
    var epochFacts: [EpochFact] = []
    var closings: [(place: Int, author: ReplicaID, invite: Bytes32)] = []

    /// What replicas wrote after their first fork that have more branches than anybody has by accident.
    var beyondForks: Set<Int> = []

    var members: [ReplicaID: Member] = [:]
    var people: [Bytes16: Person] = [:]
    var invites: [Bytes32: OpenedInvite] = [:]
    var replicaOfAgreementKey: [Bytes32: ReplicaID] = [:]
    /// The epochs that may be used, the one to use first.
    package internal(set) var epochRanking: [RankedEpoch] = []

    /// Grows whenever who is in may have changed.
    package private(set) var version = 0

    /// Takes the place of another, whose versions were others.
    mutating func follow(_ other: Membership) { version += other.version }

    /// Whether anybody was ever taken out, justly or not.
    package var hasRemovals: Bool { !removals.isEmpty }

    /// A device that was let in at some time, by its log's name.
    package func device(_ replica: ReplicaID) -> Member? { members[replica] }

    package func person(_ id: Bytes16) -> Person? { people[id] }

    /// Whether a device was let in, and is not out.
    package func isIn(_ replica: ReplicaID) -> Bool { members[replica]?.isIn ?? false }

    /// Whether a device's participant was taken out by somebody who may.
    package func isOut(_ replica: ReplicaID) -> Bool {
        guard let member = members[replica] else { return false }
        return !(people[member.device.participant]?.isIn ?? true)
    }

    /// The member that shows this X25519 key in sessions.
    package func member(agreementKey: Bytes32) -> Member? {
        replicaOfAgreementKey[agreementKey].flatMap { members[$0] }
    }

    package func invite(_ id: Bytes32) -> OpenedInvite? { invites[id] }

    /// The changes that opened an invite, the lowest stamp first.
    func openings(of id: Bytes32) -> [OpeningFact] { openings[id] ?? [] }

    /// Every device that is in, in the order of their logs' names. O(devices log devices).
    package var allMembers: [Member] {
        members.values.filter(\.isIn).sorted { $0.device.replica < $1.device.replica }
    }

    /// Whether a device is a guest's, who has no node: nobody meets it, and its host's node reads for it.
    package func isGuest(_ replica: ReplicaID) -> Bool {
        members[replica].flatMap { people[$0.device.participant] }?.isGuest ?? false
    }

    /// Every device that is in and has a node of its own, in the order of their logs' names. O(devices log devices).
    package var membersWithNode: [Member] { allMembers.filter { !isGuest($0.device.replica) } }

    /// Everybody who is or was in: each after whoever brought them, siblings in the order of their names for this trip.
    package var allPeople: [Person] {
        let children = Dictionary(grouping: people.values.filter { $0.parent != nil }) { $0.parent ?? $0.id }
        var result: [Person] = []
        var next = people.values.filter { $0.parent == nil }.sorted { $0.id > $1.id }
        while let person = next.popLast() {
            result.append(person)
            next += (children[person.id] ?? []).sorted { $0.id > $1.id }
        }
        return result
    }

    /// Whether one participant brought another, or brought whoever did.
    package func isAncestor(_ elder: Bytes16, of younger: Bytes16) -> Bool {
        var person = people[younger]
        while let parent = person?.parent {
            if parent == elder { return true }
            person = people[parent]
        }
        return false
    }

    // MARK: - Taking in

    /// Takes down what a change at a place says.
    /// - Returns: whether what follows must be derived anew by `evaluate`: where anybody was ever taken out, or is by
    ///   this, where it begins an epoch, or where it came in another order than that of the stamps.
    mutating func record(
        _ operation: MembershipOperation, at place: Int, hash: Bytes32, change: Change,
        using cryptography: some Cryptography
    ) -> Bool {
        version += 1
        var isInOrder = true
        let stamp = Stamp(lamport: change.lamport, hash: hash)
        switch operation {
        case .found(let founder, let name):
            isInOrder = admit(
                AdmissionFact(
                    place: place, author: change.replica, device: founder, name: name, invite: nil, isGuest: false,
                    isFounding: true, stamp: stamp))
        case .admit(let admission):
            isInOrder = admit(
                AdmissionFact(
                    place: place, author: change.replica, device: admission.device, name: admission.name,
                    invite: admission.invite, isGuest: admission.isGuest, isFounding: false, stamp: stamp))
        case .invite(let invite):
            let id = invite.id(using: cryptography)
            let opening = OpeningFact(place: place, author: change.replica, invite: invite, stamp: stamp)
            isInOrder = openings[id] == nil
            if isInOrder { invites[id] = OpenedInvite(opening) }
            let index = openings[id]?.firstIndex { stamp < $0.stamp } ?? openings[id]?.count ?? 0
            openings[id, default: []].insert(opening, at: index)
        case .closeInvite(let id):
            closings.append((place, change.replica, id))
            invites[id]?.isClosed = true
        case .remove(let participant, let grant):
            removals.append(RemovalFact(place: place, author: change.replica, participant: participant))
            if let grant { record(grant, .removal, at: place, hash: hash, by: change.replica) }
        case .beginEpoch(let grant):
            record(grant, .beginning, at: place, hash: hash, by: change.replica)
            isInOrder = false
        case .grant(let grant): record(grant, .grant, at: place, hash: hash, by: change.replica)
        }
        return hasRemovals || !isInOrder
    }

    private mutating func record(
        _ grant: EpochGrant, _ kind: EpochFact.Kind, at place: Int, hash: Bytes32, by author: ReplicaID
    ) {
        epochFacts.append(
            EpochFact(
                place: place, author: author, epoch: grant.epoch, hash: hash, replicas: grant.boxes.map(\.replica),
                kind: kind))
    }

    /// Says whether what follows is settled: where nobody was ever taken out, nothing else needs to be looked at again,
    /// unless another admission of the same person comes after this one, somebody else opened the same invite, another
    /// device claims the same session key, or this founds the trip again.
    private mutating func admit(_ fact: AdmissionFact) -> Bool {
        admissions.append(fact)
        members[fact.device.replica, default: Member(device: fact.device)].admissions.append(fact.place)
        let participant = fact.device.participant
        let isInOrder =
            !(fact.isFounding && admissions.count > 1) && isUnclaimed(fact.device)
            && fact.invite.map { openings(of: $0).count == 1 } ?? true
            && (people[participant] == nil
                || admissions.dropLast().allSatisfy {
                    $0.device.participant != participant || $0.stamp < fact.stamp
                })
        if isInOrder, !hasRemovals { settle(fact) { _, _ in true } }
        return isInOrder
    }

    /// Derives everything that follows, from nothing.
    ///
    /// From the founder down: whoever brought somebody is settled before them, and so is up to where their own changes
    /// count. O(admissions² in the worst case, where every pass settles one; admissions where nothing is out of order).
    /// - Parameter isPast: whether the change at one place is in the past of the change at another.
    mutating func evaluate(isPast: (Int, Int) -> Bool) {
        version += 1
        people = [:]
        replicaOfAgreementKey = [:]
        for replica in members.keys { members[replica]?.isIn = false }
        invites = openings.compactMapValues { $0.first.map(OpenedInvite.init) }
        let founding = founding
        var waiting = admissions.sorted { $0.stamp < $1.stamp }
        var settled: [AdmissionFact] = []
        var before = -1
        while settled.count > before, !waiting.isEmpty {
            before = settled.count
            var rest: [AdmissionFact] = []
            for fact in waiting {
                if fact.place == founding || isFurtherFounding(fact, isPast: isPast)
                    || counts(fact.place, by: fact.author, isPast: isPast)
                {
                    settle(fact, isPast: isPast)
                    settled.append(fact)
                } else {
                    rest.append(fact)
                }
            }
            waiting = rest
        }
        assignAgreementKeys(settled)
        let removed = countingRemovals
        for (id, openings) in openings {
            let counting = openings.filter { counts($0.place, by: $0.author, isPast: isPast) }
            guard let opening = counting.first else {
                invites[id] = nil
                continue
            }
            var opened = OpenedInvite(opening)
            opened.joined = invites[id]?.joined ?? []
            opened.isClosed = isOut(opening.author)
            // Members know the secrets of open invites: whoever is out would come back by one.
            opened.isKnownOutside = counting.contains { opening in
                !removed.allSatisfy { isPast($0, opening.place) }
            }
            invites[id] = opened
        }
        for closing in closings where counts(closing.place, by: closing.author, isPast: isPast) {
            invites[closing.invite]?.isClosed = true
        }
        rankEpochs(isPast: isPast)
    }

    /// Whether a change counts: its author's device is in, and its author was in when it was written.
    func counts(_ place: Int, by author: ReplicaID, isPast: (Int, Int) -> Bool) -> Bool {
        guard !beyondForks.contains(place), let member = members[author],
            let person = people[member.device.participant],
            person.devices.contains(author)
        else { return false }
        return person.wasIn(at: place, isPast: isPast)
    }

    private mutating func settle(_ fact: AdmissionFact, isPast: (Int, Int) -> Bool) {
        let device = fact.device
        if people[device.participant] == nil {
            guard let person = person(of: fact, isPast: isPast) else { return }
            people[device.participant] = person
        }
        guard let person = people[device.participant] else { return }
        if !person.devices.contains(device.replica) {
            people[device.participant]?.devices.append(device.replica)
            members[device.replica]?.name = fact.name
        }
        members[device.replica]?.isIn = person.isIn
        if let id = fact.invite { invites[id]?.joined.insert(device.replica) }
        if isUnclaimed(device) { replicaOfAgreementKey[device.agreementKey] = device.replica }
    }

    /// Somebody new; nil where their author is nobody.
    private func person(of fact: AdmissionFact, isPast: (Int, Int) -> Bool) -> Person? {
        let id = fact.device.participant
        guard !fact.isFounding else {
            var founder = Person(id: id, name: fact.name, parent: nil, isGuest: false, depth: 0)
            founder.removals = removals(of: id, below: nil, isPast: isPast)
            return founder
        }
        // Who invited is who brought them, whoever was near to open the door.
        let host = members[fact.author]?.device.participant
        let opening = fact.invite.flatMap { invite in
            openings(of: invite).first {
                isPast($0.place, fact.place) && counts($0.place, by: $0.author, isPast: isPast)
            }
        }
        let inviter = opening.flatMap { members[$0.author]?.device.participant }
        guard let parent = (fact.isGuest ? host : inviter ?? host).flatMap({ people[$0] }), parent.id != id else {
            return nil
        }
        var person = Person(
            id: id, name: fact.name, parent: parent.id, isGuest: fact.isGuest, depth: parent.depth + 1)
        person.removals = removals(of: id, below: parent, isPast: isPast)
        if fact.isGuest { person.removals = (person.removals + parent.removals).sorted() }
        return person
    }

    /// The removals of somebody that count: by those above them, and by themselves as far as those above let them.
    private func removals(of id: Bytes16, below parent: Person?, isPast: (Int, Int) -> Bool) -> [Int] {
        let meant = removals.filter { $0.participant == id }
        guard !meant.isEmpty else { return [] }
        var elders: Set<Bytes16> = []
        var elder = parent
        while let person = elder {
            elders.insert(person.id)
            elder = person.parent.flatMap { people[$0] }
        }
        let byElders = meant.filter { fact in
            guard let author = members[fact.author]?.device.participant, elders.contains(author) else { return false }
            return counts(fact.place, by: fact.author, isPast: isPast)
        }
        let byThemselves = meant.filter { fact in
            members[fact.author]?.device.participant == id && !beyondForks.contains(fact.place)
                && byElders.allSatisfy { isPast(fact.place, $0.place) }
        }
        return (byElders + byThemselves).map(\.place).sorted()
    }
}
