import ChangeLog
import Convergence
import DeltaCRDT
import SyncEngine
import TripSimulation

/// A trip of some people and devices, with the quick primitives: whatever the input says can be signed.
struct Group: Sendable {
    let cryptography = FastCryptography()
    /// The founder, two members, a member's second device, and one that nobody let in.
    let people: [DeviceSecrets]
    let epoch: Epoch
    /// The founder's, for newcomers.
    let invite: Invite
    private(set) var log: TripLog
    /// What the founder had before the others came.
    private(set) var early: TripLog
    /// The group's log where two branches of one replica are kept, and where all are: to copy them costs less than to make them.
    private var bounded: TripLog
    private var unbounded: TripLog

    static let shared = Group()

    private init() {
        var generator = SeededGenerator(seed: 5)
        let cryptography = FastCryptography()
        func device(of participant: Bytes16? = nil) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                participant: participant, using: cryptography)
        }
        let first = [device(), device(), device()]
        people = first + [device(of: first[1].device.participant), device()]
        epoch = Epoch(secret: .random(using: &generator), using: cryptography)
        invite = Invite(seed: .random(using: &generator), uses: 3, expires: nil)
        do {
            log = try TripLog.found(
                by: people[0], name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
            (early, bounded, unbounded) = (log, log, log)
            try write(.invite(invite), by: 0)
            for (member, host) in [(1, 0), (2, 1), (3, 1)] {
                let grant = DeviceGrant(epoch, to: people[member].device, using: &generator, cryptography)
                let invite = member == 3 ? nil : inviteID
                try write(admission(of: member, by: host, invite: invite, grant: grant), by: host)
            }
            for content in Planned.contents.prefix(3) { try write(content: content, by: 0) }
            bounded = try copy(branchesMax: 2)
            unbounded = try copy(branchesMax: .max)
        } catch {
            fatalError("an honest change is refused: \(error)")
        }
    }

    var inviteSecret: Bytes32 { invite.secret(openedBy: people[0].device.replica, using: cryptography) }

    var inviteID: Bytes32 { invite.id(openedBy: people[0].device.replica, using: cryptography) }

    private func admission(of person: Int, by host: Int, invite: Bytes32?, grant: DeviceGrant?) -> Statement {
        let device = people[person].device
        return .admit(
            Admission(
                device: device, name: "Noah", invite: invite,
                consent: consent(of: device, signedBy: person, to: host, invite: invite, name: "Noah"), grant: grant))
    }

    /// What a device asks with whom a host is to let in.
    /// - Parameter signer: who signs it.
    func consent(of device: Device, signedBy signer: Int, to host: Int, invite: Bytes32?, name: String) -> Signature {
        let message = Admission.consentMessage(
            trip: log.trip, invite: invite, host: people[host].device.replica, device: device, name: name)
        return cryptography.sign(message, seed: people[signer].signingSeed)
    }

    private mutating func write(_ statement: Statement? = nil, content: [UInt8] = [], by person: Int) throws {
        _ = try log.write(statement, content: content, wallTime: 1_700_000_000_000, as: people[person])
    }

    /// The group's log on a node that keeps two branches of one replica, or all.
    func log(isBounded: Bool = false) -> TripLog { isBounded ? bounded : unbounded }

    private func copy(branchesMax: Int) throws(Refusal) -> TripLog {
        var log = TripLog(trip: log.trip, cryptography: cryptography, branchesMax: branchesMax)
        for change in self.log.graph.changes { try log.restore(change.record) }
        return log
    }
}
