package import DeltaCRDT

/// What changes say of who is in, in the order in which they came, and what of it follows from each one's past alone. Only
/// ever added to; what it means for people is `Standing`.
package struct MembershipFacts: Sendable {
    /// A device was let in, or founded the trip.
    package struct AdmissionFact: Sendable {
        package let place: Int
        package let stamp: ChangeStamp
        package let author: ReplicaID
        package let device: Device
        package let name: String
        package let invite: Bytes32?
        package let isGuest: Bool
        package let isFounding: Bool
        /// The openings of the invite that it names that were open in its past; none for a guest.
        let openings: [InviteFacts.Opening]
    }

    package struct RemovalFact: Sendable {
        package let place: Int
        package let author: ReplicaID
        package let participant: Bytes16
    }

    /// A log's keys, and the changes that introduced them.
    private struct Introduction: Sendable {
        let device: Device
        var witnesses = Witnesses()
    }

    package private(set) var admissions: [AdmissionFact] = []
    package private(set) var removals: [RemovalFact] = []
    private(set) var invites = InviteFacts()
    private var introductions: [ReplicaID: Introduction] = [:]
    /// The guests of each participant, and the changes by which devices of theirs admitted them.
    private var guests: [Bytes16: [ReplicaID: Witnesses]] = [:]

    // Indices of admissions and removals, in ascending order of the admissions' stamps.
    private(set) var admissionsOfFirstDevice: [Bytes16: [Int]] = [:]
    private(set) var admissionsOfFurtherDevices: [Bytes16: [Int]] = [:]
    private(set) var admissionsByAuthor: [ReplicaID: [Int]] = [:]
    /// Those that may make the author of an opening the parent.
    private(set) var admissionsByInviter: [ReplicaID: [Int]] = [:]
    private(set) var removalsOf: [Bytes16: [Int]] = [:]
    private(set) var devicesOf: [Bytes16: [ReplicaID]] = [:]

    /// What a log's keys are, where any change here introduces them.
    package func device(_ replica: ReplicaID) -> Device? { introductions[replica]?.device }

    package func participant(of replica: ReplicaID) -> Bytes16? { introductions[replica]?.device.participant }

    /// Whether a cut holds a change that introduced a log's keys.
    func isIntroduced(_ replica: ReplicaID, in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        introductions[replica]?.witnesses.isHeld(in: cut, of: graph) ?? false
    }

    /// The changes that founded the trip, by place.
    var foundings: [Int] { admissions.lazy.filter(\.isFounding).map(\.place) }

    /// What was taken down.
    enum Recorded {
        case admission(Int)
        case removal(Int)
        case other
    }

    /// Takes down what the change at a place says, whose past is `past`.
    mutating func record(
        _ statement: Statement, at place: Int, past: CausalCut, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) -> Recorded {
        let signed = graph.changes[place]
        let author = signed.change.replica
        invites.record(statement, by: author, at: place, in: graph, using: cryptography)
        switch statement {
        case .found(let founder, let name, _):
            introduce(founder, at: place, in: graph)
            return .admission(
                add(
                    AdmissionFact(
                        place: place, stamp: signed.stamp, author: author, device: founder, name: name, invite: nil,
                        isGuest: false, isFounding: true, openings: [])))
        case .admit(let admission):
            introduce(admission.device, at: place, in: graph)
            if admission.isGuest, let host = participant(of: author) {
                guests[host, default: [:]][admission.device.replica, default: Witnesses()].add(place, in: graph)
            }
            let invite = admission.isGuest ? nil : admission.invite
            let openings = invite.map {
                invites.openings(of: $0, openIn: past, for: admission.device.replica, of: graph)
            }
            return .admission(
                add(
                    AdmissionFact(
                        place: place, stamp: signed.stamp, author: author, device: admission.device,
                        name: admission.name, invite: admission.invite, isGuest: admission.isGuest, isFounding: false,
                        openings: openings ?? [])))
        case .remove(let participant, _):
            removals.append(RemovalFact(place: place, author: author, participant: participant))
            removalsOf[participant, default: []].append(removals.count - 1)
            return .removal(removals.count - 1)
        case .invite, .closeInvite, .beginEpoch, .grant: return .other
        }
    }

    private mutating func introduce(_ device: Device, at place: Int, in graph: ChangeGraph) {
        if introductions[device.replica] == nil {
            introductions[device.replica] = Introduction(device: device)
            devicesOf[device.participant, default: []].append(device.replica)
        }
        introductions[device.replica]?.witnesses.add(place, in: graph)
    }

    private mutating func add(_ fact: AdmissionFact) -> Int {
        let index = admissions.count
        admissions.append(fact)
        let participant = fact.device.participant
        insert(index, into: &admissionsByAuthor[fact.author, default: []])
        if fact.isFounding || self.participant(of: fact.author) != participant {
            insert(index, into: &admissionsOfFirstDevice[participant, default: []])
        } else {
            insert(index, into: &admissionsOfFurtherDevices[participant, default: []])
        }
        if let opener = fact.openings.first?.author {
            insert(index, into: &admissionsByInviter[opener, default: []])
        }
        return index
    }

    private func insert(_ index: Int, into indices: inout [Int]) {
        let stamp = admissions[index].stamp
        indices.insert(index, at: indices.partitioningIndex { stamp < admissions[$0].stamp })
    }
}

// MARK: - What is refused: Documentation/Protocol.md, section 3

extension MembershipFacts {
    /// Throws where an author may not write a statement, whatever is effective. O(devices of a participant, or guests of a host).
    func check(
        _ statement: Statement, by author: ReplicaID, past: CausalCut, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) throws(Refusal) {
        switch statement {
        case .admit(let admission): try check(admission, by: author, past: past, in: graph, using: cryptography)
        case .invite(let invite):
            guard invite.participant == nil || invite.participant == participant(of: author) else {
                throw .invalidInvite
            }
        case .found, .closeInvite, .remove, .beginEpoch, .grant: break
        }
    }

    private func check(
        _ admission: Admission, by author: ReplicaID, past: CausalCut, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) throws(Refusal) {
        let device = admission.device
        let host = participant(of: author)
        let isFirst = device.isFirst(using: cryptography)
        guard isFirst || device.participant == host, isFirst || !admission.isGuest else { throw .invalidAdmission }
        let others = (devicesOf[device.participant] ?? []).lazy.filter {
            $0 != device.replica && isIntroduced($0, in: past, of: graph)
        }
        guard others.prefix(ChangeBounds.devicesMax).count < ChangeBounds.devicesMax else { throw .tooManyDevices }
        guard admission.isGuest, let guests = host.flatMap({ guests[$0] }) else { return }
        let otherGuests = guests.lazy.filter { $0.key != device.replica && $0.value.isHeld(in: past, of: graph) }
        guard otherGuests.prefix(ChangeBounds.guestsMax).count < ChangeBounds.guestsMax else { throw .tooManyGuests }
    }
}

extension MembershipFacts {
    /// Traps where an index contradicts the facts. For tests. O(facts · log facts).
    func checkInvariants(_ graph: ChangeGraph) {
        let indices = admissions.indices.sorted { admissions[$0].stamp < admissions[$1].stamp }
        func check(_ index: [some Hashable: [Int]], _ isMeant: (Int) -> Bool, _ meaning: String) {
            let all = index.values.flatMap { $0 }
            precondition(all.count == Set(all).count && Set(all) == Set(indices.filter(isMeant)), meaning)
            for some in index.values {
                precondition(
                    zip(some, some.dropFirst()).allSatisfy { admissions[$0].stamp < admissions[$1].stamp }, meaning)
            }
        }
        let isFurther = { (index: Int) in
            let fact = admissions[index]
            return !fact.isFounding && device(fact.author)?.participant == fact.device.participant
        }
        check(admissionsOfFirstDevice, { !isFurther($0) }, "first devices are let in by others")
        check(admissionsOfFurtherDevices, isFurther, "and further ones by their own person")
        check(admissionsByAuthor, { _ in true }, "every admission has an author")
        check(admissionsByInviter, { !admissions[$0].openings.isEmpty }, "and an inviter where an invite was open")
        for fact in admissions {
            precondition(device(fact.device.replica) == fact.device, "whoever is let in is introduced")
            precondition(device(fact.author) != nil, "as is whoever lets in")
            precondition(fact.openings.allSatisfy { graph.isPast($0.place, of: fact.place) }, "openings were seen")
            precondition(Set(fact.openings.map(\.author)).count <= 1, "and are one device's")
        }
        precondition(Set(devicesOf.values.flatMap { $0 }) == Set(introductions.keys), "each device is somebody's")
        for (replica, introduction) in introductions {
            precondition(introduction.device.replica == replica, "a device goes by its name")
            introduction.witnesses.checkInvariants(graph)
        }
        precondition(removalsOf.values.joined().sorted() == Array(removals.indices), "each removal is of somebody")
        invites.checkInvariants(graph)
    }
}
