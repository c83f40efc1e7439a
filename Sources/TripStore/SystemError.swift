import Platform

/// What a system call said.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    /// errno(3).
    package let number: Int32

    package var description: String { "\(call): \(String(cString: strerror(number)))" }

    /// Reads errno: to be made before anything else is called.
    init(_ call: String) {
        number = errno
        self.call = call
    }
}

extension StoreError {
    /// The error for a failed system call on a path.
    init(_ error: SystemError, path: String) {
        switch error.number {
        case EACCES, EPERM: self = .noPermission(path, cause: error)
        case EROFS: self = .readOnly(path, cause: error)
        case ENOTDIR:
            self.init(
                .system, "cannot create \(path) (not a directory); set CARAVAN_HOME to another folder", cause: error)
        case ENAMETOOLONG:
            self.init(.tooLarge, "the path \(path) is too long; set CARAVAN_HOME to a shorter one", cause: error)
        case ENOSPC, EDQUOT, EFBIG: self = .full(path, cause: error)
        default: self.init(.system, "cannot use \(path) (\(error)); check it, or set CARAVAN_HOME", cause: error)
        }
    }
}
