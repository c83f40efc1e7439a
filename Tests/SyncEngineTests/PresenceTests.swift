import ChangeLog
import DeltaCRDT
import Testing

@testable import SyncEngine

/// Who writes in notes: said in sessions, kept by nobody.
struct PresenceTests {
    private let here: [UInt8] = [1, 2, 3]
    private let there: [UInt8] = [4]

    private func places(_ node: SyncNode) -> [[UInt8]] { node.writers.map(\.place) }

    /// Three nodes in a row: the first and the last have no session.
    private func row() throws -> Wires {
        var wires = try Wires(seed: 5, count: 3)
        wires.connect(0, 1)
        wires.connect(1, 2)
        return wires
    }

    @Test("who writes is told to those who are met, and passed on by nobody")
    func told() throws {
        var wires = try row()
        let person = wires.nodes[0].secrets.device.participant
        let count = wires.nodes[1].log.count
        wires.tell(0, .writing(at: here))
        wires.deliver()
        #expect(wires.nodes[0].writers == wires.nodes[1].writers)
        #expect(wires.nodes[1].writers == [.init(participant: person, place: here)])
        #expect(wires.nodes[2].writers.isEmpty)
        #expect(wires.nodes[1].log.count == count && !wires.nodes[0].isPersisting, "it is in the log")
        wires.tell(0, .writing(at: there))
        wires.wait(wires.nodes[0].limits.writersInterval)
        #expect(places(wires.nodes[1]) == [there])
        wires.tell(0, .writing(at: nil))
        wires.wait(wires.nodes[0].limits.writersInterval)
        #expect(wires.nodes[1].writers.isEmpty && wires.nodes[0].writers.isEmpty)
    }

    @Test("it ends ten seconds after the last sign, and with the session; a session that begins hears the next sign")
    func ends() throws {
        var wires = try row()
        let duration = wires.nodes[0].limits.writerDuration
        wires.tell(0, .writing(at: here))
        wires.wait(duration / 2)
        wires.tell(0, .writing(at: here))
        wires.wait(duration - 20)
        #expect(places(wires.nodes[0]) == [here] && places(wires.nodes[1]) == [here])
        wires.wait(100)
        #expect(wires.nodes[0].writers.isEmpty && wires.nodes[1].writers.isEmpty)

        wires.tell(0, .writing(at: here))
        wires.wait(500)
        #expect(places(wires.nodes[1]) == [here])
        wires.held = [[0, 1]]
        wires.cut(0)
        #expect(wires.nodes[1].writers.isEmpty && places(wires.nodes[0]) == [here])
        wires.held = []
        wires.wait(duration / 2)
        wires.tell(0, .writing(at: here))
        wires.wait(duration / 2)
        #expect(places(wires.nodes[1]) == [here])
    }

    @Test("a node says it four times a second at most: the last place, and signs without news less often")
    func saysPaced() throws {
        var (host, trip) = try Host.founder(members: 1)
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        func said() -> [[PresenceEntry]] {
            caller.hear(from: host)
            return caller.heard.compactMap { if case .writers(let writers) = $0 { writers } else { nil } }
        }
        for number in 0..<200 as Range<UInt8> { host.tell(.writing(at: [number])) }
        #expect(said() == [[PresenceEntry(place: [0])]])
        host.time += host.node.limits.writersInterval
        host.tell(.woke)
        #expect(said() == [[PresenceEntry(place: [0])], [PresenceEntry(place: [199])]])
        for _ in 0..<20 {
            host.time += 100
            host.tell(.writing(at: [199]))
        }
        #expect(said().count == 2)
        host.time += 2_000
        host.tell(.writing(at: [199]))
        #expect(said().count == 3)
    }

    @Test("of what a peer says too often the last counts a moment later, and all of it is at its cost")
    func hearsPaced() throws {
        var (host, trip) = try Host.founder(members: 1)
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        var turns = host.node.turns
        let line = turns.line(of: caller.secrets.device.replica, in: host.node.log) ?? []
        let before = host.node.turns.shares.costs(along: line).last ?? 0
        for number in 0..<200 as Range<UInt8> { caller.say(.writers([PresenceEntry(place: [number])]), to: &host) }
        #expect(host.notices.count { $0 == .writing } == 1 && places(host.node) == [[0]])
        #expect((host.node.turns.shares.costs(along: line).last ?? 0) - before == 200)
        host.time += host.node.limits.writersInterval
        host.tell(.woke)
        #expect(host.notices.count { $0 == .writing } == 2 && places(host.node) == [[199]])
        caller.say(.writers([PresenceEntry(place: [199])]), to: &host)
        host.time += host.node.limits.writersInterval
        host.tell(.woke)
        #expect(host.notices.count { $0 == .writing } == 2, "it is no news")
        #expect(host.node.connectionIDs == [caller.id])
    }

    @Test("a node has room for one person and twenty guests, here and of each peer; a longer list ends the session")
    func bounds() throws {
        let limits = SessionLimits()
        #expect(limits.writersMax == 21)
        var presence = Presence()
        for number in 0..<30 as Range<UInt64> {
            let isNews = presence.note(here, by: Bytes32(words: (number, 0, 0, 0)), at: 0, limits)
            #expect(isNews == (number < 21))
        }
        #expect(presence.here.count == 21)
        var (host, trip) = try Host.founder(members: 1)
        host.tell(.writing(at: [UInt8](repeating: 0, count: PresenceEntry.placeBytesMax + 1)))
        #expect(host.node.writers.isEmpty)
        let epoch = try #require(host.epochCredential)
        let place = [UInt8](repeating: 0, count: PresenceEntry.placeBytesMax)
        let room = [PresenceEntry](repeating: PresenceEntry(place: place), count: 21)
        let lists = [room, room + [PresenceEntry(place: [])], [PresenceEntry(place: place + [0])]]
        for (number, writers) in lists.enumerated() {
            var caller = try host.call(UInt64(number), as: trip.people[1], under: epoch)
            caller.say(.writers(writers), to: &host)
            #expect(host.closed.contains(caller.id) == (number > 0), "\(number)")
        }
        // A count, and a length, of what isn't there.
        let forged: [[UInt8]] = [[23, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], [23, 1, 0, 0x80, 0x01], [23, 1, 2]]
        for (number, bytes) in forged.enumerated() {
            var caller = try host.call(UInt64(10 + number), as: trip.people[1], under: epoch)
            caller.say(raw: bytes, to: &host)
            #expect(host.closed.contains(caller.id), "\(bytes)")
        }
    }

    /// A guest of a member's, in the trip's log.
    private func guest(of person: Int, in trip: inout FoundedTrip, _ number: UInt64) throws -> DeviceSecrets {
        let host = trip.people[person]
        let guest = DeviceSecrets(
            guestOf: host.device.participant, seed: Bytes32(words: (number, 0, 0, 7)), using: trip.cryptography)
        let message = Admission.consentMessage(trip: trip.log.trip, device: guest.device, name: "Ana")
        let consent = trip.cryptography.sign(message, seed: guest.signingSeed)
        let admission = Admission(device: guest.device, name: "Ana", invite: nil, consent: consent, grant: nil)
        try trip.log.add(.admit(admission), by: host)
        return guest
    }

    @Test("a member speaks for themself and their own guests; people who are not in are not shown")
    func names() throws {
        var (host, trip) = try Host.founder(members: 2)
        let (ana, rui) = (try guest(of: 1, in: &trip, 1), try guest(of: 2, in: &trip, 2))
        host = Host(node: trip.node(0))
        let epoch = try #require(host.epochCredential)
        var caller = try host.call(1, as: trip.people[1], under: epoch)
        let noah = trip.people[1].device.participant
        // Another member, another's guest, the person here, and nobody.
        let others = [
            trip.people[2].device.participant, rui.device.participant, trip.people[0].device.participant, noah,
        ]
        let forged = (others + [Bytes32(words: (9, 9, 9, 9))]).map { PresenceEntry(guest: $0, place: here) }
        caller.say(.writers(forged), to: &host)
        #expect(host.node.writers.isEmpty && host.node.connectionIDs == [caller.id])
        host.time += host.node.limits.writersInterval
        caller.say(
            .writers([PresenceEntry(place: here), PresenceEntry(guest: ana.device.participant, place: there)]),
            to: &host)
        #expect(Set(host.node.writers.map(\.participant)) == [noah, ana.device.participant])
        // The last to come to their place is first.
        host.time += 1
        host.tell(.writing(at: [9]))
        #expect(host.node.writers.first?.participant == host.node.secrets.device.participant)
        host.write(.remove(participant: noah, grant: nil))
        #expect(host.node.writers.map(\.place) == [[9]])
        #expect(host.closed.contains(caller.id))
    }

    @Test("a guest who writes at a node is named by it, until they are removed")
    func guests() throws {
        var (host, trip) = try Host.founder(members: 1)
        let ana = try guest(of: 0, in: &trip, 1)
        host = Host(
            node: SyncNode(
                log: trip.log, secrets: trip.people[0], guests: [ana], epochSecrets: [trip.epoch.secret],
                cryptography: trip.cryptography))
        var caller = try host.call(1, as: trip.people[1], under: try #require(host.epochCredential))
        host.tell(.writing(at: here, as: ana.device.replica))
        host.tell(.writing(at: there))
        host.tell(.writing(at: there, as: trip.people[1].device.replica))
        host.time += host.node.limits.writersInterval
        host.tell(.woke)
        caller.hear(from: host)
        let last = caller.heard.last { if case .writers = $0 { true } else { false } }
        guard case .writers(let writers) = last else {
            Issue.record("nobody is told")
            return
        }
        #expect(
            Set(writers) == [PresenceEntry(guest: ana.device.participant, place: here), PresenceEntry(place: there)])
        #expect(Set(places(host.node)) == [here, there])
        host.write(.remove(participant: ana.device.participant, grant: nil))
        #expect(places(host.node) == [there])
    }

    @Test("somebody who is not known to be in is told nothing, and says nothing that is shown")
    func unproven() throws {
        var (host, trip) = try Host.founder(members: 1)
        var caller = try host.call(
            1, as: stranger(0, host.cryptography), under: try #require(host.epochCredential))
        caller.say(.writers([PresenceEntry(place: here)]), to: &host)
        #expect(host.node.writers.isEmpty && host.node.connectionIDs == [caller.id])
        host.tell(.writing(at: there))
        caller.hear(from: host)
        #expect(!caller.heard.contains { if case .writers = $0 { true } else { false } })
        #expect(trip.people.count == 2)
    }
}
