import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// What is put in a mailbox, and believed of one: the machine of mailboxes with a log, and no node.
struct MailboxesTests {
    private var trip: FoundedTrip
    private var mailboxes = Mailboxes()
    private var generator = SeededGenerator(seed: 1)
    private var now: UInt64 = 1_000
    private let prefix = Bytes16(high: 1, low: 2)
    private var names: [BlockName] = []
    private var photos = ChunkExchange()
    /// The members that the founder's node has sessions with.
    private var met: Set<Int> = []

    /// The founder admitted two people. The founder's node has attached an empty mailbox.
    init() throws {
        trip = try FoundedTrip(of: 3, using: &generator, FastCryptography())
        _ = hear(.attached(prefix))
        list()
    }

    private func replica(_ person: Int) -> ReplicaID { trip.people[person].device.replica }

    private var context: MailboxContext {
        let secrets = trip.people[0]
        return MailboxContext(
            log: trip.log, local: LocalDevice(secrets: secrets, guests: []),
            membership: MembershipDesk(of: secrets.device, in: trip.log),
            replication: Replication(writes: WriteQueue(durableCount: trip.log.count)), photos: photos,
            epochs: [trip.epoch], mayLackEpoch: [], met: Set(met.map(replica)), invitation: nil,
            time: Now(monotonic: now, wall: Int64(now)), limits: SessionLimits(), cryptography: trip.cryptography)
    }

    private mutating func hear(_ answer: MailboxAnswer) -> MailboxNews {
        mailboxes.heard(answer, in: context, using: &generator)
    }

    /// What is asked of the mailbox after some time.
    private mutating func requests(after wait: UInt64 = 0) -> [MailboxRequest] {
        now += wait
        _ = mailboxes.turn(in: context)
        return mailboxes.keep(0, in: context, using: &generator).requests
    }

    /// The letters that are put after some time, as a member reads them.
    private mutating func puts(after wait: UInt64) -> [(key: BlockCatalogue.Key, letter: MailboxLetter)] {
        requests(after: wait).compactMap { request in
            guard case .put(let name, let slot, let block) = request else { return nil }
            let content = MailboxBlock.open(
                block, in: slot, under: keys, by: trip.people[1], using: trip.cryptography)
            return content.flatMap { MailboxLetter(of: $0) }.map { (BlockCatalogue.Key(slot: slot, name: name), $0) }
        }
    }

    private var keys: MailboxKeys { MailboxKeys(of: trip.epoch, using: trip.cryptography) }

    private var slot: MailboxSlot {
        get throws { try #require(mailboxes.desks[0].writeSlot(of: trip.epoch.id)) }
    }

    /// Answers a listing of all slots.
    private mutating func list() {
        for case .list(let slots) in requests() {
            let present = mailboxes.desks[0].writeSlot(of: trip.epoch.id)
            for slot in slots { _ = hear(.listed(slot, slot == present ? names : [])) }
        }
    }

    /// Lays a letter into the mailbox, and reads it.
    private mutating func read(_ letter: MailboxLetter) throws -> MailboxNews {
        let slot = try slot
        let sealed = MailboxBlock.seal(letter.encoding, in: slot, under: keys, using: &generator, trip.cryptography)
        let block = try #require(sealed)
        let name = BlockName(trip.cryptography.hash(block))
        names.append(name)
        _ = hear(.changed(prefix))
        now += 2_000
        list()
        #expect(requests().contains(.get(name, slot)))
        return hear(.block(name, slot, block))
    }

    private func letter(
        by person: Int, at time: Int64 = 1, _ records: [SignedChange] = [], have: [Bytes32] = [],
        wants: [BlobHash] = [], in other: MailboxSlot? = nil
    ) throws -> MailboxLetter {
        MailboxLetter(
            by: trip.people[person], at: time, records: records.map(\.record), have: have, absent: AbsentBodies(),
            wants: wants, in: try other ?? slot, using: trip.cryptography)
    }

    private func opened(_ news: MailboxNews) throws -> OpenedLetter {
        guard case .letter(let opened) = news else { throw Unexpected() }
        return opened
    }

    private struct Unexpected: Error {}

    // MARK: - Putting

    @Test("what members without a session lack is put after a quiet, and once")
    mutating func puts() throws {
        met = [1, 2]
        #expect(puts(after: 0).isEmpty && puts(after: 40_000).isEmpty, "both are served")
        met = [2]
        #expect(puts(after: 0).isEmpty, "more may be written soon")
        let put = puts(after: 10_000)
        #expect(put.map(\.letter.records) == [trip.log.graph.changes.indices.map { trip.log.recordToSend($0) }])
        #expect(put.map(\.letter.have) == [context.durableHeads])
        let key = try #require(put.first?.key)
        #expect(puts(after: 60_000).isEmpty, "it is under way")
        guard case .nothing = hear(.put(key.name, key.slot, .stored)) else { throw Unexpected() }
        #expect(puts(after: 60_000).isEmpty, "it is there")
        try trip.log.add(nil, [7], by: trip.people[0])
        _ = puts(after: 0)
        #expect(puts(after: 10_000).map(\.letter.records.count) == [1], "what is new")
    }

    @Test("a mailbox that lists nothing is given what others lack once the time for a first look is over")
    mutating func firstLook() throws {
        _ = hear(.detached(prefix))
        _ = hear(.attached(prefix))
        let begun = now
        #expect(requests().count == 1, "a listing, which is not answered")
        let limits = MailboxLimits()
        #expect(mailboxes.deadline == begun + limits.firstLook)
        _ = puts(after: limits.firstLook)
        #expect(puts(after: limits.quiet.upperBound).count == 1)
    }

    @Test("what could not be put is put again, and people hear once that a mailbox is full")
    mutating func failures() throws {
        _ = puts(after: 0)
        let key = try #require(puts(after: 10_000).first?.key)
        guard case .reached(.mailboxRoom) = hear(.put(key.name, key.slot, .full)) else { throw Unexpected() }
        #expect(puts(after: 60_000).isEmpty, "a full mailbox has its pause")
        let again = try #require(puts(after: 600_000).first?.key)
        guard case .nothing = hear(.put(again.name, again.slot, .full)) else { throw Unexpected() }
    }

    @Test("a device that is out and writes here is told its removal, and nothing that came after")
    mutating func outsiders() throws {
        var log = trip.log
        try log.add(.remove(participant: trip.people[2].device.participant, kept: nil, grant: nil), by: trip.people[0])
        try log.add(nil, [7], by: trip.people[0])
        _ = mailboxes.accepted(try opened(try read(try letter(by: 2))), nil, in: context)
        #expect(mailboxes.desks[0].outsiders(in: context).isEmpty, "they are in")
        trip.log = log
        let told = mailboxes.desks[0].outsiders(in: context)
        #expect(told.map(\.readers) == [[trip.people[2].device]])
        #expect(told.map(\.lacking) == [Array(0..<log.count - 1)])
        met = [2]
        #expect(mailboxes.desks[0].outsiders(in: context).isEmpty, "a session tells them")
    }

    // MARK: - Reading

    @Test("of a letter those records are taken whose past is here or before them; the others wait for it")
    mutating func waiting() throws {
        var log = trip.log
        let changes = try (0..<3).map { try log.add(nil, [$0], by: trip.people[1]) }
        let first = try opened(try read(try letter(by: 1, changes.dropFirst().map { $0 })))
        #expect(first.ready.isEmpty)
        guard case .nothing = mailboxes.accepted(first, nil, in: context) else { throw Unexpected() }
        let held = mailboxes.desks[0].catalogue.waiting
        #expect(held.count == 1 && !held[0].letter.isReady(in: trip.log.graph))
        let second = try opened(try read(try letter(by: 1, at: 2, [changes[0]])))
        #expect(second.ready == [changes[0].record])
        _ = trip.log.receive(second.ready)
        #expect(held[0].letter.isReady(in: trip.log.graph))
        let again = try opened(mailboxes.judge(held[0].letter, held[0].key, in: context))
        #expect(again.ready == changes.dropFirst().map(\.record))
    }

    @Test("nothing is taken of a letter that its author didn't sign for this slot, or by somebody who is out")
    mutating func authors() throws {
        let other = MailboxSlot(prefix: prefix, tag: prefix)
        guard case .nothing = try read(try letter(by: 1, in: other)) else { throw Unexpected() }
        _ = try opened(try read(try letter(by: 2, at: 2)))
        try trip.log.add(
            .remove(participant: trip.people[2].device.participant, kept: nil, grant: nil), by: trip.people[0])
        guard case .nothing = try read(try letter(by: 2, at: 3)) else { throw Unexpected() }
        #expect(mailboxes.desks[0].catalogue.states.values.contains { if case .unproven = $0 { true } else { false } })
    }

    @Test("a device's latest letter says what it holds, again when what it names is here, and not during a session")
    mutating func reports() throws {
        var log = trip.log
        let change = try log.add(nil, [1], by: trip.people[1])
        func heard(_ news: MailboxNews) throws -> LetterReport? {
            guard case .heard(replica(1), trip.epoch.id, let report) = news else { throw Unexpected() }
            return report
        }
        func accept(_ letter: MailboxLetter) throws -> LetterReport? {
            try heard(mailboxes.accepted(try opened(try read(letter)), nil, in: context))
        }
        let report = try accept(try letter(by: 1, at: 9, have: [change.hash]))
        #expect(report?.replica == replica(1) && report?.time == 9)
        #expect(try accept(try letter(by: 1, at: 8, have: context.durableHeads)) == nil, "an older one")
        #expect(mailboxes.turn(in: context).count == 1)
        _ = trip.log.receive([change.record])
        let known = mailboxes.turn(in: context)
        #expect(known.count == 1 && known[0].held.contains(trip.log.count - 1, in: trip.log.graph))
        #expect(mailboxes.turn(in: context).isEmpty, "nothing is ahead")
        met = [1]
        #expect(try accept(try letter(by: 1, at: 10)) == nil, "the session shows what is newer")
    }

    @Test("a letter of this device's own says what an earlier run wanted, and later letters are later")
    mutating func own() throws {
        let chunk = BlobHash(trip.cryptography.hash([7]))
        let news = mailboxes.accepted(
            try opened(try read(try letter(by: 0, at: 900_000, wants: [chunk]))), nil, in: context)
        guard case .wants([chunk]) = news else { throw Unexpected() }
        #expect(mailboxes.want([chunk]).preferred == [chunk])
        _ = puts(after: 0)
        #expect(puts(after: 10_000).map(\.letter.time) == [900_001])
    }

    @Test("of the blocks that were read before, one with a chunk that is wanted already is fetched again")
    mutating func wantedBefore() throws {
        let chunk = BlobHash(trip.cryptography.hash([7]))
        let key = BlockCatalogue.Key(slot: try slot, name: BlockName(trip.cryptography.hash([8])))
        let contents = ReadBlocks.Contents(
            changes: [], chunks: [BlockCatalogue.Chunk(hash: chunk, size: 1)], isOwn: false, author: nil, boxedAt: nil,
            told: nil)
        names = [key.name]
        for isWanted in [false, true] {
            if isWanted { _ = photos.fetching.want([(chunk, .thumbnail)], at: 0, using: &generator) }
            _ = hear(.detached(prefix))
            mailboxes.restore(ReadBlocks([ReadBlocks.Block(key: key, contents: contents)]))
            _ = hear(.attached(prefix))
            list()
            #expect(requests().contains(.get(key.name, key.slot)) == isWanted)
        }
    }

    @Test("a node is not woken for a mailbox that was detached, nor for the invites in it")
    mutating func detached() {
        let invite = trip.people[1].device.participant
        let keys = MailboxKeys(linkSecret: invite, ofInvite: invite, using: trip.cryptography)
        mailboxes.turnJoins(to: [(invite: invite, keys: keys)], in: context)
        #expect(mailboxes.joinDeadline != nil)
        _ = hear(.detached(prefix))
        #expect(mailboxes.joinDeadline == nil && mailboxes.deadline == nil)
        mailboxes.checkInvariants(under: MailboxLimits())
    }

    @Test("a chunk that came before anybody wanted it is kept until it is wanted, or is here")
    mutating func unclaimed() {
        let chunks = ([0, 1, 2] as [UInt8]).map { (hash: BlobHash(trip.cryptography.hash([$0])), bytes: [$0]) }
        for chunk in chunks { mailboxes.hold(chunk.hash, chunk.bytes, under: MailboxLimits()) }
        mailboxes.areHere([chunks[2].hash])
        #expect(mailboxes.want(chunks.dropFirst().map(\.hash)).held.map(\.hash) == [chunks[1].hash])
        #expect(mailboxes.want(chunks.map(\.hash)).held.map(\.hash) == [chunks[0].hash], "each once")
    }
}
