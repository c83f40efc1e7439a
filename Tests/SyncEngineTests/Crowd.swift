import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripSimulation

/// Many members on one network, which may fall into parts that notice nothing but silence.
struct Crowd {
    private enum Happening {
        case event(Event)
        case bytes(ConnectionID, [UInt8])
    }

    private struct End: Hashable {
        let node: Int
        let connection: ConnectionID
    }

    private(set) var nodes: [SyncNode] = []
    private(set) var time: UInt64 = 1_000
    private(set) var deliveredBytes = 0
    /// How many handshakes were begun.
    private(set) var dialCount = 0
    /// The part of the network that each node is in.
    var part: [Int]
    /// A node that is in all of them.
    var hub: Int?
    private var generator: SeededGenerator
    private var agenda: [UInt64: [(node: Int, what: Happening)]] = [:]
    private var others: [End: End] = [:]
    private var acceptedCount: [UInt64]
    private var names: [String: (node: Int, tags: [AddressTag])] = [:]
    private static let latency: UInt64 = 5

    /// - Parameters:
    ///   - bringer: whom each but the founder is let in by, of those before them.
    ///   - copiesOf: the nodes whose devices run once more each, as the last nodes.
    init(
        seed: UInt64, count: Int, broughtBy bringer: (Int) -> Int = { _ in 0 }, copiesOf: [Int] = [],
        limits: SessionLimits = SessionLimits()
    ) throws {
        generator = SeededGenerator(seed: seed)
        part = Array(repeating: 0, count: count + copiesOf.count)
        acceptedCount = Array(repeating: 0, count: count + copiesOf.count)
        let cryptography = FastCryptography()
        let trip = try FoundedTrip(of: count, broughtBy: bringer, using: &generator, cryptography)
        nodes = (Array(0..<count) + copiesOf).map { trip.node($0, limits: limits) }
        for node in nodes.indices {
            tell(node, .ownAddresses([Crowd.address(of: node).host]))
            tell(node, .listening(port: 4_000))
        }
    }

    mutating func write(_ content: [UInt8], on node: Int) {
        tell(node, .write(content: content, ticket: 0))
    }

    /// Tells a node where another is.
    mutating func introduce(_ node: Int, to other: Int) {
        tell(node, .addAddress(Crowd.address(of: other), isNamed: false))
    }

    /// Where a node is dialled.
    private static func address(of node: Int) -> PeerAddress { PeerAddress(host: "10.0.0.\(node + 1)", port: 4_000) }

    mutating func run(for duration: UInt64, until isDone: (Crowd) -> Bool = { _ in false }) -> Bool {
        let end = time + duration
        while time < end {
            if let due = agenda.removeValue(forKey: time) {
                for (node, what) in due {
                    switch what {
                    case .event(let event): tell(node, event)
                    case .bytes(let connection, let bytes):
                        deliveredBytes += bytes.count
                        tell(node, .received(connection, bytes))
                    }
                }
                if agenda[time] != nil { continue }
                if isDone(self) { return true }
            }
            time += 1
        }
        return isDone(self)
    }

    /// How many sessions a node has dialled and accepted.
    func sessions(of node: Int) -> (dialled: Int, accepted: Int) {
        let all = nodes[node].sessions
        let dialled = all.count { $0.address != nil }
        return (dialled, all.count - dialled)
    }

    /// How many sessions each node has.
    var sessionCounts: [Int] { nodes.map(\.sessions.count) }

    /// Who has a session with whom.
    var pairs: Set<[ReplicaID]> {
        Set(
            nodes.flatMap { node in
                node.sessions.map { [node.secrets.device.replica, $0.device.replica].sorted() }
            })
    }

    /// Whether there is a way from every node to every other, along sessions.
    var isOnePiece: Bool {
        let number = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.secrets.device, $0) })
        var reached: Set = [0]
        var waiting = [0]
        while let node = waiting.popLast() {
            for session in nodes[node].sessions {
                guard let other = number[session.device], reached.insert(other).inserted else { continue }
                waiting.append(other)
            }
        }
        return reached.count == nodes.count
    }

    private func areJoined(_ node: Int, _ other: Int) -> Bool {
        part[node] == part[other] || node == hub || other == hub
    }

    private mutating func later(_ node: Int, _ what: Happening, after delay: UInt64) {
        agenda[time + delay, default: []].append((node, what))
    }

    private mutating func tell(_ node: Int, _ event: Event) {
        let now = Now(monotonic: time, wall: 1_700_000_000_000 + Int64(time))
        for effect in nodes[node].handle(event, at: now, using: &generator) { perform(effect, of: node) }
    }

    private mutating func perform(_ effect: Effect, of node: Int) {
        switch effect {
        case .persist(let token, _): later(node, .event(.persisted(token: token)), after: 2)
        case .send(let connection, let bytes):
            guard let other = others[End(node: node, connection: connection)], areJoined(node, other.node) else {
                return
            }
            later(other.node, .bytes(other.connection, bytes), after: Crowd.latency)
        case .dial(let connection, let address):
            dialCount += 1
            guard let target = nodes.indices.first(where: { Crowd.address(of: $0) == address }), areJoined(node, target)
            else { return }
            acceptedCount[target] += 2
            let end = End(node: node, connection: connection)
            let other = End(node: target, connection: ConnectionID(rawValue: acceptedCount[target] - 1))
            (others[end], others[other]) = (other, end)
            later(node, .event(.connected(connection)), after: Crowd.latency)
            later(
                target, .event(.accepted(other.connection, at: address, from: Crowd.address(of: node).host)),
                after: Crowd.latency)
        case .close(let connection):
            guard let other = others.removeValue(forKey: End(node: node, connection: connection)) else { return }
            others[other] = nil
            if areJoined(node, other.node) {
                later(other.node, .event(.closed(other.connection)), after: Crowd.latency)
            }
        case .advertise(let advertisements):
            // Only the first names: whoever is lost must be found again without any.
            guard time < 10_000 else { return }
            for name in advertisements {
                names[name.instance] = (node, name.addressTags)
                for other in nodes.indices where other != node {
                    later(other, .event(.appeared(instance: name.instance)), after: 100 + generator.below(800))
                }
            }
        case .resolve(let instance):
            guard let name = names[instance] else { return }
            let address = ServiceAddress(Crowd.address(of: name.node), tags: name.tags)
            later(node, .event(.resolved(instance: instance, addresses: [address])), after: 20)
        case .wake(let at): later(node, .event(.woke), after: max(at, time + 1) - time)
        default: break
        }
    }
}
