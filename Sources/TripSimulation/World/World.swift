import ChangeLog
package import Convergence
package import SyncEngine

/// Nodes with a network, disks and clocks that exist in memory alone. The same seed gives the same run.
///
/// Time is in milliseconds and passes only from event to event. Nothing costs more with the number of nodes, but for
/// publishing a name (`Conditions.neighboursMax`) and what is done to all at once.
package struct World {
    /// How the world treats what passes through it.
    package struct Conditions: Sendable {
        /// From one node to another, one way: drawn for each transmission.
        package var latency: ClosedRange<Int> = 1...3
        /// What is added to that for a link, always the same.
        package var distance: ClosedRange<Int> = 0...0
        /// Bytes that leave a node in a millisecond; nil for any number of them.
        package var bandwidth: Int?
        /// From a write to its being durable.
        package var writeDuration: ClosedRange<Int> = 2...9
        /// From a name's publication to its sight by others.
        package var discoveryDelay: ClosedRange<Int> = 150...900
        /// Bytes that arrive at once; what was sent is cut into such pieces.
        package var chunk: ClosedRange<Int> = 1...65_536
        /// Whether nodes see each other's names; without, they know the addresses that they are told.
        package var discovers = true
        /// Whether nothing passes from machine to machine.
        package var isApart = false
        /// Others whose names a node sees: all of them, where there are no more.
        package var neighboursMax = 64
        /// Bytes that wait to be sent on one connection before it is closed, as by the transport.
        package var unsentBytesMax = 8 << 20
        /// Whether machines remember all that was shown to their people.
        package var keepsApplied = true
        /// Whether `sights` tells what happens, for an observer that empties it.
        package var isObserved = false

        package init() {}
    }

    package typealias NodeID = Int

    /// What is to happen to a machine.
    struct Occurrence {
        let machine: Int32
        let start: Int32
        let what: What
    }

    enum What {
        case event(Event)
        case writeEnds
        /// At an end of that generation, which was sent by the other at that start, when so many changes were durable.
        case arrived(end: Int32, generation: Int32, senderStart: Int32, durable: Int32, [UInt8])
        case closed(end: Int32, generation: Int32)
        case wake(UInt64)
        case appeared(String)
        case disappeared(String)
    }

    package var conditions = Conditions()
    package internal(set) var machines: [Machine] = []
    package internal(set) var time: UInt64 = 0
    /// Pieces that arrived, and their bytes.
    package internal(set) var deliveredMessages = 0
    package internal(set) var deliveredBytes = 0
    package internal(set) var bytesUnderWay = 0
    package internal(set) var bytesUnderWayMax = 0
    package internal(set) var queueMax = 0
    /// What happened since the observer last looked.
    package var sights: [Sight] = []
    /// For what an observer draws; nothing in the world itself does.
    package var generator: SeededGenerator
    /// Deliberate faults of the world or of what stands between it and its nodes, to see that the laws notice.
    package var mutation: TripMutation?

    var queue = EventQueue<Occurrence>()
    var ends: [End] = []
    var freePairs: [Int] = []
    /// Ends that hold back what cannot pass.
    var holdingEnds: [Int] = []
    var blocks = Blocks()
    var machineAt: [PeerAddress: NodeID] = [:]
    var publisherOf: [String: NodeID] = [:]
    var nextAddress = 1
    var nextBlock = 1
    var hidden: Set<Hidden> = []
    /// By how much names are seen later than the conditions say.
    var lateness: UInt64 = 0
    /// Where a node's names lead others, instead of to it.
    var falseAddresses: [NodeID: [PeerAddress]] = [:]
    /// What arrives at an end right now.
    var source: Sight.Source?
    var hasTaken = false
    /// Writes that were asked for, and at which of them, counted from 1, power fails, and how.
    package internal(set) var writeCount = 0
    package var powerCut: (write: Int, interruption: Disk.Interruption)?
    /// What must not be seen in what is sent.
    package var secrets = SecretSearch()
    /// The last first messages that arrived.
    package internal(set) var firstMessages: [FirstMessage] = []
    var firstMessageCount = 0
    /// How often what was set up to go wrong with names did.
    package internal(set) var nameFaults: [TripFault: Int] = [:]
    /// Where people who are apart meet; nil where they do not need to.
    package var mailbox: SimulatedMailbox?
    /// Whether its answers come late.
    package var isMailboxLate = false
    let seed: UInt64
    let cryptography: any SessionCryptography

    package init(seed: UInt64, cryptography: any SessionCryptography) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        self.cryptography = cryptography
    }

    /// How many different sets of changes the running machines hold. O(machines).
    package var divergence: Int { Set(machines.lazy.filter(\.isRunning).map(\.holding)).count }

    /// Whether all running machines hold the same changes, and any runs. O(machines).
    package var hasConverged: Bool {
        guard let holding = machines.first(where: \.isRunning)?.holding else { return false }
        return machines.allSatisfy { !$0.isRunning || $0.holding == holding }
    }

    // MARK: - Time

    /// Lets time pass until a condition holds. False where it does not within a bound.
    package mutating func run(for duration: UInt64, until isDone: (World) -> Bool = { _ in false }) -> Bool {
        let end = time + duration
        while !isDone(self) {
            guard step(until: end) else { return isDone(self) }
        }
        return true
    }

    /// Lets one thing happen. False, with the time at `end`, where nothing does until then.
    @discardableResult
    package mutating func step(until end: UInt64) -> Bool {
        guard let next = queue.nextTime, next <= end, let (at, occurrence) = queue.next() else {
            time = max(time, end)
            return false
        }
        time = at
        occur(occurrence)
        return true
    }

    private mutating func occur(_ occurrence: Occurrence) {
        let id = Int(occurrence.machine)
        if case .arrived(let end, let generation, let senderStart, let durable, let bytes) = occurrence.what {
            arrive(bytes, at: Int(end), generation, Int(senderStart), Int(durable))
            return
        }
        if case .closed(let end, let generation) = occurrence.what {
            hearClosed(Int(end), generation)
            return
        }
        guard machines[id].isRunning, machines[id].start == Int(occurrence.start) else { return }
        switch occurrence.what {
        case .event(let event): handle(event, on: id)
        case .writeEnds: writeEnds(on: id)
        case .wake: wake(id)
        case .appeared(let name):
            guard publisherOf[name] != nil, machines[id].sees.insert(name).inserted else { return }
            handle(.appeared(instance: name), on: id)
        case .disappeared(let name):
            guard machines[id].sees.remove(name) != nil else { return }
            handle(.disappeared(instance: name), on: id)
        case .arrived, .closed: break
        }
    }

    private mutating func wake(_ id: NodeID) {
        machines[id].plannedWake = nil
        guard let wanted = machines[id].wantedWake else { return }
        guard wanted <= machines[id].clock.now(at: time).monotonic else {
            planWake(of: id, at: wanted)
            return
        }
        machines[id].wantedWake = nil
        handle(.woke, on: id)
    }

    private mutating func planWake(of id: NodeID, at reading: UInt64) {
        machines[id].wantedWake = reading
        let at = max(time, machines[id].clock.time(of: reading))
        // One that comes too early looks again.
        if let planned = machines[id].plannedWake, planned <= at { return }
        machines[id].plannedWake = at
        later(.wake(at), on: id, at: at)
    }

    mutating func later(_ what: What, on id: NodeID, at when: UInt64) {
        queue.add(Occurrence(machine: Int32(id), start: Int32(machines[id].start), what: what), at: max(when, time))
        queueMax = max(queueMax, queue.count)
    }

    mutating func tell(_ id: NodeID, _ event: Event, after delay: UInt64) {
        later(.event(event), on: id, at: time + delay)
    }

    mutating func see(_ sight: Sight) {
        if conditions.isObserved { sights.append(sight) }
    }

    // MARK: - Events and effects

    package mutating func handle(_ event: Event, on id: NodeID) {
        guard machines[id].isRunning else { return }
        let effects = machines[id].handle(event, at: time)
        var isRebuilt = false
        for effect in effects {
            if case .rebuild = effect { isRebuilt = true }
            if case .storeEpoch = effect, machines[id].disk.isFull, mutation != .unreportedFailure {
                // What follows stands on what is not kept.
                fail(id)
                return
            }
            perform(effect, of: id)
        }
        let log = machines[id].node.log
        let version = log.retentionVersion + log.membershipVersion
        let lackingCount = log.lackingBodies.count
        guard isRebuilt || machines[id].retentionVersion != version || machines[id].lackingCount != lackingCount,
            machines[id].isRunning
        else { return }
        (machines[id].retentionVersion, machines[id].lackingCount) = (version, lackingCount)
        machines[id].holding = Machine.holding(of: machines[id].node.log)
    }

    /// The fault: a connection to somebody who is out stays.
    private mutating func keep(_ connection: ConnectionID, _ end: Int, of id: NodeID) -> Bool {
        guard mutation == .keptSessions, ends[end ^ 1].machine >= 0 else { return false }
        let other = machines[ends[end ^ 1].machine].node.secrets.device.replica
        guard machines[id].node.log.isOut(other) else { return false }
        machines[id].keptConnections.insert(connection)
        return true
    }

    /// The machines at the other ends of a machine's connections on which its node has a session, or which it was to
    /// close; not those of people who are out and are told so, nor those that tell this machine without showing whose they are.
    package func sessionMachines(of id: NodeID) -> [NodeID] {
        let node = machines[id].node
        let connections =
            node.connectionsWithSession.filter { !node.isWithOutsider($0) && !node.isWithStranger($0) }
            + machines[id].keptConnections.sorted()
        return connections.compactMap { connection in
            guard let end = machines[id].ends[connection], ends[end].isOpen, ends[end ^ 1].machine >= 0 else {
                return nil
            }
            return ends[end ^ 1].machine
        }
    }

    private mutating func perform(_ effect: Effect, of id: NodeID) {
        switch effect {
        case .persist(let token, let changes): write(changes, token, of: id)
        case .alter(let changes): for change in changes { machines[id].disk.alter(change) }
        case .apply(let changes):
            if conditions.keepsApplied { machines[id].applied += changes }
            see(.applied(id, changes))
        case .rebuild:
            show(on: id)
            see(.rebuilt(id))
        case .authored(let ticket, let result):
            machines[id].authored[ticket] = result
            see(.authored(id, ticket: ticket, result))
        // Simulated people take no photos.
        case .storeChunk, .loadChunk: break
        case .storeEpoch(let secret): machines[id].disk.epochs.append(secret)
        case .advertise(let names): advertise(names, by: id)
        case .resolve(let instance): resolve(instance, for: id)
        // The ports of machines of the world are fixed.
        case .renewPort: break
        // Nor does it run out of memory.
        case .read: break
        // A machine of the world has room for all names.
        case .hold: break
        case .dial(let connection, let address): dial(address, from: id, as: connection)
        case .send(let connection, let bytes):
            if let end = machines[id].ends[connection] { send(bytes, from: end) }
        case .close(let connection):
            if let end = machines[id].ends[connection], !keep(connection, end, of: id) { close(end) }
        case .mailbox(let request): ask(request, by: id)
        case .wake(let reading):
            planWake(of: id, at: reading)
        case .notice(.acknowledged): break
        case .notice(.forked) where mutation == .untoldForks: break
        case .notice(.met(let device, _)) where mutation == .inventedForks: see(.notice(id, .forked(device)))
        case .notice(let notice):
            if conditions.keepsApplied { machines[id].notices.append(notice) }
            see(.notice(id, notice))
        }
    }
}
