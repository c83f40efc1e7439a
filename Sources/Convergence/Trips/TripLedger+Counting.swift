import ChangeLog
import DeltaCRDT

// Who is out, and what counts of what they wrote, by what their remover had seen: from the changes alone, without a look
// at what any node derived.
extension TripLedger {
    /// Whether anybody was taken out.
    var hasRemovals: Bool { !removals.isEmpty }

    /// Of some changes, those that have a part in what people see. Only the founder takes people out here, whom nobody
    /// takes out, so that every removal holds. O(changes · removals).
    func counting(_ held: EventSet) -> EventSet {
        let present = removals.filter { held.contains($0) }
        guard !present.isEmpty else { return held }
        var counting = EventSet()
        // A change has a greater number than all that it stands on.
        for index in held where isAdmitted(entries[index].replica, counting, founding: index) {
            let participant = participants[entries[index].replica]
            let isCut = present.contains {
                entries[$0].removes == participant && !entries[$0].past.contains(index)
            }
            if !isCut { counting.insert(index) }
        }
        return counting
    }

    /// Notes whether a change that came to a machine counts there; of a removal, what it takes out.
    mutating func noteOutside(_ index: Int, on id: World.NodeID) {
        let held = holders[id].held
        if entries[index].removes != nil {
            holders[id].outside = held.subtracting(counting(held))
            return
        }
        let participant = participants[entries[index].replica]
        let isCut = removals.contains {
            held.contains($0) && entries[$0].removes == participant && !entries[$0].past.contains(index)
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
            entries[$0].removes == participant && ($0 == beginning || entries[beginning].past.contains($0))
        }
    }

    /// Whether a device's person is out, by some changes.
    func isOut(_ replica: ReplicaID, by held: EventSet) -> Bool {
        let participant = participants[replica]
        return removals.contains { held.contains($0) && entries[$0].removes == participant }
    }

    /// Whether a device is let in by something that counts; the founder is by the first change itself.
    private func isAdmitted(_ replica: ReplicaID, _ counting: EventSet, founding index: Int) -> Bool {
        guard let changes = admissions[replica] else { return false }
        return changes.contains { counting.contains($0) || $0 == index }
    }

    /// Whether a machine's person is out, by some changes.
    func isOut(_ id: World.NodeID, by held: EventSet) -> Bool {
        let participant = participants[holders[id].replica]
        if removals.contains(where: { held.contains($0) && entries[$0].removes == participant }) { return true }
        guard hasRemovals, admissions[holders[id].replica] != nil else { return false }
        return !isAdmitted(holders[id].replica, counting(held), founding: -1)
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
