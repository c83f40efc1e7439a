package import DeltaCRDT

/// What changes say of who is in, in the order in which they came. Only ever added to; what it means for people is the `Roster`.
package struct MembershipFacts: Sendable {
    /// A device was let in, or founded the trip.
    package struct AdmissionFact: Sendable {
        package let place: Int
        package let stamp: ChangeStamp
        package let author: ReplicaID
        package let device: Device
        package let name: String
    }

    /// What opens an invite. All of one invite are by one device and on the same terms, for its id commits to both.
    struct OpenedInvite: Sendable {
        let id: Bytes32
        let invite: Invite
        let opener: Device
    }

    package private(set) var said = RosterIndex()
    /// By the index of the person, the device and the invite.
    package private(set) var persons: [Bytes32] = []
    package private(set) var devices: [Device] = []
    private(set) var invites: [OpenedInvite] = []
    private var personIndex: [Bytes32: Int] = [:]
    private var deviceIndex: [ReplicaID: Int] = [:]
    private var inviteIndex: [Bytes32: Int] = [:]
    /// The changes that introduced each device, and those that opened each invite.
    private var introductions: [Witnesses] = []
    private var openings: [Witnesses] = []
    /// Of each person, the devices of their guests.
    private var guests: [[Int]] = []
    /// Of each device, what let it in, as it came.
    private(set) var admissions: [[AdmissionFact]] = []
    /// Further devices that came by each invite.
    private var furtherUses: [[(place: Int, device: ReplicaID)]] = []

    // MARK: - Names

    package func index(ofPerson id: Bytes32) -> Int? { personIndex[id] }

    package func index(ofDevice replica: ReplicaID) -> Int? { deviceIndex[replica] }

    func index(ofInvite id: Bytes32) -> Int? { inviteIndex[id] }

    /// What a log's keys are, where any change here introduces them.
    package func device(_ replica: ReplicaID) -> Device? { deviceIndex[replica].map { devices[$0] } }

    package func participant(of replica: ReplicaID) -> Bytes32? { device(replica)?.participant }

    /// The index of the person whose device a log is.
    func person(of replica: ReplicaID) -> Int? { deviceIndex[replica].map { said.names.devices[$0].person } }

    /// Whether a cut holds a change that introduced a log's keys.
    func isIntroduced(_ replica: ReplicaID, in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        deviceIndex[replica].map { introductions[$0].isHeld(in: cut, of: graph) } ?? false
    }

    /// Devices that came by an invite, among the changes that are seen.
    func devices(cameBy invite: Int, isSeen: (Int) -> Bool) -> Set<ReplicaID> {
        let first = said.uses[invite].compactMap { use -> ReplicaID? in
            guard isSeen(use.place), case .admit(let device) = use.kind else { return nil }
            return devices[device].replica
        }
        return Set(first).union(furtherUses[invite].filter { isSeen($0.place) }.map(\.device))
    }

    // MARK: - Adding

    /// What was taken down, as far as who is in depends on it.
    enum Recorded {
        /// Nothing.
        case other
        /// A person or a device that was not here.
        case newcomer(RosterStatement)
        /// Anything else.
        case statement
    }

    /// Takes down what the change at a place says, which was checked.
    mutating func record(
        _ statement: Statement, at place: Int, in graph: ChangeGraph, using cryptography: some Cryptography
    ) -> Recorded {
        let signed = graph.changes[place]
        var isNew = false
        let kind: RosterStatement.Kind
        switch statement {
        case .found(let founder, let name, _):
            let device = introduce(founder, at: place, in: graph) { RosterNames.Person(parent: nil) }
            admissions[device].append(
                AdmissionFact(
                    place: place, stamp: signed.stamp, author: founder.replica, device: founder, name: name))
            kind = .found(device: device)
        case .invite(let invite):
            guard let opener = device(signed.change.replica) else { return .other }
            kind = .open(invite: open(invite, by: opener, at: place, in: graph, using: cryptography), uses: invite.uses)
        case .closeInvite(let id):
            guard let invite = inviteIndex[id] else { return .other }
            kind = .close(invite: invite)
        case .admit(let admission):
            let isKnown = personIndex[admission.device.participant] != nil
            let isHere = deviceIndex[admission.device.replica] != nil
            kind = .admit(device: take(admission, by: signed, at: place, in: graph, using: cryptography))
            if case .admit(let device) = kind { isNew = !isKnown || !isHere && !said.names.devices[device].isFirst }
        case .remove(let participant, let kept, _):
            guard let person = personIndex[participant] else { return .other }
            kind = .remove(person: person, kept: kept?.compactMap { graph.place(of: $0) })
        case .end(let replica, let last, _):
            guard let device = deviceIndex[replica] else { return .other }
            kind = .end(device: device, last: last.flatMap { graph.place(of: $0) })
        case .beginEpoch, .grant: return .other
        }
        guard let author = deviceIndex[signed.change.replica] else { return .other }
        let recorded = RosterStatement(place: place, author: author, kind: kind)
        said.add(recorded, graph)
        switch kind {
        case .open, .close: return .other
        case .admit: return isNew ? .newcomer(recorded) : .statement
        case .found, .remove, .end: return .statement
        }
    }

    private mutating func introduce(
        _ device: Device, at place: Int, in graph: ChangeGraph, as person: () -> RosterNames.Person
    ) -> Int {
        let whose = personIndex[device.participant] ?? persons.count
        if whose == persons.count {
            personIndex[device.participant] = whose
            persons.append(device.participant)
            guests.append([])
            said.add(person())
        }
        let index = deviceIndex[device.replica] ?? devices.count
        if index == devices.count {
            deviceIndex[device.replica] = index
            // The device by which a person is named is the first to be introduced; others of its key are named alike.
            let isFirst = said.devices[whose].first.map { devices[$0].signingKey == device.signingKey } ?? true
            devices.append(device)
            introductions.append(Witnesses())
            admissions.append([])
            said.add(RosterNames.Device(person: whose, isFirst: isFirst))
        }
        introductions[index].add(place, in: graph)
        return index
    }

    private mutating func open(
        _ invite: Invite, by opener: Device, at place: Int, in graph: ChangeGraph, using cryptography: some Cryptography
    ) -> Int {
        let id = invite.id(openedBy: opener, using: cryptography)
        let index = inviteIndex[id] ?? invites.count
        if index == invites.count, let person = personIndex[opener.participant] {
            inviteIndex[id] = index
            invites.append(OpenedInvite(id: id, invite: invite, opener: opener))
            openings.append(Witnesses())
            furtherUses.append([])
            said.add(inviteOf: person)
        }
        openings[index].add(place, in: graph)
        return index
    }

    private mutating func take(
        _ admission: Admission, by signed: SignedChange, at place: Int, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) -> Int {
        let host = person(of: signed.change.replica)
        let invite = admission.invite.flatMap { inviteIndex[$0] }
        let isOnesGuest = host.map { isGuest(admission.device, of: persons[$0], using: cryptography) } ?? false
        let opener = invite.flatMap { personIndex[invites[$0].opener.participant] }
        let device = introduce(admission.device, at: place, in: graph) {
            RosterNames.Person(
                parent: isOnesGuest ? host : opener, isGuest: isOnesGuest, invite: isOnesGuest ? nil : invite)
        }
        if isOnesGuest, let host, !guests[host].contains(device) { guests[host].append(device) }
        if let invite, !said.names.devices[device].isFirst {
            furtherUses[invite].append((place, admission.device.replica))
        }
        admissions[device].append(
            AdmissionFact(
                place: place, stamp: signed.stamp, author: signed.change.replica, device: admission.device,
                name: admission.name))
        return device
    }

    private func isGuest(_ device: Device, of host: Bytes32, using cryptography: some Cryptography) -> Bool {
        device.participant
            == Origin.guest(of: host).participant(signingKey: device.signingKey, using: cryptography)
    }
}

// MARK: - What is refused: Documentation/Protocol.md, section 3

extension MembershipFacts {
    /// Throws where an author may not write a statement, whatever counts. O(depth, and devices of a participant or of its guests).
    func check(
        _ statement: Statement, by replica: ReplicaID, past: CausalCut, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) throws(Refusal) {
        if case .found = statement { return }
        guard let index = deviceIndex[replica] else { throw .unknownAuthor }
        let author = devices[index]
        let whose = said.names.devices[index].person
        guard !said.names.persons[whose].isGuest else { throw .statementOfGuest }
        switch statement {
        case .admit(let admission): try check(admission, by: author, past: past, in: graph, using: cryptography)
        case .invite(let invite):
            guard invite.participant == nil || invite.participant == author.participant else { throw .invalidInvite }
        case .closeInvite(let id):
            guard let invite = inviteIndex[id], openings[invite].isHeld(in: past, of: graph) else {
                throw .unknownSubject
            }
        case .remove(let participant, let kept, _):
            guard let person = personIndex[participant], isIntroduced(person: person, in: past, of: graph),
                (kept ?? []).allSatisfy({ graph.place(of: $0).map { graph.contains($0, in: past) } ?? false })
            else { throw .unknownSubject }
        case .end(let ended, let last, _):
            try check(endOf: ended, last: last, by: index, past: past, in: graph)
        case .found, .beginEpoch, .grant: break
        }
    }

    private func isIntroduced(person: Int, in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        said.devices[person].contains { introductions[$0].isHeld(in: cut, of: graph) }
    }

    private func check(
        _ admission: Admission, by author: Device, past: CausalCut, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) throws(Refusal) {
        let device = admission.device
        if let id = admission.invite,
            device.participant == Origin.invited(id).participant(signingKey: device.signingKey, using: cryptography)
        {
            guard let invite = inviteIndex[id], invites[invite].invite.participant == nil,
                openings[invite].isHeld(in: past, of: graph)
            else { throw .invalidAdmission }
            try checkDepth(below: invites[invite].opener.participant)
        } else if isGuest(device, of: author.participant, using: cryptography) {
            guard admission.invite == nil, let host = personIndex[author.participant] else { throw .invalidAdmission }
            try checkDepth(below: author.participant)
            // A guest who was removed gives the place back.
            let remaining = guests[host].filter { guest in
                !said.removals[said.names.devices[guest].person].contains { graph.contains($0.place, in: past) }
            }
            guard others(of: remaining, than: device.replica, in: past, of: graph) < ChangeBounds.guestsMax else {
                throw .tooManyGuests
            }
        } else {
            guard let person = personIndex[author.participant], device.participant == author.participant,
                device.signingKey != said.devices[person].first.map({ devices[$0].signingKey })
            else { throw .invalidAdmission }
            let known = others(of: said.devices[person], than: device.replica, in: past, of: graph)
            guard known < ChangeBounds.devicesMax else { throw .tooManyDevices }
        }
    }

    private func others(of some: [Int], than replica: ReplicaID, in past: CausalCut, of graph: ChangeGraph) -> Int {
        some.count { devices[$0].replica != replica && introductions[$0].isHeld(in: past, of: graph) }
    }

    private func checkDepth(below parent: Bytes32) throws(Refusal) {
        let depth = personIndex[parent].map { said.names.depth(of: $0) } ?? 0
        guard depth < ChangeBounds.depthMax else { throw .tooDeep }
    }

    private func check(
        endOf ended: ReplicaID, last: Bytes32?, by author: Int, past: CausalCut, in graph: ChangeGraph
    ) throws(Refusal) {
        guard let device = deviceIndex[ended], said.names.devices[author].isFirst,
            !said.names.devices[device].isFirst,
            said.names.devices[device].person == said.names.devices[author].person,
            introductions[device].isHeld(in: past, of: graph)
        else { throw .invalidEnd }
        guard let last else { return }
        guard let place = graph.place(of: last), graph.changes[place].change.replica == ended,
            graph.contains(place, in: past)
        else { throw .invalidEnd }
    }
}

extension MembershipFacts {
    /// Traps where an index contradicts the facts. For tests. O(facts · log facts).
    func checkInvariants(_ graph: ChangeGraph) {
        precondition(
            persons.count == said.names.persons.count && persons.count == guests.count, "columns of one length")
        precondition(devices.count == said.names.devices.count && devices.count == admissions.count, "of devices too")
        precondition(invites.count == said.names.openers.count && invites.count == openings.count, "and of invites")
        for (index, device) in devices.enumerated() {
            precondition(self.index(ofDevice: device.replica) == index, "a device is found by its name")
            precondition(persons[said.names.devices[index].person] == device.participant, "and is its person's")
            introductions[index].checkInvariants(graph)
        }
        for (index, invite) in invites.enumerated() {
            precondition(inviteIndex[invite.id] == index, "an invite is found by its name")
            openings[index].checkInvariants(graph)
        }
        for fact in admissions.joined() {
            precondition(device(fact.device.replica) == fact.device, "who is let in is introduced")
            precondition(device(fact.author) != nil, "as is who lets in")
        }
    }
}
