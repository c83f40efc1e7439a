import CaravanNode
import Foundation
import Synchronization
import Testing
import TripService

/// Commands reach a trip through its node or by themselves, and nobody can tell which.
struct TripAccessTests {
    @Test func aTripSaysTheSameWithItsNodeAndWithout() async throws {
        let trip = try await ServedTrip()
        try await trip.access.add("Casa do Rio")
        let alone = try await trip.access.trip()
        try await trip.whileServed {
            #expect(try await trip.access.trip() == alone)
            try await trip.access.add("Belém houseboat")
            await #expect(throws: ServiceError.self) {
                try await trip.access.answer(.show(item: "nothing of the kind"))
            }
        }
        await #expect(throws: ServiceError.self) { try await trip.access.answer(.show(item: "nothing of the kind")) }
        #expect(try await trip.titles() == ["Casa do Rio", "Belém houseboat"])
    }

    /// Each add is there once if its command returned, and at most once if it failed.
    @Test func noCommandIsLostOrDoubledWhileNodesComeAndGo() async throws {
        let trip = try await ServedTrip()
        let isOver = Mutex(false)
        async let nodes = {
            var count = 0
            while !isOver.withLock({ $0 }), count < 1_000 {
                // Another command may have the trip for as long as a node waits.
                try? await trip.whileServed { try await Task.sleep(for: .milliseconds(20)) }
                count += 1
            }
            return count
        }()
        let outcomes = await withTaskGroup(of: [(title: String, isDone: Bool)].self) { group in
            for person in 0..<3 {
                group.addTask {
                    var outcomes: [(title: String, isDone: Bool)] = []
                    for number in 0..<20 {
                        let title = "\(person).\(number)"
                        do {
                            try await trip.access.add(title)
                            outcomes.append((title, true))
                        } catch {
                            outcomes.append((title, false))
                        }
                    }
                    return outcomes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        isOver.withLock { $0 = true }
        #expect(await nodes > 1)
        let found = Dictionary(grouping: try await trip.titles()) { $0 }.mapValues(\.count)
        for (title, isDone) in outcomes {
            let count = found[title, default: 0]
            #expect(isDone ? count == 1 : count <= 1, "\(title): \(count)")
        }
        let done = outcomes.count { $0.isDone }
        #expect(done >= 50, "\(done) of \(outcomes.count) commands were let through")
    }

    @Test func aStopLetsWhatIsAskedBeAnswered() async throws {
        // A stop waits a second, in which a busy machine may not come to ask: then again.
        for _ in 0..<10 {
            let trip = try await ServedTrip()
            let (node, control) = try await trip.node()
            let body = Array(
                #"{"request":{"_0":{"add":{"_0":[{"title":"Late","fields":{}}]}},"trip":"\#(trip.id)"}}"#.utf8)
            let client = try #require(RawClient(path: trip.socketPath))
            #expect(client.answer() == #"{"ready":{}}"#)
            client.send(RawClient.header(UInt32(body.count)) + body.prefix(20))
            // Clients are let in one after the other: this one came later.
            _ = try await trip.access.status()
            let began = ContinuousClock.now
            let stopping = Task {
                await control.stop()
                await node.close()
            }
            #expect(try await ServedTrip.eventually { !FileManager.default.fileExists(atPath: trip.socketPath) })
            client.send(Array(body.dropFirst(20)))
            let answer = client.answer()
            let isInTime = ContinuousClock.now - began < .milliseconds(900)
            await stopping.value
            guard isInTime else { continue }
            #expect(answer?.contains("added") == true)
            #expect(try await trip.titles() == ["Late"])
            return
        }
        Issue.record("this machine never came to ask within a second")
    }

    @Test func aClosedNodeKeepsNobodyWaiting() async throws {
        let trip = try await ServedTrip()
        let node = try await TripNode.open(folder: trip.folder)
        await node.close()
        let refusal = Mutex<ServiceError?>(nil)
        let isWatched = Mutex(false)
        Task {
            do throws(ServiceError) { _ = try await node.answer(.add([NewItem(title: "Late")])) } catch {
                refusal.withLock { $0 = error }
            }
            for await _ in await node.events() {}
            isWatched.withLock { $0 = true }
        }
        #expect(try await ServedTrip.eventually { isWatched.withLock { $0 } })
        #expect(refusal.withLock { $0?.message } == "the node is stopping; start it with `caravan up` and try again")
        #expect(try await trip.titles() == [])
    }

    @Test func whatMayHaveBeenDoneIsNotDoneAgain() async throws {
        let trip = try await ServedTrip()
        #expect(RawClient.dieWhenAsked(at: trip.socketPath))
        let error = await #expect(throws: ServiceError.self) { try await trip.access.add("Casa do Rio") }
        #expect(error?.message.contains("stopped while it worked") == true)
        #expect(try await trip.titles() == [])
    }

    @Test func aWatcherSeesWhatHappensUntilTheNodeStops() async throws {
        let trip = try await ServedTrip()
        let access = trip.access
        #expect(throws: ServiceError.self) { () throws in try access.watch { _ in true } }
        let seen = Mutex<[TripEvent]>([])
        let ended = Mutex(false)
        try await trip.whileServed {
            Thread.detachNewThread {
                try? access.watch { event in
                    seen.withLock { $0.append(event) }
                    return true
                }
                ended.withLock { $0 = true }
            }
            // Who watches hears of what comes after: so add until one is heard of.
            let isSeen = try await ServedTrip.eventually {
                try await trip.access.add("Casa do Rio")
                return seen.withLock { $0.contains { if case .changed = $0 { true } else { false } } }
            }
            #expect(isSeen)
            let isOver = ended.withLock { $0 }
            #expect(!isOver)
        }
        #expect(try await ServedTrip.eventually { ended.withLock { $0 } })
    }
}
