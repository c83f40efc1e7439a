import ChangeLog
import Foundation
import Sodium
import TripStore

/// A folder of its own for each test, gone with the last reference.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter isInMemory: for a folder that is made and read so often that a disk would be waited for.
    init(isInMemory: Bool = false) {
        let memory = "/dev/shm"
        let parent =
            isInMemory && FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
        path = parent + "/trip-store-tests-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The folder of a trip, not made yet.
    var trip: String { path + "/trip" }
    var database: String { trip + "/trip.sqlite" }
    var log: String { database + "-wal" }
    var keys: String { trip + "/keys" }
}

/// A change whose content follows from its number.
func change(_ number: Int, length: Int = 300) -> StoredChange {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
    }
    let hash = (0..<32).map { _ in next() }
    return StoredChange(hash: Bytes32(hash)!, record: (0..<length).map { _ in next() })
}

func changes(_ numbers: Range<Int>) -> [StoredChange] { numbers.map { change($0) } }

/// Of a home whose key is 32 times seven.
let seal: StoreSeal = {
    guard let cryptography = try? SodiumCryptography(), let secret = Bytes32([UInt8](repeating: 7, count: 32)) else {
        preconditionFailure("libsodium cannot start")
    }
    return StoreSeal(key: secret, using: cryptography)
}()

func contents(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

/// The permission bits of a file or a folder.
func mode(of path: String) -> UInt16? {
    (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.uint16Value
}

/// The code of the error that a body throws.
func code(_ body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch { return (error as? StoreError)?.code }
    return nil
}

/// Numbers that a seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
