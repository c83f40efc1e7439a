import ChangeLog
import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import SyncEngine

/// Which joiners are admitted and answered through a mailbox, and when: a desk with a log, and no node.
struct JoinDeskTests {
    private var trip: FoundedTrip
    private let invite: OpenInvite
    private let newcomer: DeviceSecrets
    private var desk: JoinDesk
    private var generator = SeededGenerator(seed: 1)
    private var now: UInt64 = 1_000
    /// Whose node it is; nil for the newcomer's.
    private var person: Int? = 0
    private var names: [BlockName] = []
    private var limits = SessionLimits()

    /// The founder admitted two people, and opened an invite.
    init() throws {
        let cryptography = FastCryptography()
        trip = try FoundedTrip(of: 3, using: &generator, cryptography)
        invite = OpenInvite(by: trip.people[0], using: &generator, cryptography)
        try trip.log.add(invite.statement, by: trip.people[0])
        newcomer = DeviceSecrets.random(.invited(invite.id), using: &generator, cryptography)
        desk = JoinDesk(
            invite.id, MailboxKeys(linkSecret: invite.secret, ofInvite: invite.id, using: cryptography),
            in: Bytes16(high: 1, low: 2), at: 0)
    }

    private var invitation: Invitation {
        Invitation(link: InviteLink(trip: trip.log.trip, secret: invite.secret, hints: []), name: "Noah")
    }

    private var context: MailboxContext {
        let secrets = person.map { trip.people[$0] } ?? newcomer
        let log = person == nil ? TripLog(trip: trip.log.trip, cryptography: trip.cryptography) : trip.log
        return MailboxContext(
            log: log, local: LocalDevice(secrets: secrets, guests: []),
            membership: MembershipDesk(of: secrets.device, in: log),
            replication: Replication(writes: WriteQueue(durableCount: log.count)), photos: ChunkExchange(),
            epochs: person == nil ? [] : [trip.epoch], mayLackEpoch: [], met: [],
            invitation: person == nil ? invitation : nil, time: Now(monotonic: now, wall: Int64(now)),
            limits: limits, cryptography: trip.cryptography)
    }

    /// What the desk has the node do after some time, except listings, which are answered.
    private mutating func steps(after wait: UInt64 = 0) -> [JoinDesk.Step] {
        now += wait
        desk.turn(to: 0, in: context)
        var (round, steps) = (JoinDesk.Round(), [JoinDesk.Step]())
        let present = desk.writeSlot
        while let step = desk.next(in: &round, Correspondence(), context, using: &generator) {
            guard case .ask(.list(let slots)) = step else {
                steps.append(step)
                continue
            }
            for slot in slots {
                _ = desk.heard(.listed(slot, slot == present ? names : []), in: context, using: &generator)
            }
        }
        return steps
    }

    /// Lays a note into the invite's slot, and reads it.
    private mutating func read(_ note: JoinNote) throws -> MailboxNews {
        _ = steps()
        let slot = try #require(desk.writeSlot)
        let sealed = MailboxBlock.seal(note, in: slot, under: desk.keys, using: &generator, trip.cryptography)
        let block = try #require(sealed)
        let name = BlockName(trip.cryptography.hash(block))
        names.append(name)
        desk.changed()
        _ = steps(after: 2_000)
        _ = steps()
        return desk.heard(.block(name, slot, block), in: context, using: &generator)
    }

    private func request(by secrets: DeviceSecrets) -> JoinNote {
        .request(JoinRequest(of: secrets, for: trip.log.trip, by: invitation, using: trip.cryptography))
    }

    private func grant(to secrets: DeviceSecrets, by author: Int) throws -> JoinNote {
        var generator = SeededGenerator(seed: 2)
        let grant = DeviceGrant(trip.epoch, to: secrets.device, using: &generator, trip.cryptography)
        return .answer(
            SignedGrant(
                of: try #require(grant), to: secrets.device.replica, by: trip.people[author],
                in: try #require(desk.writeSlot), using: trip.cryptography))
    }

    private mutating func admitNewcomer() throws {
        try trip.log.add(
            admission(of: newcomer, by: invite.id, in: trip.log.trip, trip.cryptography), by: trip.people[1])
    }

    private func isAdmission(_ steps: [JoinDesk.Step]) -> Bool {
        guard steps.count == 1, case .admit(let request) = steps[0] else { return false }
        return request.device == newcomer.device
    }

    @Test("the device that opened the invite admits at once, and another one only if the first doesn't")
    mutating func admits() throws {
        for (admitter, wait) in [(0, 2_001), (1, 20_001)] as [(Int, UInt64)] {
            var tests = self
            tests.person = admitter
            _ = try tests.read(request(by: newcomer))
            var steps = tests.steps()
            if admitter == 1 {
                steps += tests.steps(after: 2_001)
                #expect(steps.isEmpty)
            }
            if steps.isEmpty { steps = tests.steps(after: wait) }
            #expect(isAdmission(steps))
        }
    }

    @Test("nobody is admitted whose request proves nothing, or by an invite that is used up")
    mutating func refused() throws {
        let thief = DeviceSecrets.random(.founder, using: &generator, trip.cryptography)
        _ = try read(request(by: thief))
        #expect(steps(after: 30_000).isEmpty)
        _ = try read(request(by: newcomer))
        let other = DeviceSecrets.random(.invited(invite.id), using: &generator, trip.cryptography)
        try trip.log.add(admission(of: other, by: invite.id, in: trip.log.trip, trip.cryptography), by: trip.people[1])
        #expect(steps(after: 0).isEmpty && steps(after: 30_000).isEmpty)
    }

    @Test("an admitted joiner is answered at once by the inviter, and later by another if too few members answered")
    mutating func answers() throws {
        func puts(_ steps: [JoinDesk.Step]) -> Int {
            steps.count { if case .ask(.put) = $0 { true } else { false } }
        }
        _ = try read(request(by: newcomer))
        try admitNewcomer()
        var (inviter, written, other) = (self, self, self)
        #expect(puts(inviter.steps()) + puts(inviter.steps(after: 2_001)) == 1)
        try written.trip.log.add(nil, [1], by: newcomer)
        #expect(puts(written.steps()) + puts(written.steps(after: 600_000)) == 0, "it has the secret")
        other.person = 2
        var answered = other
        #expect(puts(other.steps()) + puts(other.steps(after: 2_001)) == 0)
        #expect(puts(other.steps(after: 120_000)) == 1)
        answered.limits.mailbox.joinAnswersMax = 2
        for author in 0..<2 { _ = try answered.read(try grant(to: newcomer, by: author)) }
        #expect(puts(answered.steps(after: 600_000)) == 0)
    }

    @Test("a joiner asks once, hears that its request is there, and tries only a grant that is meant for it")
    mutating func asks() throws {
        person = nil
        var all = steps()
        all += steps()
        guard all.count == 1, case .ask(.put(let name, let slot, _)) = all[0] else { throw Unexpected() }
        #expect(steps(after: 1_000).isEmpty)
        guard case .asked = desk.heard(.put(name, slot, .stored), in: context, using: &generator) else {
            throw Unexpected()
        }
        names = [name]
        #expect(steps(after: 600_000).isEmpty)
        guard case .nothing = try read(try grant(to: trip.people[1], by: 0)) else { throw Unexpected() }
        guard case .grant = try read(try grant(to: newcomer, by: 0)) else { throw Unexpected() }
    }

    private struct Unexpected: Error {}
}

extension JoinDesk {
    /// Where notes are put now.
    fileprivate var writeSlot: MailboxSlot? { desk.writeSlot(of: keys.id) }
}
