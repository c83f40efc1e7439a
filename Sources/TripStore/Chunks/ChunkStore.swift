package import Attachments
package import ChangeLog
import Files
import LibC
import Synchronization

/// The chunks of a trip's photos, each a sealed file in the folder `chunks` of the trip's.
///
/// A chunk appears under its name whole or not at all, so a process that is killed loses nothing that was there and leaves
/// nothing broken. A chunk that was altered on the disk counts as missing, and is fetched again. Safe from any thread; one
/// process may put, as one owns the trip. Every call reads or writes files, and blocks for as long.
package final class ChunkStore: Sendable {
    /// What is known of the files that are there.
    private struct Index {
        var files: [String: File] = [:]
        var bytes = 0

        struct File {
            var size: Int
            /// When it was put last, in seconds since 1970.
            var put: Int64
        }

        mutating func set(_ name: String, to file: File?) {
            bytes += (file?.size ?? 0) - (files[name]?.size ?? 0)
            files[name] = file
        }
    }

    private let folder: String
    private let seal: ChunkSeal
    /// The most bytes that its files may have in all.
    package let quota: Int
    /// Nil until the folder was read.
    private let state = Mutex<Index?>(nil)
    /// So that two writers don't both take the last free bytes.
    private let putting = Mutex(())

    /// Of all files of a trip.
    package static let quotaByDefault = 2 << 30
    /// For how long a chunk stays that nobody refers to, in seconds: what was put is referred to later.
    package static let graceTime: Int64 = 24 * 3_600
    private static let draftSuffix = ".part"

    /// - Parameters:
    ///   - folder: the trip's. Nothing is read or made there before it is needed.
    ///   - secret: known only to this device.
    ///   - quota: the most bytes that its files may have in all.
    package init(
        folder: String, secret: Bytes32, quota: Int = ChunkStore.quotaByDefault, using cryptography: some Cryptography
    ) {
        self.folder = folder + "/chunks"
        self.quota = quota
        seal = ChunkSeal(secret: secret, using: cryptography)
    }

    /// The name of a chunk.
    package func hash(_ chunk: [UInt8]) -> BlobHash { seal.hash(chunk) }

    // MARK: - Reading

    /// The bytes of a file; nil where a chunk of it is not here.
    package func read(_ blob: Blob) throws(StoreError) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(blob.size)
        for (index, hash) in blob.chunks.enumerated() {
            guard let chunk = try self.chunk(hash), chunk.count == blob.size(ofChunk: index) else { return nil }
            bytes += chunk
        }
        return bytes
    }

    /// A chunk; nil where it is not here. One that was altered on the disk is removed.
    package func chunk(_ hash: BlobHash) throws(StoreError) -> [UInt8]? {
        let name = seal.fileName(of: hash)
        guard let file = try PrivateFile(reading: "\(folder)/\(name)") else {
            try withIndex { $0.set(name, to: nil) }
            return nil
        }
        let sealed = try file.read(ChunkSeal.fileSizeMax + 1, at: 0)
        if let chunk = seal.open(sealed, of: hash) { return chunk }
        unlink("\(folder)/\(name)")
        try withIndex { $0.set(name, to: nil) }
        return nil
    }

    /// Whether a chunk is here, as far as names tell.
    package func holds(_ hash: BlobHash) throws(StoreError) -> Bool {
        let name = seal.fileName(of: hash)
        return try withIndex { $0.files[name] != nil }
    }

    /// How many bytes the files have.
    package var bytesUsed: Int {
        get throws(StoreError) { try withIndex { $0.bytes } }
    }

    // MARK: - Writing

    /// Puts a file's bytes; returns once they are durable.
    ///
    /// - Returns: nil for no bytes, or more than a blob may have.
    /// - Throws: `tooLarge` beyond the quota, `full` for a full disk. Chunks that are there by then stay, and are collected
    ///   where nothing refers to them.
    package func put(_ bytes: [UInt8], at now: Int64) throws(StoreError) -> Blob? {
        guard let blob = Blob(bytes, hash: seal.hash) else { return nil }
        try put(zip(blob.chunks, Blob.split(bytes)).map { ($0, Array($1)) }, at: now)
        return blob
    }

    /// Puts a chunk that came from somebody; returns once it is durable.
    ///
    /// - Returns: false where it is not what its name says, and nothing was put.
    package func put(chunk: [UInt8], named hash: BlobHash, at now: Int64) throws(StoreError) -> Bool {
        guard (1...Blob.chunkSize).contains(chunk.count), seal.hash(chunk) == hash else { return false }
        try put([(hash, chunk)], at: now)
        return true
    }

    private func put(_ chunks: [(hash: BlobHash, bytes: [UInt8])], at now: Int64) throws(StoreError) {
        let result = putting.withLock { _ in
            Result { () throws(StoreError) in
                try PrivateFolder.make(folder)
                for chunk in chunks { try putOne(chunk.bytes, chunk.hash, at: now) }
                try PrivateFolder.synchronize(folder)
            }
        }
        try result.get()
    }

    private func putOne(_ bytes: [UInt8], _ hash: BlobHash, at now: Int64) throws(StoreError) {
        let name = seal.fileName(of: hash)
        let path = "\(folder)/\(name)"
        if let size = try withIndex({ $0.files[name]?.size }) {
            // Said again, so that it is not collected before somebody refers to it.
            Self.date(path, now)
            return try withIndex { $0.set(name, to: Index.File(size: size, put: now)) }
        }
        let sealed = seal.seal(bytes, of: hash)
        guard try bytesUsed + sealed.count <= quota else { throw .overQuota(quota) }
        let draft = path + Self.draftSuffix
        do { try WholeFile.write(sealed, to: path, draft: draft, .bytes) } catch {
            throw StoreError(error, path: error.call == "rename" ? path : draft)
        }
        Self.date(path, now)
        try withIndex { $0.set(name, to: Index.File(size: sealed.count, put: now)) }
    }

    // MARK: - Collecting

    /// Removes chunks that others have, in their order, until so many bytes find room.
    ///
    /// - Parameter spare: those of them that are not here stay away.
    /// - Returns: whether one went.
    package func makeRoom(for bytes: Int, removing spare: [BlobHash]) throws(StoreError) -> Bool {
        let result = putting.withLock { _ in
            Result { () throws(StoreError) in
                var hasRemoved = false
                for name in spare.map(seal.fileName) {
                    guard try withIndex({ $0.bytes }) > quota - bytes else { break }
                    guard try withIndex({ $0.files[name] != nil }) else { continue }
                    try remove(name)
                    hasRemoved = true
                }
                return hasRemoved
            }
        }
        return try result.get()
    }

    private func remove(_ name: String) throws(StoreError) {
        guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
            throw StoreError(SystemError("unlink"), path: "\(folder)/\(name)")
        }
        try withIndex { $0.set(name, to: nil) }
    }

    /// Removes what nobody refers to and was not put within the grace time.
    ///
    /// - Parameters:
    ///   - kept: every chunk that something refers to.
    ///   - now: in seconds since 1970. A clock that was set back keeps more.
    /// - Returns: how many bytes went.
    @discardableResult
    package func collect(keeping kept: Set<BlobHash>, at now: Int64) throws(StoreError) -> Int {
        let names = Set(kept.map(seal.fileName))
        let result = putting.withLock { _ in
            Result { () throws(StoreError) in
                let gone = try withIndex { index in
                    index.files.filter { !names.contains($0.key) && $0.value.put + Self.graceTime <= now }
                }
                for name in gone.keys.sorted() { try remove(name) }
                return gone.values.reduce(0) { $0 + $1.size }
            }
        }
        return try result.get()
    }

    // MARK: - The folder

    private func withIndex<Value: Sendable>(_ body: (inout Index) -> Value) throws(StoreError) -> Value {
        let result = state.withLock { state -> Result<Value, StoreError> in
            Result { () throws(StoreError) in
                var index: Index
                if let known = state { index = known } else { index = try readFolder() }
                // One owner, so that the table is not copied.
                state = nil
                let value = body(&index)
                state = index
                return value
            }
        }
        return try result.get()
    }

    /// Finds the files that are there. What a process that was killed was writing is removed.
    private func readFolder() throws(StoreError) -> Index {
        var index = Index()
        guard let entries = opendir(folder) else {
            let failure = SystemError("opendir")
            guard failure.number == ENOENT else { throw StoreError(failure, path: folder) }
            return index
        }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name.hasSuffix(Self.draftSuffix) { unlink("\(folder)/\(name)") }
            var status = stat()
            guard ChunkSeal.isFileName(name), lstat("\(folder)/\(name)", &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            index.set(name, to: Index.File(size: Int(status.st_size), put: Int64(status.st_mtim.tv_sec)))
        }
        return index
    }

    private static func date(_ path: String, _ now: Int64) {
        let time = timespec(tv_sec: Int(now), tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
    }
}

extension StoreError {
    fileprivate static func overQuota(_ quota: Int) -> StoreError {
        StoreError(
            .tooLarge,
            "the photos of a trip can take at most \(quota >> 20) MB here; remove some, or set CARAVAN_PHOTO_SPACE")
    }
}
