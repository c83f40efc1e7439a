import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import SyncEngine
import TripModel
import TripRules
import TripSimulation

/// A trip of some people and devices, with the quick primitives: whatever the input says can be signed and sealed.
struct Group: Sendable {
    let cryptography = FastCryptography()
    /// The founder, two members, a member's second device, and one that nobody let in.
    let people: [DeviceSecrets]
    let invite: Invite
    private(set) var log: TripLog
    /// What the founder had before the others came.
    private(set) var early: TripLog

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
        invite = Invite(secret: .random(using: &generator), uses: 3, expires: nil)
        do {
            log = try TripLog.found(
                by: people[0], name: "Jie", epochSecret: .random(using: &generator), wallTime: 0,
                cryptography: cryptography, contents: TripContentReader())
            log.reader = people[0]
            early = log
            try write(.membership(.invite(invite)), by: 0)
            for (member, host) in [(1, 0), (2, 1), (3, 1)] { try write(.membership(admission(of: member)), by: host) }
            for content in Planned.contents.prefix(3) { try write(.content(content), by: 0) }
        } catch {
            fatalError("an honest change is refused: \(error)")
        }
    }

    func admission(of person: Int) -> MembershipOperation {
        let id = person == 3 ? nil : invite.id(using: cryptography)
        return .admit(Admission(device: people[person].device, name: "Noah", invite: id, sealedSecrets: []))
    }

    private mutating func write(_ body: ChangeBody, by person: Int) throws {
        _ = try log.author(body, wallTime: 1_700_000_000_000, as: people[person])
    }
}
