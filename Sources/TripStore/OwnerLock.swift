import Files
import LibC

/// The right to use a trip's folder, held by one process at a time.
///
/// It is a lock of flock(2) on the file `lock`, so the system takes it back when the process dies, however it dies. The file
/// itself stays: to remove it would let two processes hold locks on two files of one name.
package final class OwnerLock: Sendable {
    package let folder: String
    private let file: PrivateFile

    /// Takes the lock. Throws `owned` at once where another holds it.
    package init(folder: String) throws(StoreError) {
        guard try PrivateFolder.exists(folder) else { throw .notATrip(folder) }
        let file = try PrivateFile(path: Self.path(in: folder))
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = SystemError("flock")
            guard failure.number == EWOULDBLOCK else { throw StoreError(failure, path: file.path) }
            let owner = (try? Self.readOwner(file)).map { "process \($0)" } ?? "another process"
            throw StoreError(
                .owned, "the trip in \(folder) is open in \(owner); stop that process, or use it", cause: failure)
        }
        do {
            try file.replaceContents(with: Array("\(getpid())\n".utf8))
        } catch {
            // On a full disk nobody reads who owns it; that somebody does is another matter.
            guard error.code == .full else { throw error }
        }
        self.folder = folder
        self.file = file
    }

    deinit {
        // So that nobody is named who has gone.
        ftruncate(file.descriptor, 0)
        // A child that is being started may hold a copy of the descriptor for a moment longer.
        flock(file.descriptor, LOCK_UN)
    }

    /// The process that holds the lock of a folder, for people to read: nil where none does, or its name cannot be read.
    package static func owner(of folder: String) -> Int32? {
        guard let file = try? PrivateFile(reading: path(in: folder)) else { return nil }
        guard flock(file.descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return try? readOwner(file)
    }

    private static func path(in folder: String) -> String { folder + "/lock" }

    private static func readOwner(_ file: PrivateFile) throws(StoreError) -> Int32? {
        Int32(String(decoding: try file.read(16, at: 0).prefix { $0 != 0x0A }, as: UTF8.self))
    }
}
