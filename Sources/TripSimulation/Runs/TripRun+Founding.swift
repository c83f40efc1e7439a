import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import SyncEngine

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
        let invite = Invite(seed: .random(using: &generator), uses: ChangeBounds.inviteUsesMax, expires: nil)
        let founder = secrets[0].device.replica
        link = InviteLink(trip: trip, secret: Self.secret(of: invite, founder, using: cryptography), hints: [])
        var guests: [Int: DeviceSecrets] = [:]
        for node in 0..<nodes - joiners where hasGuests {
            guests[node] = DeviceSecrets(ofGuestWith: .random(using: &generator), using: cryptography)
        }
        self.guests = guests
        let first = Forger.epoch(of: epoch, using: cryptography)
        let log = try? TripLog.found(
            by: secrets[0], name: "Person 0", epoch: first.id, wallTime: 0, cryptography: cryptography)
        guard var log else { return }
        _ = try? log.write(.invite(invite), content: [], wallTime: 0, as: secrets[0])
        // Each is let in by somebody who is in the middle between them and the founder: a tree.
        for (node, one) in secrets.enumerated() where node > 0 && (node < nodes - joiners || node == nodes) {
            let host = secrets[node == nodes ? 0 : (node - 1) / 2]
            let admission = Self.admission(
                of: one, "Person \(node)", by: host, to: trip,
                grant: Self.grant(first, to: one.device, &generator, using: cryptography), using: cryptography)
            _ = try? log.write(.admit(admission), content: [], wallTime: 0, as: host)
        }
        for (node, guest) in guests.sorted(by: { $0.key < $1.key }) {
            let admission = Self.admission(
                of: guest, "Guest of \(node)", isGuest: true, by: secrets[node], to: trip, grant: nil,
                using: cryptography)
            _ = try? log.write(.admit(admission), content: [], wallTime: 0, as: secrets[node])
        }
        changes = Array(log.graph.changes)
    }

    private static func secret(
        of invite: Invite, _ replica: ReplicaID, using cryptography: some Cryptography
    ) -> Bytes32 {
        invite.secret(openedBy: replica, using: cryptography)
    }

    private static func grant(
        _ epoch: Epoch, to device: Device, _ generator: inout SeededGenerator, using cryptography: some Cryptography
    ) -> DeviceGrant? {
        DeviceGrant(epoch, to: device, using: &generator, cryptography)
    }

    private static func admission(
        of one: DeviceSecrets, _ name: String, isGuest: Bool = false, by host: DeviceSecrets, to trip: Bytes32,
        grant: DeviceGrant?, using cryptography: some Cryptography
    ) -> Admission {
        let message = Admission.consentMessage(
            trip: trip, invite: nil, host: host.device.replica, device: one.device, name: name)
        return Admission(
            device: one.device, name: name, invite: nil, isGuest: isGuest,
            consent: cryptography.sign(message, seed: one.signingSeed), grant: grant)
    }

    /// A member without a machine of the plan, whose keys a hostile node has.
    var mallory: DeviceSecrets { secrets[secrets.count - 1] }
}

extension TripRun {
    /// A node of the plan comes: a member from the beginning, or somebody with an invite.
    mutating func arrive(_ node: Int) throws(Violation) {
        let secrets = founding.secrets[node]
        let guest = founding.guests[node]
        ledger.add(replica: secrets.device.replica, guest: guest?.device.replica)
        let version = version(ofNode: node)
        people.append(Person(participant: secrets.device.participant, version: version))
        let isMember = conditions.isMember(node)
        var log = TripLog(trip: founding.trip, cryptography: cryptography)
        log.readRecords = readRecords
        var disk = World.Disk()
        var invitation: Invitation? = Invitation(link: founding.link, name: "Person \(node)")
        if isMember {
            invitation = nil
            for change in founding.changes { try? log.restore(change.record) }
            disk = World.Disk(changes: founding.changes, epochs: [founding.epoch])
            disk.guests = guest.map { [$0] } ?? []
        }
        var limits = SessionLimits()
        if conditions.mutation == .unboundedHandshakes { limits.handshakesMax = 1_000_000 }
        let id = world.machines.count
        machineOf[node] = id
        let cryptography = sessionCryptography(of: version)
        part(id)
        _ = world.add(
            SyncNode(
                log: log, secrets: secrets, guests: disk.guests, epochSecrets: disk.epochs, joining: invitation,
                cryptography: cryptography, limits: limits),
            invitation: invitation, disk: disk)
        world.machines[id].sessionCryptography = cryptography
        let kind = conditions.isMixed ? ", of the \(version) version" : ""
        note("node \(node) \(isMember ? "is a member" : "comes with an invite")\(kind)")
        try drain()
    }

    static func cryptography(_ conditions: TripConditions) -> any SessionCryptography {
        let sodium = conditions.cipher == .real ? try? SodiumCryptography() : nil
        let sound: any SessionCryptography = sodium ?? FastCryptography()
        return conditions.mutation == nil ? sound : FaultyCryptography(sound: sound, mutation: conditions.mutation)
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
