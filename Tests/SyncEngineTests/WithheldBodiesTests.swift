import ChangeLog
import Convergence
import DeltaCRDT
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
        let index = try #require(founders.graph.index(of: tent.hash))
        #expect(!founders.graph[index].isWhole && founders.isRetained(index))
        var wires = Wires(seed: 3, nodes: [trip.node(0, log: founders), trip.node(2, log: friends)])
        wires.connect(0, 1)
        wires.wait(1_000)
        for node in wires.nodes {
            let index = try #require(node.log.graph.index(of: tent.hash))
            #expect(node.log.lackingBodies.isEmpty && node.log.isUpheld(index) && node.log.isShown(index))
        }
        #expect(wires.nodes[0].log.frontier == wires.nodes[1].log.frontier)
    }

    @Test("a statement on a body that nobody has reaches all, and honest acts after it are shown everywhere")
    func statementOnWithheldBody() throws {
        var generator = SeededGenerator(seed: 5)
        let trip = try FoundedTrip(of: 4, broughtBy: { $0 == 2 ? 1 : 0 }, using: &generator, FastCryptography())
        let removed = trip.people[2].device
        var mallorys = trip.log
        let withheld = try mallorys.add(nil, [1], by: trip.people[1])
        let removal = try mallorys.add(
            .remove(participant: removed.participant, kept: nil, grant: nil), by: trip.people[1])
        var founders = trip.log
        #expect(founders.receive([withheld.head, removal.record]).refusal == nil)
        #expect(!founders.isIn(removed.replica) && trip.log.isIn(removed.replica))
        var wires = Wires(seed: 3, nodes: [trip.node(0, log: founders), trip.node(3)])
        wires.connect(0, 1)
        wires.wait(5_000)
        for index in 0...1 { wires.write(String(index), on: index) }
        wires.wait(5_000)
        #expect(wires.nodes[0].log.frontier == wires.nodes[1].log.frontier)
        for (index, node) in wires.nodes.enumerated() {
            #expect(!node.log.isIn(removed.replica) && node.log.lackingBodies.count == 1)
            let acts = node.log.graph.changes.indices.filter { !node.log.graph[$0].change.content.isEmpty }
            #expect(acts.count == 2 && acts.allSatisfy { node.log.isShown($0) })
            // Neither has anything that the other lacks.
            #expect(node.changesNotKnown(at: wires.nodes[1 - index].secrets.device.replica) == 0)
        }
    }

    /// A founder's node, and a member who has told it the header of a change and not the body.
    private func hostTold() throws -> (host: Host, trip: FoundedTrip, member: Caller, withheld: SignedChange) {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var member = try host.call(0, as: trip.people[1], under: epoch)
        member.say(.frontier(trip.log.frontier), to: &host)
        var log = trip.log
        let withheld = try log.add(nil, [1], by: trip.people[1])
        _ = member.hand([withheld.head], to: &host)
        return (host, trip, member, withheld)
    }

    @Test("a header alone is acknowledged without its body, and its author is asked for that, ever less often")
    func unanswered() throws {
        var (host, _, mallory, withheld) = try hostTold()
        func asked(_ caller: Caller) -> Int { caller.heard.count { $0 == .bodiesWanted([withheld.hash]) } }
        #expect(asked(mallory) == 1)
        for _ in 0..<60 {
            host.time += 100
            host.tell(.woke)
            mallory.say(.ping, to: &host)
        }
        #expect((2...8).contains(asked(mallory)))
        let withoutBody = AbsentBodies(count: 1, named: [withheld.hash])
        #expect(mallory.heard.contains(.bodiesAbsent(withoutBody)))
        #expect(mallory.heard.contains(.have([withheld.hash])))
        _ = mallory.hand([withheld.record], to: &host)
        host.time += 1_000
        host.tell(.woke)
        mallory.say(.ping, to: &host)
        #expect(host.node.log.lackingBodies.isEmpty)
        let told = mallory.heard.last { if case .bodiesAbsent = $0 { true } else { false } }
        #expect(told == .bodiesAbsent(AbsentBodies()))
    }

    @Test("a body that a peer says is absent there is not known to be there, and is not asked of it")
    func absentThere() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var one = try host.call(0, as: trip.people[1], under: epoch)
        var other = try host.call(1, as: trip.people[2], under: epoch)
        one.say(.frontier(trip.log.frontier), to: &host)
        other.say(.frontier(trip.log.frontier), to: &host)
        var log = trip.log
        let change = try log.add(nil, [1], by: trip.people[1])
        _ = one.hand([change.head], to: &host)
        let absent = AbsentBodies(count: 1, named: [change.hash])
        other.say(.bodiesAbsent(absent), to: &host)
        other.say(.have([change.hash]), to: &host)
        host.time += 1_000
        host.tell(.woke)
        other.say(.ping, to: &host)
        #expect(!other.heard.contains(.bodiesWanted([change.hash])))
        let reader = trip.people[2].device.replica
        #expect(host.node.changesNotKnown(at: reader) == 0)
        _ = one.hand([change.record], to: &host)
        #expect(host.node.changesNotKnown(at: reader) == 1)
        #expect(host.node.peerRecord(of: reader)?.durable.contains(change.hash) == false)
        // Of more than a message names, each may be one that is here.
        let many = (0..<256).map { Bytes32(words: ($0, 0, 0, 1)) }
        other.say(.bodiesAbsent(AbsentBodies(count: 300, named: many)), to: &host)
        #expect(host.node.changesNotKnown(at: reader) == 44)
        other.say(.bodiesAbsent(AbsentBodies()), to: &host)
        #expect(host.node.changesNotKnown(at: reader) == 0)
    }

    @Test("a body is asked of a peer that says, or whose frontier shows, that it has what came here without it")
    func saidLater() throws {
        var (host, trip) = try Host.founder(members: 3)
        let epoch = try #require(host.epochCredential)
        var callers: [Caller] = []
        for index in 0...2 {
            callers.append(try host.call(UInt64(index), as: trip.people[index + 1], under: epoch))
            if index < 2 { callers[index].say(.frontier(trip.log.frontier), to: &host) }
        }
        var log = trip.log
        let change = try log.add(nil, [1], by: trip.people[1])
        _ = callers[0].hand([change.head], to: &host)
        #expect(!callers[1].heard.contains(.bodiesWanted([change.hash])))
        callers[1].say(.have([change.hash]), to: &host)
        #expect(callers[1].heard.contains(.bodiesWanted([change.hash])))
        callers[2].say(.frontier(log.frontier), to: &host)
        #expect(callers[2].heard.contains(.bodiesWanted([change.hash])))
    }

    @Test("a body is asked of a peer that announced its change before the change came without it from somebody else")
    func saidBefore() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var mallory = try host.call(0, as: trip.people[1], under: epoch)
        var zoe = try host.call(1, as: trip.people[2], under: epoch)
        mallory.say(.frontier(trip.log.frontier), to: &host)
        zoe.say(.frontier(trip.log.frontier), to: &host)
        var log = trip.log
        let change = try log.add(nil, [1], by: trip.people[1])
        zoe.say(.have([change.hash]), to: &host)
        _ = mallory.hand([change.head], to: &host)
        // When what was announced is looked for, and before anything is reported.
        host.time += 160
        host.tell(.woke)
        zoe.hear(from: host)
        #expect(zoe.heard.contains(.bodiesWanted([change.hash])))
    }

    @Test("a body that is needed again is asked of all who hold it, and not only of who brought the reason")
    func neededAgain() throws {
        var generator = SeededGenerator(seed: 1)
        let trip = try FoundedTrip(of: 4, using: &generator, FastCryptography())
        var founders = trip.log
        let tent = try founders.add(nil, [1], by: trip.people[1])
        var friends = founders
        let act = try friends.write(nil, content: [2], about: [tent.hash], wallTime: 0, as: trip.people[2]).change
        let removal = Statement.remove(participant: trip.people[1].device.participant, kept: [], grant: nil)
        _ = try founders.write(removal, content: [], wallTime: 0, as: trip.people[0])
        var host = Host(node: trip.node(0, log: founders))
        let epoch = try #require(host.epochCredential)
        var friend = try host.call(0, as: trip.people[2], under: epoch)
        var zoe = try host.call(1, as: trip.people[3], under: epoch)
        friend.say(.frontier(founders.frontier), to: &host)
        zoe.say(.frontier(founders.frontier), to: &host)
        _ = friend.hand([act.record], to: &host)
        host.time += 300
        host.tell(.woke)
        zoe.hear(from: host)
        let wanted = Message.bodiesWanted([tent.hash])
        #expect(friend.heard.contains(wanted) && zoe.heard.contains(wanted))
    }

    @Test("a member who tells many headers and keeps the bodies back delays no other author's body")
    func manyWithheld() throws {
        var (host, trip) = try Host.founder(members: 2)
        let epoch = try #require(host.epochCredential)
        var mallory = try host.call(0, as: trip.people[1], under: epoch)
        var zoe = try host.call(1, as: trip.people[2], under: epoch)
        mallory.say(.frontier(trip.log.frontier), to: &host)
        zoe.say(.frontier(trip.log.frontier), to: &host)
        // More than a peer names, and than one message asks for.
        var log = trip.log
        let withheld = try (0..<400).map { try log.add(nil, [UInt8($0 & 255)], by: trip.people[1]) }
        for batch in stride(from: 0, to: 400, by: 50) {
            _ = mallory.hand(withheld[batch..<batch + 50].map(\.head), to: &host)
        }
        zoe.say(.bodiesAbsent(AbsentBodies(count: 400, named: withheld.prefix(256).map(\.hash))), to: &host)
        zoe.say(.have([withheld[399].hash]), to: &host)
        // Zoe's node has been asked for what it has not, for so long that it is asked ever less often.
        for _ in 0..<40 {
            host.time += 100
            host.tell(.woke)
            mallory.say(.ping, to: &host)
            zoe.say(.ping, to: &host)
        }
        let before = zoe.heard.count
        let act = try log.add(nil, [1], by: trip.people[2])
        _ = mallory.hand([act.head], to: &host)
        zoe.say(.have([act.hash]), to: &host)
        host.time += 200
        host.tell(.woke)
        zoe.say(.ping, to: &host)
        let asked = zoe.heard[before...].flatMap { message -> [Bytes32] in
            if case .bodiesWanted(let hashes) = message { hashes } else { [] }
        }
        #expect(asked.contains(act.hash))
    }

    @Test("two nodes that hold the same changes, one without a body, find that out when they meet")
    func sameChanges() throws {
        var generator = SeededGenerator(seed: 2)
        let trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        var (whole, bare) = (trip.log, trip.log)
        let change = try whole.add(nil, [1], by: trip.people[2])
        #expect(bare.receive([change.head]).refusal == nil && bare.frontier == whole.frontier)
        var wires = Wires(seed: 3, nodes: [trip.node(0, log: whole), trip.node(1, log: bare)])
        wires.connect(0, 1)
        wires.wait(1_000)
        #expect(wires.nodes[1].log.lackingBodies.isEmpty)
        #expect(wires.nodes[0].changesNotKnown(at: trip.people[1].device.replica) == 0)
    }

    @Test("what is said of absent bodies is read within bounds")
    func bounds() {
        func absent(count: UInt64, named: Int) -> [UInt8] {
            var encoder = CanonicalEncoder()
            encoder.encode(byte: 22)
            encoder.encode(count)
            encoder.encode(count: named)
            for _ in 0..<named { encoder.encode(fixed: [UInt8](repeating: 1, count: 32)) }
            return encoder.bytes
        }
        func isRead(_ bytes: [UInt8]) -> Bool {
            (try? Message(bytes, limits: SessionLimits(), using: FastCryptography())) != nil
        }
        #expect(isRead(absent(count: 0, named: 0)) && isRead(absent(count: 1_000, named: 256)))
        #expect(!isRead(absent(count: 257, named: 257)) && !isRead(absent(count: 2, named: 1)))
        #expect(!isRead(absent(count: 1, named: 0)) && !isRead(absent(count: 1 << 40, named: 256)))
    }

    @Test("what nobody has seen of a removed person does not come later")
    func comesAfterRemoval() throws {
        var (host, trip, _, withheld) = try hostTold()
        let index = try #require(host.node.log.graph.index(of: withheld.hash))
        #expect(host.node.log.isEffective(index))
        let removed = trip.people[1].device.participant
        _ = host.persisted(after: host.effects(of: .remove(participant: removed, kept: nil, ticket: 1)))
        #expect(!host.node.log.isEffective(index) && !host.node.log.isShown(index))
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
