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
    let linkInvite: Bytes32?
    /// By the nodes of the plan; beyond them, one member who means ill, or three in league.
    let secrets: [DeviceSecrets]
    /// How many of those mean ill.
    let hostileCount: Int
    /// The guest of each node that has one.
    let guests: [Int: DeviceSecrets]
    let changes: [SignedChange]

    init(
        seed: UInt64, nodes: Int, joiners: Int, hasGuests: Bool, hasLeague: Bool, cryptography: any SessionCryptography
    ) {
        var generator = SeededGenerator(seed: SplitMix64.mixed(seed ^ 0xF0))
        hostileCount = hasLeague ? Self.leagueCount(seed: seed) : 1
        let count = nodes + hostileCount
        let keys = (0..<count).map { _ in (Bytes32.random(using: &generator), Bytes32.random(using: &generator)) }
        func secrets(of node: Int, as origin: Origin) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: keys[node].0, agreementSecret: keys[node].1, firstOf: origin, using: cryptography)
        }
        epoch = .random(using: &generator)
        let founder = secrets(of: 0, as: .founder)
        trip = TripLog.trip(ofRootKey: founder.device.signingKey, using: cryptography)
        let first = Forger.epoch(of: epoch, using: cryptography)
        var log = try? TripLog.found(
            by: founder, name: "Person 0", epoch: first.id, wallTime: 0, cryptography: cryptography)
        // Each is let in by an invite of somebody who is in the middle between them and the founder: a tree.
        var all = [0: founder]
        var invites: [Int: Bytes32] = [:]
        var link: InviteLink?
        func isBelowLeague(_ node: Int) -> Bool {
            hasLeague && Self.isBelowLeague(node, seed: seed, members: nodes - joiners)
        }
        let order = (1..<count).filter { !isBelowLeague($0) } + (1..<count).filter(isBelowLeague)
        for node in order {
            let isJoiner = node >= nodes - joiners && node < nodes
            let host =
                switch node {
                case nodes...: Self.host(ofLeague: node - nodes, nodes: nodes, members: nodes - joiners)
                case _ where isBelowLeague(node): nodes
                default: isJoiner ? 0 : (node - 1) / 2
                }
            guard let opener = all[host] else { continue }
            if invites[host] == nil {
                let invite = Invite(seed: .random(using: &generator), uses: ChangeBounds.inviteUsesMax, expires: nil)
                _ = try? log?.write(.invite(invite), content: [], wallTime: 0, as: opener)
                let secret = Self.secret(of: invite, opener.device, using: cryptography)
                let opened = InviteLink(trip: trip, secret: secret, hints: [])
                invites[host] = opened.inviteID(using: cryptography)
                if host == 0 { link = opened }
            }
            guard let invite = invites[host] else { continue }
            let one = secrets(of: node, as: .invited(invite))
            all[node] = one
            guard !isJoiner else { continue }
            let admission = Self.admission(
                of: one, "Person \(node)", by: invite, to: trip,
                grant: Self.grant(first, to: one.device, &generator, using: cryptography), using: cryptography)
            _ = try? log?.write(.admit(admission), content: [], wallTime: 0, as: opener)
        }
        var guests: [Int: DeviceSecrets] = [:]
        for node in 0..<nodes - joiners where hasGuests {
            guard let host = all[node] else { continue }
            let guest = DeviceSecrets(
                guestOf: host.device.participant, seed: .random(using: &generator), using: cryptography)
            guests[node] = guest
            let admission = Self.admission(
                of: guest, "Guest of \(node)", by: nil, to: trip, grant: nil, using: cryptography)
            _ = try? log?.write(.admit(admission), content: [], wallTime: 0, as: host)
        }
        self.guests = guests
        self.secrets = all.sorted { $0.key < $1.key }.map(\.value)
        linkInvite = invites[0]
        self.link = link ?? InviteLink(trip: trip, secret: epoch, hints: [])
        changes = log.map { Array($0.graph.changes) } ?? []
    }

    private static func secret(of invite: Invite, _ opener: Device, using cryptography: some Cryptography) -> Bytes32 {
        invite.secret(openedBy: opener, using: cryptography)
    }

    private static func grant(
        _ epoch: Epoch, to device: Device, _ generator: inout SeededGenerator, using cryptography: some Cryptography
    ) -> DeviceGrant? {
        DeviceGrant(epoch, to: device, using: &generator, cryptography)
    }

    private static func admission(
        of one: DeviceSecrets, _ name: String, by invite: Bytes32?, to trip: Bytes32, grant: DeviceGrant?,
        using cryptography: some Cryptography
    ) -> Admission {
        let message = Admission.consentMessage(trip: trip, device: one.device, name: name)
        return Admission(
            device: one.device, name: name, invite: invite,
            consent: cryptography.sign(message, seed: one.signingSeed), grant: grant)
    }

    /// A member without a machine of the plan, whose keys a hostile node has.
    var mallory: DeviceSecrets { secrets[secrets.count - hostileCount] }

    /// Those who mean ill, Mallory first.
    var league: [DeviceSecrets] { Array(secrets.suffix(hostileCount)) }
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
        var disk = World.Disk()
        var invitation: Invitation? = Invitation(link: founding.link, name: "Person \(node)")
        if isMember {
            invitation = nil
            try? log.restore(founding.changes.map(\.record))
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
