import ChangeLog
import Convergence
import DeltaCRDT

/// Every change of a run, and who holds it, has it durable and was told so: what no node could know by itself.
struct TripLedger {
    /// One change that was ever written.
    struct Entry {
        /// As its author wrote it, with its body.
        let signed: SignedChange
        let author: World.NodeID
        let written: UInt64
        /// The change before it in its log.
        let previous: Int?
        /// The changes that it stands on directly.
        let dependencies: [Int]
        /// All that it stands on.
        let past: EventSet
        // How it spread.
        var reached = 0
        var lastReached: UInt64 = 0
        var bytes = 0.0
        var hops = 0
        var hopsMax = 0

        var hash: Bytes32 { signed.hash }
        var replica: ReplicaID { signed.change.replica }
        var stamp: ChangeTimestamp { signed.stamp }
        /// What it says of who is in.
        var statement: Statement? { signed.change.statement }
        var size: Int { signed.record.count }
    }

    /// What one machine has.
    struct Holder {
        let replica: ReplicaID
        /// The log that it keeps for a guest.
        let guest: ReplicaID?
        var held = EventSet()
        /// What of that is not effective, by the statements that it holds.
        var outside = EventSet()
        /// The index of each change in its disk's log, from 1; 0 where it is not durable.
        var positions: [Int32] = []
        var durableCount: Int32 = 0
        /// How many links a change crossed on its way here, and 1; 0 where it never came.
        var hops: [UInt8] = []
        /// The changes whose bodies it had.
        var whole = EventSet()
        /// Its own that it was told are durable, in order.
        var acknowledged: [Int] = []
        var start = 0
    }

    private(set) var entries: [Entry] = []
    private(set) var indexOf: [Bytes32: Int] = [:]
    var holders: [Holder] = []
    /// The changes that say something of who is in.
    private(set) var statements: [Int] = []
    private(set) var statementSet = EventSet()
    private(set) var removals: [Int] = []
    /// The changes that begin an epoch, or take somebody out.
    private(set) var beginnings: [Int] = []
    /// Who followed from sets of statements.
    var personsByStatements: [EventSet: Persons] = [:]
    static let personsMax = 512
    let cryptography: any Cryptography
    private(set) var admissions: [ReplicaID: [Int]] = [:]
    /// How many branches each replica's log has that ever forked.
    private(set) var branchCounts: [ReplicaID: Int] = [:]
    /// The changes that another of their replica follows, and the replicas whose first change is here.
    private var followed = EventSet()
    private var begun: Set<ReplicaID> = []
    /// The keys of each replica, and whose device it is.
    private(set) var devices: [ReplicaID: Device] = [:]
    /// Whether somebody wrote what no honest node writes: then a change may not count though nobody was removed.
    var isCrafted = false
    /// What was acknowledged and may not be missing in the end.
    var owed = EventSet()
    /// What a disk forgot when it came back as it was.
    private(set) var rolledBack = EventSet()
    /// Changes that a hostile node made and no node may take, with the law that says so.
    var forbidden: [Bytes32: (law: Law, what: String)] = [:]
    private(set) var applicationCount = 0
    private(set) var checkCount = 0
    /// Those of them that were made when there was something that no node may take.
    private(set) var refusalCheckCount = 0

    /// The trip that all changes are of.
    var trip: Bytes32 { entries.first?.signed.change.trip ?? Bytes32(words: (0, 0, 0, 0)) }

    init(using cryptography: any Cryptography) { self.cryptography = cryptography }

    // MARK: - Machines

    mutating func add(replica: ReplicaID, guest: ReplicaID?) { holders.append(Holder(replica: replica, guest: guest)) }

    /// Sets what a machine holds to what its log says after a start.
    /// - Returns: an acknowledged change that is missing, or a durable one.
    mutating func reset(_ id: World.NodeID, to log: TripLog, start: Int) -> Int? {
        var held = EventSet()
        holders[id].positions = Array(repeating: 0, count: entries.count)
        holders[id].durableCount = 0
        for change in log.graph.changes {
            let index = register(change, author: id, at: 0)
            held.insert(index)
            note(durable: index, on: id)
            noteHops(index, on: id, from: nil)
        }
        holders[id].held = held
        holders[id].whole = EventSet()
        holders[id].outside = maySomeNotCount ? held.subtracting(effective(held)) : EventSet()
        holders[id].start = start
        return holders[id].acknowledged.first { !held.contains($0) }
    }

    /// A machine's disk comes back as it was: what it alone had is not owed any more.
    mutating func rolledBack(_ id: World.NodeID, keeping kept: Set<Int>) {
        let lost = holders[id].held.filter { !kept.contains($0) }
        for index in lost where owed.contains(index) {
            rolledBack.insert(index)
            let isElsewhere = holders.indices.contains { $0 != id && isDurable(index, on: $0) }
            if !isElsewhere { owed.remove(index) }
        }
        for index in lost where index < holders[id].positions.count { holders[id].positions[index] = 0 }
        // Nothing is known of what it sent before.
        holders[id].start = -1
        holders[id].acknowledged.removeAll { !kept.contains($0) }
    }

    /// The change at an index of a machine's disk, from 1.
    func index(ofPosition position: Int, on id: World.NodeID) -> Int? {
        holders[id].positions.firstIndex(of: Int32(position))
    }

    func isDurable(_ index: Int, on id: World.NodeID) -> Bool {
        index < holders[id].positions.count && holders[id].positions[index] > 0
    }

    // MARK: - Changes

    /// The number of a change; a new one for one that was never seen.
    mutating func register(_ change: SignedChange, author: World.NodeID, at time: UInt64) -> Int {
        if let index = indexOf[change.hash] { return index }
        let index = entries.count
        let hashes = change.change.heads + [change.change.previous].compactMap { $0 }
        let dependencies = hashes.compactMap { indexOf[$0] }
        var past = EventSet()
        for dependency in dependencies {
            past.formUnion(entries[dependency].past)
            past.insert(dependency)
        }
        switch change.change.statement {
        case .found(let founder, _, _): note(founder, letInBy: index)
        case .admit(let admission): note(admission.device, letInBy: index)
        case .remove:
            removals.append(index)
            beginnings.append(index)
        case .beginEpoch, .end: beginnings.append(index)
        default: break
        }
        if change.change.statement != nil {
            statements.append(index)
            statementSet.insert(index)
        }
        let previous = change.change.previous.flatMap { indexOf[$0] }
        noteBranch(of: change.change.replica, after: previous)
        entries.append(
            Entry(
                signed: change, author: author, written: time, previous: previous, dependencies: dependencies,
                past: past))
        indexOf[change.hash] = index
        return index
    }

    private mutating func note(_ device: Device, letInBy index: Int) {
        admissions[device.replica, default: []].append(index)
        devices[device.replica] = device
    }

    /// Counts a branch where a change stands beside another.
    private mutating func noteBranch(of replica: ReplicaID, after previous: Int?) {
        let isBeside = previous.map { followed.contains($0) } ?? begun.contains(replica)
        if let previous { followed.insert(previous) } else { begun.insert(replica) }
        if isBeside { branchCounts[replica, default: 1] += 1 }
    }

    /// A node holds changes and asked for them to be written.
    mutating func took(
        _ id: World.NodeID, _ changes: [SignedChange], from source: Sight.Source?, at time: UInt64
    ) throws(Violation) {
        checkCount += changes.count
        if !forbidden.isEmpty { refusalCheckCount += changes.count }
        let bytes = Double(source?.bytes ?? 0) / Double(max(1, changes.count))
        for change in changes {
            if let (law, what) = forbidden[change.hash] { throw Violation(law, "node \(id) took \(what)") }
            let known = indexOf[change.hash]
            if known == nil, change.change.replica != holders[id].replica,
                change.change.replica != holders[id].guest
            {
                throw Violation(.ownHand, "node \(id) holds a change of another's that nobody wrote")
            }
            let index = known ?? register(change, author: id, at: time)
            if maySomeNotCount, let source, source.machine >= 0, isKeptFromOutcast(index, id, sender: source.machine) {
                throw Violation(.outMeansOut, "node \(id), which is out, reads change \(index)")
            }
            for dependency in entries[index].dependencies where !holders[id].held.contains(dependency) {
                throw Violation(.wholeIntervals, "node \(id) took change \(index) before change \(dependency)")
            }
            holders[id].held.insert(index)
            if maySomeNotCount { noteOutside(index, on: id) }
            guard known != nil else {
                noteHops(index, on: id, from: nil)
                continue
            }
            applicationCount += 1
            entries[index].bytes += bytes
            guard let source, source.machine >= 0 else { continue }
            try checkSource(index, of: source, to: id)
            noteHops(index, on: id, from: source.machine)
            entries[index].lastReached = max(entries[index].lastReached, time)
        }
    }

    private func checkSource(_ index: Int, of source: Sight.Source, to id: World.NodeID) throws(Violation) {
        // Since it was sent, the sender may have started from another disk.
        guard holders[source.machine].start == source.start else { return }
        let position = index < holders[source.machine].positions.count ? holders[source.machine].positions[index] : 0
        guard position == 0 || Int(position) > source.durableCount else { return }
        throw Violation(
            .persistBeforeSend, "node \(source.machine) sent change \(index) to node \(id) before it was durable")
    }

    private mutating func noteHops(_ index: Int, on id: World.NodeID, from source: World.NodeID?) {
        let missing = index + 1 - holders[id].hops.count
        if missing > 0 { holders[id].hops.append(contentsOf: repeatElement(0, count: missing)) }
        guard holders[id].hops[index] == 0 else { return }
        let before = source.map { index < holders[$0].hops.count ? holders[$0].hops[index] : 1 } ?? 0
        holders[id].hops[index] = min(before, 254) + 1
        guard source != nil else { return }
        entries[index].reached += 1
        entries[index].hops += Int(before)
        entries[index].hopsMax = max(entries[index].hopsMax, Int(before))
    }

    mutating func noteWhole(on id: World.NodeID, _ log: TripLog) {
        for changeIndex in log.graph.changes.indices where log.graph[changeIndex].isWhole {
            if let index = indexOf[log.graph[changeIndex].hash] { holders[id].whole.insert(index) }
        }
    }

    // MARK: - Disks

    mutating func durable(_ id: World.NodeID, _ changes: [SignedChange]) throws(Violation) {
        for change in changes {
            guard let index = indexOf[change.hash] else { continue }
            for dependency in entries[index].dependencies where !isDurable(dependency, on: id) {
                throw Violation(
                    .wholeIntervals, "node \(id) wrote change \(index) to disk before change \(dependency)")
            }
            note(durable: index, on: id)
        }
    }

    private mutating func note(durable index: Int, on id: World.NodeID) {
        let missing = index + 1 - holders[id].positions.count
        if missing > 0 { holders[id].positions.append(contentsOf: repeatElement(0, count: missing)) }
        holders[id].durableCount += 1
        holders[id].positions[index] = holders[id].durableCount
    }

    /// Somebody was told that what they did is durable.
    mutating func acknowledged(_ id: World.NodeID, _ hash: Bytes32) throws(Violation) {
        guard let index = indexOf[hash], isDurable(index, on: id) else {
            throw Violation(.durability, "node \(id) said that something is done that is not durable")
        }
        holders[id].acknowledged.append(index)
        owed.insert(index)
    }
}
