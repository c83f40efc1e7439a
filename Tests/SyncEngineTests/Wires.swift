import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

/// A few nodes with a wire between some, each of which can be held: what goes along it waits, and comes in its order.
struct Wires {
    private struct End: Hashable {
        let node: Int
        let connection: ConnectionID
    }

    private struct Happening {
        /// Who caused it: another node at the other end of a wire, or the node itself.
        let from: Int
        let to: Int
        let event: Event
    }

    private(set) var nodes: [SyncNode]
    private(set) var notices: [Notice] = []
    /// Wires that are held, by their ends in ascending order.
    var held: Set<[Int]> = []
    /// Nodes whose disk is slow: what they write becomes durable by `finishWrites`.
    var slow: Set<Int> = []
    /// The chunks on each node's disk.
    var chunks: [Int: [BlobHash: [UInt8]]] = [:]
    /// How often a chunk was stored that a peer sent, by node.
    private(set) var stored: [Int: [BlobHash: Int]] = [:]
    private var tokens: [Int: UInt64] = [:]
    private var queue: [Happening] = []
    private var others: [End: End] = [:]
    private var accepted: UInt64 = 1
    private var time: UInt64 = 1_000
    private var generator: SeededGenerator

    init(seed: UInt64, nodes: [SyncNode]) {
        generator = SeededGenerator(seed: seed)
        self.nodes = nodes
    }

    /// People of one trip, who all hold it as it begins.
    init(seed: UInt64, count: Int, limits: SessionLimits = SessionLimits()) throws {
        var generator = SeededGenerator(seed: seed)
        let cryptography = FastCryptography()
        let trip = try FoundedTrip(of: count, using: &generator, cryptography)
        self.init(seed: seed, nodes: (0..<count).map { trip.node($0, limits: limits) })
    }

    /// Where a node is dialled.
    static func address(of node: Int) -> PeerAddress { PeerAddress(host: "10.0.0.\(node + 1)", port: 4_000) }

    func replica(_ node: Int) -> ReplicaID { nodes[node].secrets.device.replica }

    mutating func connect(_ node: Int, _ other: Int) {
        tell(node, .addAddress(Wires.address(of: other), isNamed: false))
        deliver()
    }

    mutating func write(_ text: String, on node: Int) {
        tell(node, .write(content: Array(text.utf8), ticket: 0))
    }

    /// Lets all that a slow disk was asked for become durable at once.
    mutating func finishWrites(on node: Int) {
        guard let last = tokens.removeValue(forKey: node) else { return }
        tell(node, .persisted(token: last))
    }

    /// Lets what is to happen next happen, on whichever wire.
    mutating func deliverOne() {
        guard !queue.isEmpty else { return }
        let next = queue.removeFirst()
        tell(next.to, next.event)
    }

    /// Bytes that are on the wire from a node to another.
    func bytesUnderWay(from node: Int, to other: Int) -> Int {
        queue.reduce(0) { sum, next in
            guard next.from == node, next.to == other, case .received(_, let bytes) = next.event else { return sum }
            return sum + bytes.count
        }
    }

    /// Ends every connection of a node.
    mutating func cut(_ node: Int) {
        for (end, other) in others.sorted(by: { $0.key.connection < $1.key.connection }) where end.node == node {
            others[end] = nil
            others[other] = nil
            queue.removeAll { $0.from != $0.to && [$0.from, $0.to].sorted() == [node, other.node].sorted() }
            tell(node, .closed(end.connection))
            tell(other.node, .closed(other.connection))
        }
    }

    /// Lets everything arrive that no wire holds.
    mutating func deliver() {
        for _ in 0..<10_000 {
            guard let index = queue.firstIndex(where: { !held.contains([$0.from, $0.to].sorted()) }) else { return }
            let next = queue.remove(at: index)
            tell(next.to, next.event)
        }
    }

    /// Lets time pass for everybody, until a condition holds.
    mutating func wait(_ duration: UInt64, until isDone: (Wires) -> Bool = { _ in false }) {
        for _ in 0..<duration / 10 where !isDone(self) {
            time += 10
            for node in nodes.indices { tell(node, .woke) }
            deliver()
        }
    }

    mutating func tell(_ node: Int, _ event: Event) {
        let now = Now(monotonic: time, wall: 1_700_000_000_000)
        let effects = nodes[node].handleWhole(event, at: now, using: &generator)
        for effect in effects { perform(effect, of: node) }
    }

    private mutating func perform(_ effect: Effect, of node: Int) {
        func queued(_ other: Int, _ event: Event) { queue.append(Happening(from: node, to: other, event: event)) }
        switch effect {
        case .persist(let token, _):
            if slow.contains(node) { tokens[node] = token } else { queued(node, .persisted(token: token)) }
        case .dial(let connection, let address):
            guard let other = nodes.indices.first(where: { Wires.address(of: $0) == address }) else { return }
            accepted += 2
            let ends = (
                End(node: node, connection: connection), End(node: other, connection: .init(rawValue: accepted))
            )
            (others[ends.0], others[ends.1]) = (ends.1, ends.0)
            queued(node, .connected(connection))
            queued(other, .accepted(ends.1.connection, at: address, from: Wires.address(of: node).host))
        case .send(let connection, let bytes):
            guard let other = others[End(node: node, connection: connection)] else { return }
            queued(other.node, .received(other.connection, bytes))
        case .close(let connection):
            guard let other = others.removeValue(forKey: End(node: node, connection: connection)) else { return }
            others[other] = nil
            queued(other.node, .closed(other.connection))
        case .storeChunk(let chunk, let bytes):
            chunks[node, default: [:]][chunk] = bytes
            stored[node, default: [:]][chunk, default: 0] += 1
            queued(node, .chunks(.stored(chunk)))
        case .loadChunk(let chunk, let reader):
            queued(node, .chunks(.loaded(chunk, chunks[node]?[chunk], for: reader)))
        case .notice(let notice): notices.append(notice)
        default: break
        }
    }
}
