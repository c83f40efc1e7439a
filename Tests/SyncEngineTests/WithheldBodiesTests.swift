import ChangeLog
import Convergence
import SyncEngine
import Testing
import TripSimulation

/// A member tells some the header of a change and not the body.
struct WithheldBodiesTests {
    @Test("a body that went with its author's removal is fetched again, once somebody who had not heard acted on it")
    func fetched() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        var founders = trip.log
        let tent = try founders.add(nil, [1], by: trip.people[1])
        var friends = founders
        _ = try friends.write(nil, content: [2], about: [tent.hash], wallTime: 0, as: trip.people[2])
        let removal = Statement.remove(participant: trip.people[1].device.participant, kept: [], grant: nil)
        _ = try founders.write(removal, content: [], wallTime: 0, as: trip.people[0])
        let place = try #require(founders.graph.place(of: tent.hash))
        #expect(!founders.graph[place].isWhole && founders.isRetained(place))
        var wires = Wires(seed: 3, nodes: [trip.node(0, log: founders), trip.node(2, log: friends)])
        wires.connect(0, 1)
        wires.wait(1_000)
        for node in wires.nodes {
            let place = try #require(node.log.graph.place(of: tent.hash))
            #expect(node.log.lackingBodies.isEmpty && node.log.isUpheld(place) && node.log.isShown(place))
        }
        #expect(wires.nodes[0].log.frontier == wires.nodes[1].log.frontier)
    }

    @Test(
        "a header alone is neither acknowledged, shown nor stood on; its author is asked for the body, ever less often")
    func unanswered() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var mallory = try host.call(0, as: trip.people[1], under: epoch)
        mallory.say(.frontier(trip.log.frontier), to: &host)
        var log = trip.log
        let withheld = try log.add(nil, [1], by: trip.people[1])
        _ = mallory.hand([withheld.head], to: &host)
        func asked(_ caller: Caller) -> Int { caller.heard.count { $0 == .bodiesWanted([withheld.hash]) } }
        #expect(asked(mallory) == 1)
        for _ in 0..<60 {
            host.time += 100
            host.tell(.woke)
            mallory.say(.ping, to: &host)
        }
        #expect((2...8).contains(asked(mallory)))
        let acknowledged = mallory.heard.contains {
            if case .have(let hashes) = $0 { hashes.contains(withheld.hash) } else { false }
        }
        #expect(!acknowledged)
        let own = host.effects(of: .write(content: [7], ticket: 1))
        _ = host.persisted(after: own)
        let written = try #require(host.node.log.graph.changes.last)
        #expect(!written.change.links.contains(withheld.hash))
        _ = mallory.hand([withheld.record], to: &host)
        host.time += 1_000
        host.tell(.woke)
        mallory.say(.ping, to: &host)
        let isKnown = mallory.heard.contains {
            if case .have(let hashes) = $0 { hashes.contains(withheld.hash) } else { false }
        }
        #expect(isKnown && host.node.log.lackingBodies.isEmpty)
    }

    @Test("a member is sent the bodies that it asks for in one message, and nobody else is")
    func answered() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        host.write(nil, Array(repeating: 1, count: 200_000))
        host.write(nil, Array(repeating: 2, count: 200_000))
        let hashes = host.node.log.graph.changes.suffix(2).map(\.hash)
        var member = try host.call(0, as: trip.people[1], under: epoch)
        let before = member.heard.count
        member.say(.bodiesWanted(hashes + [trip.people[0].device.participant]), to: &host)
        let records = member.heard[before...].flatMap { message -> [[UInt8]] in
            if case .changes(let records) = message { records } else { [] }
        }
        #expect(records.count == 1 && records[0].count > 200_000)
        let many = Message.bodiesWanted(Array(repeating: hashes[0], count: 65)).encoding
        member.say(raw: many, to: &host)
        #expect(host.closed.contains(member.id))
    }
}
