import ChangeLog
import Foundation
import Sodium
import TestTiers
import Testing
import TripService
import TripStore

@testable import CaravanNode

/// A backup's file: every byte of it counts.
struct BackupFileTests {
    /// A file in memory, for it is read thousands of times.
    private final class Scratch {
        let path = "/dev/shm/caravan-backup-" + UUID().uuidString
        var file: String { path + "/file" }

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: file)) }
    }

    private static func passphrase(_ text: String) throws -> Passphrase {
        try Passphrase { memory throws(ServiceError) in
            memory.copyBytes(from: text.utf8)
            return text.utf8.count
        }
    }

    private func source(_ text: String) -> PassphraseSource {
        PassphraseSource(triesMax: 1) { _, _ throws(ServiceError) in
            do { return try BackupFileTests.passphrase(text) } catch { throw ServiceError("\(error)") }
        }
    }

    private static func content(changes lengths: [Int]) -> BackupContent {
        var generator = SystemRandomNumberGenerator()
        let keys = KeyFile(
            trip: .random(using: &generator), signingSeed: .random(using: &generator),
            agreementSecret: .random(using: &generator), participant: .random(using: &generator),
            recordKey: .random(using: &generator), epochSecrets: [.random(using: &generator)], pendingJoin: nil,
            guestSeeds: [.random(using: &generator)])
        let records = lengths.map { length in (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) } }
        return BackupContent(keys: keys, wasUnderPassphrase: lengths.count % 2 == 1, records: records)
    }

    /// Writes it at the least cost, and reads the bytes back.
    private func bytes(of content: BackupContent, in scratch: Scratch) throws -> [UInt8] {
        let cost = try #require(PassphraseCost(passes: 1, memory: 8))
        let key = try PassphraseKey(Self.passphrase("horse").bytes, recipe: PassphraseKey.Recipe(cost: cost))
        try? FileManager.default.removeItem(atPath: scratch.file)
        try BackupWriter.write(content, to: NewFile(path: scratch.file), key: key)
        return try Array(Data(contentsOf: URL(fileURLWithPath: scratch.file)))
    }

    @Test func whatWasWrittenIsReadBack() throws {
        let scratch = try Scratch()
        let overhead = BackupFormat.recordHeaderSize
        for lengths in [
            [], [1], [300, 0, 90], [BackupFormat.chunkSize - overhead], [BackupFormat.chunkSize - overhead + 1],
            [2 * BackupFormat.chunkSize - overhead, 5], [200_000, 3, 150_000],
        ] {
            let content = Self.content(changes: lengths)
            let size = try bytes(of: content, in: scratch).count
            let (read, _) = try BackupReader(path: scratch.file).content(source("horse"))
            #expect(read.keys == content.keys && read.records == content.records)
            #expect(read.wasUnderPassphrase == content.wasUnderPassphrase)
            #expect(FileManager.default.attributes(of: scratch.file) == 0o600)
            let body = lengths.reduce(0) { $0 + $1 + overhead }
            let chunks = 1 + (body + BackupFormat.chunkSize - 1) / BackupFormat.chunkSize
            #expect(size == BackupFormat.headerSize + BackupFormat.chunkSize + body + chunks * SecretStream.sealSize)
            #expect(throws: ServiceError.self) { try BackupReader(path: scratch.file).content(source("Horse")) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["file"])
    }

    @Test(.tags(.slow)) func everyAlteredByteAndEveryCutIsSaid() throws {
        let scratch = try Scratch()
        let whole = try bytes(of: Self.content(changes: [70_000, 300]), in: scratch)
        func isRefused(_ bytes: [UInt8]) throws -> Bool {
            try scratch.write(bytes)
            do {
                _ = try BackupReader(path: scratch.file).content(source("horse"))
                return false
            } catch {
                return !error.message.contains("\n") && !error.message.isEmpty
            }
        }
        let sealed = BackupFormat.sealedChunkSize
        let starts = [BackupFormat.headerSize, BackupFormat.headerSize + sealed, BackupFormat.headerSize + 2 * sealed]
        let edges = Set(starts.flatMap { $0 - 20..<$0 + 20 }).union(whole.count - 20..<whole.count)
        let offsets = Set(0..<BackupFormat.headerSize).union(edges).union(stride(from: 0, to: whole.count, by: 997))
        for offset in offsets.sorted() where offset < whole.count {
            var altered = whole
            altered[offset] ^= 1
            #expect(try isRefused(altered), "byte \(offset)")
            #expect(try isRefused(Array(whole[..<offset])), "\(offset) bytes")
        }
        #expect(try isRefused(whole + [0]))
        let first = whole[starts[0]..<starts[1]]
        let second = whole[starts[1]..<starts[2]]
        let head = whole[..<starts[0]]
        let rest = whole[starts[2]...]
        for chunks in [
            [second, first, rest], [first, rest], [first, second, second, rest], [second, rest], [first],
        ] {
            #expect(try isRefused(chunks.reduce(Array(head)) { $0 + $1 }))
        }
        #expect(try !isRefused(whole))
        // Behind a last chunk that is full, too.
        let full = try bytes(
            of: Self.content(changes: [BackupFormat.chunkSize - BackupFormat.recordHeaderSize]), in: scratch)
        #expect(full.count == BackupFormat.headerSize + 2 * sealed)
        for more in [[0], Array(full.suffix(sealed))] { #expect(try isRefused(full + more)) }
        #expect(try !isRefused(full))
    }

    /// A file from a stranger that asks for a hundred gigabytes, or for a year, is refused before any of it is spent.
    @Test func aFileThatAsksForTooMuchIsRefusedAtOnce() throws {
        let scratch = try Scratch()
        let whole = try bytes(of: Self.content(changes: [10]), in: scratch)
        let cost = BackupFormat.beginning.count + 16
        for (passes, memory) in [(3, 100 << 20), (UInt32.max, 8), (1, UInt32.max), (0, 8), (17, 8)]
            as [(UInt32, UInt32)]
        {
            var asking = whole
            for (offset, number) in [(cost, passes), (cost + 4, memory)] {
                withUnsafeBytes(of: number.littleEndian) { asking.replaceSubrange(offset..<offset + 4, with: $0) }
            }
            try scratch.write(asking)
            let begin = ContinuousClock.now
            #expect(throws: ServiceError.self) { try BackupReader(path: scratch.file).content(source("horse")) }
            #expect(ContinuousClock.now - begin < .seconds(1))
        }
    }

    @Test func whatIsThereIsNeverReplacedAndWhatFailsLeavesNothing() throws {
        let scratch = try Scratch()
        try scratch.write([1, 2, 3])
        #expect(throws: StoreError.self) { try NewFile(path: scratch.file) }
        // Not even by what comes while it is written.
        try FileManager.default.removeItem(atPath: scratch.file)
        do {
            let late = try NewFile(path: scratch.file)
            try late.append([9])
            try scratch.write([1, 2, 3])
            #expect(throws: StoreError.self) { try late.commit() }
        }
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: scratch.file))) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["file"])
        #expect(throws: StoreError.self) { try NewFile(path: scratch.path + "/none/file") }
    }
}

extension FileManager {
    /// The permission bits of a file.
    fileprivate func attributes(of path: String) -> Int? {
        (try? attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }
}
