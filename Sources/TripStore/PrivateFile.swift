import Files
import LibC

/// A file that only this user may read and write, for any umask and any earlier mode. Closed with the last
/// reference.
final class PrivateFile: Sendable {
    let path: String
    let descriptor: Int32

    /// Opens a file. Nil where there is none.
    convenience init?(existing path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        try self.init(descriptor, path)
    }

    /// Opens a file only to read it, if it may not be written. Nil if there is none.
    convenience init?(reading path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        try self.init(descriptor, path, mustBePrivate: false)
    }

    /// Opens a file, and makes an empty one where there is none.
    convenience init(path: String) throws(StoreError) {
        try self.init(open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600), path)
    }

    private init(_ descriptor: Int32, _ path: String, mustBePrivate: Bool = true) throws(StoreError) {
        let failure = SystemError("open")
        self.path = path
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw StoreError(failure, path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw StoreError(SystemError("fstat"), path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .damaged(path, "it is not a file") }
        guard status.st_mode & 0o7777 == 0o600 || fchmod(descriptor, 0o600) == 0 || !mustBePrivate else {
            throw StoreError(SystemError("fchmod"), path: path)
        }
    }

    /// True for a file of one byte or more. Opens nothing.
    static func hasContents(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 }
        let failure = SystemError("stat")
        guard failure.number == ENOENT || failure.number == ENOTDIR else { throw StoreError(failure, path: path) }
        return false
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var size: Int {
        get throws(StoreError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw StoreError(SystemError("fstat"), path: path) }
            return Int(status.st_size)
        }
    }

    /// Reads `count` bytes; fewer only at the file's end.
    func read(_ count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let size = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, count - done, off_t(offset + done))
            }
            if size < 0, errno == EINTR { continue }
            guard size >= 0 else { throw StoreError(SystemError("pread"), path: path) }
            if size == 0 { break }
            done += size
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Makes these bytes the whole file.
    func replaceContents(with bytes: [UInt8]) throws(StoreError) {
        guard ftruncate(descriptor, 0) == 0 else { throw StoreError(SystemError("ftruncate"), path: path) }
        try write(bytes, at: 0)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        var done = 0
        while done < bytes.count {
            let size = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, off_t(offset + done))
            }
            if size < 0, errno == EINTR { continue }
            guard size > 0 else { throw StoreError(SystemError("pwrite"), path: path) }
            done += size
        }
    }

    /// Makes what another file holds the whole file.
    func copyContents(of other: PrivateFile) throws(StoreError) {
        try replaceContents(with: [])
        var offset = 0
        while true {
            let bytes = try other.read(1 << 20, at: offset)
            guard !bytes.isEmpty else { return }
            try write(bytes, at: offset)
            offset += bytes.count
        }
    }

    /// Writes zeros over the contents, durably, where no name leads to the file any more: another's hard link is a copy
    /// that somebody wants.
    func overwriteIfUnlinked() throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
        let zeros = [UInt8](repeating: 0, count: min(Int(status.st_size), 1 << 20))
        guard pwrite(descriptor, zeros, zeros.count, 0) == zeros.count else {
            throw StoreError(SystemError("pwrite"), path: path)
        }
        try synchronize()
    }

    /// Returns once the contents are on the disk.
    func synchronize() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw StoreError(SystemError("fsync"), path: path) }
    }
}

/// A folder that only this user may enter.
package enum PrivateFolder {
    /// Makes a folder, and those above it that are missing, each with mode 0700 whatever the umask.
    package static func make(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) != 0 else {
            guard chmod(path, 0o700) == 0 else { throw StoreError(SystemError("chmod"), path: path) }
            return try synchronize(parent(of: path))
        }
        let failure = SystemError("mkdir")
        switch failure.number {
        case EEXIST:
            guard try exists(path) else { throw StoreError(failure, path: path) }
        case ENOENT where parent(of: path) != path:
            // Where the folder above is there, the system will have none below it, as in /proc.
            guard try !exists(parent(of: path)) else { throw .noPermission(path, cause: failure) }
            try make(parent(of: path))
            try make(path)
        default:
            throw StoreError(failure, path: path)
        }
    }

    /// True for a folder, false for anything else and for nothing.
    static func exists(_ path: String) throws(StoreError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
        let failure = SystemError("stat")
        guard failure.number == ENOENT || failure.number == ENOTDIR else { throw StoreError(failure, path: path) }
        return false
    }

    /// Makes what was created, renamed or removed in a folder durable.
    static func synchronize(_ path: String) throws(StoreError) {
        do { try WholeFile.synchronize(folder: path) } catch { throw StoreError(error, path: path) }
    }

    static func parent(of path: String) -> String {
        let parts = path.split(separator: "/")
        guard parts.count > 1 || path.hasPrefix("/") else { return "." }
        return (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    }
}
