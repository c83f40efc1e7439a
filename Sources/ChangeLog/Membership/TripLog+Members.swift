package import DeltaCRDT

// Who is in, as people and sessions ask.
extension TripLog {
    /// Somebody who is, or was, in.
    package func person(_ id: Bytes32) -> Membership.Person? { membership.persons[id] }

    /// The people from the founder down to a person, who is the last; nobody for somebody who was never admitted. O(depth).
    package func line(of participant: Bytes32) -> [Bytes32] {
        guard let person = facts.index(ofPerson: participant) else { return [] }
        return ([person] + facts.said.names.peopleAbove(person)).reversed().map { facts.persons[$0] }
    }

    /// The keys of a log's device, no matter who introduced it.
    package func device(_ replica: ReplicaID) -> Device? { facts.device(replica) }

    /// Whether a device is one that its person is named by.
    package func isFirst(_ device: Device) -> Bool {
        facts.index(ofDevice: device.replica).map { facts.said.names.devices[$0].isFirst } ?? false
    }

    /// Whether somebody is a guest.
    package func isGuest(_ participant: Bytes32) -> Bool { membership.persons[participant]?.isGuest ?? false }

    /// Whether a device is admitted, and its person in.
    package func isIn(_ replica: ReplicaID) -> Bool {
        guard let person = facts.participant(of: replica).flatMap({ membership.persons[$0] }) else { return false }
        return person.isIn && person.devices.contains(replica)
    }

    /// Whether a device's person was let in, and is out: removed, gone, or waiting. So is a device that was ended.
    package func isOut(_ replica: ReplicaID) -> Bool {
        guard let device = facts.index(ofDevice: replica) else { return false }
        return membership.persons[facts.devices[device].participant]?.isOut ?? false
            || !membership.roster.ends(of: device).isEmpty
    }

    /// The change of the lowest stamp that counts and let a device in, or by which it founded the trip; nil where there is none.
    /// O(admissions of the device).
    package func admission(of replica: ReplicaID) -> Int? {
        facts.index(ofDevice: replica).flatMap { earliest(facts.said.introductions[$0].filter { isEffective($0) }) }
    }

    /// The same; where none counts, because the device's person waits, the one of the lowest stamp.
    package func introduction(of replica: ReplicaID) -> Int? {
        admission(of: replica) ?? facts.index(ofDevice: replica).flatMap { earliest(facts.said.introductions[$0]) }
    }

    /// The same, but of those that count the one that arrived first. Any member may admit somebody again, on an older state.
    package func firstAdmission(of replica: ReplicaID) -> Int? {
        facts.index(ofDevice: replica).flatMap { facts.said.introductions[$0].first { isEffective($0) } }
    }

    /// Of some changes, the one of the lowest stamp.
    func earliest(_ indices: [Int]) -> Int? { indices.min { graph[$0].stamp < graph[$1].stamp } }

    /// The change of a device as of which its person ends it, by index: on its branch that arrived first, the last retained one before
    /// any whose body is absent, for a body that nobody has seen could hold anything. Nil where there is none. O(changes of the branch).
    package func lastChangeToKeep(of replica: ReplicaID) -> Int? {
        guard let branch = graph.branchesOfReplica[replica]?.first.map({ graph.branches[Int($0)] }) else { return nil }
        return branch.indices.lazy.map { Int($0) }.prefix { isRetained($0) && !bodies.lacking.contains($0) }.last
    }

    /// Everybody who is or was a member: each after the person above them, siblings in the order of their names for this trip. O(persons
    /// log persons).
    package var people: [Membership.Person] {
        let children = Dictionary(grouping: membership.persons.values, by: \.parent)
        var people: [Membership.Person] = []
        var next = children[nil] ?? []
        next.sort { $0.id > $1.id }
        while let person = next.popLast() {
            people.append(person)
            next += (children[person.id] ?? []).sorted { $0.id > $1.id }
        }
        return people
    }

    /// Everybody who is out. O(persons).
    package var peopleOutside: [Bytes32] { membership.persons.values.filter { $0.isOut }.map(\.id) }

    /// Whether anybody is out. O(1).
    package var hasRemovals: Bool { membership.isAnybodyOut }

    /// Every device that is in and has a node of its own, in the order of their logs' names. O(1).
    package var membersWithNode: [Device] { membership.devicesWithNode }

    /// The devices of people who are out, but for guests', and those that were ended, in the order of their logs' names.
    /// O(devices log devices).
    package var devicesOutside: [Device] {
        facts.devices.filter { isOut($0.replica) && !isGuest($0.participant) }.sorted { $0.replica < $1.replica }
    }

    /// Everybody who waits, in the order of their names for this trip: somebody on the way from the founder to them was removed.
    /// O(persons + waiting log waiting).
    package var peopleWaiting: [Bytes32] {
        membership.persons.values.lazy.filter { $0.state == .waits }.map(\.id).sorted()
    }

    /// Whether one participant is above another. O(depth).
    package func isAncestor(_ elder: Bytes32, of younger: Bytes32) -> Bool {
        guard let elder = facts.index(ofPerson: elder), let younger = facts.index(ofPerson: younger) else {
            return false
        }
        return facts.said.names.isAbove(elder, younger)
    }
}

// Who may be kept.
extension TripLog {
    /// The admissions of somebody's devices, by index.
    private func introductions(ofPerson id: Bytes32) -> [Int] {
        let devices = facts.index(ofPerson: id).map { facts.said.persons[$0].devices } ?? []
        return devices.flatMap { facts.said.introductions[$0] }
    }

    /// What of the admissions of somebody may be said again by somebody else, so that the person is in though others were removed
    /// meanwhile (Documentation/Protocol.md, section 5); nil where that lets nobody in.
    ///
    /// - Parameter keeper: the participant who keeps them.
    package func keepable(_ participant: Bytes32, by keeper: Bytes32) -> (admission: Admission, indices: [Int])? {
        guard let person = facts.index(ofPerson: participant), let host = facts.index(ofPerson: keeper),
            membership.persons[participant]?.state == .waits
        else { return nil }
        let names = facts.said.names
        // A guest is admitted by their host alone, and is in once that one is.
        guard names.host(of: person) == nil || names.host(of: person) == host else { return nil }
        let known = facts.said.persons[person].admissions.filter { earlier in
            names.isAbove(host, person)
                || names.isAbove(host, names.devices[earlier.author].person)
                    && facts.said.endingsSeen[earlier.index] != nil
        }
        let indices = known.map(\.index).sorted { graph[$0].stamp < graph[$1].stamp }
        guard let first = indices.first, case .admit(let admission) = graph[first].change.statement else { return nil }
        return (admission, Array(indices.prefix(Self.keptAdmissionsMax)))
    }

    /// Admissions on which one that keeps somebody stands.
    private static var keptAdmissionsMax: Int { 8 }

    /// The index of an introduction of the person that a statement removes, if none is retained: the person waits. O(admissions of the
    /// person).
    func unretainedSubject(of statement: Statement) -> [Int] {
        guard case .remove(let participant, _, _) = statement else { return [] }
        let indices = introductions(ofPerson: participant)
        return indices.contains { isRetained($0) } ? [] : [indices.min()].compactMap { $0 }
    }

    /// What is retained of all that must be in a statement's past, by index: what it keeps, and what opened or introduced what it names.
    /// O(what was said of that).
    func retainedSubjects(of statement: Statement) -> [Int] {
        var kept: [Bytes32] = []
        var introductions: [Int] = []
        switch statement {
        case .closeInvite(let id): introductions = [invite(id)?.index].compactMap { $0 }
        case .admit(let admission):
            introductions = [admission.invite.flatMap { invite($0)?.index }].compactMap { $0 }
        case .remove(let participant, let changes, _):
            (kept, introductions) = (changes ?? [], self.introductions(ofPerson: participant))
        case .end(let replica, let last, _):
            kept = [last].compactMap { $0 }
            introductions = facts.index(ofDevice: replica).map { facts.said.introductions[$0] } ?? []
        case .found, .invite, .beginEpoch, .grant: break
        }
        let introduction = [introductions.first { isRetained($0) }].compactMap { $0 }
        return introduction + kept.compactMap { graph.index(of: $0) }.filter { isRetained($0) }
    }
}
