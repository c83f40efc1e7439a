import Attachments
import ChangeLog
import Foundation
import Sodium
import Testing
import TripStore

/// What a chunk store does on a real disk, with the real cryptography.
@Suite struct ChunkStoreTests {
    private let folder = TemporaryFolder()
    private let cryptography: SodiumCryptography

    init() throws {
        cryptography = try SodiumCryptography()
        try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
    }

    private var chunks: String { folder.trip + "/chunks" }

    private func store(_ secret: Int = 1, quota: Int = ChunkStore.quotaByDefault) -> ChunkStore {
        ChunkStore(folder: folder.trip, secret: change(secret).hash, quota: quota, using: cryptography)
    }

    /// Bytes that no other seed gives, chunk by chunk.
    private func file(_ count: Int, seed: UInt8) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 16) ^ seed }
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: chunks).sorted() }

    @Test("a file that was put is read back, also by the store of a later process")
    func roundTrip() throws {
        for count in [1, 65_536, 65_537, 300_000] {
            let bytes = file(count, seed: 7)
            let blob = try #require(try store().put(bytes, at: 0))
            #expect(try store().read(blob) == bytes)
        }
        #expect(try store().put([], at: 0) == nil)
    }

    @Test("what lies on the disk is this user's alone, sealed, and named by nothing that others know")
    func sealed() throws {
        let bytes = file(100_000, seed: 7)
        let blob = try #require(try store().put(bytes, at: 0))
        let held = try names()
        #expect(held.count == 2)
        for name in held {
            let path = chunks + "/" + name
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let sealed = try contents(of: path)
            #expect(!Data(sealed).contains(bytes[100..<132]))
            #expect(!blob.chunks.contains { name.contains($0.description.prefix(16)) })
        }
        #expect(try FileManager.default.attributesOfItem(atPath: chunks)[.posixPermissions] as? Int == 0o700)
        #expect(try store(2).read(blob) == nil, "another home's secret opens nothing")
    }

    @Test("a chunk that is cut or altered anywhere is as if it were not here, and can be put again")
    func damage() throws {
        let bytes = file(500, seed: 7)
        let blob = try #require(try store().put(bytes, at: 0))
        let path = chunks + "/" + (try names()[0])
        let good = try contents(of: path)
        for place in good.indices {
            var altered = good
            altered[place] ^= 0x10
            for bad in [altered, Array(good[..<place])] {
                try write(bad, to: path)
                let store = store()
                #expect(try store.read(blob) == nil, "byte \(place)")
                #expect(try !store.holds(blob.chunks[0]), "a damaged chunk is missing")
                #expect(try store.put(bytes, at: 0) == blob)
                #expect(try store.read(blob) == bytes)
            }
        }
        try write(good + [0], to: path)
        #expect(try store().read(blob) == nil)
    }

    @Test("a chunk under another one's name is not taken for it")
    func swapped() throws {
        let store = store()
        let (one, two) = (try #require(try store.put([1], at: 0)), try #require(try store.put([2], at: 0)))
        let held = try names().map { chunks + "/" + $0 }
        let files = try held.map { try contents(of: $0) }
        try write(files[1], to: held[0])
        try write(files[0], to: held[1])
        #expect(try store.read(one) == nil)
        #expect(try store.read(two) == nil)
    }

    @Test("a chunk from somebody else is put where it is what its name says, and refused else")
    func checked() throws {
        let store = store()
        let chunk = file(1_000, seed: 7)
        let name = store.hash(chunk)
        #expect(try !store.put(chunk: file(1_000, seed: 8), named: name, at: 0))
        #expect(try !store.put(chunk: [], named: store.hash([]), at: 0))
        let long = file(Blob.chunkSize + 1, seed: 7)
        #expect(try !store.put(chunk: long, named: store.hash(long), at: 0))
        #expect(try !store.holds(name))
        #expect(try store.put(chunk: chunk, named: name, at: 0))
        #expect(try store.chunk(name) == chunk)
    }

    @Test("what nobody refers to is collected, but for what was put within the grace time")
    func collecting() throws {
        let now: Int64 = 2_000_000_000
        let store = store()
        let kept = try #require(try store.put(file(70_000, seed: 1), at: now))
        let gone = try #require(try store.put(file(70_000, seed: 2), at: now))
        let again = try #require(try store.put(file(70_000, seed: 3), at: now))
        let late = now + ChunkStore.graceTime - 1
        #expect(try store.collect(keeping: Set(kept.chunks), at: late) == 0)
        #expect(try store.put(file(70_000, seed: 3), at: late) == again, "put again, it is new again")
        // A later process reads from the disk when each was put.
        let later = self.store()
        let before = try later.bytesUsed
        #expect(try later.collect(keeping: Set(kept.chunks), at: late + 1) > 70_000)
        #expect(try later.bytesUsed == before * 2 / 3)
        #expect(try later.read(gone) == nil)
        #expect(try later.read(kept) != nil)
        #expect(try later.read(again) != nil)
        #expect(try later.collect(keeping: [], at: 0) == 0, "a clock that was set back collects nothing")
    }

    @Test("beyond the quota nothing is put, and what is there stays")
    func quota() throws {
        let store = store(quota: 200_000)
        let blob = try #require(try store.put(file(150_000, seed: 1), at: 0))
        #expect(code { _ = try store.put(file(150_000, seed: 2), at: 0) } == .tooLarge)
        #expect(try store.bytesUsed <= 200_000)
        #expect(try store.read(blob) != nil)
        #expect(try store.put(file(150_000, seed: 1), at: 0) == blob, "what is here needs no room")
    }

    @Test("what others have makes room, in its order, and no more of it than must go")
    func room() throws {
        let store = store(quota: 200_000)
        let blobs = try [1, 2, 3].map { try #require(try store.put(file(60_000, seed: $0), at: 0)) }
        let spare = [file(60_000, seed: 9)].map(store.hash) + blobs[1].chunks + blobs[0].chunks
        #expect(try !store.makeRoom(for: 10_000, removing: spare), "there is room")
        #expect(try store.makeRoom(for: 60_500, removing: spare))
        #expect(try store.read(blobs[0]) != nil && store.read(blobs[1]) == nil && store.read(blobs[2]) != nil)
        #expect(try store.put(file(60_000, seed: 4), at: 0) != nil)
        #expect(try !store.makeRoom(for: 60_500, removing: []), "what is not spare stays")
    }

    @Test("what a killed process was writing is removed, and nothing that was whole")
    func drafts() throws {
        let blob = try #require(try store().put(file(1_000, seed: 1), at: 0))
        let held = try names()
        try write([1, 2, 3], to: chunks + "/" + String(repeating: "a", count: 32) + ".part")
        try write([1, 2, 3], to: chunks + "/stranger")
        #expect(try store().bytesUsed == contents(of: chunks + "/" + held[0]).count)
        #expect(try names() == (held + ["stranger"]).sorted())
        #expect(try store().read(blob) != nil)
    }

    @Test("a process killed while it puts leaves every file that was put, whole")
    func killed() async throws {
        let notes = folder.path + "/notes"
        for round in 0..<6 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [trip = folder.trip as String, notes = notes as String, round = round as Int] in
                let store = ChunkStore(folder: trip, secret: change(1).hash, using: try SodiumCryptography())
                let descriptor = open(notes, O_WRONLY | O_CREAT, 0o600)
                for seed in 0..<1_000_000 {
                    if seed == 1 {
                        Thread.detachNewThread {
                            usleep(UInt32(5_000 + round * 9_000))
                            kill(getpid(), SIGKILL)
                        }
                    }
                    _ = try store.put((0..<100_000).map { UInt8(truncatingIfNeeded: $0 ^ seed &* 7) }, at: 0)
                    let note = Array("\(seed + 1)".utf8)
                    pwrite(descriptor, note, note.count, 0)
                }
            }
            let noted = (try? String(contentsOfFile: notes, encoding: .utf8)).flatMap(Int.init) ?? 0
            let store = store()
            for seed in 0..<noted {
                let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 ^ seed &* 7) }
                let blob = try #require(Blob(bytes, hash: store.hash))
                #expect(try store.read(blob) == bytes, "round \(round), file \(seed) of \(noted)")
            }
            #expect(noted > 0)
            // Drafts go when the store first looks at what it has.
            #expect(try store.bytesUsed > 0)
            #expect(try names().allSatisfy { !$0.hasSuffix(".part") })
        }
    }

    @Test("a full disk is named so, leaves no draft, and takes what comes once there is room")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.trip, withIntermediateDirectories: true)
            let store = ChunkStore(folder: folder.trip, secret: change(1).hash, using: try SodiumCryptography())
            let bytes = [UInt8](repeating: 5, count: 40_000)
            var old = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
            for size in [0, 1, 30_000] {
                var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: old.rlim_max)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                guard code({ _ = try store.put(bytes, at: 0) }) == .full else { exit(2) }
                guard try FileManager.default.contentsOfDirectory(atPath: folder.trip + "/chunks").isEmpty else {
                    exit(3)
                }
            }
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
            guard let blob = try store.put(bytes, at: 0), try store.read(blob) == bytes else { exit(4) }
        }
    }
}
