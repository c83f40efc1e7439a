package import DeltaCRDT

// Who is in, as people and sessions ask.
extension TripLog {
    /// Somebody who is, or was, in.
    package func person(_ id: Bytes16) -> Standing.Person? { standing.persons[id] }

    /// The keys of a log, whoever introduced it.
    package func device(_ replica: ReplicaID) -> Device? { facts.device(replica) }

    /// Whether a device is admitted, and its person in.
    package func isIn(_ replica: ReplicaID) -> Bool {
        guard let person = facts.participant(of: replica).flatMap({ standing.persons[$0] }) else { return false }
        return person.isIn && person.devices.contains(replica)
    }

    /// Whether a device's person was let in, and is out.
    package func isOut(_ replica: ReplicaID) -> Bool {
        facts.participant(of: replica).flatMap { standing.persons[$0] }.map { !$0.isIn } ?? false
    }

    /// Who is met in a session.
    package enum Peer: Hashable, Sendable {
        /// A device that is in.
        case member(Device)
        /// A device whose person was let in, and is out.
        case outside
        /// One that nothing effective admits, as far as this log knows.
        case unproven
        /// Somebody who names a device that has another session key.
        case impostor
    }

    /// Who is met that names a replica and has shown a session key. O(1).
    package func peer(_ replica: ReplicaID, showing sessionKey: Bytes32) -> Peer {
        guard let device = facts.device(replica) else { return .unproven }
        guard device.agreementKey == sessionKey else { return .impostor }
        return isIn(replica) ? .member(device) : isOut(replica) ? .outside : .unproven
    }

    /// The effective change of the lowest stamp that let a device in, or by which it founded the trip; nil where there is none.
    /// O(admissions of its participant).
    package func admission(of replica: ReplicaID) -> Int? {
        guard let participant = facts.participant(of: replica) else { return nil }
        let indices =
            (facts.admissionsOfFirstDevice[participant] ?? []) + (facts.admissionsOfFurtherDevices[participant] ?? [])
        return indices.map { facts.admissions[$0] }
            .filter { $0.device.replica == replica && isEffective($0.place) }
            .min { $0.stamp < $1.stamp }?.place
    }

    /// Everybody who is or was in: each after whoever brought them, siblings in the order of their names for this trip.
    /// O(persons log persons).
    package var people: [Standing.Person] {
        let children = Dictionary(grouping: standing.persons.values.filter { $0.parent != nil }) { $0.parent ?? $0.id }
        var result: [Standing.Person] = []
        var next = standing.persons.values.filter { $0.parent == nil }.sorted { $0.id > $1.id }
        while let person = next.popLast() {
            result.append(person)
            next += (children[person.id] ?? []).sorted { $0.id > $1.id }
        }
        return result
    }

    /// Everybody who is out. O(persons).
    package var peopleOutside: [Bytes16] { standing.persons.values.filter { !$0.isIn }.map(\.id) }

    /// Whether anybody is out. O(1).
    package var hasRemovals: Bool { standing.outsideCount > 0 }

    /// Every device that is in and has a node of its own, in the order of their logs' names. O(devices log devices).
    package var membersWithNode: [Device] {
        standing.persons.values.filter { $0.isIn && !$0.isGuest }.flatMap(\.devices).sorted()
            .compactMap { facts.device($0) }
    }

    /// Whether one participant brought another, or brought whoever did. O(depth).
    package func isAncestor(_ elder: Bytes16, of younger: Bytes16) -> Bool {
        var next = standing.persons[younger]?.parent
        while let id = next {
            if id == elder { return true }
            next = standing.persons[id]?.parent
        }
        return false
    }

    /// How somebody came to be out.
    package struct Departure: Hashable, Sendable {
        /// Who took them out; themselves where they left.
        package let by: Bytes16
        /// By that one's clock, in milliseconds since 1970.
        package let wallTime: Int64
    }

    /// How a participant came to be out; nil while they are in. Of several removals, the one with the lowest stamp.
    package func departure(of participant: Bytes16) -> Departure? {
        guard let person = standing.persons[participant] else { return nil }
        let removals = (person.removals + person.farewells).map { graph.changes[$0] }
        guard let first = removals.min(by: { $0.stamp < $1.stamp }),
            let author = facts.participant(of: first.change.replica)
        else { return nil }
        return Departure(by: author, wallTime: first.change.wallTime)
    }
}
