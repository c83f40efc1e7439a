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
    /// Somebody with a log, and no node.
    private struct Writer {
        let secrets: DeviceSecrets
        var log: TripLog
        let cryptography: SodiumCryptography

        /// - Returns: the record.
        mutating func write(_ statement: Statement? = nil, adding title: String? = nil) throws -> [UInt8] {
            let content = try title.map { title in
                try TripReplica().perform(
                    .add([ItemDraft(title: title)], to: nil), by: ParticipantID(secrets.device.participant))
            }
            return try log.write(statement, content: content ?? [], wallTime: 0, as: secrets).change.record
        }

        /// Lets somebody in.
        mutating func admit() throws -> (newcomer: Writer, records: [[UInt8]]) {
            let (statements, newcomer) = admission(by: secrets.device, log, cryptography)
            let records = try statements.map { try write($0) }
            return (Writer(secrets: newcomer, log: log, cryptography: cryptography), records)
        }
    }

    /// What somebody says who lets a new person in.
    private static func admission(
        by host: Device, _ log: TripLog, _ cryptography: SodiumCryptography
    ) -> (statements: [Statement], newcomer: DeviceSecrets) {
        var entropy = SystemRandomNumberGenerator()
        let invite = Invite(seed: .random(using: &entropy), uses: 1, expires: nil)
        let id = invite.id(openedBy: host, using: cryptography)
        let newcomer = DeviceSecrets(
            signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy), firstOf: .invited(id),
            using: cryptography)
        let message = Admission.consentMessage(trip: log.trip, device: newcomer.device, name: "Puppet")
        let admission = Admission(
            device: newcomer.device, name: "Puppet", invite: id,
            consent: cryptography.sign(message, seed: newcomer.signingSeed), grant: nil)
        return ([.invite(invite), .admit(admission)], newcomer)
    }

    /// A node of a new trip, somebody whom its person let in, and whom these did.
    private func party(_ scratch: TripNodeTests.Scratch) async throws -> (node: TripNode, host: Writer, puppet: Writer)
    {
        let node = try await scratch.trip(title: "Lisbon in June", name: "Jie", in: scratch.home("jie"))
        let cryptography = try SodiumCryptography()
        let (statements, secrets) = Self.admission(
            by: await node.node.secrets.device, await node.node.log, cryptography)
        for statement in statements { try await node.author(statement) }
        var host = Writer(secrets: secrets, log: await node.node.log, cryptography: cryptography)
        let (puppet, records) = try host.admit()
        await node.tell(.carried(records))
        return (node, host, puppet)
    }

    private func remove(_ puppet: Writer, by host: inout Writer) throws -> [UInt8] {
        try host.write(.remove(participant: puppet.secrets.device.participant, grant: nil))
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
        await node.tell(.carried([try remove(puppet, by: &host)]))
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
        await node.tell(.carried([try remove(puppet, by: &host)]))
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
        await again.tell(.carried(records + [try remove(other, by: &host)]))
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
        await node.tell(.carried([try remove(puppet, by: &host)]))
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
    fileprivate var recentEvents: [HistoryEvent] { recent.last(RecentHistory.entriesMax).flatMap(\.events) }

    /// Has all shown anew no sooner than in 90 s.
    fileprivate func rest() { rebuildPace.note(from: .now - .seconds(10), to: .now) }

    /// Whether what is shown is what all that counts makes, from nothing.
    fileprivate func isAsRebuilt() -> Bool {
        let (before, entries) = (trip, recent.last(RecentHistory.entriesMax))
        showAll()
        return before.replica == trip.replica && before.outside == trip.outside
            && entries == recent.last(RecentHistory.entriesMax)
    }
}
