import Files
import LibC

/// A file for only this user that appears under its name complete or not at all, and never replaces another file.
///
/// Until `commit` it has another name in the same folder, and is removed with the last reference to it. A process that is
/// killed in between leaves it there.
package final class NewFile {
    package let path: String
    private let draft: String
    private let descriptor: Int32
    private var isCommitted = false

    /// Throws `alreadyExists` where there is something of this name.
    package init(path: String) throws(StoreError) {
        guard access(path, F_OK) != 0 else { throw .fileExists(path) }
        self.path = path
        draft = path + ".\(getpid()).part"
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(writing: path, SystemError("open")) }
        // Whatever the umask. Some file systems have no modes.
        fchmod(descriptor, 0o600)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !isCommitted { unlink(draft) }
    }

    package func append(_ bytes: [UInt8]) throws(StoreError) {
        if let failure = WholeFile.append(bytes, to: descriptor) { throw StoreError(writing: path, failure) }
    }

    /// Returns once the file is on the disk under its name. Throws `alreadyExists` where something has come there meanwhile.
    package func commit() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw StoreError(writing: path, SystemError("fsync")) }
        if link(draft, path) == 0 {
            unlink(draft)
        } else {
            let failure = SystemError("link")
            guard failure.number != EEXIST, access(path, F_OK) != 0 else { throw .fileExists(path) }
            // A file system without hard links, as on a memory stick.
            guard rename(draft, path) == 0 else { throw StoreError(writing: path, failure) }
        }
        isCommitted = true
        try PrivateFolder.synchronize(PrivateFolder.parent(of: path))
    }
}

extension StoreError {
    fileprivate init(writing path: String, _ error: SystemError) {
        switch error.number {
        case EACCES, EPERM, EROFS:
            self.init(.noPermission, "cannot write \(path); choose another folder", cause: error)
        case ENOENT, ENOTDIR:
            self.init(.system, "there is no folder for \(path); create it, or choose another one", cause: error)
        case ENOSPC, EDQUOT, EFBIG:
            self.init(.full, "there is no space for \(path); free some, or choose another folder", cause: error)
        default: self.init(.system, "cannot write \(path) (\(error)); choose another folder", cause: error)
        }
    }

    fileprivate static func fileExists(_ path: String) -> StoreError {
        StoreError(.alreadyExists, "\(path) already exists; choose another name")
    }
}
