import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import SyncEngine
import TripModel
import TripRules

/// A trip as it is when a run begins: the founder has let the first members in, and an invite is open.
struct Founding {
    let trip: Bytes32
    let epoch: Bytes32
    let link: InviteLink
    /// By the nodes of the plan; beyond them, one member who means ill.
    let secrets: [DeviceSecrets]
    /// The guest of each node that has one.
    let guests: [Int: DeviceSecrets]
    private(set) var changes: [SignedChange] = []

    init(seed: UInt64, nodes: Int, joiners: Int, hasGuests: Bool, cryptography: any SessionCryptography) {
        var generator = SeededGenerator(seed: SplitMix64.mixed(seed ^ 0xF0))
        secrets = (0...nodes).map { _ in
            DeviceSecrets(
                signingSeed: .random(using: &generator), agreementSecret: .random(using: &generator),
                using: cryptography)
        }
        epoch = .random(using: &generator)
        trip = TripLog.trip(ofRootKey: secrets[0].device.signingKey, using: cryptography)
        let invite = Invite(
            secret: .random(using: &generator), uses: ChangeLimits.inviteUsesMax, expires: nil)
        link = InviteLink(trip: trip, secret: invite.secret, hints: [])
        var bodies: [ChangeBody] = [.membership(.invite(invite))]
        for (node, one) in secrets.enumerated() where node > 0 && (node < nodes - joiners || node == nodes) {
            let sealed = SealedBox.seal(
                epoch.bytes, to: one.device.agreementKey, ephemeralSecret: .random(using: &generator),
                using: cryptography)
            bodies.append(
                .membership(
                    .admit(
                        Admission(
                            device: one.device, name: "Person \(node)", invite: nil, sealedSecrets: sealed ?? []))))
        }
        var guests: [Int: DeviceSecrets] = [:]
        for node in 0..<nodes - joiners where hasGuests {
            guests[node] = DeviceSecrets(ofGuestWith: .random(using: &generator), using: cryptography)
        }
        self.guests = guests
        let log = try? TripLog.found(
            by: secrets[0], name: "Person 0", epochSecret: epoch, wallTime: 0, cryptography: cryptography,
            contents: TripContentReader())
        guard var log else { return }
        for body in bodies { _ = try? log.author(body, wallTime: 0, as: secrets[0]) }
        for (node, guest) in guests.sorted(by: { $0.key < $1.key }) {
            let admission = Admission(
                device: guest.device, name: "Guest of \(node)", invite: nil, isGuest: true, sealedSecrets: [])
            _ = try? log.author(.membership(.admit(admission)), wallTime: 0, as: secrets[node])
        }
        changes = Array(log.changes)
    }

    /// A member without a machine of the plan, whose keys a hostile node has.
    var mallory: DeviceSecrets { secrets[secrets.count - 1] }
}

extension TripRun {
    static func cryptography(_ conditions: TripConditions) -> any SessionCryptography {
        let sodium = conditions.cipher == .real ? try? SodiumCryptography() : nil
        let sound: any SessionCryptography = sodium ?? FastCryptography()
        return conditions.mutation == nil ? sound : FaultyCryptography(sound: sound, mutation: conditions.mutation)
    }

    static func contents(_ conditions: TripConditions) -> any ContentReading {
        conditions.mutation == .droppedNeighbours ? DroppedNeighbours() : TripContentReader()
    }

    /// What must not be seen on the network: keys, names of people and devices, and what all texts begin with.
    static func secrets(of founding: Founding) -> [[UInt8]] {
        let texts = ["Person", "Title ", "Details", "Mallory"].map { Array($0.utf8) }
        let keys = (founding.secrets + founding.guests.values).flatMap {
            [$0.device.signingKey.bytes, $0.device.participant.bytes]
        }
        return texts + keys + [founding.trip.bytes]
    }
}
