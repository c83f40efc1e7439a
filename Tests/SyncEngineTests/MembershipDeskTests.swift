import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import Testing

@testable import SyncEngine

/// What membership allows: a log, and no node.
struct MembershipDeskTests {
    private let cryptography: SodiumCryptography
    private var trip: FoundedTrip
    private var generator = SeededGenerator(seed: 1)

    /// The founder admitted two people, and the second of them a third.
    init() throws {
        cryptography = try SodiumCryptography()
        trip = try FoundedTrip(of: 4, broughtBy: { $0 == 3 ? 2 : 0 }, using: &generator, cryptography)
    }

    private func desk(_ person: Int) -> MembershipDesk { MembershipDesk(of: trip.people[person].device, in: trip.log) }

    private func participant(_ person: Int) -> Bytes32 { trip.people[person].device.participant }

    /// Why something is not written; nil if it is.
    private func failure<Value>(_ body: () throws -> Value) -> WritingFailure? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? WritingFailure
        }
    }

    private mutating func remove(_ person: Int, by author: Int = 0, at wall: Int64 = 0) throws {
        _ = try trip.log.write(
            .remove(participant: participant(person), kept: nil, grant: nil), content: [], wallTime: wall,
            as: trip.people[author])
    }

    // MARK: - Removing

    @Test("a member removes only people below, and a new epoch is for all who remain")
    mutating func removals() throws {
        let removal = try desk(0).removal(of: participant(2), kept: nil, in: trip.log)
        #expect(removal.remaining.map { Set($0) } == Set([0, 1, 3].map { trip.people[$0].device }))
        #expect(removal.kept == trip.log.changesBeforeAbsentBodies(of: participant(2)))
        #expect(try desk(2).removal(of: participant(3), kept: [], in: trip.log).kept == [])
        for (author, other) in [(2, 0), (2, 1), (3, 2)] {
            #expect(failure { try desk(author).removal(of: participant(other), kept: nil, in: trip.log) } == .notAbove)
        }
        #expect(try desk(3).removal(of: participant(3), kept: nil, in: trip.log).remaining == nil, "leaves")
        try remove(2)
        let again = desk(0)
        #expect(failure { try again.removal(of: participant(2), kept: nil, in: trip.log) } == .notAbove, "is removed")
        #expect(failure { try again.removal(of: participant(2), kept: [], in: trip.log) } == nil, "with other changes")
        #expect(failure { try desk(2).removal(of: participant(3), kept: nil, in: trip.log) } == .out)
        #expect(failure { try desk(2).keeping(of: participant(3), in: trip.log) } == .out)
        #expect(failure { try desk(1).ending(of: trip.people[0].device.replica, in: trip.log) } == .notAbove)
    }

    @Test("people who are out are named once for each membership, in ascending order")
    mutating func newlyOut() throws {
        var desk = desk(0)
        #expect(desk.newlyOut(in: trip.log) == [])
        #expect(desk.newlyOut(in: trip.log) == nil, "the same membership")
        try remove(1)
        try remove(3)
        #expect(desk.newlyOut(in: trip.log) == [participant(1), participant(3)].sorted())
        #expect(desk.newlyOut(in: trip.log) == nil)
        try remove(2)
        #expect(desk.newlyOut(in: trip.log) == [participant(2)], "those before were named")
    }

    @Test("a session with a member ends with the membership, and one with a person who is out ends when they are in")
    mutating func fates() throws {
        let desk = desk(0)
        let device = trip.people[1].device
        let peer = Session.PeerIdentity(role: .responder, replica: device.replica, key: device.agreementKey)
        func fates() -> [MembershipDesk.Fate] {
            ([.member(device), .unproven, .joiner(invite: trip.log.trip), .outside, .sponsor] as [Session.Standing])
                .map { desk.fate(of: $0, with: peer, in: trip.log) }
        }
        #expect(fates() == [.stays, .stays, .stays, .ends, .stays])
        try remove(1)
        #expect(fates() == [.dismissed(device), .ends, .ends, .stays, .stays])
    }

    @Test("a removed device is told its removal for 30 days, once that is durable")
    mutating func dismissals() throws {
        try remove(1, at: 1_000)
        var desk = desk(0)
        let (replica, month) = (trip.people[1].device.replica, 30 * 86_400_000 as Int64)
        #expect(desk.isStillTold(replica, in: trip.log, at: 999 + month))
        #expect(!desk.isStillTold(replica, in: trip.log, at: 1_000 + month))
        #expect(!desk.isStillTold(trip.people[2].device.replica, in: trip.log, at: 0), "is in")
        for number in 1...3 {
            desk.add(
                MembershipDesk.Dismissal(
                    connection: ConnectionID(rawValue: UInt64(number)), removal: 5, frames: [UInt8(number)]))
        }
        #expect(desk.takeDismissals(before: 5).isEmpty)
        desk.forget(ConnectionID(rawValue: 2))
        #expect(desk.takeDismissals(before: 6).map(\.frames) == [[1], [3]])
        #expect(desk.takeDismissals(before: 6).isEmpty && desk.takeConnections().isEmpty)
    }

    @Test("the time of a removal counts between two acts of this device, whatever its author wrote")
    func falseTimes() throws {
        let (replica, month) = (trip.people[3].device.replica, 30 * 86_400_000 as Int64)
        let removal = Statement.remove(participant: participant(3), kept: nil, grant: nil)
        for (claimed, time) in [(Int64.min, 5_000 as Int64), (5_500, 5_500), (.max, 6_000)] {
            var log = trip.log
            _ = try log.write(nil, content: [1], wallTime: 5_000, as: trip.people[0])
            _ = try log.write(removal, content: [], wallTime: claimed, as: trip.people[2])
            let desk = MembershipDesk(of: trip.people[0].device, in: log)
            #expect(desk.isStillTold(replica, in: log, at: 5_000), "it has just come")
            _ = try log.write(nil, content: [2], wallTime: 6_000, as: trip.people[0])
            #expect(desk.isStillTold(replica, in: log, at: time + month - 1), "\(claimed)")
            #expect(!desk.isStillTold(replica, in: log, at: time + month), "\(claimed)")
        }
    }

    // MARK: - Proofs

    @Test("what a peer may do follows from its key and from the secret that it was met under")
    mutating func standings() throws {
        let desk = desk(0)
        let device = trip.people[1].device
        let newest = Credential(trip.epoch, using: cryptography)
        let older = Credential(Epoch(secret: .random(using: &generator), using: cryptography), using: cryptography)
        let invite = Credential(inviteSecret: .random(using: &generator), using: cryptography)
        guard case .invite(let id) = invite.kind else { return #expect(Bool(false)) }
        let pairs = [1, 2].compactMap {
            Credential(
                pairing: trip.people[0].agreementSecret, with: trip.people[$0].device, using: cryptography)
        }
        func standing(
            _ credential: Credential, _ role: HandshakeRole = .responder, key: Bytes32? = nil, replica: ReplicaID? = nil
        ) -> Session.Standing? {
            desk.standing(
                of: Session.PeerIdentity(
                    role: role, replica: replica ?? device.replica, key: key ?? device.agreementKey),
                under: credential, newest: trip.epoch, in: trip.log)
        }
        let unknown = ReplicaID(high: 1, low: 2)
        #expect(standing(newest) == .member(device) && standing(older) == .member(device))
        #expect(standing(newest, key: trip.log.trip) == nil, "not the key of that device")
        #expect(standing(pairs[0]) == .member(device) && standing(pairs[1]) == nil)
        #expect(standing(newest, .initiator, replica: unknown) == .unproven)
        #expect(standing(older, .initiator, replica: unknown) == .stranger, "who has an older secret may be out")
        #expect(standing(older, .responder, replica: unknown) == .unproven)
        #expect(standing(pairs[0], replica: unknown) == nil)
        #expect(standing(invite) == .joiner(invite: id) && standing(invite, .initiator) == .sponsor)
        try remove(1)
        #expect(standing(newest) == nil && standing(pairs[0]) == .outside && standing(pairs[1]) == nil)
        #expect(standing(newest, .initiator) == .stranger && standing(older, .initiator) == .stranger)
        let outside = self.desk(1)
        let peer = Session.PeerIdentity(role: .initiator, replica: unknown, key: device.agreementKey)
        #expect(outside.standing(of: peer, under: older, newest: trip.epoch, in: trip.log) == nil, "it is out itself")
    }

    @Test("a peer of unknown admission is proven by the log's device with its key, if that is in")
    mutating func promotions() throws {
        var desk = desk(0)
        #expect(desk.mayProve(in: trip.log) && !desk.mayProve(in: trip.log), "once for each membership")
        let device = trip.people[1].device
        func member(key: Bytes32) -> Device? {
            desk.member(
                provenBy: Session.PeerIdentity(role: .responder, replica: device.replica, key: key), in: trip.log)
        }
        #expect(member(key: device.agreementKey) == device && member(key: trip.log.trip) == nil)
        try remove(1)
        #expect(desk.mayProve(in: trip.log) && member(key: device.agreementKey) == nil)
    }

    // MARK: - Admissions

    private func request(of secrets: DeviceSecrets, name: String = "Mia") -> JoinRequest {
        let message = Admission.consentMessage(trip: trip.log.trip, device: secrets.device, name: name)
        return JoinRequest(
            device: secrets.device, name: name, consent: cryptography.sign(message, seed: secrets.signingSeed))
    }

    @Test("a request proves that its participant is named after the invite, and consents")
    mutating func requests() throws {
        let invite = OpenInvite(by: trip.people[0], using: &generator, cryptography)
        try trip.log.add(invite.statement, by: trip.people[0])
        let joiner = stranger(1, by: invite.id, cryptography)
        func proves(_ request: JoinRequest, by id: Bytes32) -> Bool {
            desk(0).proves(request, by: id, in: trip.log, using: cryptography)
        }
        let whole = request(of: joiner)
        #expect(proves(whole, by: invite.id))
        #expect(!proves(whole, by: trip.log.trip), "named after another invite")
        #expect(!proves(JoinRequest(device: whole.device, name: "Noah", consent: whole.consent), by: invite.id))
    }

    @Test("a device is admitted by an open invite, while there is room and the disk lost nothing")
    mutating func admissibility() throws {
        let invites = [0, 1].map { OpenInvite(by: trip.people[$0], using: &generator, cryptography) }
        for (number, invite) in invites.enumerated() { try trip.log.add(invite.statement, by: trip.people[number]) }
        var local = LocalDevice(secrets: trip.people[0], guests: [])
        var limits = SessionLimits()
        func answer(_ number: Int) -> MembershipDesk.Admissibility {
            let joiner = stranger(UInt64(number), by: invites[number].id, cryptography)
            return desk(0).admissibility(
                of: request(of: joiner), by: invites[number].id, in: trip.log, as: local, at: 0, limits: limits)
        }
        #expect([0, 1].map(answer) == [.open, .open])
        limits.othersNewcomersMax = 0
        #expect([0, 1].map(answer) == [.open, .later], "the rest is for the own person's invites")
        local.lacksOwnActs = true
        #expect(answer(0) == .later)
        local.lacksOwnActs = false
        let known = desk(0).admissibility(
            of: request(of: trip.people[1]), by: invites[0].id, in: trip.log, as: local, at: 0, limits: limits)
        #expect(known == .isIn(admission: trip.log.admission(of: trip.people[1].device.replica)))
        let joiner = stranger(0, by: invites[0].id, cryptography)
        let admission = admission(of: joiner, by: invites[0].id, in: trip.log.trip, cryptography)
        try trip.log.add(admission, by: trip.people[0])
        let late = stranger(7, by: invites[0].id, cryptography)
        let used = desk(0).admissibility(
            of: request(of: late), by: invites[0].id, in: trip.log, as: local, at: 0, limits: limits)
        #expect(used == .refused(.inviteClosed), "it was for one")
        try remove(1)
        let out = desk(0).admissibility(
            of: request(of: trip.people[1]), by: invites[0].id, in: trip.log, as: local, at: 0, limits: limits)
        #expect(out == .refused(.invalidRequest))
    }

    @Test("a person who waits, because their host was removed, is admitted by an invite that is open")
    mutating func admissibilityOfTheWaiting() throws {
        let invite = OpenInvite(by: trip.people[0], uses: 2, using: &generator, cryptography)
        try trip.log.add(invite.statement, by: trip.people[0])
        let joiner = stranger(0, by: invite.id, cryptography)
        var apart = trip.log
        try apart.add(admission(of: joiner, by: invite.id, in: trip.log.trip, cryptography), by: trip.people[3])
        try remove(3, by: 2)
        #expect(trip.log.receive(apart.graph.changes.map(\.record)).refusal == nil)
        #expect(trip.log.peopleWaiting == [joiner.device.participant])
        let answers = [0, 1].map { host in
            desk(host).admissibility(
                of: request(of: joiner), by: invite.id, in: trip.log,
                as: LocalDevice(secrets: trip.people[host], guests: []), at: 0, limits: SessionLimits())
        }
        #expect(answers == [.later, .open], "who opened it is asked about it first")
        try trip.log.add(admission(of: joiner, by: invite.id, in: trip.log.trip, cryptography), by: trip.people[1])
        #expect(trip.log.isIn(joiner.device.replica))
    }
}
