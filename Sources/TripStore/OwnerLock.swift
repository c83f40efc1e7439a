import Glibc
import Synchronization

/// The mark that one process owns a trip's folder: a lock that the system takes back when the process ends, however.
final class OwnerLock: Sendable {
    private let descriptor: Int32
    private let isReleased = Mutex(false)

    /// - Throws: `StoreError` when another process owns the folder, or the folder may not be written.
    init(folder: String) throws(StoreError) {
        let path = folder + "/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            // `deinit` runs for a lock that throws here, and closes the descriptor: twice would close somebody else's.
            let owner = OwnerLock.owner(descriptor)
            throw StoreError(
                .owned, "another process\(owner.map { " (\($0))" } ?? "") has this trip open: stop it, or use its node")
        }
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    private static func owner(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self))
    }

    /// Lets another process own the folder. The second time nothing happens.
    func release() {
        isReleased.withLock { isReleased in
            if !isReleased { Glibc.close(descriptor) }
            isReleased = true
        }
    }

    deinit { release() }
}

extension StoreError {
    /// What the system's error means for a path.
    init(errno code: Int32, path: String) {
        switch code {
        case EACCES, EPERM, EROFS:
            self.init(.permission, "\(path) may not be written: give yourself permission for it, or set CARAVAN_HOME")
        case ENOENT, ENOTDIR: self.init(.notATrip, "\(path) is not there: this is no trip's folder")
        case ENOSPC, EDQUOT: self.init(.full, "the disk is full: make room, then do it again")
        default: self.init(.system, "\(path): \(String(cString: strerror(code)))")
        }
    }
}
