import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import TripSimulation

/// A world with one trip in it. Its contents are any: these tests are about how changes travel.
struct Trip {
    var world: World
    let cryptography: SodiumCryptography
    let link: InviteLink
    private(set) var machines: [World.NodeID] = []

    /// A founder with an open invite.
    init(seed: UInt64, uses: Int = 100) throws {
        cryptography = try SodiumCryptography()
        world = World(seed: seed, cryptography: cryptography)
        let founder = DeviceSecrets.random(.founder, using: &world.generator, cryptography)
        let epoch = Epoch(secret: .random(using: &world.generator), using: cryptography)
        var log = try TripLog.found(
            by: founder, name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
        let invite = OpenInvite(by: founder, uses: uses, using: &world.generator, cryptography)
        try log.add(invite.statement, by: founder)
        link = InviteLink(trip: log.trip, secret: invite.secret, hints: [])
        let disk = World.Disk(changes: Array(log.graph.changes), epochs: [epoch.secret])
        machines.append(
            world.add(
                SyncNode(log: log, secrets: founder, epochSecrets: [epoch.secret], cryptography: cryptography),
                disk: disk))
    }

    /// Somebody who was given the link.
    @discardableResult
    mutating func addJoiner(_ name: String, link: InviteLink? = nil, secrets: DeviceSecrets? = nil) -> World.NodeID {
        let link = link ?? self.link
        let origin = Origin.invited(link.inviteID(using: cryptography))
        let secrets = secrets ?? DeviceSecrets.random(origin, using: &world.generator, cryptography)
        let log = TripLog(trip: link.trip, cryptography: cryptography)
        let invitation = Invitation(link: link, name: name)
        let node = SyncNode(
            log: log, secrets: secrets, epochSecrets: [], joining: invitation, cryptography: cryptography)
        machines.append(world.add(node, invitation: invitation))
        return machines[machines.count - 1]
    }

    /// Lets a machine open an invite; the link to it.
    mutating func invite(uses: Int = 1, participant: Bytes32? = nil, on machine: World.NodeID) -> InviteLink {
        let invite = OpenInvite(
            by: world.machines[machine].node.secrets, uses: uses, participant: participant, using: &world.generator,
            cryptography)
        world.write(invite.statement, on: machine)
        return InviteLink(trip: link.trip, secret: invite.secret, hints: [], participant: participant)
    }

    mutating func write(_ text: String, on machine: World.NodeID, ticket: UInt64 = 0) {
        world.write(content: Array(text.utf8), ticket: ticket, on: machine)
    }

    /// Lets time pass until a condition holds. False where it does not hold within a bound.
    mutating func run(for duration: UInt64, until isDone: (World) -> Bool = { _ in false }) -> Bool {
        world.run(for: duration, until: isDone)
    }

    /// Whether all machines hold the same changes, and how many.
    func haveConverged(on count: Int? = nil) -> Bool {
        Trip.haveConverged(world, on: count)
    }

    static func haveConverged(_ world: World, on count: Int? = nil) -> Bool {
        let frontiers = world.machines.map(\.node.log.frontier)
        guard let first = frontiers.first, frontiers.allSatisfy({ $0 == first }) else { return false }
        return count.map { expected in world.machines.allSatisfy { $0.node.log.count == expected } } ?? true
    }
}
