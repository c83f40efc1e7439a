import ChangeLog
import Convergence
import DeltaCRDT

// Laws that hold whatever anybody wrote: of what a node says, by the changes that it holds alone.
extension TripLedger {
    /// Throws where what a node says breaks a law of what it holds.
    mutating func check(_ claim: Claim) throws(Violation) {
        let (persons, effective) = (persons(by: claim.held), effective(claim.held))
        for (id, person) in claim.persons.sorted(by: { $0.key < $1.key }) {
            try checkParent(of: id, person.parent, claim.held)
            try checkStanding(of: id, person, persons, effective, claim.held)
        }
        for index in claim.held { try checkCounting(index, claim.effective.contains(index), persons) }
        for index in claim.dropped { try checkDropped(index, persons) }
        try checkRetained(claim, effective)
    }

    /// What is passed on counts, or stands in the past of what does.
    private func checkRetained(_ claim: Claim, _ effective: EventSet) throws(Violation) {
        var allowed = effective
        for index in effective { allowed.formUnion(entries[index].past) }
        guard let idle = claim.retained.first(where: { !allowed.contains($0) }) else { return }
        throw Violation(.effective, "change \(idle) is passed on, and nothing that counts stands on it")
    }

    // MARK: - I1

    /// A parent is the opener that the name says, or a guest's host.
    private func checkParent(of id: Bytes32, _ parent: Bytes32?, _ held: EventSet) throws(Violation) {
        let keys = devices.values.filter { $0.participant == id }.map(\.signingKey)
        let isNamed = keys.contains { key in
            guard let parent else { return name(as: .founder, key) == id }
            return name(as: .guest(of: parent), key) == id
                || openings(by: parent, held).contains { name(as: .invited($0), key) == id }
        }
        guard !isNamed else { return }
        throw Violation(.parentByName, "\(told(id)) has a parent that the name does not say")
    }

    func name(as origin: Origin, _ key: Bytes32) -> Bytes32 {
        func name(_ cryptography: some Cryptography) -> Bytes32 {
            origin.participant(signingKey: key, using: cryptography)
        }
        return name(cryptography)
    }

    /// The invites that somebody opened, by some changes.
    private func openings(by opener: Bytes32, _ held: EventSet) -> [Bytes32] {
        statements.compactMap { index in
            guard held.contains(index), case .invite(let invite) = entries[index].statement,
                let device = devices[entries[index].replica], device.participant == opener
            else { return nil }
            func id(_ cryptography: some Cryptography) -> Bytes32 { invite.id(openedBy: device, using: cryptography) }
            return id(cryptography)
        }
    }

    // MARK: - I2

    /// Who is not in was removed by somebody above, left, or waits for somebody who was; and who is in was let in.
    private mutating func checkStanding(
        of id: Bytes32, _ person: Claim.Person, _ persons: Persons, _ effective: EventSet, _ held: EventSet
    ) throws(Violation) {
        guard let named = persons[id] else {
            throw Violation(
                .outForAReason, "\(told(id)) is said to be \(person.state.rawValue), and nobody admitted them")
        }
        let removals = standingRemovals(of: id, persons, effective, held)
        if (person.state == .removed) != !removals.isEmpty {
            throw Violation(
                .outForAReason,
                "\(told(id)) is said to be \(person.state.rawValue), and is removed by \(removals) of those above")
        }
        switch person.state {
        case .removed: return
        case .isIn:
            if named.state != .isIn {
                throw Violation(.outForAReason, "\(told(id)) is said to be in, by nothing that counts")
            }
        case .left:
            if named.farewells.isEmpty, named.farewellsOfHost.isEmpty {
                throw Violation(.outForAReason, "\(told(id)) is said to have left, and did not say so")
            }
        case .waits:
            let isCut = onTheWay(to: id, persons, held).contains { other in
                let person = persons[other]
                return !standingRemovals(of: other, persons, effective, held).isEmpty
                    || !(person?.farewells.isEmpty ?? true) || !(person?.ends.isEmpty ?? true)
            }
            guard !isCut else { return }
            throw Violation(
                .outForAReason, "\(told(id)) is said to wait, and nobody on the way was removed, left or ended a device"
            )
        case .neverIn:
            let honest = admissions(of: id, held).first { admission in
                var own = entries[admission].past
                own.insert(admission)
                return self.persons(by: own)[id]?.state == .isIn
            }
            guard let honest else { return }
            throw Violation(
                .outForAReason, "\(told(id)) is said never to have been in, and change \(honest) let them in")
        }
    }

    /// The removals of somebody that count, or of a guest's host, by somebody above by name.
    private func standingRemovals(
        of id: Bytes32, _ persons: Persons, _ effective: EventSet, _ held: EventSet
    ) -> [Int] {
        let named = [id] + (isGuest(id, persons) ? [persons[id]?.parent].compactMap { $0 } : [])
        return removals.filter { index in
            guard held.contains(index), effective.contains(index),
                case .remove(let removed, _, _) = entries[index].statement, named.contains(removed),
                let author = devices[entries[index].replica]?.participant
            else { return false }
            return isAbove(author, removed, persons)
        }
    }

    private func isGuest(_ id: Bytes32, _ persons: Persons) -> Bool {
        guard let parent = persons[id]?.parent else { return false }
        return devices.values.contains { $0.participant == id && name(as: .guest(of: parent), $0.signingKey) == id }
    }

    private func isAbove(_ elder: Bytes32, _ id: Bytes32, _ persons: Persons) -> Bool {
        var next = persons[id]?.parent
        while let above = next {
            if above == elder { return true }
            next = persons[above]?.parent
        }
        return false
    }

    /// The admissions of somebody's devices, by others or themselves.
    private func admissions(of id: Bytes32, _ held: EventSet) -> [Int] {
        statements.filter { index in
            guard held.contains(index), case .admit(let admission) = entries[index].statement else { return false }
            return admission.device.participant == id
        }
    }

    /// Those above somebody, those who admitted them, and so on.
    private func onTheWay(to id: Bytes32, _ persons: Persons, _ held: EventSet) -> Set<Bytes32> {
        var (found, next) = (Set<Bytes32>(), [id])
        while let one = next.popLast() {
            let hosts = admissions(of: one, held).compactMap { devices[entries[$0].replica]?.participant }
            for other in hosts + [persons[one]?.parent].compactMap({ $0 }) where other != id {
                if found.insert(other).inserted { next.append(other) }
            }
        }
        return found
    }

    // MARK: - I3

    /// What has no effect is by somebody who is not in, or was removed, left or ended without having it in the past; all else has one.
    private func checkCounting(_ index: Int, _ counts: Bool, _ persons: Persons) throws(Violation) {
        let reason = reasonNotToCount(index, persons)
        if counts, let reason {
            throw Violation(.cutForAReason, "change \(index) counts, and \(reason)")
        }
        if !counts, reason == nil {
            throw Violation(.cutForAReason, "change \(index) does not count, for no reason")
        }
    }

    private func reasonNotToCount(_ index: Int, _ persons: Persons) -> String? {
        let replica = entries[index].replica
        guard let id = devices[replica]?.participant, let person = persons[id] else { return "nobody wrote it" }
        if !person.devices.contains(replica), person.ends[replica] == nil {
            return "its device does not belong to anybody who was let in"
        }
        if let end = person.ends[replica]?.first(where: { !leaves($0, index) }) {
            return "change \(end) ends its device before it"
        }
        if let removal = person.removals.first(where: { !keeps($0, index) }) {
            return "change \(removal) removes its author, and does not keep it"
        }
        let farewells = person.farewells.union(person.farewellsOfHost)
        guard !isAboutDevices(index, of: id), let farewell = farewells.first(where: entries[index].past.contains) else {
            return nil
        }
        return "its author had left by change \(farewell)"
    }

    // MARK: - Bodies

    /// A body goes only where a removal by the founder's first device cuts its change, which nothing can void.
    private func checkDropped(_ index: Int, _ persons: Persons) throws(Violation) {
        let person = devices[entries[index].replica].flatMap { persons[$0.participant] }
        let isForGood = (person?.removals ?? []).contains { removal in
            guard let device = devices[entries[removal].replica] else { return false }
            return !keeps(removal, index) && name(as: .founder, device.signingKey) == device.participant
        }
        guard !isForGood else { return }
        throw Violation(.bodiesStay, "the body of change \(index) is gone, and may be needed again")
    }

    // MARK: - What a statement changes

    /// Throws where what came since changed what it may not.
    ///
    /// - Parameter honest: the logs of people who mean well.
    mutating func check(_ after: Claim, since before: Claim, honest: Set<ReplicaID>) throws(Violation) {
        try checkStaying(after, since: before, honest: honest)
        let came = after.held.subtracting(before.held)
        let authors = Set(
            came.compactMap { index in
                entries[index].statement == nil ? nil : devices[entries[index].replica]?.participant
            })
        let reached = reach(of: authors, persons(by: after.held), after.held)
        var changed = Set(before.persons.keys.filter { before.persons[$0]?.state != after.persons[$0]?.state })
        let turned = before.effective.subtracting(after.effective)
        let turnedBack = after.effective.subtracting(before.effective).intersection(before.held)
        for index in Array(turned) + Array(turnedBack) {
            // What an admission does is told by the standing of the person that it admits.
            if case .admit = entries[index].statement { continue }
            if let author = devices[entries[index].replica]?.participant { changed.insert(author) }
        }
        guard let one = changed.subtracting(reached).min() else { return }
        let what = came.filter { entries[$0].statement != nil }
        throw Violation(
            .statementsReach, "\(told(one)) is another by changes \(what) of people who are not above them")
    }

    /// I6: what counted goes on to, unless its author was removed, or waits.
    private func checkStaying(
        _ after: Claim, since before: Claim, honest: Set<ReplicaID>
    ) throws(Violation) {
        for index in before.effective where !after.effective.contains(index) && honest.contains(entries[index].replica)
        {
            guard let id = devices[entries[index].replica]?.participant, let person = after.persons[id],
                person.state == .isIn || person.state == .left || person.state == .neverIn
            else { continue }
            throw Violation(
                .effectStays, "change \(index) counts no more, and its author is \(person.state.rawValue)")
        }
    }

    /// I7: people below some, those that these admitted, and their own.
    private func reach(of authors: Set<Bytes32>, _ persons: Persons, _ held: EventSet) -> Set<Bytes32> {
        var (reached, isMore) = (authors, true)
        let hosts = Dictionary(
            grouping: statements.compactMap { index -> (Bytes32, Bytes32)? in
                guard held.contains(index), case .admit(let admission) = entries[index].statement,
                    let host = devices[entries[index].replica]?.participant
                else { return nil }
                return (admission.device.participant, host)
            }, by: \.0)
        while isMore {
            isMore = false
            for (id, person) in persons where !reached.contains(id) {
                guard
                    person.parent.map({ reached.contains($0) }) ?? false
                        || (hosts[id] ?? []).contains(where: { reached.contains($0.1) })
                else { continue }
                reached.insert(id)
                isMore = true
            }
        }
        return reached
    }

    /// Somebody, by the change that introduced them.
    private func told(_ id: Bytes32) -> String {
        let first = statements.first { index in
            switch entries[index].statement {
            case .found(let device, _, _): device.participant == id
            case .admit(let admission): admission.device.participant == id
            default: false
            }
        }
        return first.map { "the person of change \($0)" } ?? "somebody"
    }
}
