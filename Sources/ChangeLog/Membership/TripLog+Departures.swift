package import DeltaCRDT

// How somebody came to be out.
extension TripLog {
    package struct Departure: Hashable, Sendable {
        package enum Reason: Sendable {
            case removed
            case left
            case deviceEnded
        }

        package let reason: Reason
        /// The person who removed somebody, who left, or who ended a device.
        package let by: Bytes32
        /// By that one's clock, in milliseconds since 1970.
        package let wallTime: Int64
        /// The change that says so, by index.
        package let index: Int
        /// For a participant who waits, the person who was removed, left or ended a device; nil for all others.
        package let waitsFor: Bytes32?
        /// Where the participant waits: the nearest person above who is in, and may keep them.
        package let keeper: Bytes32?
    }

    /// How a participant came to be out; nil while they are in. Of several reasons, the one with the lowest stamp.
    package func departure(of participant: Bytes32) -> Departure? {
        guard let person = membership.persons[participant], person.isOut else { return nil }
        var cuts = person.removals + person.farewells
        if person.isGuest, let host = person.parent.flatMap({ membership.persons[$0] }) {
            cuts += host.removals + host.farewells
        }
        let waits = person.state == .waits
        return earliest(waits ? Array(cutsHoldingBack(participant)) : cuts)
            .flatMap { departure(by: $0, holdingBack: waits ? participant : nil) }
    }

    /// How a device, or its person, came to be out; nil while it is in.
    package func departure(of replica: ReplicaID) -> Departure? {
        guard let device = facts.index(ofDevice: replica) else { return nil }
        return earliest(membership.roster.ends(of: device).map(\.index)).flatMap { departure(by: $0) }
            ?? departure(of: facts.devices[device].participant)
    }

    /// The changes that say to a device why it is out, by index, in the order of stamps. For a person who waits there may be several: by
    /// their own log they wait once all of these are there. Others are told one, for the rest may stand on what was written after it: who
    /// left before they would have waited is told that. O(statements · cuts).
    package func departures(of replica: ReplicaID) -> [Int] {
        guard let departure = departure(of: replica) else { return [] }
        guard departure.waitsFor != nil, let participant = facts.participant(of: replica) else {
            return [departure.index]
        }
        if let farewell = earliest(farewells(of: participant)) { return [farewell] }
        return cutsHoldingBack(participant).sorted { graph[$0].stamp < graph[$1].stamp }
    }

    /// The change that explains to a device why it is out.
    package enum Explanation: Hashable, Sendable {
        /// The device lacks this one, and may be shown it.
        case lacked(Int)
        /// The device holds all that explain it. This is the first.
        case held(Int)
    }

    /// The first of `departures` that a device isn't known to hold; nil where it would show the device what was written after it was out: a
    /// person who waits and holds a removal of theirs, or was told one already, is told no other in whose past they are out.
    /// O(`departures` + changes + statements · log statements + what `Roster` says of the statements in that past).
    package func explanation(to replica: ReplicaID, whichHolds isHeld: (Int) -> Bool) -> Explanation? {
        let indices = departures(of: replica)
        guard let next = indices.first(where: { !isHeld($0) }) else { return indices.first.map { .held($0) } }
        guard let participant = facts.participant(of: replica), membership.persons[participant]?.state == .waits,
            let person = facts.index(ofPerson: participant)
        else { return .lacked(next) }
        let isTold = next != indices[0] || facts.said.persons[person].removals.contains { isHeld($0.index) }
        return isTold && isOut(participant, before: next) ? nil : .lacked(next)
    }

    /// Whether a person is out by the past of a change.
    private func isOut(_ participant: Bytes32, before index: Int) -> Bool {
        var past = MembershipFacts()
        for earlier in graph.changes.indices.prefix(index) {
            guard let statement = graph[earlier].change.statement, graph.isPast(earlier, of: index) else { continue }
            _ = past.record(statement, at: earlier, in: graph, using: cryptography)
        }
        return past.index(ofPerson: participant)
            .map { ![.isIn, .neverIn].contains(Roster(past.said, graph).states[$0]) } ?? false
    }

    /// The farewells of a person by devices that would be theirs if nothing were cut, by index. O(devices of the person · admissions of
    /// these).
    private func farewells(of participant: Bytes32) -> [Int] {
        guard let person = facts.index(ofPerson: participant) else { return [] }
        let said = facts.said.persons[person]
        var own = Set(said.devices.filter { facts.said.names.devices[$0].isFirst })
        var next = Array(own)
        while let author = next.popLast() {
            for admission in said.furtherAdmissions where admission.author == author {
                if case .admit(let device) = admission.kind, own.insert(device).inserted { next.append(device) }
            }
        }
        return said.farewells.filter { own.contains($0.author) }.map(\.index)
    }

    private func departure(by index: Int, holdingBack waiting: Bytes32? = nil) -> Departure? {
        let change = graph[index].change
        guard let author = facts.participant(of: change.replica) else { return nil }
        let (reason, subject): (Departure.Reason, Bytes32?) =
            switch change.statement {
            case .end(let replica, _, _): (.deviceEnded, facts.participant(of: replica))
            case .remove(let participant, _, _): (participant == author ? .left : .removed, participant)
            case .found, .invite, .closeInvite, .admit, .beginEpoch, .grant, nil: (.removed, nil)
            }
        let keeper = waiting.flatMap { facts.index(ofPerson: $0) }.flatMap { person in
            facts.said.names.peopleAbove(person).lazy.map { facts.persons[$0] }
                .first { membership.persons[$0]?.isIn ?? false }
        }
        return Departure(
            reason: reason, by: author, wallTime: change.wallTime, index: index,
            waitsFor: waiting == nil ? nil : subject, keeper: keeper)
    }

    /// The removals, farewells and ends for which somebody waits, by index: those that cut an admission of theirs, or the opening of its
    /// invite, or what introduced the author of one of these, or what would resolve a person above. O(statements · cuts).
    private func cutsHoldingBack(_ participant: Bytes32) -> Set<Int> {
        let (said, roster) = (facts.said, membership.roster)
        var next = [facts.index(ofPerson: participant)].compactMap { $0 }
        var (cuts, seen, people) = (Set<Int>(), Set<Int>(), Set(next))
        func follow(_ person: Int) {
            if isUnresolved(facts.persons[person]), people.insert(person).inserted { next.append(person) }
        }
        while let person = next.popLast() {
            if let parent = said.names.persons[person].parent { follow(parent) }
            var indices = said.persons[person].admissions.flatMap { admission in
                [admission.index] + said.openings(openBefore: admission, graph).map(\.index)
            }
            while let index = indices.popLast() {
                guard !isEffective(index), seen.insert(index).inserted,
                    let device = facts.index(ofDevice: graph[index].change.replica)
                else { continue }
                cuts.formUnion(roster.cuts(of: index, by: device, graph))
                indices += said.introductions[device]
                follow(said.names.devices[device].person)
            }
        }
        return cuts
    }
}
