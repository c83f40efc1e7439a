import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// What one peer is sent, told and asked for: a log, and no node.
struct PeerReplicationTests {
    private let trip: FoundedTrip
    /// The trip's log, and five changes of the founder's after it.
    private let log: TripLog
    private let empty: Frontier
    private var limits = SessionLimits()
    private var peer = PeerReplication()

    init() throws {
        var generator = SeededGenerator(seed: 1)
        trip = try FoundedTrip(of: 2, using: &generator, try SodiumCryptography())
        var log = trip.log
        for number in 1...5 { try log.add(nil, [UInt8(number)], by: trip.people[0]) }
        self.log = log
        var decoder = CanonicalDecoder([0])
        empty = try Frontier(from: &decoder, limit: 1)
    }

    private var end: Int { log.count }

    private func records(_ indices: some Sequence<Int>) -> [[UInt8]] { indices.map { log.graph[$0].record } }

    private mutating func batch(
        for audience: PeerReplication.Audience = .member, durable: Int? = nil
    ) -> [[UInt8]]? {
        peer.nextBatch(for: audience, in: log, durableCount: durable ?? end, limits: limits)
    }

    /// Compares with a peer that holds nothing.
    private mutating func compareWithNothing() {
        peer.toldFrontier(before: end, durableCount: end)
        _ = peer.compare(empty, in: log)
    }

    @Test("nothing is sent before frontiers were compared, and then all that is durable and lacked, once")
    mutating func comparing() {
        #expect(batch() == nil && !peer.hasToldFrontier)
        _ = peer.compare(empty, in: log)
        #expect(batch() == nil, "this node has not shown its own")
        compareWithNothing()
        #expect(batch(durable: 3) == records(0..<3))
        #expect(!peer.wasSentAll(before: end) && peer.lacksSomething(before: end))
        #expect(batch() == records(3..<end))
        #expect(batch() == nil && peer.wasSentAll(before: end) && !peer.lacksSomething(before: end))
        peer.regained()
        #expect(batch() == nil, "what was sent is known to be there")
    }

    @Test("between equal logs nothing is sent, and nothing is told")
    mutating func agreeing() {
        peer.agreed(on: log.frontier(before: end), before: end, in: log.graph)
        #expect(batch() == nil && !peer.lacksNews(before: end))
        #expect(peer.report(toMember: true, before: end, in: log).isEmpty)
        #expect(peer.durable.contains(end - 1, in: log.graph), "it holds them durably")
    }

    @Test("no more is on its way than a bound, until the peer says that it is durable there")
    mutating func window() {
        compareWithNothing()
        (limits.batchChangesMax, limits.unacknowledgedBytesMax) = (1, 1)
        #expect(batch() == records([0]))
        #expect(batch() == nil)
        #expect(peer.noteDurable([0], in: log.graph, isCrowded: false) == true, "that is news")
        #expect(batch() == records([1]))
        #expect(peer.noteDurable([0], in: log.graph, isCrowded: false) == false)
        #expect(batch() == nil, "it is of another change")
    }

    @Test("what a peer refused holds nothing back: each time that it shows its frontier again, more is sent")
    mutating func refused() {
        compareWithNothing()
        (limits.batchChangesMax, limits.unacknowledgedBytesMax) = (1, 1)
        #expect(batch() == records([0]) && batch() == nil)
        for _ in 0..<3 {
            _ = peer.compare(empty, in: log)
            #expect(batch() == records([0]))
            #expect(batch() == nil, "the bound holds")
        }
        peer.checkInvariants(before: end)
    }

    @Test("a peer that asked not to push is sent what was here then, what is written here, and the rest when it asks")
    mutating func pushing() {
        compareWithNothing()
        peer.becomeLazy(from: 3)
        #expect(batch() == records(0..<3) && batch() == nil && !peer.lacksSomething(before: end))
        peer.pushAll(before: 5)
        #expect(batch() == records(3..<5) && batch() == nil)
        peer.becomeEager()
        #expect(batch() == records(5..<end))
    }

    @Test("a peer that is not a member is sent one change with its past, without bodies if it is out")
    mutating func audiences() {
        for index in [1, 3] {
            peer = PeerReplication()
            compareWithNothing()
            #expect(batch(for: .unproven(witness: index)) == records(0...index))
            peer = PeerReplication()
            compareWithNothing()
            let told = batch(for: .outsider(removal: index))
            #expect(told == (0...index).map { log.graph[$0].head })
        }
        #expect(log.graph[3].head != log.graph[3].record, "it has a body")
    }

    @Test("a peer that is out can't see in which order the past of its removal came here")
    mutating func orderOfArrival() throws {
        let concurrent = try [0, 1].map { author in
            var apart = trip.log
            try apart.add(nil, [UInt8(author)], by: trip.people[author])
            return apart.graph[apart.count - 1].record
        }
        var logs = [concurrent, concurrent.reversed()].map { records in
            var log = trip.log
            _ = log.receive(Array(records))
            return log
        }
        try logs[0].add(nil, [9], by: trip.people[0])
        let last = logs[0].count - 1
        _ = logs[1].receive([logs[0].graph[last].record])
        #expect(logs[0].graph[last - 1].hash != logs[1].graph[last - 1].hash)
        let told = logs.map { log in
            peer = PeerReplication()
            peer.toldFrontier(before: 0, durableCount: log.count)
            _ = peer.compare(empty, in: log)
            return peer.nextBatch(for: .outsider(removal: last), in: log, durableCount: log.count, limits: limits)
        }
        #expect(told[0]?.count == last + 1 && told[0] == told[1])
    }

    @Test("what came from a peer is reported to it at once in a small group, and in a crowd when it is much")
    mutating func reports() {
        var copy = trip.log
        let start = copy.count
        peer.agreed(on: copy.frontier(before: start), before: start, in: copy.graph)
        let records = records(start..<end)
        let received = copy.receive(records)
        peer.received(received, bytes: 100, in: copy.graph, pause: 150)
        func owes(_ durable: Int, isCrowded: Bool) -> Bool {
            peer.owesAtOnce(durableCount: durable, isCrowded: isCrowded, limits: limits)
        }
        #expect(!owes(start, isCrowded: false), "not durable so far")
        #expect(owes(end, isCrowded: false) && !owes(end, isCrowded: true))
        limits.unacknowledgedBytesMax = 399
        #expect(owes(end, isCrowded: true))
        #expect(peer.report(toMember: true, before: start, in: copy).isEmpty)
        #expect(peer.report(toMember: true, before: end, in: copy) == [end - 1], "the last stands for its past")
        #expect(peer.report(toMember: true, before: end, in: copy).isEmpty && !owes(end, isCrowded: false))
    }

    @Test("a member is told of all that is durable here, and a peer that is not one only of what came from it")
    mutating func news() {
        for isMember in [true, false] {
            peer = PeerReplication()
            peer.agreed(on: log.frontier(before: 3), before: 3, in: log.graph)
            #expect(peer.report(toMember: isMember, before: end, in: log) == (isMember ? [end - 1] : []))
        }
    }

    @Test("a peer that repeats what is here is asked not to push after so many messages in a row without news")
    mutating func repetitions() {
        var copy = trip.log
        let start = copy.count
        func receive(_ indices: some Sequence<Int>) {
            let received = copy.receive(records(indices))
            peer.received(received, bytes: 1, in: copy.graph, pause: 150)
        }
        receive([0])
        receive([1])
        #expect(peer.endsPushing(afterRepetitions: 3, durableCount: 0) == false)
        receive([start])
        for _ in 0..<2 { receive([0]) }
        #expect(peer.endsPushing(afterRepetitions: 3, durableCount: 0) == false, "news between them")
        receive([2])
        #expect(peer.endsPushing(afterRepetitions: 3, durableCount: 0) == true)
        #expect(peer.endsPushing(afterRepetitions: 0, durableCount: 0) == false, "it was asked")
    }

    @Test("a change that a peer announced is waited for, then asked for; what came meanwhile is known there")
    mutating func missing() {
        var copy = trip.log
        let start = copy.count
        let announced = [log.graph[start].hash, log.graph[start + 1].hash]
        peer.miss(announced, until: 500)
        peer.miss([log.graph[start + 2].hash], until: 900)
        #expect(peer.missingDeadline == 500, "the first counts")
        _ = copy.receive(records([start]))
        #expect(peer.firstMissing(in: copy.graph, isCrowded: false) == announced[1])
        #expect(peer.durable.contains(start, in: copy.graph))
        peer.waitForMissing(until: 800)
        #expect(peer.missingDeadline == 800 && peer.deadline == 800)
        peer.becomeLazy(from: 0)
        peer.askedToPush()
        #expect(peer.missingDeadline == nil)
        #expect(peer.endsPushing(afterRepetitions: 0, durableCount: 0) == true, "this node pushes again")
        peer.miss(announced, until: 900)
        _ = copy.receive(records([start + 1]))
        #expect(peer.firstMissing(in: copy.graph, isCrowded: false) == nil && peer.missingDeadline == nil)
    }

    @Test("a needed body is asked of a peer that holds it, again after a pause, and not of one that says it has none")
    mutating func bodies() {
        var copy = trip.log
        let start = copy.count
        _ = copy.receive([log.graph[start].head])
        #expect(copy.lackingBodies == [start])
        func due(at now: UInt64) -> Set<Int> { peer.bodiesDue(in: copy, at: now, pause: 150) }
        #expect(due(at: 0).isEmpty && peer.bodiesDeadline == nil, "it is not known to hold it")
        peer.noteDurable([start], in: copy.graph, isCrowded: false)
        #expect(due(at: 0) == [start])
        peer.ask(forBodiesAt: [start], at: 0, pause: 150)
        #expect(peer.bodiesDeadline == 150 && due(at: 149).isEmpty)
        peer.lacks(AbsentBodies(count: 1, named: [log.graph[start].hash]), pause: 150)
        #expect(due(at: 10_000).isEmpty && peer.bodiesDeadline == nil)
        peer.lacks(AbsentBodies(), pause: 150)
        #expect(due(at: 10_000) == [start])
    }

    @Test(
        "a peer whose frontier follows no report of absent bodies lacks none, whatever it lacked in an earlier session")
    mutating func bodiesSince() {
        var copy = trip.log
        let start = copy.count
        _ = copy.receive([log.graph[start].head])
        peer.noteDurable([start], in: copy.graph, isCrowded: false)
        let (durable, absent) = (peer.durable, AbsentBodies(count: 1, named: [log.graph[start].hash]))
        for isTold in [false, true] {
            peer = PeerReplication()
            peer.remember(durable, without: absent)
            if isTold { peer.lacks(absent, pause: 150) }
            peer.toldFrontier(before: start, durableCount: start)
            _ = peer.compare(log.frontier(before: start + 1), in: copy)
            #expect(peer.bodiesDue(in: copy, at: 0, pause: 150) == (isTold ? [] : [start]))
        }
        peer = PeerReplication()
        peer.remember(durable, without: absent)
        peer.agreed(on: copy.frontier(before: start), before: start, in: copy.graph)
        #expect(peer.absent == AbsentBodies(), "both lack none")
    }

    @Test("a peer is asked again soon for the other bodies once one has come, for one message holds a part of them")
    mutating func bodiesLeft() {
        var copy = trip.log
        let start = copy.count
        _ = copy.receive((start..<start + 3).map { log.graph[$0].head })
        peer.noteDurable([start + 2], in: copy.graph, isCrowded: false)
        func asked(at now: UInt64) -> Int {
            let due = peer.bodiesDue(in: copy, at: now, pause: 150)
            if !due.isEmpty { peer.ask(forBodiesAt: due.sorted(), at: now, pause: 150) }
            return due.count
        }
        var unanswered: [Int] = []
        for time in [0, 150, 300, 450] as [UInt64] { unanswered.append(asked(at: time)) }
        #expect(unanswered == [3, 3, 3, 0], "ever less often")
        _ = copy.receive(records([start]))
        let rest = asked(at: 450)
        #expect(rest == 2)
    }

    @Test("a peer is told which bodies are absent here when they are others than it was told")
    mutating func absentBodies() {
        let absent = AbsentBodies(count: 1, named: [log.graph[0].hash])
        #expect(peer.isTold(absent: AbsentBodies()) == false, "it takes that for granted")
        #expect(peer.isTold(absent: absent) && !peer.isTold(absent: absent))
        #expect(peer.isTold(absent: AbsentBodies()) == true)
    }

    @Test("a frontier is sent again for a missing past, after pauses that grow until something new comes")
    mutating func missingPast() {
        #expect(peer.mayAskForPast(at: 0, pause: 150) == true)
        #expect(!peer.mayAskForPast(at: 149, pause: 150) && peer.pastDeadline == 150)
        #expect(peer.mayAskForPast(at: 150, pause: 150) == true)
        #expect(!peer.mayAskForPast(at: 449, pause: 150) && peer.mayAskForPast(at: 450, pause: 150))
    }
}
