import Attachments
import ChangeLog
import FoundationEssentials
import LibC
import Sodium

@testable import TripStore

/// What the disk may hold as the files of chunks: bytes that nobody here wrote, and such that were altered; and a store that
/// lives on such a disk.
func tryChunks(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    switch choices.byte() % 3 {
    case 0 where choices.isOne(of: 4): ChunkShelf.shared.tryStore(&choices)
    default: ChunkShelf.shared.tryFile(&choices)
    }
}

/// A folder of chunks in memory's file system that is emptied before each input.
private final class ChunkShelf: Sendable {
    static let shared = ChunkShelf()

    private let seal: ChunkSeal
    private let sodium: SodiumCryptography
    private let secret: Bytes32
    private let folder = "/dev/shm/caravan-fuzz-chunks.\(getpid())"
    /// Chunks that are put, by number.
    private let chunks: [[UInt8]]
    /// Room for three of them.
    private static let quota = 700

    private init() {
        guard let sodium = try? SodiumCryptography(), let secret = Bytes32([UInt8](repeating: 7, count: 32)) else {
            fatalError("libsodium does not start")
        }
        (self.sodium, self.secret) = (sodium, secret)
        seal = ChunkSeal(secret: secret, using: sodium)
        chunks = (1...6 as ClosedRange<UInt8>).map { [UInt8](repeating: $0, count: 1 + 30 * Int($0)) }
        mkdir(folder, 0o700)
    }

    // MARK: - One file

    func tryFile(_ choices: inout Choices) {
        let chunk = choices.bytes() + [1]
        let name = seal.hash(chunk)
        let good = seal.seal(chunk, of: name)
        let file = choices.byte() % 2 == 0 ? choices.everything() : choices.altered(good)
        guard let opened = seal.open(file, of: name) else {
            if file == good { fatalError("a chunk is not opened again") }
            return
        }
        guard file == good, opened == chunk else { fatalError("an altered chunk is opened") }
    }

    // MARK: - A store

    /// What is known of the store from outside.
    private struct Known {
        /// When what nobody touched on the disk since was put last.
        var whole: [Int: Int64] = [:]
        /// What somebody touched on the disk.
        var touched: Set<Int> = []
        var now: Int64 = 1_700_000_000
    }

    func tryStore(_ choices: inout Choices) {
        try? FileManager.default.removeItem(atPath: folder + "/chunks")
        var store = newStore
        var known = Known()
        for _ in 0..<24 where !choices.isEmpty {
            let (deed, number) = (choices.byte() % 9, choices.index(chunks.count))
            switch deed {
            case 0, 1: put(number, store, &known)
            case 2: putOther(number, store, known, &choices)
            case 3: look(number, store, &known)
            case 4: touch(number, &known, &choices)
            case 5: strange(&choices)
            case 6: store = newStore
            case 7: collect(store, &known, &choices)
            default: known.now += Int64(choices.number(3))
            }
        }
        for store in [store, newStore] {
            for number in known.whole.keys.sorted() { look(number, store, &known) }
        }
        guard known.touched.isEmpty, let bytes = try? store.bytesUsed else { return }
        if bytes > Self.quota { fatalError("a store takes more than its room") }
    }

    private var newStore: ChunkStore { ChunkStore(folder: folder, secret: secret, quota: Self.quota, using: sodium) }

    private func path(_ number: Int) -> String {
        "\(folder)/chunks/\(seal.fileName(of: seal.hash(chunks[number])))"
    }

    private func put(_ number: Int, _ store: ChunkStore, _ known: inout Known) {
        let before = try? store.bytesUsed
        guard let blob = try? store.put(chunks[number], at: known.now) else {
            let isFull = (before ?? 0) + chunks[number].count + 60 > Self.quota
            if known.touched.isEmpty, !isFull { fatalError("there is room, and nothing is put") }
            return
        }
        guard blob.chunks == [seal.hash(chunks[number])] else { fatalError("a chunk is called otherwise") }
        if !known.touched.contains(number) { known.whole[number] = known.now }
    }

    /// Other bytes under a chunk's name.
    private func putOther(_ number: Int, _ store: ChunkStore, _ known: Known, _ choices: inout Choices) {
        let bytes = choices.altered(chunks[number])
        let isPut = try? store.put(chunk: bytes, named: seal.hash(chunks[number]), at: known.now)
        if isPut == true, bytes != chunks[number] { fatalError("other bytes are put") }
    }

    private func look(_ number: Int, _ store: ChunkStore, _ known: inout Known) {
        let name = seal.hash(chunks[number])
        let found = try? store.chunk(name)
        if let found, found != chunks[number] { fatalError("other bytes are read") }
        if known.whole[number] != nil, found == nil { fatalError("what was put is gone") }
        // What was altered is removed when it is read, and can be put again.
        if found == nil, access(path(number), F_OK) != 0 { known.touched.remove(number) }
    }

    /// Alters a chunk's file, or puts something else in its place.
    private func touch(_ number: Int, _ known: inout Known, _ choices: inout Choices) {
        known.whole[number] = nil
        known.touched.insert(number)
        let path = path(number)
        switch choices.byte() % 4 {
        case 0: unlink(path)
        case 1: mkdir(path, 0o700)
        case 2: write(choices.bytes(), to: path)
        default: write(choices.altered(seal.seal(chunks[number], of: seal.hash(chunks[number]))), to: path)
        }
    }

    /// A file that is no chunk's.
    private func strange(_ choices: inout Choices) {
        let names = [
            seal.fileName(of: seal.hash([])) + ".part", "notes.txt", "0123456789ABCDEF0123456789ABCDEF", "..x",
        ]
        write(choices.bytes(), to: "\(folder)/chunks/\(names[choices.index(names.count)])")
    }

    private func collect(_ store: ChunkStore, _ known: inout Known, _ choices: inout Choices) {
        let kept = (0..<choices.index(chunks.count)).map { seal.hash(chunks[$0]) }
        known.now += Int64(choices.number(3))
        let now = known.now
        _ = try? store.collect(keeping: Set(kept), at: now)
        known.whole = known.whole.filter { $0.key < kept.count || $0.value + ChunkStore.graceTime > now }
    }

    private func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0o600)
        guard descriptor >= 0 else { return }
        _ = bytes.withUnsafeBytes { LibC.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }
}
