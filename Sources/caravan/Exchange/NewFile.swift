import Console
import Glibc
import TripModel
import TripService

/// A file that a command makes.
enum NewFile {
    /// Writes a file that is not there yet; nothing of it stays where that fails.
    static func write(_ bytes: [UInt8], to path: String) throws(ServiceError) {
        let shown = path.displayed()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw errno == EEXIST
                ? ServiceError("\(shown) already exists; choose another name")
                : ServiceError("cannot write \(shown): \(Output.reason(errno))")
        }
        let failure = Output.write(bytes, to: descriptor)
        close(descriptor)
        if let failure {
            unlink(path)
            throw ServiceError("cannot write \(shown): \(Output.reason(failure))")
        }
    }
}
