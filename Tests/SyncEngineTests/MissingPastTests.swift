import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing
import TripSimulation

@testable import SyncEngine

/// A change comes, and what it stands on is not here.
struct MissingPastTests {
    private func frontiers(heardBy caller: Caller) -> Int {
        caller.heard.count { if case .frontier = $0 { true } else { false } }
    }

    @Test("a peer that says its frontier again is sent all that this does not show, whatever the numbers in it promise")
    func exactAnswer() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var log = trip.log
        let mine = try (0..<3).map { try log.add(nil, [$0], by: trip.people[2]).record }
        var other = try host.call(0, as: trip.people[2], under: epoch)
        _ = other.hand(mine, to: &host)
        // A branch of the same log that is further on, as the host is told.
        var elsewhere = trip.log
        for number in 0..<9 { try elsewhere.add(nil, [100 + UInt8(number)], by: trip.people[2]) }
        var member = try host.call(1, as: trip.people[1], under: epoch)
        member.say(.frontier(elsewhere.frontier), to: &host)
        #expect(member.records.isEmpty, "the peer is taken to hold what its branch seems to go on from")
        member.say(.frontier(elsewhere.frontier), to: &host)
        #expect(member.records == mine)
    }

    @Test("a peer is not sent what leads to a change that it named, and is told when that has come")
    func namedEnds() throws {
        var (host, trip) = try Host.founder(members: 3)
        let epoch = try #require(host.epochCredential)
        var log = trip.log
        let named = try (0..<3).map { try log.add(nil, [$0], by: trip.people[2]) }
        var member = try host.call(1, as: trip.people[1], under: epoch)
        member.say(.frontier(log.frontier), to: &host)
        var other = try host.call(0, as: trip.people[2], under: epoch)
        _ = other.hand(named.dropLast().map(\.record), to: &host)
        member.hear(from: host)
        #expect(member.records.isEmpty)
        var elsewhere = trip.log
        let act = try elsewhere.add(nil, [7], by: trip.people[3])
        _ = other.hand([act.record], to: &host)
        member.hear(from: host)
        #expect(member.records == [act.record], "what leads elsewhere is sent")
        _ = other.hand([named[2].record], to: &host)
        host.time += 1_000
        host.tell(.woke)
        member.hear(from: host)
        #expect(member.records == [act.record])
        let told = member.heard.contains {
            if case .have(let hashes) = $0 { hashes.contains(named[2].hash) } else { false }
        }
        #expect(told)
    }

    @Test("what leads to a change that a peer named in vain is sent once another branch begins, or the peer asks")
    func namedInVain() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var log = trip.log
        let mine = try (0..<3).map { try log.add(nil, [$0], by: trip.people[2]) }
        var elsewhere = trip.log
        for number in 0..<9 { try elsewhere.add(nil, [100 + UInt8(number)], by: trip.people[2]) }
        var member = try host.call(1, as: trip.people[1], under: epoch)
        member.say(.frontier(elsewhere.frontier), to: &host)
        var other = try host.call(0, as: trip.people[2], under: epoch)
        _ = other.hand(mine.map(\.record), to: &host)
        member.hear(from: host)
        #expect(member.records.isEmpty)
        _ = member.hand(Array(elsewhere.graph.changes.suffix(9).map(\.record)), to: &host)
        host.tell(.woke)
        member.hear(from: host)
        #expect(member.records == mine.map(\.record))
    }

    @Test(
        "changes on what nobody has end no session, however many come, and cost few answers; what comes between is taken"
    )
    func noWall() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        var mallory = try host.call(0, as: trip.people[1], under: epoch)
        mallory.say(.frontier(trip.log.frontier), to: &host)
        let before = frontiers(heardBy: mallory)
        var log = trip.log
        for number in UInt8(0)..<200 {
            var hidden = log
            try hidden.add(nil, [number], by: trip.people[1])
            _ = mallory.hand([try hidden.add(nil, [number], by: trip.people[1]).record], to: &host)
            if number % 50 == 49 {
                _ = mallory.hand([try log.add(nil, [number], by: trip.people[1]).record], to: &host)
            }
            host.time += 20
            host.tell(.woke)
        }
        mallory.hear(from: host)
        #expect(host.node.sessions.count == 1 && host.node.log.count == trip.log.count + 4)
        #expect((4...20).contains(frontiers(heardBy: mallory) - before))
        let waiting = frontiers(heardBy: mallory)
        for _ in 0..<100 {
            host.time += 1_000
            host.tell(.woke)
            mallory.say(.ping, to: &host)
        }
        #expect(frontiers(heardBy: mallory) <= waiting + 1, "what was put away is not asked for again and again")
    }
}
