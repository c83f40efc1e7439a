import Files
import LibC

/// An open folder. Nothing in it is reached by way of a symbolic link.
final class Folder {
    let path: String
    private let descriptor: Int32

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens the folder that a person named: of a symbolic link, the folder that it leads to.
    convenience init(opening path: String) throws(MailboxError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw MailboxError(errno, path) }
        self.init(descriptor, path)
    }

    /// A folder in this one; nil if there is nothing of that name.
    func folder(_ name: String) throws(MailboxError) -> Folder? {
        let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard child >= 0 else {
            if errno == ENOENT { return nil }
            throw MailboxError(errno, "\(path)/\(name)")
        }
        return Folder(child, "\(path)/\(name)")
    }

    /// A folder in this one, made if it isn't there. Its rights are those that the user's umask leaves.
    func making(_ name: String) throws(MailboxError) -> Folder {
        if mkdirat(descriptor, name, 0o777) == 0 {
            try synchronize()
        } else if errno != EEXIST {
            throw MailboxError(errno, "\(path)/\(name)")
        }
        guard let folder = try folder(name) else { throw MailboxError(ENOENT, "\(path)/\(name)") }
        return folder
    }

    /// The names in the folder, up to a number of them.
    func names(most: Int) throws(MailboxError) -> (names: [String], isWhole: Bool) {
        // A descriptor of its own, which starts at the beginning.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw MailboxError(errno, path) }
        guard let stream = fdopendir(copy) else {
            close(copy)
            throw MailboxError(ENOMEM, path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            guard names.count < most else { return (names, false) }
            names.append(name)
        }
        return (names, true)
    }

    /// What its file system has left for this user.
    var freeBytes: Int64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMany ? .max : Int64(clamping: bytes)
    }

    func stamp(of name: String) -> FileStamp? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStamp(status)
    }

    /// A regular file; nil if there is none of that name. A FIFO, a device or a symbolic link is never opened to be read.
    func file(_ name: String) throws(MailboxError) -> OpenFile? {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            // A symbolic link, a socket, a file that its owner doesn't show, or one that has just gone.
            if [ENOENT, ELOOP, ENXIO, EACCES, EPERM, ENODEV, ESTALE].contains(errno) { return nil }
            throw MailboxError(errno, "\(path)/\(name)")
        }
        return OpenFile(file, "\(path)/\(name)")
    }

    /// Writes a draft, and gives it its name once it is on the disk. Returns once the name is on the disk too.
    func write(_ bytes: [UInt8], to draft: String, then name: String) throws(MailboxError) {
        do { try WholeFile.write(bytes, to: name, in: descriptor, draft: draft, mode: nil, .bytes) } catch {
            throw MailboxError(error.number, error.call == "open" ? path : "\(path)/\(name)")
        }
        try synchronize()
    }

    /// Deletes a file, if there is one; durable by `synchronize`.
    func remove(_ name: String) throws(MailboxError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw MailboxError(errno, "\(path)/\(name)")
        }
    }

    /// Deletes a file that nobody has written to for a time.
    func remove(_ name: String, olderThan age: Duration) {
        guard let stamp = stamp(of: name), Int64(time(nil)) - stamp.seconds > age.components.seconds else { return }
        unlinkat(descriptor, name, 0)
    }

    func removeIfEmpty(_ name: String) { unlinkat(descriptor, name, AT_REMOVEDIR) }

    /// Returns once what was made, renamed or deleted here is on the disk.
    func synchronize() throws(MailboxError) {
        // Some file systems have no fsync for folders.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw MailboxError(errno, path) }
    }
}

/// By which a file is known to be as it was.
struct FileStamp: Hashable, Sendable {
    let inode: UInt64
    let size: Int
    let seconds: Int64
    let nanoseconds: Int64
    fileprivate let isRegular: Bool

    init(_ status: stat) {
        inode = UInt64(status.st_ino)
        size = Int(status.st_size)
        (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}

final class OpenFile {
    private let descriptor: Int32
    private let path: String
    let stamp: FileStamp

    fileprivate init?(_ descriptor: Int32, _ path: String) {
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        self.descriptor = descriptor
        self.path = path
        stamp = FileStamp(status)
        // From here on, `deinit` closes it.
        guard isKnown, stamp.isRegular else { return nil }
    }

    deinit { close(descriptor) }

    /// All bytes; nil if there are more than `most`, which is seen before any is read, or if they can't be read.
    func contents(most: Int) throws(MailboxError) -> [UInt8]? {
        guard (0...most).contains(stamp.size) else { return nil }
        // One more, to see that the file has grown.
        var bytes = [UInt8](repeating: 0, count: stamp.size + 1)
        var done = 0
        while done < bytes.count {
            let size = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done))
            }
            if size < 0, errno == EINTR { continue }
            if size <= 0 { break }
            done += size
        }
        return done == stamp.size ? Array(bytes.prefix(done)) : nil
    }

    func synchronize() throws(MailboxError) {
        guard fsync(descriptor) == 0 else { throw MailboxError(errno, path) }
    }
}

extension MailboxError {
    /// - Parameter number: errno(3) of a call on a path.
    init(_ number: Int32, _ path: String) {
        switch number {
        case ENOENT:
            self.init(.unreachable, "there is no folder \(path); connect its disk, or choose another folder")
        case ENOTDIR, ELOOP, EISDIR:
            self.init(.refused, "\(path) is not a folder; choose another one, or move it away")
        case EACCES, EPERM, EROFS:
            self.init(
                .refused,
                "you have no right to read and write \(path); change its permissions, or choose another folder")
        case ENOSPC, EDQUOT, EFBIG:
            self.init(.full, "there is no space for \(path); free some, or choose another folder")
        default:
            self.init(
                .unreachable,
                "cannot use \(path) (\(String(cString: strerror(number)))); check its disk, or choose another folder")
        }
    }
}
