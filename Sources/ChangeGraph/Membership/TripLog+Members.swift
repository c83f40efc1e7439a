package import ChangeLog
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
        return person.isIn && person.devices[replica] != nil
    }

    /// Whether a device's person was let in, and is out.
    package func isOut(_ replica: ReplicaID) -> Bool {
        facts.participant(of: replica).flatMap { standing.persons[$0] }.map { !$0.isIn } ?? false
    }

    /// Whose a session key is.
    package enum SessionKeyHolder: Hashable, Sendable {
        /// A device that is in.
        case member(Device)
        /// Devices that are not.
        case outside
        /// Nobody that is known here.
        case nobody
    }

    /// Of the devices that claim a session key the one that is in and was admitted first. O(claims).
    package func holder(ofSessionKey key: Bytes32) -> SessionKeyHolder {
        guard let claims = facts.devicesByAgreementKey[key] else { return .nobody }
        let first = claims.filter { isIn($0) }.min { stamp(of: $0) < stamp(of: $1) }
        return first.flatMap { facts.device($0) }.map { .member($0) } ?? .outside
    }

    private func stamp(of replica: ReplicaID) -> ChangeStamp {
        facts.participant(of: replica).flatMap { standing.persons[$0]?.devices[replica] }
            ?? ChangeStamp(lamport: .max, hash: Bytes32(words: (.max, .max, .max, .max)))
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

    /// Every device that is in and has a node of its own, in the order of their logs' names. O(devices log devices).
    package var membersWithNode: [Device] {
        standing.persons.values.filter { $0.isIn && !$0.isGuest }.flatMap(\.devices.keys).sorted()
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
