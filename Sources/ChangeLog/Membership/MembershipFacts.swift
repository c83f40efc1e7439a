package import DeltaCRDT

/// What changes say of who is in, with a number for each person, device and invite that they name. Only ever added to; what it means
/// for people is the `Roster`.
package struct MembershipFacts: Sendable {
    private(set) var said = RosterIndex()
    /// By their numbers.
    private(set) var persons: [Bytes32] = []
    package private(set) var devices: [Device] = []
    /// All openings of one invite are by one device and on the same terms, for its id commits to both.
    private(set) var invites: [(id: Bytes32, invite: Invite, opener: Device)] = []
    private var personIndex: [Bytes32: Int] = [:]
    private var deviceIndex: [ReplicaID: Int] = [:]
    private var inviteIndex: [Bytes32: Int] = [:]
    /// The admissions that name each invite, by index.
    private(set) var admissionsNaming: [Bytes32: [Int]] = [:]

    func index(ofPerson id: Bytes32) -> Int? { personIndex[id] }

    func index(ofDevice replica: ReplicaID) -> Int? { deviceIndex[replica] }

    func index(ofInvite id: Bytes32) -> Int? { inviteIndex[id] }

    /// What a log's keys are, where any change here introduces them.
    func device(_ replica: ReplicaID) -> Device? { deviceIndex[replica].map { devices[$0] } }

    package func participant(of replica: ReplicaID) -> Bytes32? { device(replica)?.participant }

    // MARK: - Adding

    /// Takes down what the change at an index says, which was checked.
    /// - Returns: whether who is in may follow from it.
    mutating func record(
        _ statement: Statement, at index: Int, in graph: ChangeGraph, using cryptography: some Cryptography
    ) -> Bool {
        let replica = graph[index].change.replica
        var kind: RosterStatement.Kind?
        switch statement {
        case .found(let founder, _, _):
            kind = .found(device: introduce(founder, as: RosterNames.Person(parent: nil)))
        case .invite(let invite):
            kind = device(replica).map { .open(invite: open(invite, by: $0, using: cryptography), uses: invite.uses) }
        case .closeInvite(let id): kind = inviteIndex[id].map { .close(invite: $0) }
        case .admit(let admission):
            if let invite = admission.invite { admissionsNaming[invite, default: []].append(index) }
            let person = deviceIndex[replica].map { newcomer(of: admission, by: $0, using: cryptography) }
            kind = person.map { .admit(device: introduce(admission.device, as: $0)) }
        case .remove(let participant, let kept, _):
            kind = personIndex[participant].map {
                .remove(person: $0, kept: kept?.compactMap { graph.index(of: $0) })
            }
        case .end(let replica, let last, _):
            kind = deviceIndex[replica].map { .end(device: $0, last: last.flatMap { graph.index(of: $0) }) }
        case .beginEpoch, .grant: return false
        }
        guard let kind, let author = deviceIndex[replica] else { preconditionFailure("nobody checked index \(index)") }
        said.add(RosterStatement(index: index, author: author, kind: kind), graph)
        switch kind {
        // Nobody can have come by it yet, and who came before does not depend on it.
        case .open, .close: return false
        case .found, .admit, .remove, .end: return true
        }
    }

    private mutating func introduce(_ device: Device, as newcomer: RosterNames.Person) -> Int {
        if let known = deviceIndex[device.replica] { return known }
        let person = personIndex[device.participant] ?? persons.count
        if person == persons.count {
            personIndex[device.participant] = person
            persons.append(device.participant)
            said.add(newcomer)
        }
        // The device by which a person is named is the first to be introduced; others of its key are named alike.
        let isFirst = said.persons[person].devices.first.map { devices[$0].signingKey == device.signingKey } ?? true
        deviceIndex[device.replica] = devices.count
        devices.append(device)
        said.add(RosterNames.Device(person: person, isFirst: isFirst))
        return devices.count - 1
    }

    private mutating func open(_ invite: Invite, by opener: Device, using cryptography: some Cryptography) -> Int {
        let id = invite.id(openedBy: opener, using: cryptography)
        if let known = inviteIndex[id] { return known }
        inviteIndex[id] = invites.count
        invites.append((id, invite, opener))
        // Who opens an invite was introduced.
        if let person = personIndex[opener.participant] { said.add(inviteOf: person) }
        return invites.count - 1
    }

    /// What the name of an admitted person says, if the person is new.
    private func newcomer(
        of admission: Admission, by author: Int, using cryptography: some Cryptography
    ) -> RosterNames.Person {
        if isGuest(admission.device, of: devices[author].participant, using: cryptography) {
            return RosterNames.Person(parent: said.names.devices[author].person, isGuest: true)
        }
        let invite = admission.invite.flatMap { inviteIndex[$0] }
        return RosterNames.Person(parent: invite.map { said.names.openers[$0] }, invite: invite)
    }

    private func isGuest(_ device: Device, of host: Bytes32, using cryptography: some Cryptography) -> Bool {
        device.participant
            == Origin.guest(of: host).participant(signingKey: device.signingKey, using: cryptography)
    }
}

// MARK: - What is refused: Documentation/Protocol.md, section 3

extension MembershipFacts {
    /// Whether a change that is seen introduced a log's keys.
    func isIntroduced(_ replica: ReplicaID, isSeen: (Int) -> Bool) -> Bool {
        deviceIndex[replica].map { said.introductions[$0].contains(where: isSeen) } ?? false
    }

    /// Throws where an author may not write a statement, whatever counts. O(statements about its subject, and devices).
    ///
    /// - Parameter isSeen: whether a change is in the statement's past.
    func check(
        _ statement: Statement, by replica: ReplicaID, in graph: ChangeGraph, using cryptography: some Cryptography,
        isSeen: (Int) -> Bool
    ) throws(Refusal) {
        if case .found = statement { return }
        guard let author = deviceIndex[replica] else { throw .unknownAuthor }
        guard said.names.host(of: said.names.devices[author].person) == nil else { throw .statementOfGuest }
        switch statement {
        case .admit(let admission): try check(admission, by: author, using: cryptography, isSeen: isSeen)
        case .invite(let invite):
            let participant = invite.participant ?? devices[author].participant
            guard participant == devices[author].participant else { throw .invalidInvite }
        case .closeInvite(let id):
            guard openings(of: id).contains(where: isSeen) else { throw .unknownSubject }
        case .remove(let participant, let kept, _):
            guard let person = personIndex[participant],
                said.persons[person].devices.contains(where: { said.introductions[$0].contains(where: isSeen) }),
                (kept ?? []).allSatisfy({ graph.index(of: $0).map(isSeen) ?? false })
            else { throw .unknownSubject }
        case .end(let ended, let last, _):
            guard let device = deviceIndex[ended], said.names.devices[author].isFirst,
                !said.names.devices[device].isFirst, devices[device].participant == devices[author].participant,
                said.introductions[device].contains(where: isSeen),
                last.map({ graph.index(of: $0).map { graph[$0].change.replica == ended && isSeen($0) } ?? false })
                    ?? true
            else { throw .invalidEnd }
        case .found, .beginEpoch, .grant: break
        }
    }

    private func openings(of invite: Bytes32) -> [Int] {
        inviteIndex[invite].map { said.invites[$0].openings.map(\.index) } ?? []
    }

    private func check(
        _ admission: Admission, by author: Int, using cryptography: some Cryptography, isSeen: (Int) -> Bool
    ) throws(Refusal) {
        let (device, host) = (admission.device, said.names.devices[author].person)
        func others(of some: [Int]) -> Int {
            some.count { devices[$0].replica != device.replica && said.introductions[$0].contains(where: isSeen) }
        }
        if let id = admission.invite,
            device.participant == Origin.invited(id).participant(signingKey: device.signingKey, using: cryptography)
        {
            guard let invite = inviteIndex[id], invites[invite].invite.participant == nil,
                openings(of: id).contains(where: isSeen)
            else { throw .invalidAdmission }
            try checkDepth(below: said.names.openers[invite])
        } else if isGuest(device, of: persons[host], using: cryptography) {
            guard admission.invite == nil else { throw .invalidAdmission }
            try checkDepth(below: host)
            // A guest who was removed gives the place back.
            let guests = said.persons[host].guests.filter { guest in
                !said.persons[said.names.devices[guest].person].removals.contains { isSeen($0.index) }
            }
            guard others(of: guests) < ChangeBounds.guestsMax else { throw .tooManyGuests }
        } else {
            let own = said.persons[host].devices
            guard device.participant == persons[host],
                device.signingKey != own.first.map({ devices[$0].signingKey })
            else { throw .invalidAdmission }
            guard others(of: own) < ChangeBounds.devicesMax else { throw .tooManyDevices }
        }
    }

    private func checkDepth(below parent: Int) throws(Refusal) {
        guard said.names.depth(of: parent) < ChangeBounds.depthMax else { throw .tooDeep }
    }
}

extension MembershipFacts {
    /// Traps where an index contradicts the facts. O(facts).
    func checkInvariants() {
        precondition(
            persons.count == said.persons.count && devices.count == said.names.devices.count
                && invites.count == said.invites.count,
            """
            \(persons.count) persons, \(devices.count) devices and \(invites.count) invites have columns of \
            \(said.persons.count), \(said.names.devices.count) and \(said.invites.count)
            """)
        precondition(
            personIndex.count == persons.count && deviceIndex.count == devices.count
                && inviteIndex.count == invites.count,
            """
            \(persons.count) persons, \(devices.count) devices and \(invites.count) invites have \(personIndex.count), \
            \(deviceIndex.count) and \(inviteIndex.count) names
            """)
        for (index, person) in persons.enumerated() {
            precondition(personIndex[person] == index, "person \(index) is not found by name")
        }
        for (index, device) in devices.enumerated() {
            precondition(deviceIndex[device.replica] == index, "device \(index) is not found by name")
            precondition(
                persons[said.names.devices[index].person] == device.participant, "device \(index) is another's")
            precondition(!said.introductions[index].isEmpty, "nothing introduces device \(index)")
        }
        for (index, invite) in invites.enumerated() {
            precondition(inviteIndex[invite.id] == index, "invite \(index) is not found by name")
        }
    }
}
