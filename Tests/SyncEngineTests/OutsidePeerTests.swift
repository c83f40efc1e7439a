import ChangeLog
import Testing

@testable import SyncEngine

/// A device that is out is told so, and nothing else.
struct OutsidePeerTests {
    /// A host who has removed the last of two members, by a clock that says any time.
    private func removal(at wall: Int64) throws -> (host: Host, trip: FoundedTrip) {
        var (host, trip) = try Host.founder(members: 2)
        let now = host.wall
        host.wall = wall
        host.write(.remove(participant: trip.people[2].device.participant, grant: nil))
        host.wall = now
        return (host, trip)
    }

    private func pair(_ index: Int, _ trip: FoundedTrip, _ host: Host) throws -> Credential {
        let pair = Credential(
            pairing: trip.people[index].agreementSecret, with: trip.people[0].device, using: host.cryptography)
        return try #require(pair)
    }

    @Test(
        "a removal may say any time: members come in, and the removed is told for as long as it says",
        arguments: [
            (Int64.max, true), (1_700_000_000_000, true), (1_690_000_000_000, false), (0, false), (.min, false),
        ])
    func time(wall: Int64, isTold: Bool) throws {
        var (host, trip) = try removal(at: wall)
        #expect(try host.call(1, as: trip.people[1], under: pair(1, trip, host)).isIn)
        #expect(try host.call(2, as: trip.people[2], under: pair(2, trip, host)).isIn == isTold)
    }

    @Test("the removed hears why, and nothing of what is held or was written since")
    func told() throws {
        var (host, trip) = try removal(at: 1_700_000_000_000)
        let removal = host.node.log.graph.count
        for number in 0..<5 as Range<UInt8> { host.write(nil, [number]) }
        var caller = try host.call(1, as: trip.people[2], under: pair(2, trip, host))
        caller.say(.frontier(host.node.log.frontier(before: 1)), to: &host)
        caller.say(.have([Bytes32(words: (9, 9, 9, 9))]), to: &host)
        host.time += 60_000
        host.tell(.woke)
        caller.hear(from: host)
        let nothing = host.node.log.frontier(before: 0).digest(using: host.cryptography)
        var records: [[UInt8]] = []
        for message in caller.heard {
            switch message {
            case .hello(let digest, _): #expect(digest == nothing)
            case .frontier(let frontier): #expect(frontier.tips.isEmpty)
            case .changes(let sent): records += sent
            case .locator, .want, .have, .blob, .introduction: Issue.record("it hears of more: \(message)")
            default: break
            }
        }
        let known = Set(host.node.log.graph.changes.prefix(removal).map(\.record))
        #expect(records.contains(host.node.log.graph[removal - 1].record))
        #expect(records.allSatisfy { known.contains($0) })
        #expect(host.closed.contains(caller.id))
    }
}
