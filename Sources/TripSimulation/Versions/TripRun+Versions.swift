import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

// Groups in which not everybody has updated: who runs what, what they write, how they update, and what must hold of it.
extension TripRun {
    /// A larger group has ways around any two of its nodes.
    private static var partedNodesMax: Int { 12 }
    /// What makes a title longer than the older version shows.
    private static var longTitle: String { ", with a view of the sea and a stove" }

    /// The founder's is the newer one, and the second node's the older one until everybody has updated.
    func version(ofNode node: Int) -> Version {
        guard conditions.isMixed, node > 0 else { return .newer }
        return node == 1 || SplitMix64.mixed(plan.seed ^ UInt64(node) << 32) % 2 == 0 ? .older : .newer
    }

    /// The machine that updates when all have, so that until then somebody is older; nil where it does not take part.
    var lastToUpdate: World.NodeID? { machineOf.count > 1 ? machineOf[1] : nil }

    func sessionCryptography(of version: Version) -> any SessionCryptography {
        guard conditions.isMixed else { return cryptography }
        return VersionedCryptography(sound: cryptography, version: version, mutation: conditions.mutation)
    }

    /// In half of the runs no two newer machines reach each other: what they say comes by way of older ones.
    mutating func part(_ id: World.NodeID) {
        guard conditions.isMixed, plan.seed % 2 == 0, plan.nodes.contains(1),
            conditions.replicas <= Self.partedNodesMax,
            !conditions.faults.contains(.removal), people[id].version == .newer
        else { return }
        for other in 0..<id where people[other].version == .newer {
            _ = world.clog(from: id, to: other)
            _ = world.clog(from: other, to: id)
        }
    }

    /// What a newer version says now and then in place of what anybody could: a title too long for the older one.
    func lengthened(
        _ action: TripAction, _ meaning: TripSpecification.Meaning, _ draw: UInt64
    ) -> (TripAction, TripSpecification.Meaning) {
        guard SplitMix64.mixed(draw ^ 2) % 3 == 0 else { return (action, meaning) }
        switch (action, meaning) {
        case (.add, .add(let drafts, nil)):
            guard drafts.count == 1, var fields = drafts.first?.fields, let quantity = drafts.first?.quantity else {
                return (action, meaning)
            }
            let title = (fields[.title] ?? "") + Self.longTitle
            fields[.title] = title
            let draft = ItemDraft(title: title, fields: fields, quantity: quantity == 0 ? nil : quantity)
            return (.add([draft]), .add(fields: fields, quantity: quantity))
        case (.act(.edit(var fields, let shown), let items), .edit(let change, _, let forms)):
            guard case .some(.some(let title)) = fields[.title] else { return (action, meaning) }
            fields[.title] = title + Self.longTitle
            return (.act(.edit(fields, shown: shown), on: items), .edit(item: change, fields: fields, shown: forms))
        case (.setTitle(let title), _): return (.setTitle(title + Self.longTitle), .setTitle(title + Self.longTitle))
        default: return (action, meaning)
        }
    }

    // MARK: - Updates

    /// A machine is stopped, and starts as the newer version: its changes are folded again before it meets anybody.
    mutating func update(_ id: World.NodeID) throws(Violation) {
        guard people[id].version == .older else { return }
        happened(.update)
        note("machine \(id) is updated")
        world.leave(id)
        try drain()
        people[id].version = .newer
        world.machines[id].sessionCryptography = sessionCryptography(of: .newer)
        try restart(id)
        try checkSpecification(id, law: .update)
    }

    /// At the end of a run whose machines agree: nobody reaches anybody, all update, and all show the same.
    mutating func updateEverybody(_ members: [World.NodeID]) throws(Violation) {
        note("every cable is pulled, and whoever is older is updated")
        for id in members { world.cut(id) }
        for id in members { try update(id) }
        outcome.checks[.update, default: 0] += 1
        let states = Set(members.map { people[$0].shown.replica.encodedState })
        let views = Set(members.map { people[$0].shown.replica.view })
        guard max(states.count, views.count) > 1 else { return }
        throw Violation(.update, "the machines, all of one version now, show \(views.count) different trips")
    }

    // MARK: - What is not known

    /// Counts what a machine takes of which its version knows a part.
    mutating func noteUnknown(_ changes: [SignedChange], on id: World.NodeID) {
        guard people[id].version == .older else { return }
        let count = changes.count { Version.older.misses($0.change.content) }
        if count > 0 { outcome.checks[.unknownIsTaken, default: 0] += count }
    }

    /// Where nobody means ill, nobody says what no machine takes.
    func checkMisbehaviour(_ what: Misbehaviour, by id: World.NodeID) throws(Violation) {
        guard conditions.isMixed, !conditions.faults.contains(where: \.isHostile) else { return }
        throw Violation(
            .unknownIsTaken, "machine \(id), of the \(people[id].version) version, ends a session: \(what)")
    }

    /// People are told how many changes need a newer version, and whose they are.
    func checkUnknownCounts(_ id: World.NodeID, _ effective: EventSet, _ law: Law) throws(Violation) {
        let expected = specification.unknownCounts(held: effective, as: people[id].version)
        var counted: [Bytes32: Int] = [:]
        for participant in expected.keys {
            counted[participant] = people[id].shown.replica.unknownCounts[ParticipantID(participant)]
        }
        let isMore = people[id].shown.replica.unknownCounts.count != expected.count
        guard counted != expected || isMore else { return }
        let (count, due) = (people[id].shown.replica.unknownCounts.values.reduce(0, +), expected.values.reduce(0, +))
        throw Violation(law, "machine \(id) counts \(count) changes that a newer version knows, not \(due)")
    }
}
