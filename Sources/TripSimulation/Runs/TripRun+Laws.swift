import ChangeLog
package import Convergence
import SyncEngine
import TripModel

// What is checked now and then, and in the end.
extension TripRun {
    /// Time after healing within which all must agree, in milliseconds. The longest wait of a node that is well is the
    /// 30 s between attempts at an address where nobody was ever met.
    static var healingMax: UInt64 { 20_000 }
    /// Things that may happen meanwhile, for each machine: pings, a catch-up and its acknowledgements.
    static var healingEventsMax: Int { 200_000 }

    mutating func sample() throws(Violation) {
        recorder.sample(world, changes: ledger.entries.count)
        try checkBounds()
        sampleCount += 1
        guard sampleCount % 64 == 0, !world.machines.isEmpty else { return }
        try checkConvergence()
        // A small group is looked at as a whole.
        if world.machines.count <= Self.wholeGroupMax {
            for id in world.machines.indices { try checkEffective(id) }
            try checkEveryoneHasThis()
        }
        // One machine at a time is compared with what an observer of all would show.
        let id = sampleCount / 64 % world.machines.count
        if world.machines[id].isRunning { try checkSpecification(id) }
        try checkAuthors(id)
    }

    /// A node that shows all that its log holds, as far as bodies are there.
    func isSettled(_ id: World.NodeID) -> Bool {
        world.machines[id].isRunning && !world.machines[id].node.isPersisting
    }

    /// What a machine's people should be shown of what its node holds: what counts and has its body there, and what that upholds.
    mutating func shownByRules(_ id: World.NodeID) -> (effective: EventSet, upheld: EventSet) {
        let effective = ledger.effective(ledger.holders[id].held)
        let upheld = specification.upheld(by: effective)
        let log = world.machines[id].node.log
        var absent = EventSet()
        for changeIndex in log.lackingBodies {
            if let index = ledger.indexOf[log.graph[changeIndex].hash] { absent.insert(index) }
        }
        return (effective.subtracting(absent), upheld.subtracting(absent))
    }

    /// Those of some changes whose bodies a machine has. Who lost their own disk, and waits, was sent the headers of what they wrote.
    func whole(_ changes: EventSet, on id: World.NodeID) -> EventSet {
        let graph = world.machines[id].node.log.graph
        return changes.reduce(into: EventSet()) { whole, index in
            if graph.index(of: ledger.entries[index].hash).map({ graph[$0].isWhole }) ?? false { whole.insert(index) }
        }
    }

    /// Whether a node lacks a body that another one has, and passes on.
    func lacksWhatIsThere(_ id: World.NodeID) -> Bool {
        let log = world.machines[id].node.log
        return log.lackingBodies.contains { changeIndex in
            let hash = log.graph[changeIndex].hash
            return world.machines.indices.contains { other in
                let there = world.machines[other].node.log
                guard !expelled.contains(other), let found = there.graph.index(of: hash) else { return false }
                return there.graph[found].isWhole && there.isRetained(found)
            }
        }
    }

    private mutating func checkConvergence() throws(Violation) {
        struct Known: Hashable {
            let holding: UInt64
            let version: Version
            /// What only this copy shows: no other device of its person is sent that.
            let pending: EventSet
        }
        var first: [Known: World.NodeID] = [:]
        var states: [Known: [UInt8]] = [:]
        for id in world.machines.indices where isSettled(id) {
            let holding = Known(
                holding: world.machines[id].holding, version: people[id].version, pending: ledger.pending(on: id))
            guard let other = first[holding] else {
                first[holding] = id
                continue
            }
            outcome.checks[.convergence, default: 0] += 1
            let expected = states[holding] ?? people[other].shown.replica.encodedState
            states[holding] = expected
            guard people[id].shown.replica.encodedState != expected else { continue }
            throw Violation(.convergence, "machines \(other) and \(id) hold the same changes and show different trips")
        }
    }

    /// - Parameter law: what breaks where it is shown otherwise.
    mutating func checkSpecification(_ id: World.NodeID, law: Law = .specification) throws(Violation) {
        guard isSettled(id) else { return }
        outcome.checks[law, default: 0] += 1
        let (version, (effective, upheld)) = (people[id].version, shownByRules(id))
        let pending = ledger.pending(on: id)
        var visible = effective
        visible.formUnion(whole(pending, on: id))
        try checkWishes(id, visible)
        let shown = TripSpecification.lines(of: view(on: id)) { name(of: $0) }
        let expected = specification.lines(held: visible, upheld: upheld.subtracting(pending), as: version)
        guard shown != expected else {
            var held = visible
            held.formUnion(upheld.subtracting(pending))
            let order = SpecifiedOrder(
                specification, specification.known(held, to: version), upheld: upheld.subtracting(pending))
            try checkBalances(id, order, as: version)
            return try checkUnknownCounts(id, visible, law)
        }
        let place = zip(shown, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let seen = place.map { "\"\(shown[$0])\", not \"\(expected[$0])\"" }
        throw Violation(
            law, "machine \(id) shows \(seen ?? "\(shown.count) lines, not \(expected.count)")")
    }

    /// What is effective at a machine's node is what the rules say of what it holds, and nothing that it derived contradicts
    /// itself.
    mutating func checkEffective(_ id: World.NodeID) throws(Violation) {
        guard world.machines[id].isRunning else { return }
        outcome.checks[.effective, default: 0] += 1
        let node = world.machines[id].node
        node.checkInvariants()
        let effective = ledger.effective(ledger.holders[id].held)
        let faulty = conditions.mutation?.countingFault.map { fault in
            ledger.rules(by: ledger.holders[id].held, fault: fault)
        }
        for changeIndex in node.log.graph.changes.indices {
            guard let index = ledger.indexOf[node.log.graph.changes[changeIndex].hash] else { continue }
            let isEffective = faulty?.isEffective(index) ?? node.log.isEffective(changeIndex)
            guard isEffective != effective.contains(index) else { continue }
            throw Violation(
                .effective,
                "at machine \(id) change \(index) is \(effective.contains(index) ? "not " : "")effective, by the rules it is\(effective.contains(index) ? "" : " not")"
            )
        }
    }

    private mutating func checkBounds() throws(Violation) {
        outcome.checks[.bounds, default: 0] += 1
        let limits = SessionLimits()
        for id in world.machines.indices where world.machines[id].isRunning {
            let load = world.machines[id].node.load
            let bounds = [
                ("connections", load.connections, limits.handshakesMax + limits.sessionsMax),
                ("connections without a session", load.handshakes, limits.handshakesMax + 64),
                ("names that are not ours", load.instances, 2 * limits.instancesMax),
                ("addresses", load.addresses, limits.addressesMax),
                (
                    "bytes sent and not acknowledged, a session", load.unacknowledgedBytesMax,
                    limits.unacknowledgedBytesMax + limits.batchBytesMax + ChangeBounds.recordBytesMax
                ),
            ]
            for (name, value, bound) in bounds {
                recorder.note(name, value, bound: bound)
                if value > bound {
                    throw Violation(.bounds, "machine \(id) holds \(value) \(name); \(bound) are allowed")
                }
            }
        }
    }

    // MARK: - The end

    /// Ends all faults, and checks what must hold then.
    package mutating func heal() throws(Violation) {
        note("all faults end")
        recorder.measurements.healing = world.time
        try endFaults()
        try expel()
        try keepInvites()
        if conditions.isApart { try meetInTurn() }
        let end = world.time + (conditions.isApart ? Self.apartHealingMax : Self.healingMax)
        var events = 0
        var nextLook = world.time + 5_000
        let eventsMax = Self.healingEventsMax * world.machines.count
        while !hasHealed, events < eventsMax, world.step(until: end) {
            events += 1
            if !world.sights.isEmpty { try drain() }
            // Power may have failed at a write of the healing itself.
            while let (_, ending) = agenda.next() { try self.end(ending) }
            if world.time >= nextLook {
                nextLook = world.time + 5_000
                // A removal that its own author forgot may have been under way.
                try expel()
                try keepInvites()
                let missing = isTracing ? whatIsMissing : ""
                note(missing)
            }
            if events % 256 == 0 { recorder.sample(world, changes: ledger.entries.count) }
        }
        outcome.checks[.liveness, default: 0] += 1
        guard hasHealed else { throw Violation(.liveness, whatIsMissing) }
        recorder.sample(world, changes: ledger.entries.count)
        try checkEnd()
    }

    private mutating func endFaults() throws(Violation) {
        while let (_, ending) = agenda.next() { try self.end(ending) }
        for connection in attacks.intruders.keys.sorted() { world.closeFromOutside(connection) }
        attacks.intruders = [:]
        world.endInterruptions()
        for id in world.machines.indices {
            people[id].downtime = nil
            world.setFull(false, id)
            try restart(id)
        }
        world.endDiscoveryFaults()
        try drain()
    }

    /// Switches off the machines of all who are out: nobody owes them anything.
    mutating func expel() throws(Violation) {
        guard ledger.maySomeNotCount else { return }
        // What only those hold who are out reaches nobody any more.
        var (all, reachable) = (EventSet(), EventSet())
        for (id, holder) in ledger.holders.enumerated() {
            all.formUnion(holder.held)
            if !expelled.contains(id) { reachable.formUnion(holder.held) }
        }
        for id in world.machines.indices where !expelled.contains(id) {
            // An invite that somebody who is out knows lets nobody in any more.
            guard
                !world.machines[id].node.isMember && isLinkOver(all) || ledger.isOut(id, by: all)
                    || ledger.isOut(id, by: reachable)
            else { continue }
            note("machine \(id) is out, and switched off")
            world.stop(id, .lost)
            expelled.insert(id)
        }
        ledger.forgive(all, members: present)
        try drain()
        try bringFiles()
    }

    /// Has people carry sealed files between each machine that doesn't meet the others and one of those, both ways: a file opens where its
    /// maker knows the reader.
    private mutating func bringFiles() throws(Violation) {
        let forgotten = ledger.forgotten(outside: expelled)
        guard let reader = present.first(where: { !forgotten.contains($0) && world.machines[$0].node.isMember }) else {
            return
        }
        for id in forgotten.sorted() where world.machines[id].node.isMember {
            try hand(.carriedFile, from: id, to: reader, world.time)
            try hand(.carriedFile, from: reader, to: id, world.time)
        }
        try drain()
    }

    /// The machines that were not switched off for good.
    var present: [World.NodeID] { world.machines.indices.filter { !expelled.contains($0) } }

    /// Lets people keep the invites that a removed person may know, about which their nodes ask.
    mutating func keepInvites() throws(Violation) {
        for id in world.machines.indices where world.machines[id].isRunning {
            let node = world.machines[id].node
            guard !node.invitesInQuestion.isEmpty else { continue }
            world.handle(.keepInvites(Set(node.log.invites.map(\.id))), on: id)
        }
        try drain()
    }

    /// Whether the invite by which people come has ended: its opener, the founder, removed somebody.
    private func isLinkOver(_ held: EventSet) -> Bool {
        let founder = founding.secrets[0].device.replica
        return ledger.removals.contains { held.contains($0) && ledger.entries[$0].replica == founder }
    }

    private var hasHealed: Bool {
        // A part of a plan may be one in which nobody comes.
        guard world.hasConverged || world.machines.isEmpty else { return false }
        return world.machines.indices.allSatisfy { id in
            if expelled.contains(id) { return true }
            return isSettled(id) && world.machines[id].node.isMember && !lacksWhatIsThere(id)
        }
    }

    /// What is retained at a node, by the ledger's numbers.
    private func retainedIndices(_ log: TripLog) -> EventSet {
        var retained = EventSet()
        for changeIndex in log.graph.changes.indices where log.isRetained(changeIndex) {
            if let index = ledger.indexOf[log.graph.changes[changeIndex].hash] { retained.insert(index) }
        }
        return retained
    }

    var whatIsMissing: String {
        for id in world.machines.indices where !expelled.contains(id) {
            if !world.machines[id].node.isMember { return "machine \(id) is not let in" }
            if world.machines[id].node.isPersisting { return "machine \(id) waits for its disk" }
            if lacksWhatIsThere(id) { return "machine \(id) never gets a body that another machine holds" }
        }
        let all = world.machines.map { machine in retainedIndices(machine.node.log) }
        for (id, held) in all.enumerated() where !expelled.contains(id) {
            for (other, others) in all.enumerated() where !expelled.contains(other) {
                if let index = others.first(where: { !held.contains($0) }) {
                    return "machine \(id) never hears of change \(index), which machine \(other) holds"
                }
            }
        }
        let lacking = world.machines.map { machine in
            let log = machine.node.log
            return log.lackingBodies.reduce(into: EventSet()) { bodies, changeIndex in
                if let index = ledger.indexOf[log.graph[changeIndex].hash] { bodies.insert(index) }
            }
        }
        for (id, bodies) in lacking.enumerated() where !expelled.contains(id) {
            for (other, others) in lacking.enumerated() where !expelled.contains(other) {
                if let index = bodies.first(where: { !others.contains($0) }) {
                    return "machine \(id) lacks the body of change \(index), which machine \(other) does not lack"
                }
            }
        }
        return "the machines do not agree"
    }

    private mutating func checkEnd() throws(Violation) {
        try checkConvergence()
        let members = present
        for version in Version.allCases {
            let views = Set(members.filter { people[$0].version == version }.map { people[$0].shown.replica.view })
            if views.count > 1 { throw Violation(.convergence, "the machines show \(views.count) different trips") }
        }
        for id in members { try checkSpecification(id) }
        if world.machines.count <= Self.wholeGroupMax { for id in members { try checkEffective(id) } }
        for id in members.prefix(Self.wholeGroupMax) { try checkAuthors(id) }
        try checkEveryoneHasThis()
        outcome.checks[.acknowledgedStays, default: 0] += 1
        for id in members {
            let held = ledger.holders[id].held
            if let lost = ledger.owed.first(where: { !held.contains($0) }) {
                throw Violation(
                    .acknowledgedStays,
                    "machine \(id) lacks change \(lost), which machine \(ledger.entries[lost].author) said was done")
            }
        }
        if conditions.isMixed { try updateEverybody(members) }
        for machine in world.machines { outcome.mix(machine.holding) }
        for byte in members.first.map({ people[$0].shown.replica.encodedState }) ?? [] { outcome.mix(UInt64(byte)) }
    }

    /// Fills in what a report shows.
    package mutating func conclude() {
        if let violation = outcome.violation { note("\(violation)", .violation) }
        outcome.deliveredCount = world.deliveredMessages
        outcome.applicationCount = ledger.applicationCount
        outcome.writeCount = world.writeCount
        outcome.duration = world.time
        outcome.mix(UInt64(world.deliveredBytes))
        for (fault, count) in world.nameFaults { outcome.faults[fault, default: 0] += count }
        for law in [Law.persistBeforeSend, .wholeIntervals, .ownHand] { outcome.checks[law] = ledger.checkCount }
        outcome.checks[.refusal] = ledger.refusalCheckCount
        outcome.checks[.nothingInTheClear] = world.secrets.count
        recorder.note("events that wait", world.queueMax, bound: nil)
        recorder.note("bytes under way", world.bytesUnderWayMax, bound: nil)
        outcome.measurements = recorder.measurements(of: world, ledger)
    }
}

extension Recorder {
    func measurements(of world: World, _ ledger: TripLedger) -> Measurements {
        var result = measurements
        for index in result.intervals.indices where result.intervals[index].end > world.time {
            result.intervals[index].end = world.time
        }
        let written = ledger.entries.filter { $0.written > 0 }
        let stride = max(1, (written.count + Measurements.spreadsMax - 1) / Measurements.spreadsMax)
        for (place, entry) in written.enumerated() where place % stride == 0 {
            let count = Double(max(1, entry.reached))
            result.spreads.append(
                Measurements.Spread(
                    author: entry.author, written: entry.written, size: entry.size, reached: entry.reached,
                    bytesPerNode: entry.bytes / count, hopsMean: Double(entry.hops) / count, hopsMax: entry.hopsMax,
                    convergence: entry.reached >= world.machines.count - 1
                        ? max(entry.lastReached, entry.written) - entry.written : nil))
        }
        result.traffic = world.machines.indices.map { id in
            var traffic = world.machines[id].traffic
            traffic.changesWritten = ledger.entries.count { $0.author == id && $0.written > 0 }
            traffic.changesReceived = ledger.holders[id].hops.count { $0 > 1 }
            return traffic
        }
        result.maxima = maxima.keys.sorted().compactMap { name in
            maxima[name].map { Measurements.Maximum(name: name, value: $0.value, bound: $0.bound) }
        }
        result.duration = world.time
        return result
    }
}
