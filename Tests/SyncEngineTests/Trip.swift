import ChangeLog
import DeltaCRDT
import Sodium
import SyncEngine
import TripSimulation

/// Content that nobody reads: these tests are about how changes travel.
struct AnyContent: ContentReading {
    private final class Unread: ReadContent {}

    func read(_ content: [UInt8]) -> any ReadContent { Unread() }
}

/// A world with one trip in it.
struct Trip {
    var world: World
    let cryptography: SodiumCryptography
    let link: InviteLink
    private(set) var machines: [World.NodeID] = []

    /// A founder with an open invite.
    init(seed: UInt64, uses: Int = 100) throws {
        cryptography = try SodiumCryptography()
        world = World(seed: seed, cryptography: cryptography, contents: AnyContent())
        let founder = DeviceSecrets(
            signingSeed: .random(using: &world.generator), agreementSecret: .random(using: &world.generator),
            using: cryptography)
        let epochSecret = Bytes32.random(using: &world.generator)
        var log = try TripLog.found(
            by: founder, name: "Jie", epochSecret: epochSecret, wallTime: 0, cryptography: cryptography,
            contents: AnyContent())
        let invite = Invite(secret: .random(using: &world.generator), uses: uses, expires: nil)
        _ = try log.author(.membership(.invite(invite)), wallTime: 0, as: founder)
        link = InviteLink(trip: log.trip, secret: invite.secret, hints: [])
        let disk = World.Disk(
            changes: log.changes.map { (sealed: $0.sealed, isVerified: true) }, epochs: [epochSecret])
        machines.append(
            world.add(SyncNode(log: log, secrets: founder, role: .member, cryptography: cryptography), disk: disk))
    }

    /// Somebody who was given the link.
    @discardableResult
    mutating func addJoiner(_ name: String, link: InviteLink? = nil) -> World.NodeID {
        let secrets = DeviceSecrets(
            signingSeed: .random(using: &world.generator), agreementSecret: .random(using: &world.generator),
            using: cryptography)
        let link = link ?? self.link
        let log = TripLog(trip: link.trip, cryptography: cryptography, contents: AnyContent())
        let node = SyncNode(log: log, secrets: secrets, role: .joining(link, name: name), cryptography: cryptography)
        machines.append(world.add(node))
        return machines[machines.count - 1]
    }

    mutating func write(_ text: String, on machine: World.NodeID, ticket: UInt64 = 0) {
        world.author(.content(Array(text.utf8)), ticket: ticket, on: machine)
    }

    /// Whether all machines hold the same changes, and how many.
    func haveConverged(on count: Int? = nil) -> Bool {
        Trip.haveConverged(world, on: count)
    }

    static func haveConverged(_ world: World, on count: Int? = nil) -> Bool {
        let frontiers = world.machines.map(\.node.log.frontier)
        guard let first = frontiers.first, frontiers.allSatisfy({ $0 == first }) else { return false }
        return count.map { expected in world.machines.allSatisfy { $0.node.log.changes.count == expected } } ?? true
    }
}
