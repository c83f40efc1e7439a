import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import TestTiers
import Testing

@testable import SyncEngine
@testable import TripSimulation

/// Out means out, without a server to ask: whoever has heard cuts, refuses and names themselves anew, and those who
/// remain find each other.
struct RemovedMemberTests {
    func trip(seed: UInt64, _ names: [String]) throws -> Trip {
        var trip = try Trip(seed: seed)
        for name in names { trip.addJoiner(name) }
        let met = trip.run(for: 40_000) { world in
            world.machines.allSatisfy { $0.node.sessions.count == names.count && !$0.node.isPersisting }
        }
        #expect(met, "all are in and together")
        return trip
    }

    func participant(_ machine: Int, _ world: World) -> Bytes32 {
        world.machines[machine].node.secrets.device.participant
    }

    /// Leaves one machine alone, with an older log and the newest epoch's secret, which it returns.
    func rollBack(_ machine: Int, to changes: Int, in trip: inout Trip) throws -> Epoch {
        let epoch = try #require(trip.world.machines[machine].node.newestEpoch)
        for machine in [0, machine] { trip.world.crash(machine) }
        trip.world.rewind(machine, to: changes)
        // As where a member had handed it on: such a secret lies with the device's own keys, beside the log.
        trip.world.machines[machine].disk.epochs.append(epoch.secret)
        try trip.world.restart(machine)
        return epoch
    }

    func agree(_ world: World, _ machines: [Int]) -> Bool {
        Set(machines.map { world.machines[$0].node.log.frontier }).count == 1
            && Set(machines.map { world.machines[$0].node.newestEpoch }).count == 1
            && machines.allSatisfy { !world.machines[$0].node.isPersisting }
    }

    /// How many epochs' secrets a machine holds of those that its log names.
    func epochCount(_ machine: Int, _ world: World) -> Int { world.machines[machine].node.epochs.held.count }

    @Test("a removed member's device is cut from a live session, and learns nothing new", .tags(.slow))
    func liveSession() throws {
        var trip = try trip(seed: 1, ["Noah", "Mia"])
        let before = trip.world.machines[1].node.log.count
        let names = trip.world.machines.map { $0.advertisements.map(\.instance) }
        trip.world.remove(participant(1, trip.world), ticket: 1, on: 0)
        let heard = trip.run(for: 3_000) { world in
            world.machines[2].notices.contains(.removed([world.machines[1].node.secrets.device.participant]))
                && agree(world, [0, 2])
        }
        #expect(heard)
        #expect((try? trip.world.machines[0].authored[1]?.get()) != nil)
        let noah = trip.world.machines[1].node.secrets.device
        for machine in [0, 2] {
            let sessions = trip.world.machines[machine].node.sessions
            #expect(!sessions.contains { $0.device == noah }, "cut at once by all who heard")
        }
        _ = trip.run(for: 100)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
        trip.write("a secret stay", on: 0)
        trip.write("another", on: 2)
        var everMet = false
        let settled = trip.run(for: 60_000) { world in
            everMet = everMet || !world.machines[1].node.sessions.isEmpty
            return false
        }
        #expect(!settled)
        #expect(agree(trip.world, [0, 2]))
        #expect(!everMet, "refused at every handshake")
        #expect(trip.world.machines[1].node.log.count == before + 1, "the removal alone")
        // What it writes now reaches nobody.
        trip.write("still here", on: 1)
        _ = trip.run(for: 20_000)
        #expect(trip.world.machines[0].node.log.count == trip.world.machines[2].node.log.count)
        #expect(!trip.world.machines[0].node.log.isIn(trip.world.machines[1].node.secrets.device.replica))
        // None of the new names is made with a key that it holds.
        let keys = trip.world.machines[1].node.epochs.held.map {
            KeySchedule(secret: $0.secret, using: trip.cryptography).discovery
        }
        for machine in [0, 2] {
            for name in trip.world.machines[machine].advertisements where !names[machine].contains(name.instance) {
                let bytes = try #require(Base32.decode(name.instance))
                for key in keys {
                    let tag = trip.cryptography.authenticate(Array(bytes[..<8]), key: key).bytes.prefix(8)
                    #expect(Array(tag) != Array(bytes[8...]))
                }
            }
            #expect(Set(trip.world.machines[machine].advertisements.map(\.instance)).isDisjoint(with: names[machine]))
        }
    }

    @Test("a member who was away is brought up to date by any other", .tags(.slow))
    func away() throws {
        for seed in UInt64(20)..<26 {
            var trip = try trip(seed: seed, ["Noah", "Mia", "Ada"])
            trip.world.cut(3)
            _ = trip.run(for: 12_000)
            trip.world.remove(participant(1, trip.world), on: 0)
            let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) > 1 }
            #expect(heard, "seed \(seed)")
            // Who took Noah out is gone; the one who was away meets another, who has a new address.
            trip.world.crash(0)
            trip.world.crash(1)
            trip.write("away", on: 3)
            _ = trip.run(for: 1_000)
            if seed.isMultiple(of: 2) { trip.world.move(2) }
            trip.world.join(3)
            let met = trip.run(for: 60_000) { agree($0, [2, 3]) && epochCount(2, $0) > 1 }
            #expect(met, "seed \(seed)")
            #expect(
                !trip.world.machines[3].node.log.isIn(trip.world.machines[1].node.secrets.device.replica))
        }
    }

    @Test("two partitions that each lost somebody meet again and go on with one epoch", .tags(.slow))
    func twoRemovals() throws {
        for seed in UInt64(30)..<38 {
            // Jie brought all; Noah and Mia each bring one more.
            var trip = try trip(seed: seed, ["Noah", "Mia", "Tom", "Ada"])
            let side = trip.world.partition(Self.machines([0, 1]), isOneWay: false)
            _ = trip.run(for: 12_000)
            trip.world.remove(participant(3, trip.world), on: 0)
            // Mia leaves on the other side: both sides go on to an epoch of their own.
            trip.world.remove(participant(2, trip.world), on: 2)
            let apart = trip.run(for: 15_000) { world in
                epochCount(1, world) > 1 && epochCount(4, world) > 1
            }
            #expect(apart, "seed \(seed)")
            #expect(trip.world.machines[1].node.newestEpoch != trip.world.machines[4].node.newestEpoch)
            if seed.isMultiple(of: 2) { for machine in [0, 4] { trip.world.move(machine) } }
            trip.world.unblock(side)
            let healed = trip.run(for: 180_000) { world in
                guard agree(world, [0, 1, 4]), let newest = world.machines[0].node.newestEpoch else { return false }
                return !world.machines[0].node.log.leavesRemovalsUnanswered(newest.id)
            }
            #expect(healed, "seed \(seed)")
            let log = trip.world.machines[0].node.log
            let left = log.membership.persons.values.reduce(0) { $0 + $1.removals.count + $1.farewells.count }
            #expect(left == 2, "seed \(seed)")
            let outside = [2, 3].flatMap { trip.world.machines[$0].node.epochs.held }
            #expect(!outside.contains { $0.id == log.newestEpoch }, "seed \(seed): nobody who is out has the secret")
        }
    }

    /// A node of the world as it is, alone.
    func host(_ machine: Int, _ trip: Trip) -> Host {
        var host = Host(node: trip.world.machines[machine].node)
        host.time = trip.world.time + 1
        return host
    }

    func credential(_ epoch: Epoch, _ trip: Trip) -> Credential { Credential(epoch, using: trip.cryptography) }

    @Test("a first message under an older epoch's key is left without a byte by those who have heard of the removal")
    func oldKey() throws {
        var trip = try trip(seed: 40, ["Noah", "Mia"])
        let old = try #require(trip.world.machines[1].node.newestEpoch)
        func isAnswered(under epoch: Epoch, by machine: Int) throws -> Bool {
            var host = host(machine, trip)
            let caller = try Caller(
                500_000, as: trip.world.machines[1].node.secrets, under: credential(epoch, trip), to: &host)
            return !host.tell(.received(caller.id, try #require(caller.first))).isEmpty
        }
        #expect(try isAnswered(under: old, by: 0), "while nobody is out it is everybody's key")
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) == 2 }
        #expect(heard)
        for machine in [0, 2] {
            #expect(try !isAnswered(under: old, by: machine))
            let newest = try #require(trip.world.machines[machine].node.newestEpoch)
            #expect(try isAnswered(under: newest, by: machine))
        }
    }

    @Test("a node that dials under an old key, to find a member who was away, shows its own key to a member alone")
    func answerersUnderTheOldKey() throws {
        var trip = try trip(seed: 41, ["Noah", "Mia"])
        let old = credential(try #require(trip.world.machines[1].node.newestEpoch), trip)
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) == 2 }
        #expect(heard)
        let name = InstanceName(credential: old, nonce: 7, using: trip.cryptography)
        /// The key that the node shows to somebody behind a name under the old key who shows this key in answer.
        func shownKey(to secrets: DeviceSecrets) throws -> Bytes32 {
            var host = host(0, trip)
            let address = PeerAddress(host: "10.9.9.9", port: 4_000)
            var effects = host.effects(of: .appeared(instance: name.text))
            let service = host.service(name, under: old, at: address)
            for event in [Event.resolved(instance: name.text, addresses: [service]), .woke] {
                host.time += 300
                effects += host.effects(of: event)
            }
            let dialled = effects.compactMap { if case .dial(let id, address) = $0 { id } else { nil } }
            let id = try #require(dialled.first)
            host.tell(.connected(id))
            let first = host.tell(.received(id, Answerer.serverNonce))
            var answerer = Answerer(as: secrets, under: old, using: trip.cryptography)
            let key = try #require(try answerer.shownKey(in: host.tell(.received(id, try answerer.answer(first)))))
            guard !host.node.log.isIn(secrets.device.replica) else { return key }
            // It may be in league with somebody who met this node, and say this node's own incarnation.
            let incarnation = try #require(host.node.local.incarnation)
            host.tell(.received(id, answerer.say(.hello(digest: host.node.log.trip, incarnation: incarnation))))
            #expect(host.node.connectionsWithSession.contains(id))
            // A stranger that says nothing but that it is there is left all the same.
            host.time += 5_000
            host.tell(.received(id, answerer.say(.ping)))
            host.time += 5_000
            host.tell(.woke)
            #expect(!host.node.connectionsWithSession.contains(id))
            return key
        }
        let own = trip.world.machines[0].node.secrets.device.agreementKey
        #expect(try shownKey(to: trip.world.machines[2].node.secrets) == own, "a member")
        #expect(try shownKey(to: trip.world.machines[1].node.secrets) != own, "who is out, and is told so")
        #expect(try shownKey(to: stranger(1, trip.cryptography)) != own, "who may show an admission")
    }

    @Test("whoever left is refused before the key is new, which they hold until then")
    func leftBeforeTheNewKey() throws {
        var trip = try trip(seed: 43, ["Noah", "Mia"])
        let noah = trip.world.machines[1].node.secrets
        let epoch = try #require(trip.world.machines[1].node.newestEpoch)
        trip.world.remove(participant(1, trip.world), on: 1)
        let heard = trip.run(for: 5_000) { $0.machines[0].node.log.isOut(noah.device.replica) }
        #expect(heard)
        #expect(trip.world.machines[0].node.newestEpoch == epoch)
        var host = host(0, trip)
        let caller = try host.call(500_000, as: noah, under: credential(epoch, trip))
        #expect(!caller.isIn && !host.node.connectionIDs.contains(caller.id))
        #expect(!host.node.sessions.contains { $0.device == noah.device })
    }

    /// A name that stayed, an open invite's, would tell who was there before.
    @Test("with a new epoch all names are new")
    func newNames() throws {
        var trip = try trip(seed: 42, ["Noah", "Mia"])
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) == 2 }
        #expect(heard)
        _ = trip.invite(on: 0)
        _ = trip.run(for: 2_000)
        let before = [0, 2].flatMap { trip.world.machines[$0].advertisements }
        #expect(before.count == 8, "the epoch's, the invite's and the own pair's, with one at random, of both")
        let epoch = Epoch(secret: .random(using: &trip.world.generator), using: trip.cryptography)
        let members = trip.world.machines[0].node.log.membersWithNode
        let grant = EpochGrant(epoch, to: members, using: &trip.world.generator, trip.cryptography)
        trip.world.write(.beginEpoch(grant), on: 0)
        let renewed = trip.run(for: 5_000) { world in
            [0, 2].allSatisfy { world.machines[$0].node.newestEpoch == epoch }
        }
        #expect(renewed)
        _ = trip.run(for: 1_000)
        let after = [0, 2].flatMap { trip.world.machines[$0].advertisements }
        #expect(after.count == 8)
        #expect(Set(before.map(\.instance)).isDisjoint(with: after.map(\.instance)))
        #expect(Set(before.map(\.hostLabel)).isDisjoint(with: after.map(\.hostLabel)))
    }

    @Test("after a restart all is as it was")
    func restart() throws {
        var trip = try trip(seed: 50, ["Noah", "Mia"])
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) == 2 }
        #expect(heard)
        _ = trip.run(for: 1_000)
        for machine in 0..<3 {
            let before = trip.world.machines[machine].node
            trip.world.crash(machine)
            try trip.world.restart(machine)
            let after = trip.world.machines[machine].node
            #expect(after.log.frontier == before.log.frontier)
            #expect(after.newestEpoch == before.newestEpoch)
            #expect(after.log.membersWithNode == before.log.membersWithNode)
        }
        let met = trip.run(for: 20_000) { $0.machines[0].node.sessions.count == 1 }
        #expect(met)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
    }

    @Test("an invite that somebody outside knows lets nobody in")
    func knownInvite() throws {
        var trip = try trip(seed: 60, ["Noah", "Mia"])
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) == 2 }
        #expect(heard)
        // Noah tries to come back under another name with the link that everybody holds.
        trip.world.crash(1)
        let back = trip.addJoiner("Nobody")
        let cameBack = trip.run(for: 60_000) { $0.machines[back].notices.contains(.admitted) }
        #expect(!cameBack)
    }

    @Test("a further device acts for its person")
    func furtherDevice() throws {
        var trip = try trip(seed: 70, ["Noah"])
        let jie = trip.world.machines[0].node.secrets.device.participant
        let link = trip.invite(participant: jie, on: 0)
        _ = trip.run(for: 1_000)
        let secrets = DeviceSecrets.random(of: jie, using: &trip.world.generator, trip.cryptography)
        let phone = trip.addJoiner("phone", link: link, secrets: secrets)
        let isIn = trip.run(for: 30_000) {
            agree($0, [0, 1, phone]) && $0.machines[1].node.log.person(jie)?.devices.count == 2
        }
        #expect(isIn)
        trip.write("from the phone", on: phone)
        _ = trip.run(for: 2_000)
        #expect(trip.world.machines[1].applied.last?.participant == jie)
        // Whoever takes the person out takes out all devices.
        trip.world.remove(jie, on: phone)
        _ = trip.run(for: 5_000)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
        #expect(trip.world.machines[1].node.log.membersWithNode.count == 1)
    }

    private static func machines(_ numbers: [Int]) -> EventSet {
        var set = EventSet()
        for number in numbers { set.insert(number) }
        return set
    }

    /// Who comes back from a backup has the new epoch's secret and believes that the one who is out is in.
    @Test("a backup of before a removal tells nobody the secret of after it", .tags(.slow))
    func backup() throws {
        for seed in UInt64(90)..<94 {
            var trip = try trip(seed: seed, ["Noah", "Mia", "Ada"])
            trip.world.remove(participant(3, trip.world), on: 0)
            let agreed = trip.run(for: 5_000) { world in
                agree(world, [0, 1, 2]) && epochCount(1, world) == 2
            }
            #expect(agreed, "seed \(seed)")
            let before = trip.world.machines[2].disk.changes.count
            trip.world.cut(1)
            _ = trip.run(for: 12_000)
            trip.world.remove(participant(1, trip.world), on: 0)
            let heard = trip.run(for: 5_000) { agree($0, [0, 2]) && epochCount(2, $0) == 3 }
            #expect(heard, "seed \(seed)")
            let epoch = try rollBack(2, to: before, in: &trip)
            trip.world.join(1)
            let met = trip.run(for: 120_000) { !$0.machines[1].node.sessions.isEmpty }
            _ = trip.run(for: 2_000)
            #expect(met, "seed \(seed): it does not know better")
            #expect(trip.world.machines[2].node.newestEpoch == trip.world.machines[1].node.newestEpoch)
            #expect(trip.world.machines[1].node.newestEpoch != epoch, "seed \(seed)")
            #expect(!trip.world.machines[1].disk.epochs.contains(epoch.secret), "seed \(seed)")
        }
    }

    @Test("an address that is heard of again while it is dialled, though whoever was there is out, is dialled")
    func addressOfSomebodyOut() throws {
        var (host, trip) = try Host.founder(members: 3) { ($0.meshPeersMax, $0.dialledPeersMax) = (0, 1) }
        host.tell(.listening(port: 4_000))
        func dialled(_ effects: [Effect]) -> ConnectionID? {
            for case .dial(let connection, _) in effects { return connection }
            return nil
        }
        let address = PeerAddress(host: "10.0.0.2", port: 4_000)
        let first = try #require(dialled(host.effects(of: .addAddress(address, isNamed: false))))
        host.tell(.connected(first))
        var answerer = Answerer(
            as: trip.people[1], under: try #require(host.epochCredential), using: host.cryptography)
        host.tell(.received(first, try answerer.answer(host.tell(.received(first, Answerer.serverNonce)))))
        #expect(host.node.sessions.count == 1)
        host.tell(.closed(first))
        host.time += 60_000
        let second = try #require(dialled(host.effects(of: .woke)))
        host.tell(.remove(participant: trip.people[1].device.participant, ticket: 1))
        #expect(dialled(host.effects(of: .addAddress(address, isNamed: false))) == nil, "one is dialled at a time")
        host.tell(.connected(second))
        #expect(!host.tell(.received(second, Answerer.serverNonce)).isEmpty)
    }
}
