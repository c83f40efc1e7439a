import ChangeLog
import Convergence
import Sodium
import SyncEngine
import TestTiers
import Testing
import TripModel
import TripRules
import TripSimulation

/// Whole trips in a simulated world: real log, real protocol, real cryptography, real rules; network and disk from a seed.
struct TripConvergenceTests {
    /// What a machine's people see: the trip as what was shown there makes it.
    private func replica(of machine: World.Machine) -> TripReplica {
        var replica = TripReplica()
        for change in machine.applied { replica.apply(change) }
        return replica
    }

    private struct Planned {
        var world: World
        let cryptography: SodiumCryptography
    }

    private func plan(seed: UInt64, people: Int) throws -> Planned {
        let cryptography = try SodiumCryptography()
        var world = World(seed: seed, cryptography: cryptography)
        func secrets(_ origin: Origin) -> DeviceSecrets {
            DeviceSecrets(
                signingSeed: .random(using: &world.generator), agreementSecret: .random(using: &world.generator),
                firstOf: origin, using: cryptography)
        }
        let founder = secrets(.founder)
        let epoch = Epoch(secret: .random(using: &world.generator), using: cryptography)
        var log = try TripLog.found(
            by: founder, name: "Jie", epoch: epoch.id, wallTime: 0, cryptography: cryptography)
        let invite = Invite(seed: .random(using: &world.generator), uses: people, expires: nil)
        _ = try log.write(.invite(invite), content: [], wallTime: 0, as: founder)
        let disk = World.Disk(changes: Array(log.graph.changes), epochs: [epoch.secret])
        let jie = world.add(
            SyncNode(log: log, secrets: founder, epochSecrets: disk.epochs, cryptography: cryptography), disk: disk)
        world.show(on: jie)
        let secret = invite.secret(openedBy: founder.device, using: cryptography)
        let link = InviteLink(trip: log.trip, secret: secret, hints: [])
        let origin = Origin.invited(link.inviteID(using: cryptography))
        for number in 1..<people {
            let empty = TripLog(trip: log.trip, cryptography: cryptography)
            let invitation = Invitation(link: link, name: "Person \(number)")
            _ = world.add(
                SyncNode(
                    log: empty, secrets: secrets(origin), epochSecrets: [], joining: invitation,
                    cryptography: cryptography),
                invitation: invitation)
        }
        return Planned(world: world, cryptography: cryptography)
    }

    /// Somebody does something that may be done in what they see.
    private func act(on machine: Int, in world: inout World) throws {
        let replica = replica(of: world.machines[machine])
        let view = replica.view
        let participant = ParticipantID(world.machines[machine].node.secrets.device.participant)
        let item = view.items.isEmpty ? nil : view.items[Int(world.generator.below(UInt64(view.items.count)))]
        let removed = view.removedItems.first
        let number = world.generator.below(1_000)
        let action: TripAction
        switch (world.generator.below(10), item) {
        case (0...1, _), (_, nil):
            action = .add([ItemDraft(title: "Stay \(number)", fields: [.note: "note \(number)"])])
        case (2...3, let item?): action = .edit(item.id, [.title: "Title \(number)", .price: "\(number)"])
        case (4...6, let item?): action = .vote([item.id], world.generator.oneIn(3) ? .against : .for)
        case (7, let item?): action = .changeQuantity(item.id, by: Int64(number % 5) + 1)
        case (8, let item?): action = .remove([item.id])
        case (_, let item?): action = removed.map { .restore([$0.id]) } ?? .vote([item.id], .for)
        }
        // What is like that already is no action.
        guard let content = try? replica.perform(action, by: participant) else { return }
        world.write(content: content, ticket: UInt64(world.machines[machine].authored.count + 1), on: machine)
        // People wait for one thing to be done before they do the next.
        _ = world.run(for: 60) { world in !world.machines[machine].node.isPersisting }
    }

    /// Restored from old backups, devices write what they wrote before under the same numbers: both branches count.
    @Test(.tags(.slow)) func backupsThatGoOnWritingLoseNothingThatAnybodyHolds() throws {
        var forks = 0
        for seed in Array(UInt64(100)..<112) + [414, 639] {
            var world = try plan(seed: seed, people: 3).world
            let areIn = world.run(for: 30_000) { world in
                world.machines.allSatisfy {
                    $0.node.isLetIn && !$0.node.isPersisting
                }
            }
            #expect(areIn, "seed \(seed)")
            var seen: Set<Bytes32> = []
            for _ in 0..<40 {
                let machine = Int(world.generator.below(3))
                // The third machine's disk is never brought back: what it has seen must stay.
                if machine < 2, world.generator.oneIn(6) {
                    let held = world.machines[machine].disk.changes.count
                    world.crash(machine)
                    world.rewind(machine, to: held - Int(world.generator.below(UInt64(max(1, min(4, held - 3))))))
                    try world.restart(machine)
                    // It writes before it hears what it had written.
                    if !world.generator.oneIn(4) { try act(on: machine, in: &world) }
                } else {
                    try act(on: machine, in: &world)
                }
                _ = world.run(for: world.generator.below(300))
                seen.formUnion(world.machines[2].node.log.graph.changes.map(\.hash))
            }
            let healed = world.run(for: 30_000) { world in
                Set(world.machines.map(\.node.log.frontier)).count == 1
                    && world.machines.allSatisfy { !$0.node.isPersisting }
            }
            #expect(healed, "seed \(seed)")
            let log = world.machines[0].node.log
            forks += log.graph.branches.count - log.graph.branchesOfReplica.count
            let replicas = world.machines.map { replica(of: $0) }
            #expect(Set(replicas.map(\.encodedState)).count == 1, "seed \(seed)")
            let lost = seen.subtracting(log.graph.changes.map(\.hash)).count
            #expect(lost == 0, "seed \(seed)")
        }
        #expect(forks > 10, "the backups must have forked")
    }

    /// A node that cannot be found must look for others itself, also after a failed write: discovery reports a name once.
    @Test func whoBeganAnewAfterAFailedWriteStillKnowsWhomToDial() throws {
        var world = try plan(seed: 1, people: 2).world
        world.hide(1, from: 0)
        let haveMet = { (world: World) in
            world.machines.allSatisfy { !$0.node.isPersisting && $0.node.isLetIn && !$0.node.sessions.isEmpty }
        }
        let met = world.run(for: 10_000, until: haveMet)
        #expect(met)
        world.setFull(true, 1)
        try act(on: 1, in: &world)
        world.setFull(false, 1)
        let isAlone = world.machines[1].node.sessions.isEmpty
        #expect(isAlone)
        let metAgain = world.run(for: 10_000, until: haveMet)
        #expect(metAgain)
    }

    /// Secrets that find no room are not there: who was let in meanwhile is let in once there is some.
    @Test func aFullDiskTakesNoSecrets() throws {
        var world = try plan(seed: 2, people: 2).world
        world.conditions.isObserved = true
        world.setFull(true, 1)
        let hasFailed = world.run(for: 10_000) { world in
            world.sights.contains { if case .writeFailed(1) = $0 { true } else { false } }
        }
        #expect(hasFailed)
        let kept = world.machines[1].disk.epochs.count
        let isJoining = !world.machines[1].node.isMember
        #expect(kept == 0 && isJoining)
        world.setFull(false, 1)
        let isIn = world.run(for: 10_000) { world in
            world.machines[1].node.isLetIn && world.machines[1].disk.epochs.count == 1
        }
        #expect(isIn)
    }

    @Test(.tags(.slow)) func everybodySeesTheSameByteForByte() throws {
        for seed in UInt64(0)..<12 {
            let people = 3 + Int(seed % 3)
            var world = try plan(seed: seed, people: people).world
            let areIn = world.run(for: 30_000) { world in
                world.machines.allSatisfy {
                    $0.node.isLetIn && !$0.node.isPersisting
                }
            }
            #expect(areIn, "seed \(seed)")
            for _ in 0..<60 {
                let machine = Int(world.generator.below(UInt64(people)))
                switch world.generator.below(14) {
                case 0: world.cut(machine)
                case 1 where world.machines[machine].isCutOff: world.join(machine)
                case 2 where world.machines[machine].isRunning:
                    world.crash(machine)
                    try world.restart(machine)
                default: try act(on: machine, in: &world)
                }
                _ = world.run(for: world.generator.below(120))
            }
            for machine in 0..<people where world.machines[machine].isCutOff { world.join(machine) }
            let count = { (world: World) in Set(world.machines.map(\.node.log.frontier)) }
            let healed = world.run(for: 15_000) {
                count($0).count == 1 && $0.machines.allSatisfy { !$0.node.isPersisting }
            }
            #expect(healed, "seed \(seed)")
            let replicas = world.machines.map { replica(of: $0) }
            #expect(Set(replicas.map(\.encodedState)).count == 1, "seed \(seed)")
            #expect(
                Set(replicas.map(\.view)).count == 1, "seed \(seed)")
            // Nothing whose author was told that it is done may be missing anywhere.
            let done = world.machines.flatMap { $0.authored.values.compactMap { try? $0.get() } }
            let held = Set(world.machines[0].node.log.graph.changes.map(\.hash))
            #expect(done.count > 20, "seed \(seed)")
            #expect(done.allSatisfy(held.contains), "seed \(seed)")
        }
    }
}
