import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

/// Which sessions wait where much is sent at once.
struct TurnsTests {
    /// A founder's node that handles little in one turn, and sessions with all others: Mallory, Zoe, and two people that Mallory admitted.
    private func crowd(
        _ change: (inout SessionLimits) -> Void = { _ in }
    ) throws -> (host: Host, trip: FoundedTrip, callers: [Caller]) {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 5, broughtBy: { $0 < 3 ? 0 : 1 }, using: &generator, SodiumCryptography())
        var limits = SessionLimits()
        limits.turnCostMax = 20
        change(&limits)
        var host = Host(node: trip.node(0, limits: limits))
        host.isWokenAtOnce = false
        let epoch = try #require(host.epochCredential)
        var callers = try [1, 3, 4, 2].map { try host.call(UInt64($0), as: trip.people[$0], under: epoch) }
        for index in callers.indices { callers[index].say(.frontier(trip.log.frontier), to: &host) }
        host.tell(.woke)
        return (host, trip, callers)
    }

    /// So many messages of changes by one author.
    private func messages(_ count: Int, of changes: Int, bytes: Int = 1, by author: DeviceSecrets, in log: TripLog)
        throws -> [Message]
    {
        var log = log
        return try (0..<count).map { number in
            .changes(
                try (0..<changes).map { part in
                    try log.add(nil, [UInt8](repeating: UInt8(number &+ part), count: bytes), by: author).record
                })
        }
    }

    @Test("what an honest member says is handled in the next turn, however much a member and their puppets said before")
    func honestFirst() throws {
        var (host, trip, callers) = try crowd()
        for (index, author) in [1, 3, 4].enumerated() {
            for message in try messages(6, of: 10, by: trip.people[author], in: trip.log) {
                callers[index].say(message, to: &host)
            }
        }
        let early = host.node.log.count - trip.log.count
        #expect((10...40).contains(early), "no more than a turn is handled at once")
        var log = trip.log
        let act = try log.add(nil, [7], by: trip.people[2])
        let effects = callers[3].effects(saying: .changes([act.record]), to: &host)
        #expect(host.node.log.graph.index(of: act.hash) == nil)
        var isWoken = effects.contains { if case .wake(let at) = $0 { at == host.time + 1 } else { false } }
        #expect(!isWoken, "as it was asked for before")
        host.time += 1
        isWoken = host.effects(of: .woke).contains { if case .wake(let at) = $0 { at == host.time + 1 } else { false } }
        #expect(isWoken && host.node.log.graph.index(of: act.hash) != nil)
        #expect(host.node.log.count - trip.log.count <= early + 31)
        for _ in 0..<16 { host.tell(.woke) }
        #expect(host.node.log.count - trip.log.count == 181, "in the end all of it")
        #expect(host.node.sessions.count == 4)
    }

    @Test(
        "a member who admits somebody again, on an older state, does not take them into the branch that pays for the member"
    )
    func admittedAgain() throws {
        var generator = SeededGenerator(seed: 1)
        var trip = try FoundedTrip(of: 2, using: &generator, FastCryptography())
        let invite = OpenInvite(by: trip.people[0], using: &generator, trip.cryptography)
        try trip.log.add(invite.statement, by: trip.people[0])
        var old = trip.log
        try trip.log.add(nil, [1], by: trip.people[0])
        let zoe = DeviceSecrets.random(.invited(invite.id), using: &generator, trip.cryptography)
        let admitting = admission(of: zoe, by: invite.id, in: trip.log.trip, trip.cryptography)
        try trip.log.add(admitting, by: trip.people[0])
        let again = try old.add(admitting, by: trip.people[1])
        #expect(trip.log.receive([again.record]).refusal == nil)
        let lowest = try #require(trip.log.admission(of: zoe.device.replica))
        #expect(trip.log.graph[lowest].hash == again.hash)
        var turns = Turns(limits: SessionLimits())
        let line = turns.line(of: zoe.device.replica, in: trip.log)
        #expect(line == [trip.people[0], zoe].map(\.device.participant))
    }

    @Test("of a message with many changes half a turn is handled at a time")
    func longMessage() throws {
        var (host, trip, callers) = try crowd()
        let long = try messages(1, of: 50, by: trip.people[1], in: trip.log)[0]
        callers[0].say(long, to: &host)
        var counts: [Int] = []
        for _ in 0..<4 {
            counts.append(host.node.log.count - trip.log.count)
            host.tell(.woke)
        }
        #expect(counts == [20, 40, 50, 50])
    }

    @Test("what others hand on is handled before what its authors send themselves")
    func relaysFirst() throws {
        var (host, trip, callers) = try crowd()
        let flood = try messages(10, of: 10, by: trip.people[1], in: trip.log)
        let other = try messages(10, of: 10, by: trip.people[3], in: trip.log)
        for message in flood { callers[0].say(message, to: &host) }
        for message in other { callers[3].say(message, to: &host) }
        for _ in 0..<6 { host.tell(.woke) }
        func count(by author: Int) -> Int {
            host.node.log.graph.changes.count {
                $0.change.replica == trip.people[author].device.replica && !$0.change.content.isEmpty
            }
        }
        #expect(count(by: 3) >= count(by: 1) + 30)
    }

    @Test("a session pays for forged changes before they are checked, and nobody in whose name they are pays")
    func forgedChanges() throws {
        var (host, trip, callers) = try crowd()
        let (epoch, mallory, zoe) = (try #require(host.epochCredential), trip.people[1], trip.people[2])
        // Of two who paid alike, the session that began first is handled first.
        var early = try host.call(0, as: mallory, under: epoch)
        host.tell(.woke)
        var log = trip.log
        let forged = try (0..<10).map { _ in
            SignedChange(
                try log.add(nil, [7], by: zoe).change, signingSeed: mallory.signingSeed, using: host.cryptography)
        }
        for number in 8...9 as ClosedRange<UInt64> {
            var forger = try host.call(number, as: mallory, under: epoch)
            forger.say(.changes(forged.map(\.record)), to: &host)
            #expect(host.closed.contains(forger.id))
        }
        early.say(try messages(1, of: 5, by: mallory, in: trip.log)[0], to: &host)
        log = trip.log
        let act = try log.add(nil, [7], by: zoe)
        callers[3].say(.changes([act.record]), to: &host)
        #expect(host.node.log.count == trip.log.count, "a turn was spent on what is forged")
        host.tell(.woke)
        #expect(host.node.log.count == trip.log.count + 6)
        #expect(host.node.log.graph.index(of: act.hash) == trip.log.count, "the honest act goes first")
    }

    @Test("what a branch writes much of is taken no faster than others take it from here")
    func paced() throws {
        var (host, trip, callers) = try crowd {
            ($0.laggingBytesMin, $0.bulkCostMin, $0.turnCostMax, $0.pacedAtOnceMax) = (2_000, 20, 20, 0)
        }
        func tell(_ event: Event) { _ = host.persisted(after: host.effects(of: event)) }
        func say(_ message: Message, by index: Int) {
            _ = host.persisted(after: callers[index].effects(saying: message, to: &host))
        }
        for message in try messages(20, of: 10, by: trip.people[1], in: trip.log) { say(message, by: 0) }
        for _ in 0..<99 { tell(.woke) }
        let held = host.node.log.count - trip.log.count
        #expect(held < 80, "as much as was taken before others lagged behind")
        // Who writes little isn't paced, nor are acknowledgements.
        var log = trip.log
        let act = try log.add(nil, [7], by: trip.people[2])
        say(.changes([act.record]), by: 3)
        tell(.woke)
        #expect(host.node.log.graph.index(of: act.hash) != nil)
        host.time += 10
        for _ in 0..<9 { tell(.woke) }
        #expect(host.node.log.count == trip.log.count + held + 1)
        host.time += 80
        for _ in 0..<9 { tell(.woke) }
        let floor = host.node.log.count - trip.log.count - held - 1
        #expect(floor == 10, "as fast as where somebody acknowledges nothing")
        say(.have(host.node.log.heads.map { host.node.log.graph[$0].hash }), by: 3)
        tell(.woke)
        #expect(host.node.log.count > trip.log.count + held + 11, "as soon as nobody lags behind")
    }

    @Test("what takes a second at that pace is taken at once, in small parts, and then no more")
    func pacedAtOnce() throws {
        var (host, trip, callers) = try crowd {
            ($0.laggingBytesMin, $0.bulkCostMin, $0.turnCostMax) = (2_000, 20, 256)
        }
        for message in try messages(20, of: 40, by: trip.people[1], in: trip.log) {
            _ = host.persisted(after: callers[0].effects(saying: message, to: &host))
        }
        func held(after wait: UInt64) -> Int {
            host.time += wait
            for _ in 0..<99 { _ = host.persisted(after: host.effects(of: .woke)) }
            return host.node.log.count - trip.log.count
        }
        let atOnce = held(after: 0)
        #expect((125...240).contains(atOnce))
        let next = held(after: 8)
        #expect(next <= atOnce + 32, "what is handled at a time costs at most 32")
        #expect(held(after: 8) <= next)
        #expect((1...4).contains((held(after: 512) - next) / 30))
    }

    @Test("of a session whose messages wait no more is read than a bound, and all of it is handled in the end")
    func unread() throws {
        var (host, trip, callers) = try crowd {
            ($0.turnCostMax, $0.unreadBytesMax, $0.laggingBytesMin) = (2, 32_000, .max)
        }
        var reads: [Bool] = []
        func note(_ effects: [Effect]) { for case .read(callers[0].id, let isRead) in effects { reads.append(isRead) } }
        for message in try messages(20, of: 1, bytes: 10_000, by: trip.people[1], in: trip.log) {
            note(callers[0].effects(saying: message, to: &host))
        }
        #expect(reads == [false])
        // That it is not heard is not held against it.
        host.time += 60_000
        for _ in 0..<60 { note(host.effects(of: .woke)) }
        #expect(reads == [false, true] && host.node.log.count == trip.log.count + 20)
        #expect(host.node.connectionIDs.contains(callers[0].id))
    }

    @Test("of a message that is here in part the rest is read, however much the part is, once nothing else waits")
    func unreadPart() throws {
        var (host, trip, callers) = try crowd {
            ($0.turnCostMax, $0.unwrittenBytesMax, $0.unreadBytesMax) = (200, 1, 4_096)
        }
        var reads: [Bool] = []
        func note(_ effects: [Effect]) { for case .read(callers[0].id, let isRead) in effects { reads.append(isRead) } }
        let act = try messages(1, of: 1, by: trip.people[1], in: trip.log)[0]
        let written = callers[0].effects(saying: act, to: &host)
        let long = Message.have((0..<200).map { Bytes32(words: ($0, 0, 0, 1)) })
        let bytes = callers[0].frames(of: .ping) + callers[0].frames(of: long)
        note(host.effects(of: .received(callers[0].id, Array(bytes.dropLast(1)))))
        #expect(reads == [false], "the ping waits for the disk")
        for case .persist(let token, _) in written { note(host.effects(of: .persisted(token: token))) }
        for _ in 0..<3 { note(host.effects(of: .woke)) }
        #expect(reads == [false, true])
    }

    @Test("while much waits for the disk, messages wait, and own acts don't")
    func slowDisk() throws {
        var (host, trip, callers) = try crowd { ($0.turnCostMax, $0.unwrittenBytesMax) = (200, 30_000) }
        var tokens: [UInt64] = []
        func note(_ effects: [Effect]) { for case .persist(let token, _) in effects { tokens.append(token) } }
        for message in try messages(20, of: 1, bytes: 10_000, by: trip.people[1], in: trip.log) {
            note(callers[0].effects(saying: message, to: &host))
        }
        for _ in 0..<10 { note(host.effects(of: .woke)) }
        #expect(host.node.log.count == trip.log.count + 3)
        note(host.effects(of: .write(content: [1], ticket: 7)))
        #expect(host.node.log.count == trip.log.count + 4)
        for _ in 0..<20 where !tokens.isEmpty {
            note(host.effects(of: .persisted(token: tokens.removeLast())))
            note(host.effects(of: .woke))
        }
        #expect(host.node.log.count == trip.log.count + 21)
    }

    @Test("while a peer's messages wait for the disk, the node is not woken for the peer's silence")
    func silentDisk() throws {
        var (host, trip, callers) = try crowd { ($0.turnCostMax, $0.unwrittenBytesMax) = (200, 1) }
        let act = try messages(1, of: 1, by: trip.people[1], in: trip.log)[0]
        for message in [act, .ping] { _ = callers[0].effects(saying: message, to: &host) }
        #expect(host.node.turns.waiting == [callers[0].id])
        host.time += 8_000
        var wakes: [UInt64] = []
        for case .wake(let time) in host.effects(of: .woke) { wakes.append(time) }
        #expect(host.node.connectionIDs == [callers[0].id], "the others are silent")
        let now = host.time
        #expect(!wakes.isEmpty && wakes.allSatisfy { $0 > now })
    }

    @Test("of what a connection that is over has left, one turn is handled")
    func lastTurn() throws {
        var (host, trip, callers) = try crowd()
        for message in try messages(8, of: 10, by: trip.people[1], in: trip.log) { callers[0].say(message, to: &host) }
        let before = host.node.log.count
        host.tell(.closed(callers[0].id))
        #expect((1...20).contains(host.node.log.count - before))
        let after = host.node.log.count
        for _ in 0..<9 { host.tell(.woke) }
        #expect(host.node.log.count == after)
    }

    @Test(
        "a branch pays for all the people in it, a share that nobody uses goes round, and what was long ago counts less"
    )
    func shares() {
        let people = (0..<4).map { Bytes32(words: (0, 0, 0, $0 + 1)) }
        let (founder, mallory, puppet, zoe) = (
            [people[0]], [people[0], people[1]], Array(people[0..<3]), [people[0], people[3]]
        )
        var shares = Shares()
        func isBefore(_ left: [Bytes32], _ right: [Bytes32]) -> Bool {
            shares.costs(along: left).lexicographicallyPrecedes(shares.costs(along: right))
        }
        shares.charge(10, to: puppet)
        #expect(isBefore(zoe, mallory) && isBefore(zoe, puppet) && isBefore(founder, puppet))
        #expect(isBefore(mallory, puppet), "within a branch alike")
        shares.charge(11, to: zoe)
        #expect(isBefore(puppet, zoe) && isBefore(founder, zoe))
        shares.charge(12, to: founder)
        #expect(isBefore(zoe, founder), "the founder alone is one branch of many")
        for time in 1...9 as ClosedRange<UInt64> { shares.age(to: time * 1_000) }
        #expect(!isBefore(zoe, founder))
    }
}
