import ChangeLog
import Glibc
import TripService
import TripStore

/// A bundle's file.
package enum BundleFile {
    /// Whether a file begins as a bundle does.
    package static func isBundle(_ path: String) -> Bool {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var beginning = [UInt8](repeating: 0, count: Bundle.magicSize)
        guard isFile(descriptor), Glibc.read(descriptor, &beginning, beginning.count) == beginning.count else {
            return false
        }
        return Bundle.isBegun(by: beginning)
    }

    /// All bytes of a file, which is no pipe, and of at most `Bundle.bytesMax`.
    static func read(_ path: String) throws(ServiceError) -> [UInt8] {
        let unreadable = { (code: Int32) in ServiceError("\(path) cannot be read: \(String(cString: strerror(code)))") }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { close(descriptor) }
        guard isFile(descriptor) else { throw ServiceError("\(path) is no file: copy the sealed file to this machine") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
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
            case .notABundle: "is no sealed file: `caravan export --sealed FILE` makes one"
            case .newerVersion, .refused(.malformed): "was made by a newer caravan: update yours"
            case .tooLarge:
                "would be larger than a sealed file may be (\(Bundle.bytesMax >> 20) MiB): meet on a network"
            case .notForThisDevice:
                "does not open here: it is of another trip (name yours with --trip), damaged, or for people whom you are no longer among"
            case .damaged, .refused: "is cut off or damaged, and nothing of it was taken: copy it again"
            case .otherTrip: "is of another trip: name yours with --trip"
            case .authorNotIn:
                "was made by somebody who is not in this trip, and nothing of it was taken: ask somebody who is"
            }
        self.init("\(path) \(what)")
    }
}
