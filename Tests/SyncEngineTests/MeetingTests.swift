import ChangeLog
import Convergence
import SyncEngine
import TestTiers
import Testing
import TripSimulation

/// Nodes meet, let each other in, and come to hold the same changes.
struct MeetingTests {
    @Test("a joiner is let in and reads along")
    func joining() throws {
        var trip = try Trip(seed: 1)
        trip.write("a stay", on: 0)
        trip.addJoiner("Noah")
        let met = trip.run(for: 20_000) { Trip.haveConverged($0, on: 4) }
        #expect(met)
        #expect(trip.world.machines[1].notices.contains(.admitted))
        #expect(trip.world.machines[1].applied.count == 4)
        trip.write("another", on: 1, ticket: 7)
        let shared = trip.run(for: 1_000) { Trip.haveConverged($0, on: 5) }
        #expect(shared)
        #expect((try? trip.world.machines[1].authored[7]?.get()) != nil)
    }

    @Test("everything works one byte at a time")
    func oneByteAtATime() throws {
        var trip = try Trip(seed: 2)
        trip.world.conditions.chunk = 1...1
        trip.addJoiner("Noah")
        trip.addJoiner("Michelle")
        let met = trip.world.run(for: 20_000) { Trip.haveConverged($0, on: 4) }
        #expect(met)
        trip.write("one", on: 1)
        trip.write("two", on: 2)
        trip.write("three", on: 0)
        let shared = trip.world.run(for: 2_000) { Trip.haveConverged($0, on: 7) }
        #expect(shared)
    }

    @Test("five nodes meet each other")
    func five() throws {
        var trip = try Trip(seed: 3)
        for name in ["Noah", "Michelle", "Ada", "Kim"] { trip.addJoiner(name) }
        let met = trip.run(for: 30_000) { world in
            world.machines.allSatisfy { $0.node.sessions.count == 4 }
        }
        #expect(met)
        #expect(trip.haveConverged())
    }

    /// Two that dial each other at once have one meeting in the end, and people hear of its end too.
    @Test("whoever is said to be here is said to be gone", .tags(.slow))
    func presence() throws {
        var replaced = 0
        for seed in UInt64(200)..<230 {
            var trip = try Trip(seed: seed)
            trip.addJoiner("Noah")
            let met = trip.run(for: 20_000) { world in
                world.machines.allSatisfy { $0.node.sessions.count == 1 && !$0.node.isPersisting }
            }
            #expect(met, "seed \(seed)")
            _ = trip.run(for: 5_000)
            trip.world.cut(0)
            _ = trip.run(for: 20_000)
            for machine in trip.world.machines {
                var isHere = false
                for notice in machine.notices {
                    switch notice {
                    case .met:
                        replaced += isHere ? 1 : 0
                        isHere = true
                    case .parted: isHere = false
                    default: break
                    }
                }
                #expect(!isHere, "seed \(seed)")
                #expect(machine.node.sessions.isEmpty, "seed \(seed)")
            }
        }
        #expect(replaced == 0)
    }

    @Test("what happened apart meets afterwards", .tags(.slow))
    func partition() throws {
        for seed in UInt64(10)..<30 {
            var trip = try Trip(seed: seed)
            trip.addJoiner("Noah")
            trip.addJoiner("Michelle")
            let met = trip.run(for: 20_000) { Trip.haveConverged($0, on: 4) }
            #expect(met, "seed \(seed)")
            for machine in 0..<3 { trip.world.cut(machine) }
            for round in 0..<5 {
                for machine in 0..<3 { trip.write("\(round) of \(machine)", on: machine) }
                _ = trip.run(for: trip.world.generator.below(4_000))
            }
            for machine in 0..<3 { trip.world.join(machine) }
            let healed = trip.run(for: 5_000) { Trip.haveConverged($0, on: 19) }
            #expect(healed, "seed \(seed)")
        }
    }

    @Test("a crash loses nothing that was said to be done", .tags(.slow))
    func crash() throws {
        for seed in UInt64(40)..<60 {
            var trip = try Trip(seed: seed)
            trip.addJoiner("Noah")
            let met = trip.run(for: 20_000) { Trip.haveConverged($0, on: 3) }
            #expect(met, "seed \(seed)")
            for ticket in UInt64(1)...20 {
                trip.write("entry \(ticket)", on: 1, ticket: ticket)
                _ = trip.run(for: trip.world.generator.below(12))
            }
            trip.world.crash(1)
            let done = trip.world.machines[1].authored.values.compactMap { try? $0.get() }
            try trip.world.restart(1)
            let held = Set(trip.world.machines[1].node.log.graph.changes.map(\.hash))
            #expect(done.allSatisfy(held.contains), "seed \(seed)")
            let healed = trip.run(for: 10_000) { Trip.haveConverged($0) }
            #expect(healed, "seed \(seed)")
            #expect(Set(trip.world.machines[0].node.log.graph.changes.map(\.hash)).isSuperset(of: done), "seed \(seed)")
        }
    }

    @Test("an invite that nobody opened opens nothing")
    func otherInvite() throws {
        var trip = try Trip(seed: 5)
        let stranger = InviteLink(trip: trip.link.trip, secret: .random(using: &trip.world.generator), hints: [])
        trip.addJoiner("Mallory", link: stranger)
        let met = trip.run(for: 30_000) { Trip.haveConverged($0) }
        #expect(!met)
        #expect(trip.world.machines[1].node.log.graph.changes.isEmpty)
    }

    @Test("an invite that is used up lets nobody in")
    func usedUpInvite() throws {
        var trip = try Trip(seed: 6, uses: 1)
        trip.addJoiner("Noah")
        let met = trip.run(for: 20_000) { Trip.haveConverged($0, on: 3) }
        #expect(met)
        trip.addJoiner("Mallory")
        _ = trip.run(for: 20_000)
        #expect(trip.world.machines[2].node.log.graph.changes.isEmpty)
    }
}
