import ChangeLog
import TestTiers
import Testing
import TripSimulation

@testable import SyncEngine

/// A home that was copied, and runs in two places.
@Suite struct CopiedDeviceTests {
    /// The same changes are held by all.
    private func agree(_ crowd: Crowd) -> Bool { Set(crowd.nodes.map(\.log.frontier)).count == 1 }

    private func writeEverywhere(_ crowd: inout Crowd) {
        for node in crowd.nodes.indices { crowd.write([UInt8(node)], on: node) }
    }

    @Test("each copy has a session of its own, and keeps it", arguments: 1...8)
    func ownSessions(seed: UInt64) throws {
        var crowd = try Crowd(seed: seed, count: 2, copiesOf: [1])
        _ = crowd.run(for: 5_000)
        #expect(crowd.sessionCounts == [2, 2, 2])
        let dialled = crowd.dialCount
        _ = crowd.run(for: 30_000)
        #expect(crowd.dialCount == dialled, "sessions began anew")
        writeEverywhere(&crowd)
        let isSame = crowd.run(for: 2_000, until: agree)
        #expect(isSame)
    }

    @Test("copies of two devices all hear of each other", arguments: 1...8)
    func copiesOfTwo(seed: UInt64) throws {
        var crowd = try Crowd(seed: seed, count: 2, copiesOf: [0, 1])
        let haveMet = crowd.run(for: 5_000) { $0.sessionCounts == [3, 3, 3, 3] }
        #expect(haveMet, "\(crowd.sessionCounts)")
        writeEverywhere(&crowd)
        let isSame = crowd.run(for: 2_000, until: agree)
        #expect(isSame)
    }

    @Test("a copy and its original hear of each other", arguments: 1...8)
    func copyAndOriginal(seed: UInt64) throws {
        var crowd = try Crowd(seed: seed, count: 1, copiesOf: [0])
        writeEverywhere(&crowd)
        let isSame = crowd.run(for: 5_000, until: agree)
        #expect(isSame)
    }

    @Test("copies that were apart find each other again", arguments: 1...8)
    func copiesApart(seed: UInt64) throws {
        var crowd = try Crowd(seed: seed, count: 2, copiesOf: [0, 1])
        let haveMet = crowd.run(for: 5_000) { $0.sessionCounts == [3, 3, 3, 3] }
        #expect(haveMet)
        crowd.part = [0, 1, 1, 0]
        _ = crowd.run(for: 20_000)
        #expect(crowd.sessionCounts == [1, 1, 1, 1])
        writeEverywhere(&crowd)
        crowd.part = [0, 0, 0, 0]
        let isSame = crowd.run(for: 40_000, until: agree)
        #expect(isSame, "\(crowd.sessionCounts)")
    }

    @Test("a node that is led to itself goes away")
    func itself() throws {
        var crowd = try Crowd(seed: 1, count: 2, copiesOf: [])
        crowd.introduce(0, to: 0)
        let haveMet = crowd.run(for: 5_000) { $0.sessionCounts == [1, 1] }
        #expect(haveMet)
        _ = crowd.run(for: 5_000)
        let dialled = crowd.dialCount
        _ = crowd.run(for: 20_000)
        #expect(crowd.sessionCounts == [1, 1] && crowd.dialCount == dialled)
    }

    @Test("a device that knocks with ever new runs has few sessions")
    func manyRuns() throws {
        let limits = SessionLimits()
        var crowd = try Crowd(seed: 1, count: 2, copiesOf: [1, 1, 1, 1, 1, 1])
        _ = crowd.run(for: 10_000)
        #expect(crowd.sessionCounts[0] <= limits.sessionsOfDeviceMax + 1, "\(crowd.sessionCounts)")
        writeEverywhere(&crowd)
        let isSame = crowd.run(for: 5_000, until: agree)
        #expect(isSame)
    }

    /// One copy goes elsewhere and takes somebody out, so that a new secret begins that its twin has not. Nobody else is
    /// near: they find each other all the same.
    @Test("copies that are left alone find each other under a new secret", .tags(.slow))
    func newEpochOfCopies() throws {
        for seed in UInt64(1)...8 {
            var trip = try Trip(seed: seed)
            let others = [trip.addJoiner("Noah"), trip.addJoiner("Mia")]
            let areIn = trip.run(for: 20_000) { world in
                others.allSatisfy { world.machines[$0].notices.contains(.admitted) } && Trip.haveConverged(world)
            }
            #expect(areIn, "seed \(seed)")
            for other in others { trip.world.crash(other) }
            let twin = try trip.world.copyHome(of: 0)
            let haveMet = trip.run(for: 20_000) { $0.sessionMachines(of: twin).contains(0) }
            #expect(haveMet, "seed \(seed)")
            _ = trip.run(for: 500 * seed)
            // Neither hears that the other is gone before it falls silent.
            trip.world.move(0)
            trip.world.remove(trip.world.machines[others[0]].node.secrets.device.participant, on: 0)
            let isSame = trip.run(for: 20_000) {
                $0.machines[0].node.log.frontier == $0.machines[twin].node.log.frontier
            }
            #expect(isSame, "seed \(seed)")
            #expect(trip.world.machines[twin].node.epochs.held.count == 2, "seed \(seed)")
        }
    }
}
