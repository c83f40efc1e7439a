import ChangeLog
import Platform
import SyncEngine
import TripService
import TripStore

/// A bundle's file.
package enum BundleFile {
    /// Whether a file begins as a bundle does.
    package static func isBundle(_ path: String) -> Bool {
        let descriptor = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: Bundle.magicSize)
        guard isFile(descriptor), Platform.read(descriptor, &beginning, beginning.count) == beginning.count else {
            return false
        }
        return Bundle.isBegun(by: beginning)
    }

    /// All bytes of a file, which is no pipe, and of at most `Bundle.bytesMax`.
    static func read(_ path: String) throws(ServiceError) -> [UInt8] {
        let unreadable = { (code: Int32) in ServiceError("cannot read \(path): \(String(cString: strerror(code)))") }
        let descriptor = Platform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        guard isFile(descriptor) else {
            throw ServiceError("\(path) is not a file; copy the sealed file to this machine")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Platform.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(errno) }
            if count == 0 { return bytes }
            // Memory grows with what comes, not with what is promised.
            bytes += chunk[..<count]
            guard bytes.count <= Bundle.bytesMax else { throw ServiceError(.tooLarge, path) }
        }
    }

    static func write(_ bytes: [UInt8], to file: NewFile) throws(ServiceError) {
        do {
            try file.append(bytes)
            try file.commit()
        } catch {
            throw ServiceError(error)
        }
    }

    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

extension ServiceError {
    /// - Parameter path: the bundle's.
    init(_ failure: Bundle.Failure, _ path: String) {
        let what =
            switch failure {
            case .notABundle: "is not a sealed file; create one with `caravan export --sealed FILE`"
            case .newerVersion, .refused(.malformed): "was made by a newer version of caravan; update yours"
            case .tooLarge:
                "would be larger than \(Bundle.bytesMax >> 20) MiB, the maximum of a sealed file; sync on a network instead"
            case .notForThisDevice:
                "cannot be opened here; it is of another trip (give yours with --trip), damaged, or made after you were removed"
            case .damaged, .refused: "is truncated or damaged, and nothing was imported; copy it again"
            case .otherTrip: "is of another trip; give the trip with --trip"
            case .authorNotIn:
                "was made by someone who is not in this trip, and nothing was imported; ask a member for another"
            }
        self.init("\(path) \(what)")
    }
}
