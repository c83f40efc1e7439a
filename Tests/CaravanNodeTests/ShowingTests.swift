import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import Testing
import TripModel
import TripRules
import TripService

@testable import CaravanNode

/// What is shown follows the log, at no more cost than people can see.
struct ShowingTests {
    /// A node of a new trip, somebody whom its person let in, and whom these did.
    private func party(
        _ scratch: TripNodeTests.Scratch
    ) async throws -> (node: TripNode, host: LogWriter, puppet: LogWriter) {
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let cryptography = try SodiumCryptography()
        let (statements, secrets) = LogWriter.admission(
            by: await node.node.secrets.device, await node.node.log, cryptography)
        for statement in statements { try await node.author(statement) }
        var host = LogWriter(secrets, await node.node.log, cryptography)
        let (puppet, records) = try host.admit()
        await node.tell(.carried(records))
        return (node, host, puppet)
    }

    @Test("an invite that counts no more leaves the history, and nothing is shown anew for it")
    func statements() async throws {
        let scratch = TripNodeTests.Scratch()
        var (node, host, puppet) = try await party(scratch)
        await node.rest()
        let invite = Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 7, expires: nil)
        await node.tell(.carried([try puppet.write(.invite(invite))]))
        let event = HistoryEvent.invited(uses: 7, forOwnDevice: false)
        #expect(await node.recentEvents.contains(event))
        await node.tell(.carried([try host.remove(puppet)]))
        #expect(await node.recentEvents.contains(event) == false)
        #expect(await node.rebuildPace.isDue == false)
        #expect(await node.isAsRebuilt())
        await node.close()
    }

    @Test("what all branches of a log say is shown, and nothing is shown anew for it")
    func forks() async throws {
        let scratch = TripNodeTests.Scratch()
        let (node, _, begin) = try await party(scratch)
        await node.rest()
        let forks = (0..<20).map { "Fork \($0)" }
        for fork in forks {
            var liar = begin
            await node.tell(.carried([try liar.write(adding: fork)]))
        }
        #expect(Set(try await node.titles()) == Set(forks))
        #expect(await node.rebuildPace.isDue == false)
        #expect(await node.isAsRebuilt())
        await node.close()
    }

    @Test("a member who never says a name has the one in the admission, in the list, the history and what is told")
    func admittedNames() async throws {
        let scratch = TripNodeTests.Scratch()
        var (node, _, puppet) = try await party(scratch)
        let events = await node.events()
        let records = try [
            puppet.write(adding: "Tent"),
            puppet.write(.invite(Invite(seed: Bytes32(words: (1, 0, 0, 0)), uses: 1, expires: nil))),
        ]
        await node.tell(.carried(records))
        // The first of the name is the one who was the first to say something of the trip.
        #expect(try await node.trip().items.map(\.addedByName) == ["Puppet"])
        let history = try await node.history()
        #expect(history.names.people.map(\.displayName) == ["Jie", "Puppet", "Puppet (2)"])
        for entry in history.entries {
            #expect(history.names.people.contains { $0.id == entry.participant && $0.name != nil })
        }
        guard case .changed(let told) = await events.first(where: { _ in true }) else {
            Issue.record("nothing was told")
            return
        }
        #expect(told.names.people.map(\.displayName) == ["Puppet"])
        #expect(try await node.memberNames() == ["Jie", "Puppet (2)", "Puppet"])
        await node.close()
    }

    @Test("an invite that a removed person may know is asked about once, and the answer outlives a restart")
    func exposedInvite() async throws {
        let scratch = TripNodeTests.Scratch()
        var (node, host, puppet) = try await party(scratch)
        let invites = [try await node.invite(uses: 5), try await node.invite(uses: 5)]
        host.log = await node.node.log
        await node.tell(.carried([try host.remove(puppet)]))
        let exposure = InviteExposure(removed: "Puppet", by: "Puppet")
        #expect(try await node.status().exposedInvites.map(\.id) == invites.map(\.id))
        #expect(try await node.status().exposedInvites.map(\.exposure) == [exposure, exposure])
        guard case .inviteKept(let kept) = try await node.answer(.keepInvite(reference: "1")) else {
            Issue.record("an answer of another kind")
            return
        }
        #expect(kept.id == invites[0].id)
        _ = try await node.answer(.closeInvite(reference: invites[1].id))
        #expect(try await node.status().exposedInvites.isEmpty)
        await node.close()
        let again = try await scratch.open(scratch.home("jie"))
        #expect(try await again.status().exposedInvites.isEmpty)
        // Another removal asks nothing of an invite that was kept.
        let (other, records) = try host.admit()
        await again.tell(.carried(records + [try host.remove(other)]))
        #expect(try await again.members().people.count { $0.removal != nil } == 2)
        #expect(try await again.status().exposedInvites.isEmpty)
        await #expect(throws: ServiceError.self) { try await again.answer(.keepInvite(reference: "1")) }
        await again.close()
    }

    @Test("what was cut goes once the rest is over; what others and the people here write until then is shown at once")
    func cut() async throws {
        let scratch = TripNodeTests.Scratch()
        var (node, host, puppet) = try await party(scratch)
        await node.tell(.carried([try puppet.write(adding: "Cut")]))
        #expect(try await node.titles() == ["Cut"])
        await node.rest()
        await node.tell(.carried([try host.remove(puppet)]))
        await node.tell(.carried([try host.write(adding: "Honest")]))
        try await node.add("Own")
        #expect(try await node.titles().sorted() == ["Cut", "Honest", "Own"])
        await node.finishRebuilding()
        #expect(try await node.titles().sorted() == ["Honest", "Own"])
        #expect(await node.isAsRebuilt())
        await node.close()
    }
}

extension TripNode {
    fileprivate var recentEvents: [HistoryEvent] { shown.recent.last(RecentHistory.entriesMax).flatMap(\.events) }

    /// Has all shown anew no sooner than in 90 s.
    fileprivate func rest() { rebuildPace.note(from: .now - .seconds(10), to: .now) }

    /// Whether what is shown is what all that counts makes, from nothing.
    fileprivate func isAsRebuilt() -> Bool {
        let before = shown
        showAll()
        return before.trip.replica == shown.trip.replica && before.trip.outside == shown.trip.outside
            && before.recent.last(RecentHistory.entriesMax) == shown.recent.last(RecentHistory.entriesMax)
    }
}
