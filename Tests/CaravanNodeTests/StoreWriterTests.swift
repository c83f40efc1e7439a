import ChangeLog
import Foundation
import Sodium
import Synchronization
import Testing
import TripStore

@testable import CaravanNode

struct StoreWriterTests {
    /// Whoever reads the log anew must not find less than will be there in a moment.
    @Test func finishingWaitsForAllThatWasAskedFor() throws {
        let scratch = TripNodeTests.Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path, withIntermediateDirectories: true)
        let store = try TripStore.create(at: scratch.path + "/trip")
        defer { store.close() }
        var entropy = SystemRandomNumberGenerator()
        let told = Mutex<[UInt64]>([])
        let seal = StoreSeal(key: .random(using: &entropy), using: try SodiumCryptography())
        let writer = StoreWriter(store: store, seal: seal) { result in
            told.withLock { $0 += [(try? result.get()) ?? 0] }
        }
        #expect(writer.finish() == nil)
        for token in UInt64(1)...60 {
            let changes = (0..<20).map { _ in
                StoredChange(hash: .random(using: &entropy), record: [UInt8](repeating: 7, count: 4_096))
            }
            writer.write(changes, token: token)
        }
        #expect(writer.finish() == 60)
        #expect(try store.changes(seal).count == 1_200)
        #expect(told.withLock(\.last) == 60)
    }
}
