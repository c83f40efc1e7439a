import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripSimulation

/// A trip of some people and devices, with the quick primitives: whatever the input says can be signed.
struct Group: Sendable {
    let cryptography = FastCryptography()
    /// The founder; a member; the person that this member admitted; the member's second device; and three who were never admitted: one
    /// who knows the founder's invite, one who knows the member's, and one who would be the member's guest.
    private(set) var people: [DeviceSecrets] = []
    let epoch: Epoch
    /// The founder's, for newcomers.
    let invite: Invite
    private(set) var log: TripLog
    /// What the founder had before the others came.
    let early: TripLog

    static let shared = Group()

    private init() {
        var generator = SeededGenerator(seed: 5)
        let cryptography = FastCryptography()
        func device(as origin: Origin) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                firstOf: origin, using: cryptography)
        }
        let founder = device(as: .founder)
        people = [founder]
        epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        invite = Invite(seed: .random(using: &generator), uses: 3, expires: nil)
        do {
            log = try TripLog.found(
                by: founder, name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
            early = log
            let member = device(as: .invited(inviteID))
            let members = Invite(seed: .random(using: &generator), uses: 3, expires: nil)
            let membersID = members.id(openedBy: member.device, using: cryptography)
            let further = DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                of: member.device.participant, using: cryptography)
            people += [
                member, device(as: .invited(membersID)), further, device(as: .invited(inviteID)),
                device(as: .invited(membersID)), device(as: .guest(of: member.device.participant)),
            ]
            try write(.invite(invite), by: 0)
            try write(admission(of: 1, by: inviteID, using: &generator), by: 0)
            try write(.invite(members), by: 1)
            try write(admission(of: 2, by: membersID, using: &generator), by: 1)
            try write(admission(of: 3, by: nil, using: &generator), by: 1)
            for content in Planned.contents.prefix(3) { try write(content: content, by: 0) }
        } catch {
            fatalError("an honest change is refused: \(error)")
        }
    }

    var inviteSecret: Bytes32 { invite.secret(openedBy: people[0].device, using: cryptography) }

    var inviteID: Bytes32 { invite.id(openedBy: people[0].device, using: cryptography) }

    private func admission(
        of person: Int, by invite: Bytes32?, using generator: inout SeededGenerator
    ) -> Statement {
        let device = people[person].device
        return .admit(
            Admission(
                device: device, name: "Noah", invite: invite,
                consent: consent(of: device, signedBy: person, name: "Noah"),
                grant: DeviceGrant(epoch, to: device, using: &generator, cryptography)))
    }

    /// The participant that a person would be if they had joined another way, with the same device.
    func participant(_ person: Int, as origin: Origin) -> Bytes32 {
        origin.participant(signingKey: people[person].device.signingKey, using: cryptography)
    }

    /// A device's consent, by which it asks a host to admit it.
    /// - Parameter signer: who signs it.
    func consent(of device: Device, signedBy signer: Int, name: String) -> Signature {
        let message = Admission.consentMessage(trip: log.trip, device: device, name: name)
        return cryptography.sign(message, seed: people[signer].signingSeed)
    }

    private mutating func write(_ statement: Statement? = nil, content: [UInt8] = [], by person: Int) throws {
        _ = try log.write(statement, content: content, wallTime: 1_700_000_000_000, as: people[person])
    }
}
