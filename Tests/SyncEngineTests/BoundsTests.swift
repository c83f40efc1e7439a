import ChangeLog
import Convergence
import DeltaCRDT
import Testing

@testable import SyncEngine

/// What strangers and members may ask for, and what people hear when it is too much.
struct BoundsTests {
    // MARK: - Handshakes

    @Test("whoever opens connections and says nothing keeps nobody out: the oldest gives way")
    func tooManyHandshakes() throws {
        var (host, trip) = try Host.founder(members: 1) { $0.handshakesMax = 8 }
        let epoch = try #require(host.epochCredential)
        for number in 0..<100 as Range<UInt64> {
            host.time += 1
            _ = host.accept(number)
            #expect(host.node.connectionIDs.count <= 8)
        }
        #expect(host.closed.count == 92)
        let caller = try host.call(100, as: trip.people[1], under: epoch)
        #expect(caller.isIn)
        #expect(host.node.sessions.map(\.device) == [trip.people[1].device])
        // People hear of it once, and again when it goes on after a while.
        #expect(host.count(.handshakes) == 1)
        host.time += 60_000
        for number in 200..<220 as Range<UInt64> { _ = host.accept(number) }
        #expect(host.count(.handshakes) == 2)
    }

    @Test("a handshake that is under way outlasts those who have said nothing")
    func handshakeUnderWay() throws {
        var (host, trip) = try Host.founder(members: 1) { $0.handshakesMax = 8 }
        let epoch = try #require(host.epochCredential)
        var caller = try Caller(0, as: trip.people[1], under: epoch, to: &host)
        let answer = host.tell(.received(caller.id, try #require(caller.first)))
        for number in 1..<50 as Range<UInt64> {
            host.time += 1
            _ = host.accept(number)
        }
        try caller.finish(reading: answer, to: &host)
        #expect(host.node.sessions.map(\.device) == [trip.people[1].device])
    }

    @Test("nobody is waited for whose message cannot be one, however much it promises")
    func wrongLengths() throws {
        var (host, trip) = try Host.founder(members: 1)
        for (number, length) in [0, 1, 48, 64, 82, 84, 65_535].enumerated() {
            let id = host.accept(UInt64(number)).id
            host.tell(.received(id, [UInt8(length >> 8)]))
            #expect(!host.closed.contains(id))
            host.tell(.received(id, [UInt8(length & 255)]))
            #expect(host.closed.contains(id), "\(length)")
        }
        let epoch = try #require(host.epochCredential)
        let caller = try Caller(100, as: trip.people[1], under: epoch, to: &host)
        #expect(!host.tell(.received(caller.id, try #require(caller.first))).isEmpty)
        host.tell(.received(caller.id, [255, 255]))
        #expect(host.closed.contains(caller.id))
    }

    @Test("devices that nobody let in have few sessions, and members come in all the same")
    func unprovenSessions() throws {
        var (host, trip) = try Host.founder(members: 1) { $0.unprovenSessionsMax = 3 }
        let epoch = try #require(host.epochCredential)
        var open = 0
        for number in 0..<10 as Range<UInt64> {
            if try host.call(number, as: stranger(number, host.cryptography), under: epoch).isIn { open += 1 }
        }
        #expect(open == 3)
        #expect(host.count(.unprovenSessions) == 1)
        #expect(try host.call(20, as: trip.people[1], under: epoch).isIn)
    }

    @Test("sessions under an invite are few, those too that begin before others are through")
    func inviteSessions() throws {
        var (host, trip) = try Host.founder { $0.inviteSessionsMax = 3 }
        let invite = OpenInvite(by: trip.people[0], uses: 100, using: &host.generator, host.cryptography)
        host.write(invite.statement)
        let credential = Credential(inviteSecret: invite.secret, using: host.cryptography)
        var callers: [(caller: Caller, answer: [UInt8])] = []
        for number in 0..<8 as Range<UInt64> {
            let caller = try Caller(
                number, as: stranger(number, host.cryptography), under: credential, to: &host)
            callers.append((caller, host.tell(.received(caller.id, try #require(caller.first)))))
        }
        for index in callers.indices { try callers[index].caller.finish(reading: callers[index].answer, to: &host) }
        #expect(host.closed.count == 5)
        #expect(host.count(.inviteSessions) == 1)
        let late = try host.call(20, as: stranger(20, host.cryptography), under: credential)
        #expect(!late.isIn && host.closed.contains(late.id))
        // Their time is short, and then others come in.
        host.time += 10_000
        host.tell(.woke)
        #expect(try host.call(21, as: stranger(21, host.cryptography), under: credential).isIn)
    }

    @Test("of too many open invites the latest are answered and published, and of those that are over a few")
    func manyInvites() throws {
        var (host, trip) = try Host.founder()
        host.tell(.listening(port: 4_000))
        var names = 0
        var invites: [OpenInvite] = []
        func take(_ effects: [Effect]) {
            for case .advertise(let advertisements) in effects { names = advertisements.count }
        }
        func write(_ statement: Statement) { take(host.effects(of: .write(statement, ticket: 0))) }
        for _ in 0..<20 {
            invites.append(OpenInvite(by: trip.people[0], using: &host.generator, host.cryptography))
            write(invites[invites.count - 1].statement)
        }
        #expect(host.node.log.invites.count { $0.isOpen(at: 0) } == 20)
        host.time += host.node.limits.namesPause
        take(host.effects(of: .woke))
        #expect(names == host.node.limits.publishedInstancesMax)
        var answered: [Int] = []
        for number in invites.indices {
            let credential = Credential(inviteSecret: invites[number].secret, using: host.cryptography)
            let caller = try host.call(
                UInt64(number), as: stranger(UInt64(number), host.cryptography), under: credential)
            if caller.isIn { answered.append(number) }
            host.tell(.closed(caller.id))
        }
        #expect(answered == Array(12..<20))
        // No shell has to find room for more, and nobody can count them.
        for invite in invites.suffix(8) { write(.closeInvite(id: invite.id)) }
        host.time += host.node.limits.namesPause
        take(host.effects(of: .woke))
        #expect(names == host.node.limits.publishedInstancesMax)
    }

    @Test("sessions in all are bounded, and one who comes again takes the place of the older session")
    func sessions() throws {
        var (host, trip) = try Host.founder(members: 6) { $0.sessionsMax = 4 }
        let epoch = try #require(host.epochCredential)
        for (number, person) in trip.people.dropFirst().enumerated() {
            _ = try host.call(UInt64(number), as: person, under: epoch)
        }
        #expect(host.node.sessions.count == 4)
        #expect(host.count(.sessions) == 1)
        host.time += 10
        #expect(try host.call(20, as: trip.people[1], under: epoch).isIn)
        #expect(host.node.sessions.count == 4)
    }

    @Test("first messages that fit no key that all have are held to every member's key so often, and no more")
    func pairLookups() throws {
        var (host, trip) = try Host.founder(members: 4) { $0.pairLookupsMax = 20 }
        let shared = Credential(
            pairing: trip.people[4].agreementSecret, with: trip.people[0].device, using: host.cryptography)
        let pair = try #require(shared)
        for number in 0..<50 as Range<UInt64> {
            let id = host.accept(number).id
            let noise = [UInt8](repeating: UInt8(number), count: FirstMessage.length)
            #expect(host.tell(.received(id, FrameReader.frame(noise))).isEmpty)
        }
        #expect(host.count(.pairLookups) == 1)
        #expect(try host.call(100, as: trip.people[4], under: pair).isIn == false)
        host.time += 1_000
        #expect(try host.call(101, as: trip.people[4], under: pair).isIn)
    }

    // MARK: - Inside a session

    @Test("what an unproven device hands over is bounded in bytes")
    func unprovenBytes() throws {
        var (host, _) = try Host.founder { $0.unprovenBytesMax = 10_000 }
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(0, as: stranger(0, host.cryptography), under: epoch)
        let own = host.node.log.graph.changes.map(\.record)
        let bytes = own.reduce(0) { $0 + $1.count }
        for _ in 0..<10_000 / bytes { caller.say(.changes(own), to: &host) }
        #expect(host.node.connectionIDs == [caller.id])
        caller.say(.changes(own), to: &host)
        #expect(host.node.connectionIDs.isEmpty)
        #expect(host.count(.unprovenChanges) == 1)
    }

    @Test("what a peer says of replicas that nobody knows is not kept")
    func unknownLocators() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(0, as: trip.people[1], under: epoch)
        for number in 0..<500 as Range<UInt64> {
            caller.say(.locator(ReplicaID(high: number, low: 1), []), to: &host)
        }
        caller.say(.locator(trip.people[0].device.replica, [host.node.log.graph.changes[0].hash]), to: &host)
        #expect(host.node.table[caller.id]?.replication.comparison.located.count == 1)
    }

    @Test("a frontier of made up ends draws one locator a replica, in whatever order they stand")
    func locatorsOfAFrontier() throws {
        var (host, trip) = try Host.founder(members: 1)
        let epoch = try #require(host.epochCredential)
        for _ in 0..<2 { host.write(nil, [1]) }
        var log = host.node.log
        let own = try log.add(nil, [1], by: trip.people[1]).record
        var caller = try host.call(0, as: trip.people[1], under: epoch)
        _ = caller.hand([own], to: &host)
        caller = try host.call(1, as: trip.people[1], under: epoch)
        var encoder = CanonicalEncoder()
        encoder.encode(count: 1_000)
        for number in 0..<1_000 {
            encoder.encode(trip.people[number % 2].device.replica)
            encoder.encode(UInt64(1))
            encoder.encode(fixed: [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 30))
        }
        var decoder = CanonicalDecoder(encoder.bytes)
        caller.say(.frontier(try Frontier(from: &decoder, limit: 1_000)), to: &host)
        let locators = caller.heard.compactMap { if case .locator(let replica, _) = $0 { replica } else { nil } }
        #expect(Set(locators) == Set(trip.people.map(\.device.replica)) && locators.count == 2)
    }
}
