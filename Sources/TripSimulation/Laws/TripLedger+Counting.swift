import ChangeLog
import Convergence
import DeltaCRDT

// Who is out, and what counts of what they wrote, by what their remover had seen: from the changes alone, without a look
// at what any node derived.
extension TripLedger {
    /// Whether anybody was taken out.
    var hasRemovals: Bool { !removals.isEmpty }

    /// Whether anybody has more branches than count.
    var hasCrowds: Bool { branchCounts.values.contains { $0 > ChangeLimits.branchesMax } }

    /// Whether there may be changes that do not count.
    var mayExclude: Bool { hasRemovals || hasCrowds }

    /// Of some changes, those that have a part in what people see. Only the founder takes people out here, whom nobody
    /// takes out, so that every removal holds that is not beyond too many forks. O(changes · removals).
    func counting(_ held: EventSet) -> EventSet {
        guard mayExclude else { return held }
        let beyond = beyondForks(held)
        let present = removals(in: held, beyond)
        guard !present.isEmpty || !beyond.isEmpty else { return held }
        var counting = EventSet()
        // A change has a greater number than all that it stands on.
        for index in held
        where !beyond.contains(index) && isAdmitted(entries[index].replica, counting, founding: index) {
            let participant = participants[entries[index].replica]
            let isCut = present.contains {
                takesOut($0, participant) && !entries[$0].past.contains(index)
            }
            if !isCut { counting.insert(index) }
        }
        return counting
    }

    /// Of some changes, those that do not count because their replica has more branches among them than count: all from
    /// its first fork on. O(changes) where there is such a replica.
    private func beyondForks(_ held: EventSet) -> EventSet {
        var beyond = EventSet()
        for (replica, count) in branchCounts where count > ChangeLimits.branchesMax {
            let log = held.filter { entries[$0].replica == replica }
            var followers: [Int?: Int] = [:]
            for index in log { followers[entries[index].previous, default: 0] += 1 }
            let forks = log.filter { followers[entries[$0].previous, default: 0] > 1 }
            guard log.count - followers.count + 1 > ChangeLimits.branchesMax,
                let first = forks.map({ entries[$0].counter }).min()
            else { continue }
            for index in log where entries[index].counter >= first { beyond.insert(index) }
        }
        return beyond
    }

    /// Whether a change takes somebody out, by themselves or with their host.
    private func takesOut(_ index: Int, _ participant: Bytes16?) -> Bool {
        guard let participant, let removed = entries[index].removes else { return false }
        return removed == participant || removed == hosts[participant]
    }

    /// Of some changes, those that take people out.
    private func removals(in held: EventSet, _ beyond: EventSet) -> [Int] {
        removals.filter { held.contains($0) && !beyond.contains($0) }
    }

    private func removals(in held: EventSet) -> [Int] {
        removals(in: held, hasCrowds ? beyondForks(held) : EventSet())
    }

    /// Notes whether a change that came to a machine counts there; of a removal, what it takes out.
    mutating func noteOutside(_ index: Int, on id: World.NodeID) {
        let held = holders[id].held
        if entries[index].removes != nil {
            holders[id].outside = held.subtracting(counting(held))
            return
        }
        let participant = participants[entries[index].replica]
        let isCut = removals(in: held).contains {
            takesOut($0, participant) && !entries[$0].past.contains(index)
        }
        let isLetIn =
            admissions[entries[index].replica]?.contains {
                $0 == index || held.contains($0) && !holders[id].outside.contains($0)
            } ?? false
        if isCut || !isLetIn { holders[id].outside.insert(index) }
    }

    /// Whether a change is sealed for an epoch that began when a machine's person was out.
    func isSealedFromOutcast(_ index: Int, _ id: World.NodeID) -> Bool {
        guard let epoch = entries[index].epoch, let beginning = removalOfEpoch[epoch] else { return false }
        let participant = participants[holders[id].replica]
        return removals.contains {
            takesOut($0, participant) && ($0 == beginning || entries[beginning].past.contains($0))
        }
    }

    /// Whether a device's person is out, by some changes.
    func isOut(_ replica: ReplicaID, by held: EventSet) -> Bool {
        let participant = participants[replica]
        return removals(in: held).contains { takesOut($0, participant) }
    }

    /// Whether a device is let in by something that counts; the founder is by the first change itself.
    private func isAdmitted(_ replica: ReplicaID, _ counting: EventSet, founding index: Int) -> Bool {
        guard let changes = admissions[replica] else { return false }
        return changes.contains { counting.contains($0) || $0 == index }
    }

    /// Whether a machine's person is out, by some changes.
    func isOut(_ id: World.NodeID, by held: EventSet) -> Bool {
        let participant = participants[holders[id].replica]
        if removals(in: held).contains(where: { takesOut($0, participant) }) { return true }
        guard mayExclude, admissions[holders[id].replica] != nil else { return false }
        return !isAdmitted(holders[id].replica, counting(held), founding: -1)
    }

    /// Whether nobody else who is in knows any more that a machine's device was let in, and others have taken somebody out
    /// since, of which it has not heard: their secret is another, and all invites are closed.
    func isForgotten(_ id: World.NodeID, outside: Set<World.NodeID>) -> Bool {
        let replica = holders[id].replica
        guard hasRemovals, let admissions = admissions[replica] else { return false }
        let others = holders.indices.filter { holders[$0].replica != replica && !outside.contains($0) }
        let isKnown = others.contains { other in admissions.contains { holders[other].held.contains($0) } }
        return !isKnown
            && removals.contains { removal in
                !holders[id].held.contains(removal) && others.contains { holders[$0].held.contains(removal) }
            }
    }

    /// What is not owed any more: it was acknowledged, and its author was out by then, or a disk forgot it of which only
    /// those had heard who are out.
    mutating func forgive(_ held: EventSet, members: [World.NodeID]) {
        let counting = counting(held)
        for index in owed where held.contains(index) {
            let isForgotten = rolledBack.contains(index) && !members.contains { isDurable(index, on: $0) }
            if isForgotten || !counting.contains(index) { owed.remove(index) }
        }
    }
}
