package import ChangeLog
package import Convergence
package import DeltaCRDT
import Testing
package import TripSimulation

/// One device of a trip with a log of its own.
package struct Member {
    package static let cryptography = FastCryptography()

    package let secrets: DeviceSecrets
    package var log: TripLog
    /// The invite by which it lets people in.
    package private(set) var invite: Bytes32?

    package init(secrets: DeviceSecrets, log: TripLog) {
        self.secrets = secrets
        self.log = log
    }

    package var id: Bytes32 { secrets.device.participant }
    package var replica: ReplicaID { secrets.device.replica }
    package var changes: [SignedChange] { Array(log.graph.changes) }

    /// The secrets of a first device.
    package static func secrets(_ number: UInt64, as origin: Origin = .founder) -> DeviceSecrets {
        var generator = SeededGenerator(seed: number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), firstOf: origin,
            using: cryptography)
    }

    /// The secrets of a further device.
    package static func secrets(_ number: UInt64, of participant: Bytes32) -> DeviceSecrets {
        var generator = SeededGenerator(seed: number)
        return DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), of: participant,
            using: cryptography)
    }

    package static func founder() throws -> Member {
        let secrets = secrets(1)
        let log = try TripLog.found(
            by: secrets, name: "founder", epoch: Bytes16(high: 0, low: 1), wallTime: 0, cryptography: cryptography)
        return Member(secrets: secrets, log: log)
    }

    @discardableResult
    package mutating func say(
        _ statement: Statement? = nil, _ content: [UInt8] = [], about subjects: [Bytes32] = []
    ) throws -> SignedChange {
        try log.write(statement, content: content, about: subjects, wallTime: 0, as: secrets).change
    }

    /// A statement that lets a device in.
    package func admitting(_ newcomer: DeviceSecrets, by invite: Bytes32?, grant: DeviceGrant? = nil) -> Statement {
        let message = Admission.consentMessage(trip: log.trip, device: newcomer.device, name: "newcomer")
        let consent = Member.cryptography.sign(message, seed: newcomer.signingSeed)
        return .admit(
            Admission(device: newcomer.device, name: "newcomer", invite: invite, consent: consent, grant: grant))
    }

    /// The invite by which this member lets people in, which is opened where it isn't yet.
    package mutating func ownInvite() throws -> Bytes32 {
        if let invite { return invite }
        let opened = try openInvite(replica.low, uses: ChangeBounds.inviteUsesMax)
        invite = opened
        return opened
    }

    /// Lets a new participant in, by this member's own invite or another, who has all that is here.
    package mutating func admit(_ number: UInt64, by invite: Bytes32? = nil) throws -> Member {
        let id = try invite ?? ownInvite()
        let newcomer = Member.secrets(number, as: .invited(id))
        try say(admitting(newcomer, by: id))
        return Member(secrets: newcomer, log: log)
    }

    /// Lets a guest in.
    package mutating func admitGuest(_ number: UInt64) throws -> Member {
        let guest = Member.secrets(number, as: .guest(of: id))
        try say(admitting(guest, by: nil))
        return Member(secrets: guest, log: log)
    }

    /// Says again, on all that is here, that somebody is let in.
    @discardableResult
    package mutating func keep(_ other: Member) throws -> SignedChange {
        let kept = try #require(log.keepable(other.id, by: id))
        return try log.write(.admit(kept.admission), content: [], wallTime: 0, as: secrets, besides: kept.indices)
            .change
    }

    /// Opens an invite; its id.
    @discardableResult
    package mutating func openInvite(_ seed: UInt64 = 1, uses: Int = 1) throws -> Bytes32 {
        let invite = Invite(seed: Bytes32(words: (seed, 0, 0, 0)), uses: uses, expires: nil)
        try say(.invite(invite))
        return invite.id(openedBy: secrets.device, using: Member.cryptography)
    }

    /// Lets a further device of one's own in.
    @discardableResult
    package mutating func addDevice(_ number: UInt64) throws -> Member {
        let device = Member.secrets(number, of: id)
        try say(admitting(device, by: nil))
        return Member(secrets: device, log: log)
    }

    @discardableResult
    package mutating func remove(_ other: Member, grant: EpochGrant? = nil) throws -> SignedChange {
        try say(.remove(participant: other.id, grant: grant))
    }

    /// Takes all that others have that is retained there.
    package mutating func receive(from others: Member...) {
        for other in others {
            let indices = other.log.graph.changes.indices.filter { other.log.isRetained($0) }
            let received = log.receive(indices.map { other.log.graph.changes[$0].record })
            #expect(received.refusal == nil)
        }
    }

    package func isIn(_ other: Member) -> Bool { log.person(other.id)?.isIn ?? false }

    package func state(_ other: Member) -> Roster.MembershipState? { log.person(other.id)?.state }

    package func isEffective(_ signed: SignedChange) -> Bool {
        log.graph.index(of: signed.hash).map { log.isEffective($0) } ?? false
    }

    package func isRetained(_ signed: SignedChange) -> Bool {
        log.graph.index(of: signed.hash).map { log.isRetained($0) } ?? false
    }
}

/// Changes in some order in which each stands after its past.
package func shuffled(_ changes: [SignedChange], using generator: inout SeededGenerator) -> [SignedChange] {
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
