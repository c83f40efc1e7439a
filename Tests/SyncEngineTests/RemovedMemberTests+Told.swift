import ChangeLog
import SyncEngine
import Testing
import TripSimulation

/// A removed member's device hears of it in the session that ends by it, and of nothing that came later.
extension RemovedMemberTests {
    private func texts(on machine: Int, _ world: World) -> Set<String> {
        Set(
            world.machines[machine].node.log.changes.compactMap { change in
                guard case .content(let content) = change.change.body else { return nil }
                return String(decoding: content, as: UTF8.self)
            })
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
            _ = trip.world.run(for: 2_000)
            if isToldByAnother {
                _ = separate(0, 1, in: &trip)
                _ = trip.world.run(for: 12_000)
            }
            #expect(trip.world.machines[1].node.ownRemoval == nil)
            trip.world.remove(noah, on: 0)
            let told = trip.world.run(for: 3_000) { $0.machines[1].notices.contains(.removed(noah)) }
            #expect(told)
            _ = trip.world.run(for: 1_000)
            #expect(trip.world.machines[1].node.sessions.isEmpty)
            let removal = try #require(trip.world.machines[1].node.ownRemoval)
            #expect(removal.by == participant(0, trip.world))
            #expect(removal == trip.world.machines[0].node.log.removal(of: noah))
            #expect(texts(on: 1, trip.world) == ["by Noah"], "what it has stays readable")
            // What it does is refused, and why is known after a restart too.
            trip.world.crash(1)
            try trip.world.restart(1)
            #expect(trip.world.machines[1].node.ownRemoval == removal)
            trip.write("in vain", on: 1, ticket: 7)
            trip.world.remove(noah, ticket: 8, on: 1)
            for ticket in [7, 8] as [UInt64] {
                #expect(trip.world.machines[1].authored[ticket] == .failure(.removed))
            }
        }
    }

    /// The removal reaches the one who tells of it together with what was written after it.
    @Test("nothing written after a removal reaches the removed device")
    func nothingThatCameLaterIsTold() throws {
        var trip = try trip(seed: 4, ["Noah", "Mia"])
        let noah = participant(1, trip.world)
        _ = separate(0, 1, in: &trip)
        let apart = separate(0, 2, in: &trip)
        _ = trip.world.run(for: 12_000)
        trip.world.remove(noah, on: 0)
        trip.write("after", on: 0)
        _ = trip.world.run(for: 1_000)
        for block in apart { trip.world.unblock(block) }
        let told = trip.world.run(for: 20_000) { $0.machines[1].node.ownRemoval != nil }
        #expect(told)
        trip.write("later", on: 2)
        _ = trip.world.run(for: 20_000)
        #expect(texts(on: 2, trip.world) == ["after", "later"])
        #expect(texts(on: 1, trip.world).isEmpty)
        let refusals = trip.world.machines[1].notices.filter { if case .refused = $0 { true } else { false } }
        #expect(refusals.isEmpty, "nor does it come sealed")
        #expect(trip.world.machines[1].node.sessions.isEmpty)
    }

    /// What was written before the removal, and comes with it, was not due to the removed device in any session.
    @Test("a removal whose past comes with it is told to nobody by whoever hears of both")
    func nothingThatCameWithItIsTold() throws {
        var trip = try trip(seed: 5, ["Noah", "Mia"])
        let before = trip.world.machines[1].node.log.changes.count
        let noah = participant(1, trip.world)
        _ = separate(0, 1, in: &trip)
        let apart = separate(0, 2, in: &trip)
        _ = trip.world.run(for: 12_000)
        #expect(trip.world.machines[1].node.sessions.count == 1)
        trip.write("before", on: 0)
        trip.world.remove(noah, on: 0)
        _ = trip.world.run(for: 1_000)
        for block in apart { trip.world.unblock(block) }
        let cut = trip.world.run(for: 20_000) { $0.machines[1].node.sessions.isEmpty && agree($0, [0, 2]) }
        #expect(cut)
        _ = trip.world.run(for: 5_000)
        #expect(texts(on: 2, trip.world) == ["before"])
        #expect(trip.world.machines[1].node.log.changes.count == before)
    }
}
