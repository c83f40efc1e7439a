import ChangeLog
import Foundation
import Sodium
import SyncEngine
import Testing
import TripService
import TripStore

@testable import CaravanNode

/// What finds no room is told of, or was never allowed to be lost.
struct LossTests {
    @Test("a slow listener is told how many events it missed, and reads the newest")
    func slowListener() async {
        var watchers = Watchers()
        let events = watchers.add()
        for number in 1...3_000 { watchers.tell(.here(name: "\(number)")) }
        watchers.finish()
        var (missed, names) = (0, [String]())
        for await event in events {
            if case .missed(let count) = event { missed += count }
            if case .here(let name) = event { names.append(name) }
        }
        #expect(missed + names.count == 3_000)
        #expect(names.count <= EventQueue.eventsMax && names.last == "3000")
        #expect(names.first == "\(missed + 1)")
    }

    @Test("a listener that left is forgotten")
    func leaving() async {
        var watchers = Watchers()
        var events: AsyncStream<TripEvent>? = watchers.add()
        #expect(!watchers.isEmpty)
        watchers.tell(.spread)
        for await _ in events! { break }
        events = nil
        #expect(watchers.isEmpty)
        let canceled = watchers.add()
        let listening = Task { for await _ in canceled {} }
        listening.cancel()
        await listening.value
    }

    @Test("the disk's answer finds a place in a full inbox, and the node is told once what others lost")
    func fullInbox() async throws {
        let inbox = Inbox()
        let id = ConnectionID(rawValue: 1)
        for _ in 0..<Inbox.inputsMax { #expect(inbox.offer(.event(.received(id, [])))) }
        for _ in 0..<3 { #expect(!inbox.offer(.event(.closed(id)))) }
        inbox.deliver(.persisted(.failure(.newerVersion), writer: .first))
        inbox.finish()
        var (missed, failures, ends) = ([Int](), 0, 0)
        for await input in inbox.inputs {
            switch inbox.took(input) {
            case .missed(let count): missed.append(count)
            case .persisted(.failure, _): failures += 1
            case .event(.closed): ends += 1
            default: break
            }
        }
        #expect(missed == [3] && failures == 1 && ends == 0)
        #expect(inbox.offer(.event(.woke)), "there is room again")
    }

    @Test("a writer that failed takes no more jobs, and lets nobody wait for room")
    func failedWriter() async throws {
        let scratch = TripNodeTests.Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let store = try TripStore.create(at: scratch.path + "/trip")
        var entropy = SystemRandomNumberGenerator()
        let seal = StoreSeal(key: .random(using: &entropy), using: try SodiumCryptography())
        let (reports, continuation) = AsyncStream.makeStream(of: Bool.self)
        let writer = StoreWriter(store: store, seal: seal) { result in
            if case .failure = result { continuation.yield(true) }
        }
        store.close()
        let change = StoredChange(hash: .random(using: &entropy), record: [1, 2, 3])
        writer.write([change], token: 1)
        for await _ in reports { break }
        for token in UInt64(2)...3_000 { writer.write([change], token: token) }
        #expect(writer.metrics.waiting == 0)
        await writer.hasRoom()
    }
}
