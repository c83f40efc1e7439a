import DeltaCRDT

/// An epoch that may be used, and how well it answers the removals that are known.
package struct RankedEpoch: Sendable {
    package let id: Bytes16
    /// Where it begins.
    package let place: Int
    /// How many of the removals that count it answers: those that its author had seen, or wrote with it.
    package let answered: Int
    /// How many epochs follow each other up to this one.
    let generation: Int
    let hash: Bytes32

    /// Whether one is used rather than another: it answers more; or comes after it; or, of two at once, has the lower hash.
    static func precedes(_ left: RankedEpoch, _ right: RankedEpoch) -> Bool {
        (right.answered, right.generation, left.hash) < (left.answered, left.generation, right.hash)
    }
}

extension Membership.EpochFact {
    var beginsEpoch: Bool { kind != .grant }
}

extension Membership {
    /// Puts the epochs in order that members began while they were in. O(epochs · (epochs + removals)).
    mutating func rankEpochs(isPast: (Int, Int) -> Bool) {
        let removed = countingRemovals
        var ranked: [RankedEpoch] = []
        // A place stands after its past: generations are known before they are asked for.
        for fact in epochFacts where fact.beginsEpoch {
            guard counts(fact.place, by: fact.author, isPast: isPast) else { continue }
            if fact.kind == .removal, !removed.contains(fact.place) { continue }
            let generation = ranked.filter { isPast($0.place, fact.place) }.map(\.generation).max() ?? 0
            ranked.append(
                RankedEpoch(
                    id: fact.epoch, place: fact.place,
                    answered: removed.count { $0 == fact.place || isPast($0, fact.place) },
                    generation: generation + 1, hash: fact.hash))
        }
        epochRanking = ranked.sorted(by: RankedEpoch.precedes)
    }

    /// The removals that count, by place.
    package var countingRemovals: Set<Int> { Set(people.values.flatMap(\.removals)) }

    /// Whether removals count that no epoch answers all of, so that those who are out still hold the newest secret.
    package var needsEpoch: Bool { (epochRanking.first?.answered ?? 0) < countingRemovals.count }

    /// Whether the log says of an epoch where it began.
    func explains(_ epoch: Bytes16) -> Bool { epochFacts.contains { $0.beginsEpoch && $0.epoch == epoch } }

    /// The devices with a node that are in and were not given the secret of an epoch, as far as is known here, in the order
    /// of their logs' names. O(devices · admissions + grants).
    package func devicesLacking(_ epoch: RankedEpoch, isPast: (Int, Int) -> Bool) -> [Device] {
        var holders: Set<ReplicaID> = []
        for fact in epochFacts where fact.epoch == epoch.id {
            holders.formUnion(fact.replicas)
            if fact.beginsEpoch { holders.insert(fact.author) }
        }
        return membersWithNode.filter { member in
            !holders.contains(member.device.replica)
                // Whoever is let in is given all secrets that are held there.
                && !member.admissions.contains { isPast(epoch.place, $0) }
        }
        .map(\.device)
    }
}

extension TripLog {
    /// The epochs whose secrets are here and of which the log says the beginning, and so who is not to know them; the
    /// trip's first among them. What is set aside says nothing to whoever comes: they would take its epoch for the newest.
    package var explainedEpochs: [Epoch] {
        let begun = Set(membership.epochFacts.filter { $0.beginsEpoch && isKept($0.place) }.map(\.epoch))
        return epochsByAge.filter { $0 == epochs.first || begun.contains($0.id) }
    }

    /// Their secrets, one after the other, as they are handed to somebody: of more than one message holds, the trip's first
    /// and the newest.
    package var explainedSecrets: [UInt8] {
        let explained = explainedEpochs
        let excess = max(0, explained.count - ChangeLimits.epochsMax)
        return (explained.prefix(1) + explained.dropFirst(1 + excess)).flatMap(\.secret.bytes)
    }
}
