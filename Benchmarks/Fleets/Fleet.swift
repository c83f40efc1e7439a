import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripModel
import TripRules

/// Thousands of real nodes over a network that does nothing but wait: for runs whose figure is speed and reach. What
/// can go wrong in a network is `Convergence.World`'s to show.
struct Fleet {
    struct Machine {
        var node: SyncNode
        var replica = TripReplica()
        /// The other ends of the connections that it dialled, and of those it accepted, by number.
        var dialled: [Link] = []
        var accepted: [Link] = []
        /// What waits for it.
        var queue = Agenda<Occurrence>()
        var wake: UInt64 = .max
        /// The last token of the write that is under way, and of what waits for the next: a disk is synced once for all.
        var writing: UInt64 = 0
        var unwritten: UInt64 = 0
        var received = 0
        var receivedBytes = 0
        var taken = 0
        /// When the latest change came, and by how many hops.
        var reached: UInt64 = 0
        var hops = 0
    }

    struct Link {
        var machine: Int32
        var connection: UInt64
        var isOpen = true
    }

    struct Occurrence {
        enum Kind { case wake, accepted, connected, closed, durable, arrived, act }
        let kind: Kind
        /// The connection, the token or the time.
        let number: UInt64
        let bytes: [UInt8]
        /// Who sent or dialled, and after how many hops.
        var sender: Int32 = -1
        var hops: Int32 = 0
    }

    var machines: [Machine] = []
    /// The time of the machine that is at work; between runs, of all.
    private(set) var time: UInt64 = 0
    /// One way, and from a write to its being durable; milliseconds.
    let latency: UInt64
    let writeDuration: UInt64
    var generator: SeededGenerator
    /// Whether every change is joined to a trip's state too.
    let appliesToTrip: Bool
    /// What people act upon.
    var items: [ItemID] = []
    /// What each change says, read once for all nodes.
    private var contents: [Bytes32: TripContent] = [:]

    /// How far the arriving change had come.
    private var arrivedHops = 0
    private(set) var messages = 0
    private(set) var bytes = 0
    private(set) var applications = 0
    private(set) var sessions = 0
    /// The nodes that are due in each of the coming windows of time. Nothing may be due after the last window.
    private var windows: [[Int32]]
    private var window: UInt64 = 0
    /// Who is at work; nobody is −1.
    private var working = -1

    private static let windowCount = 1 << 17

    init(latency: UInt64, writeDuration: UInt64, seed: UInt64, appliesToTrip: Bool) {
        self.latency = latency
        self.writeDuration = writeDuration
        generator = SeededGenerator(seed: seed)
        self.appliesToTrip = appliesToTrip
        windows = Array(repeating: [], count: Fleet.windowCount)
    }

    /// Adds a machine, which listens.
    mutating func add(_ node: SyncNode, replica: TripReplica) {
        machines.append(Machine(node: node, replica: replica))
        let id = machines.count - 1
        handle(.listening(port: 4_000), on: id)
    }

    /// As many machines as 10.0.0.0/8 has addresses.
    static func address(of id: Int) -> PeerAddress {
        PeerAddress(host: "10.\(id >> 16).\(id >> 8 & 255).\(id & 255)", port: 4_000)
    }

    private func machine(at address: PeerAddress) -> Int? {
        let parts = address.host.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4 else { return nil }
        let id = parts[1] << 16 | parts[2] << 8 | parts[3]
        return machines.indices.contains(id) ? id : nil
    }

    mutating func introduce(_ id: Int, to other: Int) {
        handle(.addAddress(Fleet.address(of: other), isNamed: false), on: id)
    }

    mutating func handle(_ event: Event, on id: Int) {
        let now = Now(monotonic: time, wall: 1_700_000_000_000 + Int64(time))
        let effects = machines[id].node.handle(event, at: now, using: &generator)
        for effect in effects { perform(effect, of: id) }
    }

    /// Lets so much time pass.
    ///
    /// What one machine sends reaches no other before the latency is over. So time goes by in windows of that length, in
    /// each of which every machine does all that it has to do, one machine after the other: the same as if they took
    /// turns, and its memory is at hand (Chandy and Misra: *Distributed simulation*, 1979).
    mutating func run(for duration: UInt64, until isDone: (Fleet) -> Bool = { _ in false }) {
        let end = time + duration
        while window * latency < end {
            let slot = Int(window) % Fleet.windowCount
            let due = windows[slot].sorted()
            windows[slot] = []
            var last: Int32 = -1
            let next = (window + 1) * latency
            for id in due where id != last {
                last = id
                work(Int(id), before: next)
            }
            window += 1
            time = window * latency
            if !due.isEmpty, isDone(self) { return }
        }
    }

    /// Lets one machine do what it has to do before a time.
    private mutating func work(_ id: Int, before end: UInt64) {
        working = id
        defer { working = -1 }
        while let at = machines[id].queue.nextTime, at < end {
            time = at
            occur(machines[id].queue.removeNext(), on: id)
        }
    }

    private mutating func later(_ occurrence: Occurrence, on id: Int, at when: UInt64) {
        machines[id].queue.add(occurrence, at: when)
        let target = when / latency
        // What is due in the present window is seen by the machine that is at work.
        if target > window || id != working {
            guard target < window + UInt64(Fleet.windowCount) else {
                fail("A run lasts \(Fleet.windowCount) latencies at most: fewer nodes or changes.")
            }
            windows[Int(target) % Fleet.windowCount].append(Int32(id))
        }
    }

    /// Lets somebody act at a later time.
    mutating func plan(on id: Int, at when: UInt64) {
        later(Occurrence(kind: .act, number: 0, bytes: []), on: id, at: when)
    }

    private mutating func occur(_ occurrence: Occurrence, on id: Int) {
        let connection = ConnectionID(rawValue: occurrence.number)
        switch occurrence.kind {
        case .wake:
            guard machines[id].wake == occurrence.number else { return }
            machines[id].wake = .max
            handle(.woke, on: id)
        case .accepted:
            let caller = Fleet.address(of: Int(occurrence.sender)).host
            handle(.accepted(connection, at: Fleet.address(of: id), from: caller), on: id)
        case .connected: handle(.connected(connection), on: id)
        case .closed: handle(.closed(connection), on: id)
        case .act: act(on: id)
        case .durable:
            machines[id].writing = 0
            if machines[id].unwritten > 0 { write(on: id) }
            handle(.persisted(token: occurrence.number), on: id)
        case .arrived:
            messages += 1
            bytes += occurrence.bytes.count
            machines[id].received += 1
            machines[id].receivedBytes += occurrence.bytes.count
            arrivedHops = Int(occurrence.hops)
            handle(.received(connection, occurrence.bytes), on: id)
            arrivedHops = 0
        }
    }

    private mutating func content(of change: AppliedChange) -> TripContent {
        if let content = contents[change.hash] { return content }
        let content = TripContent(change.content)
        contents[change.hash] = content
        return content
    }

    private mutating func perform(_ effect: Effect, of id: Int) {
        switch effect {
        // Its disk is not looked at.
        case .alter: break
        case .persist(let token, _):
            machines[id].unwritten = token
            if machines[id].writing == 0 { write(on: id) }
        case .apply(let changes):
            applications += changes.count
            machines[id].taken += changes.count
            machines[id].reached = time
            machines[id].hops = arrivedHops
            if appliesToTrip {
                for change in changes where !change.content.isEmpty {
                    machines[id].replica.apply(change.tripChange(saying: content(of: change)))
                }
            }
        case .send(let connection, let bytes):
            guard let link = self.link(id, connection), link.isOpen else { return }
            later(
                Occurrence(
                    kind: .arrived, number: link.connection, bytes: bytes, sender: Int32(id),
                    hops: Int32(machines[id].hops + 1)),
                on: Int(link.machine), at: time + latency)
        case .wake(let at):
            machines[id].wake = at
            later(Occurrence(kind: .wake, number: at, bytes: []), on: id, at: max(at, time))
        case .dial(let connection, let address): dial(address, from: id, connection)
        case .close(let connection): close(id, connection)
        case .notice(let notice):
            if case .met = notice { sessions += 1 }
            if case .parted = notice { sessions -= 1 }
            if case .misbehaved(let fault, _) = notice {
                fail("node \(id) says after \(time) ms that another misbehaved: \(fault)")
            }
        case .authored(_, .failure(let failure)): fail("not written: \(failure)")
        case .rebuild: fail("nobody forks here")
        case .authored, .storeEpoch, .storeChunk, .loadChunk, .advertise, .renewPort, .resolve, .hold, .read, .mailbox:
            break
        }
    }

    private mutating func write(on id: Int) {
        machines[id].writing = machines[id].unwritten
        machines[id].unwritten = 0
        later(
            Occurrence(kind: .durable, number: machines[id].writing, bytes: []), on: id, at: time + writeDuration)
    }

    private func link(_ id: Int, _ connection: ConnectionID) -> Link? {
        let number = connection.rawValue
        let index = Int(number) / 2 - (number.isMultiple(of: 2) ? 1 : 0)
        let links = number.isMultiple(of: 2) ? machines[id].dialled : machines[id].accepted
        return links.indices.contains(index) ? links[index] : nil
    }

    private mutating func dial(_ address: PeerAddress, from id: Int, _ connection: ConnectionID) {
        guard let target = machine(at: address) else { return }
        let number = UInt64(machines[target].accepted.count * 2 + 1)
        machines[target].accepted.append(Link(machine: Int32(id), connection: connection.rawValue))
        precondition(Int(connection.rawValue) / 2 - 1 == machines[id].dialled.count)
        machines[id].dialled.append(Link(machine: Int32(target), connection: number))
        later(
            Occurrence(kind: .accepted, number: number, bytes: [], sender: Int32(id)), on: target, at: time + latency)
        later(
            Occurrence(kind: .connected, number: connection.rawValue, bytes: []), on: id, at: time + 2 * latency)
    }

    private mutating func close(_ id: Int, _ connection: ConnectionID) {
        guard let link = link(id, connection), link.isOpen else { return }
        shut(id, connection.rawValue)
        // What was sent before arrives before.
        shut(Int(link.machine), link.connection)
        later(
            Occurrence(kind: .closed, number: link.connection, bytes: []), on: Int(link.machine), at: time + latency)
    }

    private mutating func shut(_ id: Int, _ number: UInt64) {
        if number.isMultiple(of: 2) {
            machines[id].dialled[Int(number) / 2 - 1].isOpen = false
        } else {
            machines[id].accepted[Int(number) / 2].isOpen = false
        }
    }
}
