import ChangeLog
import Convergence
import DeltaCRDT
import Sodium
import SyncEngine
import Testing

@testable import TripSimulation

/// Out means out, without a server to ask: whoever has heard cuts, refuses and names themselves anew, and those who
/// remain find each other.
struct RemovedMemberTests {
    func trip(seed: UInt64, _ names: [String]) throws -> Trip {
        var trip = try Trip(seed: seed)
        for name in names { trip.addJoiner(name) }
        let met = trip.world.run(for: 40_000) { world in
            world.machines.allSatisfy { $0.node.sessions.count == names.count && !$0.node.isPersisting }
        }
        #expect(met, "all are in and together")
        return trip
    }

    func participant(_ machine: Int, _ world: World) -> Bytes16 {
        world.machines[machine].node.secrets.device.participant
    }

    /// Leaves one machine alone, with an older log and the newest epoch's secret, which it returns.
    func rollBack(_ machine: Int, to changes: Int, in trip: inout Trip) throws -> Epoch {
        let epoch = try #require(trip.world.machines[machine].node.log.newestEpoch)
        for machine in [0, machine] { trip.world.crash(machine) }
        trip.world.rewind(machine, to: changes)
        // As where a member had handed it on: such a secret lies with the device's own keys, beside the log.
        trip.world.machines[machine].disk.epochs.append(epoch.secret)
        try trip.world.restart(machine)
        return epoch
    }

    func agree(_ world: World, _ machines: [Int]) -> Bool {
        Set(machines.map { world.machines[$0].node.log.frontier }).count == 1
            && Set(machines.map { world.machines[$0].node.log.newestEpoch }).count == 1
            && machines.allSatisfy { !world.machines[$0].node.isPersisting }
    }

    @Test func theLiveSessionIsCutAndNothingNewIsLearned() throws {
        var trip = try trip(seed: 1, ["Noah", "Mia"])
        let before = trip.world.machines[1].node.log.changes.count
        let names = trip.world.machines.map { $0.advertisements.map(\.instance) }
        trip.world.remove(participant(1, trip.world), ticket: 1, on: 0)
        let heard = trip.world.run(for: 3_000) { world in
            world.machines[2].notices.contains(.removed(world.machines[1].node.secrets.device.participant))
                && agree(world, [0, 2])
        }
        #expect(heard)
        #expect((try? trip.world.machines[0].authored[1]?.get()) != nil)
        let noah = trip.world.machines[1].node.secrets.device
        for machine in [0, 2] {
            let sessions = trip.world.machines[machine].node.sessions
            #expect(!sessions.contains { $0.device == noah }, "cut at once by all who heard")
        }
        _ = trip.world.run(for: 100)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
        trip.write("a secret stay", on: 0)
        trip.write("another", on: 2)
        var everMet = false
        let settled = trip.world.run(for: 60_000) { world in
            everMet = everMet || !world.machines[1].node.sessions.isEmpty
            return false
        }
        #expect(!settled)
        #expect(agree(trip.world, [0, 2]))
        #expect(!everMet, "refused at every handshake")
        #expect(trip.world.machines[1].node.log.changes.count == before + 1, "the removal alone")
        // What it writes now reaches nobody.
        trip.write("still here", on: 1)
        _ = trip.world.run(for: 20_000)
        #expect(trip.world.machines[0].node.log.changes.count == trip.world.machines[2].node.log.changes.count)
        #expect(!trip.world.machines[0].node.log.membership.isIn(trip.world.machines[1].node.secrets.device.replica))
        // None of the new names is made with a key that it holds.
        let keys = trip.world.machines[1].node.log.epochs.map(\.discoveryKey)
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

    @Test func aMemberWhoWasAwayIsBroughtUpToDateByAnyOther() throws {
        for seed in UInt64(20)..<26 {
            var trip = try trip(seed: seed, ["Noah", "Mia", "Ada"])
            trip.world.cut(3)
            _ = trip.world.run(for: 12_000)
            trip.world.remove(participant(1, trip.world), on: 0)
            let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count > 1 }
            #expect(heard, "seed \(seed)")
            // Who took Noah out is gone; the one who was away meets another, who has a new address.
            trip.world.crash(0)
            trip.world.crash(1)
            trip.write("away", on: 3)
            _ = trip.world.run(for: 1_000)
            if seed.isMultiple(of: 2) { trip.world.move(2) }
            trip.world.join(3)
            let met = trip.world.run(for: 60_000) { agree($0, [2, 3]) && $0.machines[2].node.log.epochs.count > 1 }
            #expect(met, "seed \(seed)")
            #expect(
                !trip.world.machines[3].node.log.membership.isIn(trip.world.machines[1].node.secrets.device.replica))
        }
    }

    @Test func twoRemovalsAtOnceEndInOneEpoch() throws {
        for seed in UInt64(30)..<38 {
            // Jie brought all; Noah and Mia each bring one more.
            var trip = try trip(seed: seed, ["Noah", "Mia", "Tom", "Ada"])
            let side = trip.world.partition(Self.machines([0, 1]), isOneWay: false)
            _ = trip.world.run(for: 12_000)
            trip.world.remove(participant(3, trip.world), on: 0)
            // Mia leaves on the other side: both sides go on to an epoch of their own.
            trip.world.remove(participant(2, trip.world), on: 2)
            let apart = trip.world.run(for: 15_000) { world in
                world.machines[1].node.log.epochs.count == 2 && world.machines[4].node.log.epochs.count == 2
            }
            #expect(apart, "seed \(seed)")
            #expect(
                trip.world.machines[1].node.log.newestEpoch != trip.world.machines[4].node.log.newestEpoch)
            if seed.isMultiple(of: 2) { for machine in [0, 4] { trip.world.move(machine) } }
            trip.world.unblock(side)
            let healed = trip.world.run(for: 180_000) { world in
                agree(world, [0, 1, 4]) && !world.machines[0].node.log.membership.needsEpoch
            }
            #expect(healed, "seed \(seed)")
            let log = trip.world.machines[0].node.log
            #expect(log.membership.countingRemovals.count == 2, "seed \(seed)")
            let outside = [2, 3].flatMap { trip.world.machines[$0].node.log.epochs }
            #expect(!outside.contains { $0 == log.newestEpoch }, "seed \(seed): nobody who is out has the secret")
        }
    }

    /// A first message under an older epoch's key, which somebody who is out holds too, is left without a byte of answer.
    @Test func theOldKeyGetsNoAnswerFromThoseWhoHaveHeard() throws {
        var trip = try trip(seed: 40, ["Noah", "Mia"])
        let old = try #require(trip.world.machines[1].node.log.newestEpoch)
        func answer(under epoch: Epoch, from machine: Int) throws -> Int {
            var handshake = trip.cryptography.handshake(
                .initiator, prologue: Array("caravan 1".utf8), presharedKey: epoch.sessionKey,
                staticSecret: trip.world.machines[1].node.secrets.agreementSecret,
                ephemeralSecret: .random(using: &trip.world.generator))
            let message = try handshake.write([])
            let id = ConnectionID(rawValue: 1_000_001)
            let now = Now(monotonic: trip.world.time + 1, wall: 0)
            var node = trip.world.machines[machine].node
            _ = node.handle(.accepted(id), at: now, using: &trip.world.generator)
            let frame = [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
            let effects = node.handle(.received(id, frame), at: now, using: &trip.world.generator)
            return effects.reduce(0) { sum, effect in
                if case .send(id, let bytes) = effect { sum + bytes.count } else { sum }
            }
        }
        #expect(try answer(under: old, from: 0) > 0, "while nobody is out it is everybody's key")
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count == 2 }
        #expect(heard)
        for machine in [0, 2] {
            #expect(try answer(under: old, from: machine) == 0)
            let newest = try #require(trip.world.machines[machine].node.log.newestEpoch)
            #expect(try answer(under: newest, from: machine) > 0)
        }
    }

    /// Who dials under an old key, to find a member who was away, goes on with a member alone: no other learns who dialled.
    @Test func whoAnswersUnderTheOldKeyMustShowAMembersOwn() throws {
        var trip = try trip(seed: 41, ["Noah", "Mia"])
        let old = try #require(trip.world.machines[1].node.log.newestEpoch)
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count == 2 }
        #expect(heard)
        let nonce = [UInt8](repeating: 7, count: 8)
        let tag = trip.cryptography.authenticate(nonce, key: old.discoveryKey).bytes.prefix(8)
        let name = Base32.encode(nonce + tag)
        /// What the node says to somebody behind a name under the old key who shows this key in answer.
        func sent(to secret: Bytes32) throws -> Int {
            var node = trip.world.machines[0].node
            var time = trip.world.time
            func tell(_ event: Event) -> [Effect] {
                time += 300
                return node.handle(event, at: Now(monotonic: time, wall: 0), using: &trip.world.generator)
            }
            let address = PeerAddress(host: "10.9.9.9", port: 4_000)
            var effects = tell(.appeared(instance: name)) + tell(.resolved(instance: name, addresses: [address]))
            effects += tell(.woke)
            let dialled = effects.compactMap { if case .dial(let id, address) = $0 { id } else { nil } }
            let id = try #require(dialled.first)
            let said = tell(.connected(id)).compactMap { if case .send(id, let bytes) = $0 { bytes } else { nil } }
            var handshake = trip.cryptography.handshake(
                .responder, prologue: Array("caravan 1".utf8), presharedKey: old.sessionKey, staticSecret: secret,
                ephemeralSecret: .random(using: &trip.world.generator))
            _ = try handshake.read(Array(try #require(said.first).dropFirst(2)))
            let answer = try handshake.write([])
            return tell(.received(id, [0, UInt8(answer.count)] + answer)).reduce(0) { sum, effect in
                if case .send(id, let bytes) = effect { sum + bytes.count } else { sum }
            }
        }
        #expect(try sent(to: trip.world.machines[2].node.secrets.agreementSecret) > 0, "a member")
        #expect(try sent(to: trip.world.machines[1].node.secrets.agreementSecret) == 0, "who is out")
        #expect(try sent(to: .random(using: &trip.world.generator)) == 0, "who is nobody, and has the old key")
    }

    /// Somebody who left holds the key until the next epoch begins.
    @Test func whoLeftIsRefusedBeforeTheKeyIsNew() throws {
        var trip = try trip(seed: 43, ["Noah", "Mia"])
        let noah = trip.world.machines[1].node.secrets
        let key = try #require(trip.world.machines[1].node.log.newestEpoch).sessionKey
        trip.world.remove(participant(1, trip.world), on: 1)
        let heard = trip.world.run(for: 5_000) { $0.machines[0].node.log.membership.isOut(noah.device.replica) }
        #expect(heard)
        var node = trip.world.machines[0].node
        #expect(node.log.newestEpoch?.sessionKey == key)
        var handshake = trip.cryptography.handshake(
            .initiator, prologue: Array("caravan 1".utf8), presharedKey: key, staticSecret: noah.agreementSecret,
            ephemeralSecret: .random(using: &trip.world.generator))
        let id = ConnectionID(rawValue: 1_000_001)
        func tell(_ event: Event) -> [Effect] {
            node.handle(event, at: Now(monotonic: trip.world.time + 1, wall: 0), using: &trip.world.generator)
        }
        _ = tell(.accepted(id))
        let first = try handshake.write([])
        let answers = tell(.received(id, [0, UInt8(first.count)] + first))
            .compactMap { if case .send(id, let bytes) = $0 { bytes } else { nil } }
        _ = try handshake.read(Array(try #require(answers.first).dropFirst(2)))
        let last = try handshake.write([])
        _ = tell(.received(id, [0, UInt8(last.count)] + last))
        #expect(!node.connectionIDs.contains(id))
        #expect(!node.sessions.contains { $0.device == noah.device })
    }

    /// A name that stayed, an open invite's, would tell who was there before.
    @Test func withANewEpochAllNamesAreNew() throws {
        var trip = try trip(seed: 42, ["Noah", "Mia"])
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count == 2 }
        #expect(heard)
        let invite = Invite(secret: .random(using: &trip.world.generator), uses: 1, expires: nil)
        trip.world.author(.membership(.invite(invite)), on: 0)
        _ = trip.world.run(for: 2_000)
        let before = [0, 2].flatMap { trip.world.machines[$0].advertisements }
        #expect(before.count == 4, "the epoch's and the invite's, of both")
        let epoch = Epoch(secret: .random(using: &trip.world.generator), using: trip.cryptography)
        let members = trip.world.machines[0].node.log.membership.allMembers.map(\.device)
        let grant = EpochGrant(epoch, to: members, using: &trip.world.generator, trip.cryptography)
        trip.world.author(.membership(.beginEpoch(grant)), on: 0)
        let renewed = trip.world.run(for: 5_000) { world in
            [0, 2].allSatisfy { world.machines[$0].node.log.newestEpoch == epoch }
        }
        #expect(renewed)
        _ = trip.world.run(for: 1_000)
        let after = [0, 2].flatMap { trip.world.machines[$0].advertisements }
        #expect(after.count == 4)
        #expect(Set(before.map(\.instance)).isDisjoint(with: after.map(\.instance)))
        #expect(Set(before.map(\.hostLabel)).isDisjoint(with: after.map(\.hostLabel)))
    }

    @Test func afterARestartAllIsAsItWas() throws {
        var trip = try trip(seed: 50, ["Noah", "Mia"])
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count == 2 }
        #expect(heard)
        for machine in 0..<3 {
            let before = trip.world.machines[machine].node.log
            trip.world.crash(machine)
            try trip.world.restart(machine)
            let after = trip.world.machines[machine].node.log
            #expect(after.frontier == before.frontier)
            #expect(after.newestEpoch == before.newestEpoch)
            #expect(after.membership.allMembers.map(\.device) == before.membership.allMembers.map(\.device))
        }
        let met = trip.world.run(for: 20_000) { $0.machines[0].node.sessions.count == 1 }
        #expect(met)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
    }

    @Test func anInviteThatSomebodyOutsideKnowsLetsNobodyIn() throws {
        var trip = try trip(seed: 60, ["Noah", "Mia"])
        trip.world.remove(participant(1, trip.world), on: 0)
        let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count == 2 }
        #expect(heard)
        // Noah tries to come back under another name with the link that everybody holds.
        trip.world.crash(1)
        let back = trip.addJoiner("Nobody")
        let cameBack = trip.world.run(for: 60_000) { $0.machines[back].notices.contains(.admitted) }
        #expect(!cameBack)
    }

    @Test func aFurtherDeviceActsForItsPerson() throws {
        var trip = try trip(seed: 70, ["Noah"])
        let jie = trip.world.machines[0].node.secrets.device.participant
        let invite = Invite(
            secret: .random(using: &trip.world.generator), uses: 1, expires: nil, participant: jie)
        trip.world.author(.membership(.invite(invite)), on: 0)
        _ = trip.world.run(for: 1_000)
        let link = InviteLink(trip: trip.link.trip, secret: invite.secret, hints: [], participant: jie)
        let secrets = DeviceSecrets(
            signingSeed: .random(using: &trip.world.generator), agreementSecret: .random(using: &trip.world.generator),
            participant: jie, using: trip.cryptography)
        let log = TripLog(trip: link.trip, cryptography: trip.cryptography, contents: AnyContent())
        let phone = trip.world.add(
            SyncNode(log: log, secrets: secrets, role: .joining(link, name: "phone"), cryptography: trip.cryptography))
        let isIn = trip.world.run(for: 30_000) {
            agree($0, [0, 1, phone]) && $0.machines[1].node.log.membership.person(jie)?.devices.count == 2
        }
        #expect(isIn)
        trip.write("from the phone", on: phone)
        _ = trip.world.run(for: 2_000)
        #expect(trip.world.machines[1].applied.last?.participant == jie)
        // Whoever takes the person out takes out all devices.
        trip.world.remove(jie, on: phone)
        _ = trip.world.run(for: 5_000)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
        #expect(trip.world.machines[1].node.log.membership.allMembers.count == 1)
    }

    private static func machines(_ numbers: [Int]) -> EventSet {
        var set = EventSet()
        for number in numbers { set.insert(number) }
        return set
    }

    /// Who comes back from a backup has the new epoch's secret and believes that the one who is out is in.
    @Test func aBackupOfBeforeARemovalTellsNobodyTheSecretOfAfterIt() throws {
        for seed in UInt64(90)..<94 {
            var trip = try trip(seed: seed, ["Noah", "Mia", "Ada"])
            trip.world.remove(participant(3, trip.world), on: 0)
            let agreed = trip.world.run(for: 5_000) { world in
                agree(world, [0, 1, 2]) && world.machines[1].node.log.epochs.count == 2
            }
            #expect(agreed, "seed \(seed)")
            let before = trip.world.machines[2].disk.changes.count
            trip.world.cut(1)
            _ = trip.world.run(for: 12_000)
            trip.world.remove(participant(1, trip.world), on: 0)
            let heard = trip.world.run(for: 5_000) { agree($0, [0, 2]) && $0.machines[2].node.log.epochs.count == 3 }
            #expect(heard, "seed \(seed)")
            let epoch = try rollBack(2, to: before, in: &trip)
            trip.world.join(1)
            let met = trip.world.run(for: 120_000) { !$0.machines[1].node.sessions.isEmpty }
            _ = trip.world.run(for: 2_000)
            #expect(met, "seed \(seed): it does not know better")
            #expect(trip.world.machines[2].node.log.newestEpoch == epoch)
            #expect(trip.world.machines[1].node.log.epoch(id: epoch.id) == nil, "seed \(seed)")
        }
    }

    /// Somebody is taken out while they are dialled, and somebody else is said to be at their address: the node stopped.
    @Test func anAddressHeardOfAgainWhileItIsDialledIsDialled() throws {
        var limits = SessionLimits()
        limits.meshPeersMax = 0
        limits.dialledPeersMax = 1
        let crowd = try Crowd(seed: 60, count: 4, limits: limits)
        var (founder, noah) = (crowd.nodes[0], crowd.nodes[1])
        var generator = SeededGenerator(seed: 1)
        var time: UInt64 = 2_000
        func tell(_ node: inout SyncNode, _ event: Event) -> [Effect] {
            node.handle(event, at: Now(monotonic: time, wall: 1_700_000_000_000), using: &generator)
        }
        func dialled(_ effects: [Effect]) -> ConnectionID? {
            for case .dial(let connection, _) in effects { return connection }
            return nil
        }
        func sent(_ effects: [Effect]) -> [UInt8] {
            effects.flatMap { effect -> [UInt8] in if case .send(_, let bytes) = effect { bytes } else { [] } }
        }
        let address = PeerAddress(host: "10.0.0.1", port: 4_000)
        let first = try #require(dialled(tell(&founder, .addAddress(address))))
        let accepted = ConnectionID(rawValue: 1)
        _ = tell(&noah, .accepted(accepted))
        let answer = sent(tell(&noah, .received(accepted, sent(tell(&founder, .connected(first))))))
        _ = tell(&founder, .received(first, answer))
        #expect(founder.sessions.count == 1)
        _ = tell(&founder, .closed(first))
        time += 60_000
        let second = try #require(dialled(tell(&founder, .woke)))
        _ = tell(&founder, .remove(participant: noah.secrets.device.participant, ticket: 1))
        #expect(dialled(tell(&founder, .addAddress(address))) == nil, "one is dialled at a time")
        #expect(!sent(tell(&founder, .connected(second))).isEmpty)
    }
}
