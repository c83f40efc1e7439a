import ChangeLog
import Convergence
import DeltaCRDT

// Who is out, and what is effective, by the changes alone.
extension TripLedger {
    /// Whether a change may not count: somebody was removed or left, or wrote what no honest node writes.
    var maySomeNotCount: Bool { isCrafted || !removals.isEmpty }

    /// Changes by their numbers, which are in the order in which they were written.
    struct Written: ChangeHistory {
        let entries: [Entry]
        let indexOf: [Bytes32: Int]
        let statements: [(name: Int, statement: Statement)]

        func replica(of name: Int) -> ReplicaID { entries[name].replica }
        func stamp(of name: Int) -> ChangeTimestamp { entries[name].stamp }
        func past(of name: Int, contains other: Int) -> Bool { entries[name].past.contains(other) }
        func previous(of name: Int) -> Int? { entries[name].previous }
        func links(of name: Int) -> [Int] { entries[name].dependencies }
        func arrival(of name: Int) -> Int { name }
        func name(of hash: Bytes32) -> Int? { indexOf[hash] }
    }

    typealias Persons = [Bytes32: EffectiveRules<Written>.Person]

    /// What is effective of some changes, which hold the past of each.
    func rules(by held: EventSet, fault: CountingFault? = nil) -> EffectiveRules<Written> {
        let statements = statements.filter { held.contains($0) }.compactMap { index in
            entries[index].statement.map { (index, $0) }
        }
        return EffectiveRules(
            Written(entries: entries, indexOf: indexOf, statements: statements), using: cryptography, fault: fault)
    }

    /// Who follows from some changes.
    mutating func persons(by held: EventSet) -> Persons {
        let known = held.intersection(statementSet)
        if let persons = personsByStatements[known] { return persons }
        let persons = rules(by: known).persons
        if personsByStatements.count >= Self.personsMax { personsByStatements = [:] }
        personsByStatements[known] = persons
        return persons
    }

    /// Of some changes, those that have a part in what people see.
    mutating func effective(_ held: EventSet) -> EventSet {
        guard maySomeNotCount else { return held }
        let persons = persons(by: held)
        var effective = EventSet()
        for index in held where isEffective(index, persons) { effective.insert(index) }
        return effective
    }

    /// A change that came since what follows was derived has an author who was there.
    private func isEffective(_ index: Int, _ persons: Persons) -> Bool {
        let replica = entries[index].replica
        guard let device = devices[replica], let person = persons[device.participant] else { return false }
        guard person.devices.contains(replica) || person.ends[replica]?.allSatisfy({ leaves($0, index) }) ?? false,
            person.removals.allSatisfy({ keeps($0, index) })
        else { return false }
        return isAboutDevices(index, of: device.participant)
            || !person.farewells.union(person.farewellsOfHost).contains { entries[index].past.contains($0) }
    }

    /// Whether a change ends a device or admits a further one, which no farewell cuts.
    func isAboutDevices(_ index: Int, of participant: Bytes32) -> Bool {
        switch entries[index].statement {
        case .end: true
        case .admit(let admission): admission.device.participant == participant && !isFirst(admission.device)
        default: false
        }
    }

    /// Whether a person's name was made from a device's key.
    private func isFirst(_ device: Device) -> Bool {
        let invites = statements.compactMap { index -> Bytes32? in
            guard case .invite(let invite) = entries[index].statement, let opener = devices[entries[index].replica]
            else {
                return nil
            }
            func id(_ cryptography: some Cryptography) -> Bytes32 { invite.id(openedBy: opener, using: cryptography) }
            return id(cryptography)
        }
        return ([.founder] + invites.map { .invited($0) }).contains {
            name(as: $0, device.signingKey) == device.participant
        }
    }

    /// Whether an end of a device leaves one of its changes alone.
    func leaves(_ end: Int, _ index: Int) -> Bool {
        guard case .end(_, let last?, _) = entries[end].statement, let last = indexOf[last] else { return false }
        return last == index || entries[last].past.contains(index)
    }

    /// Whether a removal leaves a change of the removed person alone.
    func keeps(_ removal: Int, _ index: Int) -> Bool {
        guard case .remove(_, let kept?, _) = entries[removal].statement else {
            return entries[removal].past.contains(index)
        }
        return kept.compactMap { indexOf[$0] }.contains { $0 == index || entries[$0].past.contains(index) }
    }

    /// Notes whether a change that came to a machine is effective there.
    mutating func noteOutside(_ index: Int, on id: World.NodeID) {
        let held = holders[id].held
        if entries[index].statement != nil {
            holders[id].outside = held.subtracting(effective(held))
        } else if !isEffective(index, persons(by: held)) {
            holders[id].outside.insert(index)
        }
    }

    /// What is pending at a machine whose person is out: what the person wrote.
    mutating func pending(on id: World.NodeID) -> EventSet {
        let held = holders[id].held
        guard maySomeNotCount, let own = devices[holders[id].replica]?.participant,
            persons(by: held)[own]?.isOut ?? false
        else { return EventSet() }
        var pending = EventSet()
        for index in held where devices[entries[index].replica]?.participant == own { pending.insert(index) }
        return pending
    }

    /// Whether a machine's person was out for everybody who could send a change.
    mutating func isKeptFromOutcast(_ index: Int, _ id: World.NodeID, sender: World.NodeID) -> Bool {
        let replica = holders[id].replica
        // The removal itself is told.
        return isOut(replica, by: entries[index].past) && isOut(replica, by: holders[sender].held)
    }

    /// Whether a device's person is out, by some changes.
    mutating func isOut(_ replica: ReplicaID, by held: EventSet) -> Bool {
        guard maySomeNotCount, let participant = devices[replica]?.participant else {
            return false
        }
        return persons(by: held)[participant].map { $0.isOut } ?? false
    }

    /// Whether a machine's device is no longer in, by some changes, which hold its admission.
    mutating func isOut(_ id: World.NodeID, by held: EventSet) -> Bool {
        guard maySomeNotCount, isIntroduced(holders[id].replica) else { return false }
        let replica = holders[id].replica
        guard let person = devices[replica].flatMap({ persons(by: held)[$0.participant] }) else { return true }
        return !person.isIn || !person.devices.contains(replica)
    }

    private func isIntroduced(_ replica: ReplicaID) -> Bool { admissions[replica] != nil }

    /// The machines that don't meet most of the others on a network: one side lacks the secret of an epoch of the other side, and the node
    /// that admitted a device is gone before the other side heard of it. A person carries a sealed file then.
    mutating func forgotten(outside: Set<World.NodeID>) -> Set<World.NodeID> {
        guard maySomeNotCount else { return [] }
        var remaining = holders.indices.filter { !outside.contains($0) }
        var groups: [[World.NodeID]] = []
        while let first = remaining.popLast() {
            var group = [first]
            var index = 0
            while index < group.count {
                for other in remaining where meet(group[index], other) { group.append(other) }
                remaining.removeAll { group.contains($0) }
                index += 1
            }
            groups.append(group)
        }
        let most = groups.max { $0.count < $1.count } ?? []
        return Set(groups.filter { $0 != most }.joined())
    }

    /// Whether two machines share all secrets, or each is in for the other, by what that one holds.
    private mutating func meet(_ one: World.NodeID, _ other: World.NodeID) -> Bool {
        if isIn(one, for: other) && isIn(other, for: one) { return true }
        return !lacksSecret(one, of: other) && !lacksSecret(other, of: one)
    }

    private mutating func isIn(_ id: World.NodeID, for other: World.NodeID) -> Bool {
        !isIntroduced(holders[id].replica) || !isOut(id, by: holders[other].held)
    }

    /// Whether a machine began an epoch, or heard of one, whose secret wasn't sealed to another, by what that one holds.
    private func lacksSecret(_ id: World.NodeID, of other: World.NodeID) -> Bool {
        beginnings.contains { beginning in
            guard holders[other].held.contains(beginning) else { return false }
            guard holders[id].held.contains(beginning) else { return true }
            guard let epoch = entries[beginning].statement?.grant?.epoch else { return false }
            let replica = holders[id].replica
            return entries[beginning].replica != replica
                && !holders[id].held.contains { entries[$0].statement?.box(of: epoch, for: replica) != nil }
        }
    }

    /// What is not owed any more: it was acknowledged, and its author was out by then, or a disk forgot it of which only
    /// those had heard who are out, or its author took it along.
    mutating func forgive(_ held: EventSet, members: [World.NodeID]) {
        let effective = effective(held)
        for index in owed where held.contains(index) {
            let isLost = rolledBack.contains(index) || !members.contains(entries[index].author)
            let isForgotten = isLost && !members.contains { isDurable(index, on: $0) }
            if isForgotten || !effective.contains(index) { owed.remove(index) }
        }
    }
}
