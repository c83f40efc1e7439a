package import ChangeLog
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
        /// The openings of the invite that it names, in whose view that was open in its past; the lowest stamp first.
        let openings: [Opening]
    }

    package struct Opening: Sendable {
        package let place: Int
        package let stamp: ChangeStamp
        package let author: ReplicaID
        package let invite: Invite
    }

    package struct RemovalFact: Sendable {
        package let place: Int
        package let author: ReplicaID
        package let participant: Bytes16
    }

    struct Closing: Sendable {
        let place: Int
        let author: ReplicaID
    }

    /// A log's keys, and the changes that introduced them.
    struct Introduction: Sendable {
        let device: Device
        var places: [Int]
    }

    package private(set) var admissions: [AdmissionFact] = []
    package private(set) var removals: [RemovalFact] = []
    private(set) var introductions: [ReplicaID: Introduction] = [:]
    private(set) var openings: [Bytes32: [Opening]] = [:]
    private(set) var closings: [Bytes32: [Closing]] = [:]

    // Indices of admissions and removals, in ascending order of the admissions' stamps.
    private(set) var admissionsOfFirstDevice: [Bytes16: [Int]] = [:]
    private(set) var admissionsOfFurtherDevices: [Bytes16: [Int]] = [:]
    private(set) var admissionsByAuthor: [ReplicaID: [Int]] = [:]
    private(set) var admissionsByInvite: [Bytes32: [Int]] = [:]
    /// Those that may make the author of an opening the parent.
    private(set) var admissionsByInviter: [ReplicaID: [Int]] = [:]
    private var admissionsOfGuests: [Bytes16: [Int]] = [:]
    private(set) var removalsOf: [Bytes16: [Int]] = [:]
    private(set) var removalsByAuthor: [ReplicaID: [Int]] = [:]
    private(set) var devicesOf: [Bytes16: [ReplicaID]] = [:]
    private(set) var devicesByAgreementKey: [Bytes32: [ReplicaID]] = [:]

    /// What a log's keys are, where any change here introduces them.
    package func device(_ replica: ReplicaID) -> Device? { introductions[replica]?.device }

    package func participant(of replica: ReplicaID) -> Bytes16? { introductions[replica]?.device.participant }

    /// Whether a cut holds a change that introduced a log's keys.
    func isIntroduced(_ replica: ReplicaID, in cut: CausalCut, of graph: ChangeGraph) -> Bool {
        introductions[replica]?.places.contains { graph.contains($0, in: cut) } ?? false
    }

    /// The changes that founded the trip, by place.
    var foundings: [Int] { admissions.lazy.filter(\.isFounding).map(\.place) }

    /// What was taken down.
    enum Recorded {
        case admission(Int)
        case removal(Int)
        case other
    }

    /// Takes down what the change at a place says.
    mutating func record(
        _ statement: Statement, at place: Int, in graph: ChangeGraph, using cryptography: some Cryptography
    ) -> Recorded {
        let signed = graph.changes[place]
        let author = signed.change.replica
        switch statement {
        case .found(let founder, let name, _):
            introduce(founder, at: place)
            return .admission(
                add(
                    AdmissionFact(
                        place: place, stamp: signed.stamp, author: author, device: founder, name: name, invite: nil,
                        isGuest: false, isFounding: true, openings: [])))
        case .admit(let admission):
            introduce(admission.device, at: place)
            guard isValid(admission, by: author, at: place, in: graph, using: cryptography) else { return .other }
            let openings = admission.invite.map { openingsInView(of: $0, for: admission, at: place, in: graph) } ?? []
            return .admission(
                add(
                    AdmissionFact(
                        place: place, stamp: signed.stamp, author: author, device: admission.device,
                        name: admission.name, invite: admission.invite, isGuest: admission.isGuest, isFounding: false,
                        openings: admission.isGuest ? [] : openings)))
        case .invite(let invite):
            guard invite.participant == nil || invite.participant == participant(of: author) else { return .other }
            let opening = Opening(place: place, stamp: signed.stamp, author: author, invite: invite)
            let id = invite.id(using: cryptography)
            let known = openings[id] ?? []
            openings[id, default: []].insert(opening, at: known.partitioningIndex { opening.stamp < $0.stamp })
        case .closeInvite(let id): closings[id, default: []].append(Closing(place: place, author: author))
        case .remove(let participant, _):
            removals.append(RemovalFact(place: place, author: author, participant: participant))
            removalsOf[participant, default: []].append(removals.count - 1)
            removalsByAuthor[author, default: []].append(removals.count - 1)
            return .removal(removals.count - 1)
        case .beginEpoch, .grant: break
        }
        return .other
    }

    private mutating func introduce(_ device: Device, at place: Int) {
        if introductions[device.replica] == nil {
            introductions[device.replica] = Introduction(device: device, places: [place])
            devicesOf[device.participant, default: []].append(device.replica)
            devicesByAgreementKey[device.agreementKey, default: []].append(device.replica)
        } else {
            introductions[device.replica]?.places.append(place)
        }
    }

    private mutating func add(_ fact: AdmissionFact) -> Int {
        let index = admissions.count
        admissions.append(fact)
        let participant = fact.device.participant
        let isFirst = fact.isFounding || device(fact.author)?.participant != participant
        insert(index, into: &admissionsByAuthor[fact.author, default: []])
        if isFirst {
            insert(index, into: &admissionsOfFirstDevice[participant, default: []])
        } else {
            insert(index, into: &admissionsOfFurtherDevices[participant, default: []])
        }
        if let invite = fact.invite { insert(index, into: &admissionsByInvite[invite, default: []]) }
        for opening in fact.openings { insert(index, into: &admissionsByInviter[opening.author, default: []]) }
        if fact.isGuest, let host = self.participant(of: fact.author) {
            insert(index, into: &admissionsOfGuests[host, default: []])
        }
        return index
    }

    private func insert(_ index: Int, into indices: inout [Int]) {
        let stamp = admissions[index].stamp
        indices.insert(index, at: indices.partitioningIndex { stamp < admissions[$0].stamp })
    }

    /// Whether an admission is valid in view of its whole past, effective or not (Documentation/Protocol.md, section 4).
    private func isValid(
        _ admission: Admission, by author: ReplicaID, at place: Int, in graph: ChangeGraph,
        using cryptography: some Cryptography
    ) -> Bool {
        let participant = admission.device.participant
        let host = self.participant(of: author)
        let isFirst = admission.device.isFirst(using: cryptography)
        guard isFirst || participant == host, isFirst || !admission.isGuest else { return false }
        let others = (admissionsOfFirstDevice[participant] ?? []) + (admissionsOfFurtherDevices[participant] ?? [])
        guard
            admitsFew(others, beside: admission.device, fewer: ChangeBounds.devicesMax, than: place, in: graph)
        else { return false }
        guard admission.isGuest, let host else { return !admission.isGuest }
        return admitsFew(
            admissionsOfGuests[host] ?? [], beside: admission.device, fewer: ChangeBounds.guestsMax, than: place,
            in: graph)
    }

    /// Whether admissions in the past of a place let in fewer other devices than so many.
    private func admitsFew(
        _ indices: [Int], beside device: Device, fewer limit: Int, than place: Int, in graph: ChangeGraph
    ) -> Bool {
        var devices: Set<ReplicaID> = []
        for index in indices {
            let fact = admissions[index]
            guard fact.device != device, fact.place != place, graph.isPast(fact.place, of: place) else { continue }
            devices.insert(fact.device.replica)
            if devices.count >= limit { return false }
        }
        return true
    }

    /// The openings of an invite in an admission's past, in whose view that was open there: nobody had closed it, or taken
    /// anybody out, that the opening had not seen; and it had uses left.
    private func openingsInView(
        of id: Bytes32, for admission: Admission, at place: Int, in graph: ChangeGraph
    ) -> [Opening] {
        guard let known = openings[id] else { return [] }
        let seen = known.filter { graph.isPast($0.place, of: place) }
        guard !seen.isEmpty else { return [] }
        let ends = ((closings[id] ?? []).map(\.place) + removals.map(\.place)).filter { graph.isPast($0, of: place) }
        return seen.filter { opening in
            ends.allSatisfy { graph.isPast($0, of: opening.place) }
                && admitsFew(
                    admissionsByInvite[id] ?? [], beside: admission.device, fewer: opening.invite.uses, than: place,
                    in: graph)
        }
    }
}
