import Convergence
import DeltaCRDT
import Testing
import TripSimulation

@testable import ChangeLog

/// One device of a trip with a log of its own.
struct Member {
    static let cryptography = FastCryptography()

    let secrets: DeviceSecrets
    var log: TripLog
    /// The invite by which it lets people in.
    private(set) var invite: Bytes32?

    init(secrets: DeviceSecrets, log: TripLog) {
        self.secrets = secrets
        self.log = log
    }

    var id: Bytes32 { secrets.device.participant }
    var replica: ReplicaID { secrets.device.replica }
    var changes: [SignedChange] { Array(log.graph.changes) }

    /// The secrets of a first device.
    static func secrets(_ number: UInt64, as origin: Origin = .founder) -> DeviceSecrets {
        var generator = SeededGenerator(seed: number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), firstOf: origin,
            using: cryptography)
    }

    /// The secrets of a further device.
    static func secrets(_ number: UInt64, of participant: Bytes32) -> DeviceSecrets {
        var generator = SeededGenerator(seed: number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), of: participant,
            using: cryptography)
    }

    static func founder() throws -> Member {
        let secrets = secrets(1)
        let log = try TripLog.found(
            by: secrets, name: "founder", epoch: Bytes16(high: 0, low: 1), wallTime: 0, cryptography: cryptography)
        return Member(secrets: secrets, log: log)
    }

    @discardableResult
    mutating func say(
        _ statement: Statement? = nil, _ content: [UInt8] = [], about subjects: [Bytes32] = []
    ) throws -> SignedChange {
        try log.write(statement, content: content, about: subjects, wallTime: 0, as: secrets).change
    }

    /// A statement that lets a device in.
    func admitting(_ newcomer: DeviceSecrets, by invite: Bytes32?, grant: DeviceGrant? = nil) -> Statement {
        let message = Admission.consentMessage(trip: log.trip, device: newcomer.device, name: "newcomer")
        let consent = Member.cryptography.sign(message, seed: newcomer.signingSeed)
        return .admit(
            Admission(device: newcomer.device, name: "newcomer", invite: invite, consent: consent, grant: grant))
    }

    /// The invite by which this member lets people in, which is opened where it isn't yet.
    mutating func ownInvite() throws -> Bytes32 {
        if let invite { return invite }
        let opened = try openInvite(replica.low, uses: ChangeBounds.inviteUsesMax)
        invite = opened
        return opened
    }

    /// Lets a new participant in, by this member's own invite or another, who has all that is here.
    mutating func admit(_ number: UInt64, by invite: Bytes32? = nil) throws -> Member {
        let id = try invite ?? ownInvite()
        let newcomer = Member.secrets(number, as: .invited(id))
        try say(admitting(newcomer, by: id))
        return Member(secrets: newcomer, log: log)
    }

    /// Lets a guest in.
    mutating func admitGuest(_ number: UInt64) throws -> Member {
        let guest = Member.secrets(number, as: .guest(of: id))
        try say(admitting(guest, by: nil))
        return Member(secrets: guest, log: log)
    }

    /// Says again, on all that is here, that somebody is let in.
    @discardableResult
    mutating func keep(_ other: Member) throws -> SignedChange {
        let kept = try #require(log.keepable(other.id, by: id))
        return try log.write(.admit(kept.admission), content: [], wallTime: 0, as: secrets, besides: kept.indices)
            .change
    }

    /// Opens an invite; its id.
    @discardableResult
    mutating func openInvite(_ seed: UInt64 = 1, uses: Int = 1) throws -> Bytes32 {
        let invite = Invite(seed: Bytes32(words: (seed, 0, 0, 0)), uses: uses, expires: nil)
        try say(.invite(invite))
        return invite.id(openedBy: secrets.device, using: Member.cryptography)
    }

    /// Lets a further device of one's own in.
    @discardableResult
    mutating func addDevice(_ number: UInt64) throws -> Member {
        let device = Member.secrets(number, of: id)
        try say(admitting(device, by: nil))
        return Member(secrets: device, log: log)
    }

    @discardableResult
    mutating func remove(_ other: Member, grant: EpochGrant? = nil) throws -> SignedChange {
        try say(.remove(participant: other.id, grant: grant))
    }

    /// Takes all that others have that is retained there.
    mutating func receive(from others: Member...) {
        for other in others {
            let indices = other.log.graph.changes.indices.filter { other.log.isRetained($0) }
            let received = log.receive(indices.map { other.log.graph.changes[$0].record })
            #expect(received.refusal == nil)
        }
    }

    func isIn(_ other: Member) -> Bool { log.person(other.id)?.isIn ?? false }

    func state(_ other: Member) -> Roster.MembershipState? { log.person(other.id)?.state }

    func isEffective(_ signed: SignedChange) -> Bool {
        log.graph.index(of: signed.hash).map { log.isEffective($0) } ?? false
    }

    func isRetained(_ signed: SignedChange) -> Bool {
        log.graph.index(of: signed.hash).map { log.isRetained($0) } ?? false
    }
}

/// A log that was given some changes, in many orders in which each stands after its past; each is held against the oracle.
func inEveryOrder(_ members: Member..., orders: Int = 24, _ body: (Member) throws -> Void) throws {
    var changes: [Bytes32: SignedChange] = [:]
    for member in members { for signed in member.changes { changes[signed.hash] = signed } }
    let all = changes.values.sorted { $0.stamp < $1.stamp }
    var generator = SeededGenerator(seed: UInt64(all.count))
    for _ in 0..<orders {
        var log = TripLog(trip: members[0].log.trip, cryptography: Member.cryptography)
        var rest = shuffled(all, using: &generator)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(1 + Int(generator.below(3)))
            #expect(log.add(batch).refusal == nil)
            rest = rest.dropFirst(batch.count)
        }
        log.checkInvariants()
        log.expect(EffectiveOracle(all, using: Member.cryptography), "\(all.count) changes")
        try body(Member(secrets: members[0].secrets, log: log))
    }
}

/// Changes in some order in which each stands after its past.
func shuffled(_ changes: [SignedChange], using generator: inout SeededGenerator) -> [SignedChange] {
    var waiting = changes
    let all = Set(changes.map(\.hash))
    var order: [SignedChange] = []
    var here: Set<Bytes32> = []
    while !waiting.isEmpty {
        let ready = waiting.indices.filter {
            waiting[$0].change.links.allSatisfy { here.contains($0) || !all.contains($0) }
        }
        let next = waiting.remove(at: ready[Int(generator.below(UInt64(ready.count)))])
        here.insert(next.hash)
        order.append(next)
    }
    return order
}

extension TripLog {
    /// Expects that what follows from this log is what the oracle says.
    func expect(_ oracle: EffectiveOracle, _ context: String) {
        let hashes = { (indices: [Int]) in Set(indices.map { graph.changes[$0].hash }) }
        let all = Array(graph.changes.indices)
        #expect(Set(membership.persons.keys) == Set(oracle.persons.keys), "\(context): persons")
        for (id, person) in membership.persons {
            let expected = oracle.persons[id]
            #expect(person.state == expected?.state, "\(context): state of \(person.name)")
            #expect(person.parent == expected?.parent, "\(context): parent of \(person.name)")
            #expect(person.devices == expected?.devices, "\(context): devices of \(person.name)")
        }
        #expect(hashes(all.filter { isEffective($0) }) == oracle.effective, "\(context): effective")
        #expect(hashes(all.filter { isRetained($0) }) == oracle.retained, "\(context): retained")
        #expect(hashes(heads) == oracle.heads, "\(context): heads")
        #expect(Set(frontier.tips.map(\.hash)) == oracle.frontier, "\(context): frontier")
        #expect(Set(invites.filter { $0.isOpen(at: 0) }.map(\.id)) == oracle.openInvites, "\(context): open invites")
    }
}
