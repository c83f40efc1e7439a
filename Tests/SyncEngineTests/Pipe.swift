import ChangeLog
import Convergence
import Sodium

@testable import SyncEngine

/// Two nodes of one trip with one connection between them, and somebody who may alter what passes.
struct Pipe {
    enum Side: Int, CaseIterable { case dialler, listener }

    private(set) var nodes: [SyncNode]
    private var generator: SeededGenerator
    private(set) var isClosed = [false, false]
    /// All bytes that each side has sent.
    private(set) var sent: [[UInt8]] = [[], []]
    /// How many changes each side has shown.
    private(set) var shown = [0, 0]
    private(set) var notices: [Notice] = []
    private var time: UInt64 = 1_000
    /// Whether writes become durable at once; what waits is done by `finishWrites`.
    var writesAreQuick = true
    private var waitingWrites: [(side: Int, token: UInt64)] = []
    private let connections = [ConnectionID(rawValue: 2), ConnectionID(rawValue: 1)]
    /// Where the listener is dialled.
    static let address = PeerAddress(host: "10.0.0.1", port: 4_000)
    /// What becomes of the bytes that a side sends: their side, and where in its stream they begin.
    var tamper: (Side, Int, [UInt8]) -> [UInt8] = { $2 }

    /// A founder who listens with `changes` changes, and a member that was let in and has none of them.
    /// - Parameter size: bytes of content of each change.
    init(seed: UInt64, changes: Int, size: Int = 8, limits: SessionLimits = SessionLimits()) throws {
        generator = SeededGenerator(seed: seed)
        let trip = try FoundedTrip(of: 2, using: &generator, try SodiumCryptography())
        var log = trip.log
        for number in 0..<changes {
            try log.add(nil, Array("\(number)".utf8) + [UInt8](repeating: 120, count: size), by: trip.people[0])
        }
        nodes = [trip.node(1, limits: limits), trip.node(0, log: log, limits: limits)]
    }

    /// Lets the dialler dial, and what is sent arrive, until nothing more is sent.
    mutating func run() {
        tell(.dialler, .addAddress(Self.address, isNamed: false))
        tell(.dialler, .connected(connections[0]))
        tell(.listener, .accepted(connections[1], at: Self.address, from: "10.0.0.9"))
    }

    /// Lets somebody on one side write.
    mutating func write(_ text: String, on side: Side) {
        tell(side, .write(content: Array(text.utf8), ticket: 0))
    }

    /// Lets somebody on one side take out whoever is on the other.
    mutating func remove(_ removed: Side, by side: Side) {
        tell(side, .remove(participant: nodes[removed.rawValue].secrets.device.participant, ticket: 0))
    }

    mutating func stop(_ side: Side) { tell(side, .stop) }

    /// Lets what was written on one side become durable.
    mutating func finishWrites(on side: Side) {
        let done = waitingWrites.filter { $0.side == side.rawValue }
        waitingWrites.removeAll { $0.side == side.rawValue }
        for write in done { tell(side, .persisted(token: write.token)) }
    }

    /// Lets time pass on both sides.
    mutating func wait(_ duration: UInt64) {
        time += duration
        for side in Side.allCases { tell(side, .woke) }
    }

    private var now: Now { Now(monotonic: time, wall: 1_700_000_000_000) }

    private mutating func tell(_ side: Side, _ event: Event) {
        queue.append((side.rawValue, event))
        guard !isHeld else { return }
        finish()
    }

    // MARK: - Step by step

    /// What is on its way, the first to arrive first.
    private var queue: [(side: Int, event: Event)] = []
    /// Whether what is on its way waits for `step` and `finish`.
    var isHeld = false

    /// The side to which bytes are about to arrive, and the bytes; nil where the next event is another.
    var nextBytes: (side: Side, bytes: [UInt8])? {
        guard let first = queue.first, case .received(_, let bytes) = first.event else { return nil }
        return Side(rawValue: first.side).map { ($0, bytes) }
    }

    /// Lets other bytes arrive in place of those that are about to.
    mutating func replaceNextBytes(_ bytes: [UInt8]) {
        guard case .received(let connection, _) = queue.first?.event else { return }
        queue[0].event = .received(connection, bytes)
    }

    /// Both sides hear that the connection is over, and nothing more arrives.
    mutating func sever() {
        queue = []
        for side in Side.allCases {
            isClosed[side.rawValue] = true
            tell(side, .closed(connections[side.rawValue]))
        }
    }

    /// Lets the first of what is on its way arrive. False where nothing is.
    mutating func step() -> Bool {
        guard !queue.isEmpty else { return false }
        let (index, event) = queue.removeFirst()
        for effect in nodes[index].handleWhole(event, at: now, using: &generator) { perform(effect, of: index) }
        return true
    }

    /// Lets everything arrive, until nothing more is sent.
    mutating func finish() {
        for _ in 0..<10_000 { guard step() else { return } }
    }

    private mutating func perform(_ effect: Effect, of index: Int) {
        switch effect {
        case .persist(let token, _):
            if writesAreQuick {
                queue.append((index, .persisted(token: token)))
            } else {
                waitingWrites.append((index, token))
            }
        case .apply(let changes): shown[index] += changes.count
        case .send(_, let bytes):
            guard !isClosed[0], !isClosed[1] else { return }
            let start = sent[index].count
            sent[index] += bytes
            let altered = tamper(Side(rawValue: index) ?? .dialler, start, bytes)
            if !altered.isEmpty { queue.append((1 - index, .received(connections[1 - index], altered))) }
        case .close:
            isClosed[index] = true
            queue.append((1 - index, .closed(connections[1 - index])))
        case .notice(let notice): notices.append(notice)
        default: break
        }
    }
}
