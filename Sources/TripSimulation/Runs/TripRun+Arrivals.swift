import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine

/// What honest people did lately, and since when machines have been in session with nothing between them.
struct Arrivals {
    struct Act {
        let index: Int
        let author: World.NodeID
        /// When it was durable there.
        let since: UInt64
    }

    struct Pair: Hashable {
        let one: World.NodeID
        let other: World.NodeID
    }

    struct Session {
        let link: World.Link
        let since: UInt64
        /// Changes that the one had and the other lacked in the beginning.
        let backlog: Int
    }

    var acts: [Act] = []
    /// All acts that were durable where they were written. One that a disk lost comes back with all else that it lost.
    var known = EventSet()
    var links: [Pair: Session] = [:]
    var nextLook: UInt64 = 0

    /// Milliseconds of connection after which what an honest person did must be there.
    static let delayMax: UInt64 = 1_000
    /// Milliseconds more for each change of the backlog: what is written in bulk goes no faster while others lag
    /// (`SessionLimits.pacedCostDuration`).
    static let backlogDelay: UInt64 = 8
    static let interval: UInt64 = 200
    /// After so long it is left to liveness.
    static let ageMax: UInt64 = 8_000
}

// What honest people do is elsewhere within a second of connection, whatever is attacked meanwhile.
extension TripRun {
    mutating func noteActs(_ changes: [SignedChange], durableOn id: World.NodeID) {
        guard conditions.hasLeague else { return }
        for change in changes {
            guard let index = ledger.indexOf[change.hash], ledger.entries[index].author == id,
                ledger.entries[index].written > 0, !arrivals.known.contains(index)
            else { continue }
            arrivals.known.insert(index)
            arrivals.acts.append(Arrivals.Act(index: index, author: id, since: world.time))
        }
    }

    mutating func checkArrivals() throws(Violation) {
        let now = world.time
        guard conditions.hasLeague, now >= arrivals.nextLook else { return }
        arrivals.nextLook = now + Arrivals.interval
        var links: [Arrivals.Pair: Arrivals.Session] = [:]
        for id in world.machines.indices {
            for (other, link) in world.clearLinks(of: id) {
                let pair = Arrivals.Pair(one: id, other: other)
                let known = arrivals.links[pair].flatMap { $0.link == link ? $0 : nil }
                links[pair] =
                    known ?? Arrivals.Session(link: link, since: now, backlog: ledger.backlog(of: other, behind: id))
            }
        }
        arrivals.links = links
        forgetActs(before: now)
        for act in arrivals.acts where now >= act.since + Arrivals.delayMax {
            for other in world.machines.indices where !ledger.holders[other].held.contains(act.index) {
                guard let link = links[Arrivals.Pair(one: act.author, other: other)],
                    now >= link.since + Arrivals.delayMax + UInt64(link.backlog) * Arrivals.backlogDelay,
                    isOwed(act, to: other)
                else { continue }
                throw Violation(
                    .prompt,
                    "machine \(other) lacks change \(act.index) of machine \(act.author) after \(now - max(act.since, link.since)) ms in session"
                )
            }
            outcome.checks[.prompt, default: 0] += 1
        }
    }

    /// Leaves to liveness what is old, and what its author's disk lost: others have to bring that back first.
    private mutating func forgetActs(before now: UInt64) {
        var acts: [Arrivals.Act] = []
        for act in arrivals.acts where now <= act.since + Arrivals.ageMax {
            let author = world.machines[act.author]
            let isLost = author.isRunning && author.node.log.graph.index(of: ledger.entries[act.index].hash) == nil
            if !isLost { acts.append(act) }
        }
        arrivals.acts = acts
    }

    private mutating func isOwed(_ act: Arrivals.Act, to other: World.NodeID) -> Bool {
        let log = world.machines[act.author].node.log
        guard let index = log.graph.index(of: ledger.entries[act.index].hash), log.isRetained(index) else {
            return false
        }
        let (author, reader) = (ledger.holders[act.author].replica, ledger.holders[other].replica)
        let there = world.machines[other].node.log
        guard author != reader, log.isIn(reader), there.isIn(author), log.isIn(author) else { return false }
        return !isBelowLeague(author, log) && !isBelowLeague(reader, there)
    }

    /// Whether somebody in league is above a device's person, or admitted them.
    private func isBelowLeague(_ replica: ReplicaID, _ log: TripLog) -> Bool {
        guard let participant = ledger.devices[replica]?.participant else { return true }
        if league.members.contains(where: { log.isAncestor($0.participant, of: participant) }) { return true }
        return (ledger.admissions[replica] ?? []).allSatisfy { league.member(ledger.entries[$0].replica) != nil }
    }
}

extension TripLedger {
    /// How many changes a machine lacks of those that another one has.
    fileprivate func backlog(of id: World.NodeID, behind other: World.NodeID) -> Int {
        holders[other].held.subtracting(holders[id].held).reduce(0) { count, _ in count + 1 }
    }
}

extension World {
    /// A connection, of which nothing else has the same.
    struct Link: Hashable {
        let end: Int
        let generation: Int32
    }

    /// The sessions of a machine that nothing holds up, by the machine at their other ends.
    func clearLinks(of id: NodeID) -> [(other: NodeID, link: Link)] {
        guard machines[id].isRunning, !machines[id].disk.isFull, machines[id].bandwidth == nil else { return [] }
        return machines[id].node.connectionsWithSession.compactMap { connection in
            guard let end = machines[id].ends[connection], isClear(end), isClear(end ^ 1) else { return nil }
            let other = ends[end ^ 1].machine
            guard other >= 0, machines[other].isRunning, !machines[other].disk.isFull, machines[other].bandwidth == nil,
                machines[other].start == ends[end ^ 1].start,
                machines[other].node.connectionsWithSession.contains(ends[end ^ 1].connection),
                passes(from: id, to: other), passes(from: other, to: id)
            else { return nil }
            return (other, Link(end: end, generation: ends[end].generation))
        }
    }

    private func isClear(_ end: Int) -> Bool {
        ends[end].isOpen && !ends[end].isBroken && ends[end].held.isEmpty && ends[end].lastArrival <= time + 150
    }
}
