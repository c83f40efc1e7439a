import ChangeLog
import Convergence
import DeltaCRDT
import TripSimulation

@testable import SyncEngine

/// A trip of some people: the first has founded it and let all the others in, each with the first epoch's secret.
struct FoundedTrip {
    var log: TripLog
    let people: [DeviceSecrets]
    let epoch: Epoch
    let cryptography: any SessionCryptography

    /// - Parameter bringer: whom each but the founder is let in by, of those before them.
    init(
        of count: Int, broughtBy bringer: (Int) -> Int = { _ in 0 }, using generator: inout SeededGenerator,
        _ cryptography: some SessionCryptography
    ) throws {
        people = (0..<count).map { _ in DeviceSecrets.random(using: &generator, cryptography) }
        epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        self.cryptography = cryptography
        log = try TripLog.found(
            by: people[0], name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
        for number in people.indices.dropFirst() {
            let (person, host) = (people[number], people[bringer(number)])
            let grant = DeviceGrant(epoch, to: person.device, using: &generator, cryptography)
            try log.add(admission(of: person, by: host, in: log.trip, grant: grant, cryptography), by: host)
        }
    }

    /// The node of one of the people; the founder has the first epoch's secret from nobody.
    func node(_ index: Int, log: TripLog? = nil, limits: SessionLimits = SessionLimits()) -> SyncNode {
        SyncNode(
            log: log ?? self.log, secrets: people[index], epochSecrets: index == 0 ? [epoch.secret] : [],
            cryptography: cryptography, limits: limits)
    }
}

extension DeviceSecrets {
    /// Those of a device that nobody knows: the first of its participant, or a further one.
    static func random(
        of participant: Bytes16? = nil, using generator: inout SeededGenerator, _ cryptography: some Cryptography
    ) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
            participant: participant, using: cryptography)
    }
}

/// A statement by which somebody lets a device in that asked for it.
func admission(
    of newcomer: DeviceSecrets, by host: DeviceSecrets, invite: Bytes32? = nil, in trip: Bytes32,
    grant: DeviceGrant? = nil, _ cryptography: some Cryptography
) -> Statement {
    let message = Admission.consentMessage(
        trip: trip, invite: invite, host: host.device.replica, device: newcomer.device, name: "Noah")
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
        by opener: DeviceSecrets, uses: Int = 1, expires: Int64? = nil, participant: Bytes16? = nil,
        using generator: inout some RandomNumberGenerator, _ cryptography: some Cryptography
    ) {
        let invite = Invite(
            seed: .random(using: &generator), uses: uses, expires: expires, participant: participant)
        statement = .invite(invite)
        secret = invite.secret(openedBy: opener.device.replica, using: cryptography)
        id = Invite.id(ofSecret: secret, using: cryptography)
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
