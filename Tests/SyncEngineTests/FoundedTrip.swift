import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

/// A trip of some people: the first has founded it and let all the others in, by an invite that is used up by that, and
/// with the first epoch's secret.
struct FoundedTrip {
    var log: TripLog
    private(set) var people: [DeviceSecrets]
    let epoch: Epoch
    let cryptography: any SessionCryptography

    /// - Parameter bringer: whom each but the founder is let in by, of those before them.
    init(
        of count: Int, broughtBy bringer: (Int) -> Int = { _ in 0 }, using generator: inout SeededGenerator,
        _ cryptography: some SessionCryptography
    ) throws {
        people = [DeviceSecrets.random(.founder, using: &generator, cryptography)]
        epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        self.cryptography = cryptography
        log = try TripLog.found(
            by: people[0], name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
        let bringers = (1..<max(count, 1)).map(bringer)
        var invites: [Int: Bytes32] = [:]
        for host in bringers {
            if invites[host] == nil {
                let uses = bringers.count { $0 == host }
                invites[host] = try open(by: people[host], uses: uses, using: &generator)
            }
            guard let invite = invites[host] else { continue }
            people.append(try letIn(by: people[host], invite, using: &generator))
        }
    }

    /// Lets somebody in by a new invite of a host's, which is used up by that.
    mutating func letIn(by host: DeviceSecrets, using generator: inout SeededGenerator) throws -> DeviceSecrets {
        let invite = try open(by: host, uses: 1, using: &generator)
        return try letIn(by: host, invite, using: &generator)
    }

    private mutating func open(
        by host: DeviceSecrets, uses: Int, using generator: inout SeededGenerator
    ) throws -> Bytes32 {
        let invite = OpenInvite(by: host, uses: uses, using: &generator, cryptography)
        try log.add(invite.statement, by: host)
        return invite.id
    }

    private mutating func letIn(
        by host: DeviceSecrets, _ invite: Bytes32, using generator: inout SeededGenerator
    ) throws -> DeviceSecrets {
        let newcomer = DeviceSecrets.random(.invited(invite), using: &generator, cryptography)
        let grant = DeviceGrant(epoch, to: newcomer.device, using: &generator, cryptography)
        try log.add(admission(of: newcomer, by: invite, in: log.trip, grant: grant, cryptography), by: host)
        return newcomer
    }

    /// The node of one of the people; the founder has the first epoch's secret from nobody.
    func node(_ index: Int, log: TripLog? = nil, limits: SessionLimits = SessionLimits()) -> SyncNode {
        SyncNode(
            log: log ?? self.log, secrets: people[index], epochSecrets: index == 0 ? [epoch.secret] : [],
            cryptography: cryptography, limits: limits)
    }
}

extension DeviceSecrets {
    /// Those of a device that nobody knows, and by which its participant is named.
    static func random(
        _ origin: Origin, using generator: inout SeededGenerator, _ cryptography: some Cryptography
    ) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), firstOf: origin,
            using: cryptography)
    }

    /// Those of a further device of a participant.
    static func random(
        of participant: Bytes32, using generator: inout SeededGenerator, _ cryptography: some Cryptography
    ) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator), of: participant,
            using: cryptography)
    }

    /// Those of somebody whose device has the same keys, and who comes by another invite.
    func coming(by invite: Bytes32, using cryptography: some Cryptography) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: signingSeed, agreementSecret: agreementSecret, firstOf: .invited(invite), using: cryptography)
    }
}

/// A statement by which somebody is let in who asked for it by an invite.
func admission(
    of newcomer: DeviceSecrets, by invite: Bytes32, in trip: Bytes32, grant: DeviceGrant? = nil,
    _ cryptography: some Cryptography
) -> Statement {
    let message = Admission.consentMessage(trip: trip, device: newcomer.device, name: "Noah")
    return .admit(
        Admission(
            device: newcomer.device, name: "Noah", invite: invite,
            consent: cryptography.sign(message, seed: newcomer.signingSeed), grant: grant))
}

/// An invite as its opener writes it, and as its holder has it.
struct OpenInvite {
    let statement: Statement
    let secret: Bytes32
    let id: Bytes32

    init(
        by opener: DeviceSecrets, uses: Int = 1, expires: Int64? = nil, participant: Bytes32? = nil,
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) {
        let invite = Invite(
            seed: .random(using: &generator), uses: uses, expires: expires, participant: participant)
        statement = .invite(invite)
        secret = opener.linkSecret(of: invite, using: cryptography)
        id = invite.id(openedBy: opener.device, using: cryptography)
    }
}

extension TripLog {
    /// Writes as somebody on top of all that is here; the record.
    @discardableResult
    mutating func add(_ statement: Statement?, _ content: [UInt8] = [], by author: DeviceSecrets) throws -> SignedChange
    {
        try write(statement, content: content, wallTime: 0, as: author).change
    }

    /// How many changes are here.
    var count: Int { graph.count }

    var hashes: Set<Bytes32> { Set(graph.changes.map(\.hash)) }
}
