import LibC

/// Files that are read whole, and replaced whole or not at all.
package enum WholeFile {
    /// What outlives a crash of the machine once a file is written.
    package enum Durability {
        /// Nothing for certain.
        case none
        /// The bytes; their name does after `synchronize(folder:)`.
        case bytes
        /// The bytes and their name. If only the name is not, the new file stays, and the error is thrown.
        case all
    }

    /// Why a file was not read.
    package enum ReadFailure: Error, Hashable {
        case system(SystemError)
        /// It is a folder, a pipe or a device.
        case notAFile
        case tooLong
    }

    // MARK: - Writing

    /// Replaces a file whole, or creates it. If that fails, the earlier file stays as it was, and the draft is removed.
    ///
    /// - Parameters:
    ///   - folder: an open folder in which relative paths begin.
    ///   - draft: the name until all bytes are written; nil for `path` and `.new`. A file of that name is removed.
    ///   - mode: applies whatever the umask; nil for what the umask leaves of 0666.
    package static func write(
        _ bytes: [UInt8], to path: String, in folder: Int32 = AT_FDCWD, draft: String? = nil, mode: UInt32? = 0o600,
        _ durability: Durability
    ) throws(SystemError) {
        let draft = draft ?? path + ".new"
        // What a process that was killed left there.
        unlinkat(folder, draft, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let descriptor = openat(folder, draft, flags, mode_t(mode ?? 0o666))
        guard descriptor >= 0 else { throw SystemError("open") }
        var failure: SystemError?
        if let mode, fchmod(descriptor, mode_t(mode)) != 0 {
            failure = SystemError("fchmod")
            // Some file systems have one mode for all files.
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_mode & 0o7777 == mode_t(mode) { failure = nil }
        }
        failure = failure ?? append(bytes, to: descriptor)
        if failure == nil, durability != .none, fsync(descriptor) != 0 { failure = SystemError("fsync") }
        if close(descriptor) != 0, failure == nil { failure = SystemError("close") }
        if failure == nil, renameat(folder, draft, folder, path) != 0 { failure = SystemError("rename") }
        if let failure {
            unlinkat(folder, draft, 0)
            throw failure
        }
        if durability == .all { try synchronize(folder: self.folder(of: path), in: folder) }
    }

    /// Writes all bytes to a descriptor. Returns nil once they are written.
    package static func append(_ bytes: [UInt8], to descriptor: Int32) -> SystemError? {
        var done = 0
        while done < bytes.count {
            let size = bytes.withUnsafeBytes { LibC.write(descriptor, $0.baseAddress! + done, $0.count - done) }
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { return SystemError("write", size < 0 ? errno : EIO) }
            done += size
        }
        return nil
    }

    /// Makes what was created, renamed or removed in a folder durable.
    package static func synchronize(folder path: String, in folder: Int32 = AT_FDCWD) throws(SystemError) {
        let descriptor = openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync") }
    }

    /// The folder that a file is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: - Reading

    /// All bytes of a file. A file of more than `bytesMax` is refused by its size, or else after one byte more.
    package static func read(_ path: String, atMost bytesMax: Int) throws(ReadFailure) -> [UInt8] {
        let (descriptor, size) = try opened(path)
        defer { close(descriptor) }
        guard size <= bytesMax else { throw .tooLong }
        // Files of /proc have no size, and others grow.
        let bytes = try read(descriptor, upTo: bytesMax + 1)
        guard bytes.count <= bytesMax else { throw .tooLong }
        return bytes
    }

    /// The first bytes of a file: so many, or all that it has.
    package static func beginning(of path: String, upTo count: Int) throws(ReadFailure) -> [UInt8] {
        let (descriptor, _) = try opened(path)
        defer { close(descriptor) }
        return try read(descriptor, upTo: count)
    }

    private static func opened(_ path: String) throws(ReadFailure) -> (descriptor: Int32, size: Int) {
        // A pipe that nobody writes to would hold the opening for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw .system(SystemError("open")) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notAFile
        }
        return (descriptor, Int(status.st_size))
    }

    private static func read(_ descriptor: Int32, upTo count: Int) throws(ReadFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 1 << 16))
        while bytes.count < count {
            let size = LibC.read(descriptor, &chunk, min(chunk.count, count - bytes.count))
            if size < 0, errno == EINTR { continue }
            guard size >= 0 else { throw .system(SystemError("read")) }
            if size == 0 { break }
            // Memory grows with what comes, not with what is promised.
            bytes += chunk[..<size]
        }
        return bytes
    }
}
