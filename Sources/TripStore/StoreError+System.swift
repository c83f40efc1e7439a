import Files
import LibC

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
