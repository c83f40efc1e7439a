package import ChangeLog
package import SyncEngine

/// Nodes with a network, disks and clocks that exist in memory alone. The same seed gives the same run.
///
/// Time is in milliseconds and passes only from event to event.
package struct World {
    /// How the world treats what passes through it.
    package struct Conditions: Sendable {
        /// From one node to another, one way.
        package var latency: ClosedRange<Int> = 1...3
        /// From a write to its being durable.
        package var writeDuration: ClosedRange<Int> = 2...9
        /// From a name's publication to its sight by others.
        package var discoveryDelay: ClosedRange<Int> = 150...900
        /// Bytes that arrive at once; what was sent is cut into such pieces.
        package var chunk: ClosedRange<Int> = 1...65_536

        package init() {}
    }

    package typealias NodeID = Int

    /// What a node's disk holds, which outlives a crash.
    package struct Disk: Sendable {
        package var changes: [(sealed: [UInt8], isVerified: Bool)] = []
        package var epochs: [Bytes32] = []

        package init(changes: [(sealed: [UInt8], isVerified: Bool)] = [], epochs: [Bytes32] = []) {
            self.changes = changes
            self.epochs = epochs
        }
    }

    /// One participant's machine.
    package struct Machine: Sendable {
        package var node: SyncNode
        package var disk: Disk
        package var isRunning = true
        package var isCutOff = false
        /// Counts the machine's starts, so that what was meant for an earlier one is lost.
        package var start = 0
        /// What was shown to its people, in order.
        package var applied: [AppliedChange] = []
        package var notices: [Notice] = []
        package var authored: [UInt64: Result<Bytes32, Refusal>] = [:]
        var advertisements: [Advertisement] = []
        var wake: UInt64?
        var acceptedCount: UInt64 = 0
    }

    private struct Occurrence {
        let machine: NodeID
        let start: Int
        let what: What
    }

    private enum What {
        case event(Event)
        case durable(token: UInt64, [(sealed: [UInt8], isVerified: Bool)])
        case arrived(ConnectionID, [UInt8])
        case wake(UInt64)
    }

    /// One end of a connection and the other.
    private struct End: Hashable {
        let machine: NodeID
        let connection: ConnectionID
    }

    package var conditions = Conditions()
    package private(set) var machines: [Machine] = []
    package private(set) var time: UInt64 = 0
    package private(set) var deliveredMessages = 0
    package private(set) var deliveredBytes = 0
    private var queue = EventQueue<Occurrence>()
    private var peerOf: [End: End] = [:]
    /// When the last piece sent from an end arrives, so that pieces keep their order.
    private var lastArrival: [End: UInt64] = [:]
    /// What was sent over cut links, in order.
    private var unsent: [(from: End, bytes: [UInt8])] = []
    package var generator: SeededGenerator
    private let cryptography: any SessionCryptography
    private let rules: any ContentRules

    package init(seed: UInt64, cryptography: any SessionCryptography, rules: any ContentRules) {
        generator = SeededGenerator(seed: seed)
        self.cryptography = cryptography
        self.rules = rules
    }

    // MARK: - Machines

    /// Adds a machine, which listens at once.
    package mutating func add(_ node: SyncNode, disk: Disk = Disk()) -> NodeID {
        let id = machines.count
        machines.append(Machine(node: node, disk: disk))
        handle(.listening(port: UInt16(4_000 + id)), on: id)
        showNeighbours(to: id)
        return id
    }

    /// Shows a machine's people all that its disk holds, as a start does.
    package mutating func show(on id: NodeID) {
        let log = machines[id].node.log
        let node = machines[id].node
        machines[id].applied = log.changes.indices.filter { !node.isHeldBack($0) }.map { log.applied($0) }
    }

    /// Brings a stopped machine's disk back to an earlier day: its first so many changes.
    package mutating func rewind(_ id: NodeID, to count: Int) {
        machines[id].disk.changes = Array(machines[id].disk.changes.prefix(count))
    }

    /// Lets a machine do something, as its person would.
    package mutating func author(_ body: ChangeBody, operationCount: Int = 1, ticket: UInt64 = 0, on id: NodeID) {
        handle(.author(body, operationCount: operationCount, ticket: ticket), on: id)
    }

    /// Stops a machine as a power cut does: what was not durable is gone.
    package mutating func crash(_ id: NodeID) {
        machines[id].isRunning = false
        machines[id].start += 1
        withdraw(id)
        closeAll(of: id)
    }

    /// Starts a machine from what its disk holds.
    package mutating func restart(_ id: NodeID) throws(Refusal) {
        let old = machines[id].node
        var log = TripLog(trip: old.log.trip, cryptography: cryptography, rules: rules)
        for secret in machines[id].disk.epochs { log.addEpoch(secret: secret) }
        for change in machines[id].disk.changes { try log.restore(change.sealed, isVerified: change.isVerified) }
        machines[id].node = SyncNode(
            log: log, secrets: old.secrets, role: old.role, cryptography: cryptography, limits: old.limits)
        show(on: id)
        machines[id].isRunning = true
        machines[id].wake = nil
        handle(.listening(port: UInt16(4_000 + id)), on: id)
        showNeighbours(to: id)
    }

    /// Pulls a machine's cable: what is sent waits, and connections notice nothing but silence.
    package mutating func cut(_ id: NodeID) {
        machines[id].isCutOff = true
        for other in machines.indices where other != id {
            for name in machines[other].advertisements { tell(id, .disappeared(instance: name.instance), after: 0) }
        }
    }

    /// Puts the cable back.
    package mutating func join(_ id: NodeID) {
        machines[id].isCutOff = false
        let waiting = unsent
        unsent = []
        for (end, bytes) in waiting { send(bytes, from: end) }
        handle(.networkChanged, on: id)
        showNeighbours(to: id)
    }

    // MARK: - Time

    /// Lets time pass until a condition holds. False where it does not within a bound.
    package mutating func run(for duration: UInt64, until isDone: (World) -> Bool = { _ in false }) -> Bool {
        let end = time + duration
        while !isDone(self) {
            guard let next = queue.nextTime, next <= end, let (at, occurrence) = queue.next() else {
                time = end
                return isDone(self)
            }
            time = at
            occur(occurrence)
        }
        return true
    }

    private mutating func occur(_ occurrence: Occurrence) {
        let id = occurrence.machine
        guard machines[id].isRunning, machines[id].start == occurrence.start else { return }
        switch occurrence.what {
        case .event(let event): handle(event, on: id)
        case .durable(let token, let changes):
            machines[id].disk.changes += changes
            handle(.persisted(token: token), on: id)
        case .arrived(let connection, let bytes):
            deliveredMessages += 1
            deliveredBytes += bytes.count
            handle(.received(connection, bytes), on: id)
        case .wake(let at):
            guard machines[id].wake == at else { return }
            machines[id].wake = nil
            handle(.woke, on: id)
        }
    }

    private mutating func handle(_ event: Event, on id: NodeID) {
        guard machines[id].isRunning else { return }
        let now = Now(monotonic: time, wall: 1_700_000_000_000 + Int64(time))
        let effects = machines[id].node.handle(event, at: now, using: &generator)
        for effect in effects { perform(effect, of: id) }
    }

    // MARK: - Effects

    private mutating func perform(_ effect: Effect, of id: NodeID) {
        switch effect {
        case .persist(let token, let changes, let isVerified):
            let written = zip(changes, isVerified).map { (sealed: $0.0.sealed, isVerified: $0.1) }
            later(.durable(token: token, written), on: id, at: afterWrite(of: id))
        case .apply(let changes): machines[id].applied += changes
        case .rebuild: show(on: id)
        case .authored(let ticket, let result): machines[id].authored[ticket] = result
        case .storeEpochs(let secrets): machines[id].disk.epochs += secrets
        case .advertise(let names): advertise(names, by: id)
        case .resolve(let instance): resolve(instance, for: id)
        case .dial(let connection, let address): dial(address, from: End(machine: id, connection: connection))
        case .send(let connection, let bytes): send(bytes, from: End(machine: id, connection: connection))
        case .close(let connection): close(End(machine: id, connection: connection))
        case .wake(let at):
            machines[id].wake = at
            later(.wake(at), on: id, at: at)
        case .notice(let notice): machines[id].notices.append(notice)
        }
    }

    private mutating func later(_ what: What, on id: NodeID, at when: UInt64) {
        queue.add(Occurrence(machine: id, start: machines[id].start, what: what), at: max(when, time))
    }

    private mutating func tell(_ id: NodeID, _ event: Event, after delay: UInt64) {
        later(.event(event), on: id, at: time + delay)
    }

    /// Writes of one disk end in their order.
    private var lastWrite: [NodeID: UInt64] = [:]

    private mutating func afterWrite(of id: NodeID) -> UInt64 {
        let end = max(time, lastWrite[id] ?? 0) + UInt64(generator.number(in: conditions.writeDuration))
        lastWrite[id] = end
        return end
    }

    // MARK: - Network

    private func areJoined(_ left: NodeID, _ right: NodeID) -> Bool {
        !machines[left].isCutOff && !machines[right].isCutOff
    }

    private mutating func dial(_ address: PeerAddress, from end: End) {
        let target = Int(address.port) - 4_000
        guard machines.indices.contains(target), machines[target].isRunning else {
            tell(end.machine, .closed(end.connection), after: 1)
            return
        }
        guard areJoined(end.machine, target) else { return }
        machines[target].acceptedCount += 2
        let other = End(machine: target, connection: ConnectionID(rawValue: machines[target].acceptedCount - 1))
        peerOf[end] = other
        peerOf[other] = end
        tell(target, .accepted(other.connection), after: latency())
        tell(end.machine, .connected(end.connection), after: 2 * latency())
    }

    private mutating func latency() -> UInt64 { UInt64(generator.number(in: conditions.latency)) }

    private mutating func send(_ bytes: [UInt8], from end: End) {
        guard let other = peerOf[end] else { return }
        guard areJoined(end.machine, other.machine) else {
            // The sender's system goes on trying for as long as the connection is open.
            unsent.append((end, bytes))
            return
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(generator.number(in: conditions.chunk))
            rest = rest.dropFirst(piece.count)
            let arrival = max(time + latency(), lastArrival[end] ?? 0)
            lastArrival[end] = arrival
            later(.arrived(other.connection, Array(piece)), on: other.machine, at: arrival)
        }
    }

    private mutating func close(_ end: End) {
        guard let other = peerOf.removeValue(forKey: end) else { return }
        peerOf[other] = nil
        let arrival = max(time + latency(), lastArrival.removeValue(forKey: end) ?? 0)
        if areJoined(end.machine, other.machine) {
            later(.event(.closed(other.connection)), on: other.machine, at: arrival)
        }
    }

    private mutating func closeAll(of id: NodeID) {
        for end in peerOf.keys.filter({ $0.machine == id }).sorted(by: { $0.connection < $1.connection }) {
            close(end)
        }
    }

    // MARK: - Discovery

    private mutating func advertise(_ names: [Advertisement], by id: NodeID) {
        let gone = machines[id].advertisements.filter { old in !names.contains { $0.instance == old.instance } }
        let new = names.filter { name in !machines[id].advertisements.contains { $0.instance == name.instance } }
        machines[id].advertisements = names
        for other in machines.indices where other != id && areJoined(id, other) {
            for name in gone { tell(other, .disappeared(instance: name.instance), after: 1_000) }
            for name in new { tell(other, .appeared(instance: name.instance), after: discoveryDelay()) }
        }
    }

    private mutating func withdraw(_ id: NodeID) { advertise([], by: id) }

    private mutating func showNeighbours(to id: NodeID) {
        for other in machines.indices where other != id && areJoined(id, other) && machines[other].isRunning {
            for name in machines[other].advertisements {
                tell(id, .appeared(instance: name.instance), after: discoveryDelay())
            }
            for name in machines[id].advertisements {
                tell(other, .appeared(instance: name.instance), after: discoveryDelay())
            }
        }
    }

    private mutating func discoveryDelay() -> UInt64 { UInt64(generator.number(in: conditions.discoveryDelay)) }

    private mutating func resolve(_ instance: String, for id: NodeID) {
        for other in machines.indices where other != id && areJoined(id, other) {
            for name in machines[other].advertisements where name.instance == instance {
                let address = PeerAddress(host: "10.0.0.\(other)", port: name.port)
                tell(id, .resolved(instance: instance, addresses: [address]), after: latency())
            }
        }
    }
}
