import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// Which session's messages are handled next, and who pays: the machine of turns with a table and a log, and no node.
struct PaceTests {
    private struct OpenCipher: TransportCipher {
        mutating func seal(_ plaintext: [UInt8]) -> [UInt8]? { plaintext + [UInt8](repeating: 0, count: 16) }
        mutating func open(_ ciphertext: [UInt8]) -> [UInt8]? { Array(ciphertext.dropLast(16)) }
        mutating func rekey() {}
    }

    private var trip: FoundedTrip
    private var table: SessionTable
    private var turns: Turns
    private var now: UInt64 = 0
    private var unwritten = 0
    private let limits: SessionLimits

    /// The founder admitted Mallory and Zoe, and Mallory two more. There is a session with each of them, by their numbers.
    init() throws {
        var generator = SeededGenerator(seed: 1)
        trip = try FoundedTrip(of: 5, broughtBy: { $0 < 3 ? 0 : 1 }, using: &generator, FastCryptography())
        var limits = SessionLimits()
        (limits.turnCostMax, limits.bulkCostMin, limits.laggingBytesMin, limits.pacedAtOnceMax) = (20, 20, 2_000, 0)
        (self.limits, table, turns) = (limits, SessionTable(limits: limits), Turns(limits: limits))
        for person in 1...4 {
            let device = trip.people[person].device
            let origin = Connection.Origin.accepted(at: PeerAddress(host: "10.0.0.1", port: 1), from: "10.0.0.9")
            table.insert(
                Session(
                    with: Session.PeerIdentity(
                        role: .responder, replica: device.replica, key: device.agreementKey),
                    on: Connection(origin: origin, begun: 0), begun: 0, standing: .member(device),
                    channel: SecureChannel((OpenCipher(), OpenCipher()), reader: FrameReader())), as: id(person))
        }
    }

    private func id(_ person: Int) -> ConnectionID { ConnectionID(rawValue: UInt64(person)) }

    private var load: Turns.Load { Turns.Load(now: now, unwritten: unwritten) }

    private func message(_ count: Int) -> Message { .changes(Array(repeating: [1], count: count)) }

    /// Handles a message of a session.
    private mutating func handle(_ count: Int, by person: Int) {
        let payer = turns.payer(of: id(person), load, table, trip.log)
        turns.charge(for: message(count), bytes: count, to: payer, at: now, in: trip.log)
    }

    /// Those whose messages are handled at once.
    private mutating func freePeople() -> [Int] {
        var people: [Int] = []
        for person in 1...4 where turns.isFree(for: id(person), load, table, trip.log) { people.append(person) }
        return people
    }

    private mutating func wait(_ people: Int...) { for person in people { turns.note(id(person), waits: true) } }

    /// Has a person write much, which arrives here in any session.
    private mutating func flood(by person: Int) throws {
        let start = trip.log.count
        for _ in 0..<30 { try trip.log.add(nil, [1], by: trip.people[person]) }
        turns.chargeAuthors(of: start..<trip.log.count, in: trip.log)
    }

    @Test("a message is handled at once unless others wait, the turn is spent or the disk is behind")
    mutating func free() {
        #expect(freePeople() == [1, 2, 3, 4])
        wait(1)
        #expect(freePeople() == [1])
        turns.forget(id(1))
        unwritten = limits.unwrittenBytesMax
        #expect(freePeople() == [])
        unwritten = 0
        handle(30, by: 1)
        #expect(freePeople() == [])
        turns.begin()
        #expect(freePeople() == [1, 2, 3, 4])
    }

    @Test("of those who wait the branch that cost least goes first, and within it the person")
    mutating func order() {
        handle(5, by: 3)
        turns.begin()
        wait(1, 2, 3, 4)
        #expect(turns.nextSession(load, table, trip.log) == id(2))
        turns.forget(id(2))
        #expect(turns.nextSession(load, table, trip.log) == id(1), "Mallory said nothing")
        turns.forget(id(1))
        #expect(turns.nextSession(load, table, trip.log) == id(4))
        handle(20, by: 4)
        #expect(turns.nextSession(load, table, trip.log) == nil, "the turn is spent")
        turns.begin()
        #expect(turns.nextSession(load, table, trip.log) == id(3))
        turns.forget(id(3))
        turns.forget(id(4))
        #expect(turns.nextSession(load, table, trip.log) == nil && turns.next(at: now, unwritten: 0) == nil)
    }

    @Test("a branch that writes much has a pace while the disk lags behind, and no other branch has")
    mutating func paced() throws {
        try flood(by: 3)
        handle(5, by: 1)
        turns.begin()
        wait(1, 2)
        #expect(turns.payer(of: id(1), load, table, trip.log).costMax == limits.turnCostMax / 2, "nobody lags behind")
        unwritten = limits.laggingBytesMin + 1
        #expect(
            turns.payer(of: id(4), load, table, trip.log).costMax == limits.pacedCostMax, "a puppet is of the branch")
        #expect(turns.payer(of: id(2), load, table, trip.log).costMax == limits.turnCostMax / 2)
        handle(5, by: 1)
        #expect(turns.nextSession(load, table, trip.log) == id(2))
        turns.forget(id(2))
        #expect(turns.nextSession(load, table, trip.log) == nil)
        #expect(turns.next(at: now, unwritten: unwritten) == now + limits.pacedTurnInterval)
        #expect(
            turns.last(of: id(1), load, table, trip.log) == nil && turns.last(of: id(2), load, table, trip.log) == nil)
        turns.lookAgain()
        #expect(turns.next(at: now, unwritten: unwritten) == now + 1)
        now += 6 * limits.pacedCostDuration
        #expect(turns.nextSession(load, table, trip.log) == id(1), "what it cost took so long")
    }

    @Test("a message costs its bytes, and what it has a node look through or send")
    func costs() throws {
        func cost(_ message: Message, count: Int = 0, lackingCount: Int = 0) -> Int {
            Turns.furtherCost(
                of: message, bytes: message.encoding.count, count: count, lackingCount: lackingCount)
        }
        let hashes = (0..<256).map { Bytes32(words: ($0, 0, 0, 1)) }
        let replica = trip.people[1].device.replica
        #expect(cost(.ping, count: 100_000, lackingCount: 100_000) == 0)
        #expect(cost(.have(hashes)) == 2 && cost(.have(hashes), count: 100_000) == 2)
        #expect(cost(.have([]), lackingCount: 100_000) == 48)
        #expect(cost(.locator(replica, []), count: 1_000) == 0)
        #expect(cost(.locator(replica, []), count: 100_000) == 48, "about five in a turn")
        #expect(cost(.frontier(trip.log.frontier), count: 100_000, lackingCount: 100_000) == 97)
        #expect(cost(.bodiesWanted(Array(hashes.prefix(64)))) == 8)
        #expect(cost(.changes([[UInt8](repeating: 0, count: 9_000)]), count: 100_000) == 0, "it has a cost of its own")
    }

    @Test("a large message is paid for, and has no pace, which is for what is written")
    mutating func largeMessage() throws {
        try flood(by: 3)
        unwritten = limits.laggingBytesMin + 1
        let payer = turns.payer(of: id(1), load, table, trip.log)
        turns.charge(for: .have([]), bytes: 40_960, to: payer, at: now, in: trip.log)
        #expect(turns.spent == 11)
        turns.begin()
        wait(1)
        now += limits.pacedCostDuration
        #expect(turns.nextSession(load, table, trip.log) == id(1), "it has paused as after a small one")
    }

    @Test("strangers share one branch, and pay for themselves within it")
    mutating func strangers() throws {
        var shorter = trip
        shorter.log = try TripLog.found(
            by: trip.people[0], name: "Jie", epoch: trip.epoch.id, wallTime: 0, cryptography: trip.cryptography)
        (trip, turns) = (shorter, Turns(limits: limits))
        handle(2, by: 1)
        wait(1, 2)
        #expect(turns.nextSession(load, table, trip.log) == id(2))
    }
}
