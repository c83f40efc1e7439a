import Console
import LibC
import Synchronization
import TripService

/// A log that this user alone may read, of a bounded size: when it is full, it takes the place of the one before.
final class LogFile: Sendable {
    /// Bytes of one file; the log and the one before it are two.
    static let bytesMax = 1 << 20

    private struct State {
        var descriptor: Int32
        var size: Int
    }

    let path: String
    private let state: Mutex<State>

    /// Opens a log to go on with it.
    init(path: String) throws(ServiceError) {
        self.path = path
        guard let opened = LogFile.open(path) else {
            throw ServiceError(.unwritable, "cannot write \(path); check its permissions")
        }
        state = Mutex(opened)
    }

    deinit { state.withLock { _ = close($0.descriptor) } }

    /// Appends a line. One that finds no room on the disk is lost, and nothing else.
    func append(_ line: String) {
        let bytes = Array(line.utf8)
        state.withLock { state in
            if state.size + bytes.count > LogFile.bytesMax, rename(path, path + ".old") == 0,
                let next = LogFile.open(path)
            {
                close(state.descriptor)
                state = next
            }
            guard Output.write(bytes, to: state.descriptor) == nil else { return }
            state.size += bytes.count
        }
    }

    private static func open(_ path: String) -> State? {
        let descriptor = LibC.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fchmod(descriptor, 0o600) == 0, fstat(descriptor, &status) == 0 else {
            close(descriptor)
            return nil
        }
        return State(descriptor: descriptor, size: Int(status.st_size))
    }
}
