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

    private struct Occurrence {
        enum Kind: UInt8 { case wake, accepted, connected, closed, durable, arrived }
        let machine: Int32
        let kind: Kind
        /// The connection, the token or the time.
        let number: UInt64
        let bytes: [UInt8]
    }

    var machines: [Machine] = []
    private(set) var time: UInt64 = 0
    /// One way, and from a write to its being durable; milliseconds.
    let latency: UInt64
    let writeDuration: UInt64
    var generator: SeededGenerator
    /// Whether every change is joined to a trip's state too.
    let appliesToTrip: Bool

    /// Who sent what is arriving now.
    private var sender: Int?
    private(set) var messages = 0
    private(set) var bytes = 0
    private(set) var applications = 0
    private(set) var sessions = 0
    /// What is due at each millisecond, for the next 131,072 of them: no timer of a node is later.
    private var ring: [[Occurrence]]
    private var pending = 0

    init(latency: UInt64, writeDuration: UInt64, seed: UInt64, appliesToTrip: Bool) {
        self.latency = latency
        self.writeDuration = writeDuration
        generator = SeededGenerator(seed: seed)
        self.appliesToTrip = appliesToTrip
        ring = Array(repeating: [], count: 1 << 17)
    }

    /// Adds a machine, which listens.
    mutating func add(_ node: SyncNode, replica: TripReplica) {
        machines.append(Machine(node: node, replica: replica))
        let id = machines.count - 1
        handle(.listening(port: 4_000), on: id)
    }

    static func address(of id: Int) -> PeerAddress { PeerAddress(host: "\(id)", port: 4_000) }

    mutating func introduce(_ id: Int, to other: Int) {
        handle(.addAddress(Fleet.address(of: other)), on: id)
    }

    mutating func handle(_ event: Event, on id: Int) {
        let now = Now(monotonic: time, wall: 1_700_000_000_000 + Int64(time))
        let effects = machines[id].node.handle(event, at: now, using: &generator)
        for effect in effects { perform(effect, of: id) }
    }

    /// Lets so much time pass, or less, where nothing waits but timers and `isDone`.
    mutating func run(for duration: UInt64, until isDone: (Fleet) -> Bool = { _ in false }) {
        let end = time + duration
        while time <= end {
            let slot = Int(time & (1 << 17 - 1))
            if !ring[slot].isEmpty {
                let due = ring[slot]
                ring[slot] = []
                for occurrence in due { occur(occurrence) }
                // What came of it at once.
                if !ring[slot].isEmpty { continue }
                if isDone(self) { return }
            }
            if time == end { return }
            time += 1
        }
    }

    private mutating func later(_ occurrence: Occurrence, at when: UInt64) {
        ring[Int(min(max(when, time), time + 1 << 17 - 1) & (1 << 17 - 1))].append(occurrence)
    }

    private mutating func occur(_ occurrence: Occurrence) {
        let id = Int(occurrence.machine)
        let connection = ConnectionID(rawValue: occurrence.number)
        switch occurrence.kind {
        case .wake:
            guard machines[id].wake == occurrence.number else { return }
            guard occurrence.number <= time else {
                later(occurrence, at: occurrence.number)
                return
            }
            machines[id].wake = .max
            handle(.woke, on: id)
        case .accepted: handle(.accepted(connection), on: id)
        case .connected: handle(.connected(connection), on: id)
        case .closed: handle(.closed(connection), on: id)
        case .durable:
            machines[id].writing = 0
            if machines[id].unwritten > 0 { write(on: id) }
            handle(.persisted(token: occurrence.number), on: id)
        case .arrived:
            messages += 1
            bytes += occurrence.bytes.count
            machines[id].received += 1
            machines[id].receivedBytes += occurrence.bytes.count
            sender = link(id, connection).map { Int($0.machine) }
            handle(.received(connection, occurrence.bytes), on: id)
            sender = nil
        }
    }

    private mutating func perform(_ effect: Effect, of id: Int) {
        switch effect {
        case .persist(let token, _, _):
            machines[id].unwritten = token
            if machines[id].writing == 0 { write(on: id) }
        case .apply(let changes):
            applications += changes.count
            machines[id].taken += changes.count
            machines[id].reached = time
            machines[id].hops = sender.map { machines[$0].hops + 1 } ?? 0
            if appliesToTrip {
                for change in changes {
                    do { try machines[id].replica.apply(change) } catch { preconditionFailure("\(error)") }
                }
            }
        case .send(let connection, let bytes):
            guard let link = self.link(id, connection), link.isOpen else { return }
            later(
                Occurrence(machine: link.machine, kind: .arrived, number: link.connection, bytes: bytes),
                at: time + latency)
        case .wake(let at):
            machines[id].wake = at
            later(Occurrence(machine: Int32(id), kind: .wake, number: at, bytes: []), at: at)
        case .dial(let connection, let address): dial(address, from: id, connection)
        case .close(let connection): close(id, connection)
        case .notice(let notice):
            if case .met = notice { sessions += 1 }
            if case .parted = notice { sessions -= 1 }
            if case .refused(let refusal, _) = notice { preconditionFailure("refused: \(refusal)") }
        case .authored(_, .failure(let refusal)): preconditionFailure("refused: \(refusal)")
        case .rebuild: preconditionFailure("nobody forks here")
        case .authored, .storeEpochs, .advertise, .resolve: break
        }
    }

    private mutating func write(on id: Int) {
        machines[id].writing = machines[id].unwritten
        machines[id].unwritten = 0
        later(
            Occurrence(machine: Int32(id), kind: .durable, number: machines[id].writing, bytes: []),
            at: time + writeDuration)
    }

    private func link(_ id: Int, _ connection: ConnectionID) -> Link? {
        let number = connection.rawValue
        let index = Int(number) / 2 - (number.isMultiple(of: 2) ? 1 : 0)
        let links = number.isMultiple(of: 2) ? machines[id].dialled : machines[id].accepted
        return links.indices.contains(index) ? links[index] : nil
    }

    private mutating func dial(_ address: PeerAddress, from id: Int, _ connection: ConnectionID) {
        guard let target = Int(address.host), machines.indices.contains(target) else { return }
        let number = UInt64(machines[target].accepted.count * 2 + 1)
        machines[target].accepted.append(Link(machine: Int32(id), connection: connection.rawValue))
        precondition(Int(connection.rawValue) / 2 - 1 == machines[id].dialled.count)
        machines[id].dialled.append(Link(machine: Int32(target), connection: number))
        later(
            Occurrence(machine: Int32(target), kind: .accepted, number: number, bytes: []), at: time + latency)
        later(
            Occurrence(machine: Int32(id), kind: .connected, number: connection.rawValue, bytes: []),
            at: time + 2 * latency)
    }

    private mutating func close(_ id: Int, _ connection: ConnectionID) {
        guard let link = link(id, connection), link.isOpen else { return }
        shut(id, connection.rawValue)
        // What was sent before arrives before.
        shut(Int(link.machine), link.connection)
        later(
            Occurrence(machine: link.machine, kind: .closed, number: link.connection, bytes: []), at: time + latency)
    }

    private mutating func shut(_ id: Int, _ number: UInt64) {
        if number.isMultiple(of: 2) {
            machines[id].dialled[Int(number) / 2 - 1].isOpen = false
        } else {
            machines[id].accepted[Int(number) / 2].isOpen = false
        }
    }
}
