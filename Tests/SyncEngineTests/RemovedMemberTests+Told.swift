import ChangeLog
import SyncEngine
import Testing
import TripSimulation

/// A removed member's device hears of it in the session that ends by it, and of nothing that came later.
extension RemovedMemberTests {
    private func texts(on machine: Int, _ world: World) -> Set<String> {
        Set(
            world.machines[machine].node.log.graph.changes.map(\.change.content).filter { !$0.isEmpty }
                .map { String(decoding: $0, as: UTF8.self) })
    }

    /// Lets nothing pass between two machines until the blocks with these numbers end.
    private func separate(_ left: Int, _ right: Int, in trip: inout Trip) -> [Int] {
        [trip.world.clog(from: left, to: right), trip.world.clog(from: right, to: left)]
    }

    @Test("a removed member's device learns of its removal from the session in which it is cut")
    func theRemovedDeviceLearnsOfIt() throws {
        for isToldByAnother in [false, true] {
            var trip = try trip(seed: 3, ["Noah", "Mia"])
            let noah = participant(1, trip.world)
            trip.write("by Noah", on: 1)
            _ = trip.run(for: 2_000)
            if isToldByAnother {
                _ = separate(0, 1, in: &trip)
                _ = trip.run(for: 12_000)
            }
            #expect(trip.world.machines[1].node.ownDeparture == nil)
            trip.world.remove(noah, on: 0)
            let told = trip.run(for: 3_000) { $0.machines[1].notices.contains(.removed([noah])) }
            #expect(told)
            _ = trip.run(for: 1_000)
            #expect(trip.world.machines[1].node.sessions.isEmpty)
            let removal = try #require(trip.world.machines[1].node.ownDeparture)
            #expect(removal.by == participant(0, trip.world))
            #expect(removal == trip.world.machines[0].node.log.departure(of: noah))
            #expect(texts(on: 1, trip.world) == ["by Noah"], "what it has stays readable")
            // What it does is refused, and why is known after a restart too.
            trip.world.crash(1)
            try trip.world.restart(1)
            #expect(trip.world.machines[1].node.ownDeparture == removal)
            trip.write("in vain", on: 1, ticket: 7)
            trip.world.remove(noah, ticket: 8, on: 1)
            for ticket in [7, 8] as [UInt64] {
                #expect(trip.world.machines[1].authored[ticket] == .failure(.out))
            }
        }
    }

    @Test(
        "a device that was off when its person was removed is told by a member who sees its name, wherever that member is now"
    )
    func toldByName() throws {
        for seed in UInt64(110)..<114 {
            var trip = try trip(seed: seed, ["Noah"])
            trip.world.crash(1)
            let noah = participant(1, trip.world)
            trip.world.remove(noah, on: 0)
            _ = trip.run(for: 2_000)
            trip.world.move(0)
            try trip.world.restart(1)
            let isTold = trip.run(for: 60_000) { $0.machines[1].node.ownDeparture?.reason == .removed }
            #expect(isTold, "seed \(seed)")
        }
    }

    @Test("what a removed person wrote meanwhile stays in view at their device, and nowhere else")
    func ownCopy() throws {
        var trip = try trip(seed: 115, ["Noah"])
        trip.world.crash(0)
        trip.write("meanwhile", on: 1)
        _ = trip.run(for: 2_000)
        trip.world.crash(1)
        try trip.world.restart(0)
        trip.world.remove(participant(1, trip.world), on: 0)
        _ = trip.run(for: 2_000)
        try trip.world.restart(1)
        let isTold = trip.run(for: 60_000) { $0.machines[1].node.ownDeparture?.reason == .removed }
        #expect(isTold)
        #expect(texts(on: 1, trip.world) == ["meanwhile"] && texts(on: 0, trip.world) == [])
        trip.world.crash(1)
        try trip.world.restart(1)
        #expect(texts(on: 1, trip.world) == ["meanwhile"], "after a restart, too")
    }

    /// The removal reaches the one who tells of it together with what was written after it.
    @Test("nothing written after a removal reaches the removed device")
    func nothingThatCameLaterIsTold() throws {
        var trip = try trip(seed: 4, ["Noah", "Mia"])
        let noah = participant(1, trip.world)
        _ = separate(0, 1, in: &trip)
        let apart = separate(0, 2, in: &trip)
        _ = trip.run(for: 12_000)
        trip.world.remove(noah, on: 0)
        trip.write("after", on: 0)
        _ = trip.run(for: 1_000)
        for block in apart { trip.world.unblock(block) }
        let told = trip.run(for: 20_000) { $0.machines[1].node.ownDeparture != nil }
        #expect(told)
        trip.write("later", on: 2)
        _ = trip.run(for: 20_000)
        #expect(texts(on: 2, trip.world) == ["after", "later"])
        #expect(texts(on: 1, trip.world).isEmpty)
        let refusals = trip.world.machines[1].notices.filter { if case .misbehaved = $0 { true } else { false } }
        #expect(refusals.isEmpty)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
    }

    /// What was written before the removal, and comes with it, was not due to the removed device in any session: it is told under
    /// what the two devices share, and of nothing that came later.
    @Test("a removal whose past comes with it is told with that past, but not what that says")
    func itsPastIsToldWithIt() throws {
        var trip = try trip(seed: 5, ["Noah", "Mia"])
        let noah = participant(1, trip.world)
        _ = separate(0, 1, in: &trip)
        let apart = separate(0, 2, in: &trip)
        _ = trip.run(for: 12_000)
        #expect(trip.world.machines[1].node.sessions.count == 1)
        trip.write("before", on: 0)
        trip.world.remove(noah, on: 0)
        trip.write("after", on: 0)
        _ = trip.run(for: 1_000)
        for block in apart { trip.world.unblock(block) }
        let told = trip.run(for: 60_000) { $0.machines[1].node.ownDeparture != nil && agree($0, [0, 2]) }
        #expect(told)
        _ = trip.run(for: 5_000)
        #expect(texts(on: 2, trip.world) == ["before", "after"])
        #expect(texts(on: 1, trip.world).isEmpty)
        #expect(trip.world.machines[1].node.sessions.isEmpty)
    }
}
