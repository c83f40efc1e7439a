import ChangeLog
import Files
import SyncEngine
import TripService
import TripStore

/// A bundle's file.
package enum BundleFile {
    /// Whether a file begins as a bundle does.
    package static func isBundle(_ path: String) -> Bool {
        Bundle.isBegun(by: (try? WholeFile.beginning(of: path, upTo: Bundle.magicSize)) ?? [])
    }

    /// All bytes of a file, which is no pipe, and of at most `Bundle.bytesMax`.
    static func read(_ path: String) throws(ServiceError) -> [UInt8] {
        do { return try WholeFile.read(path, atMost: Bundle.bytesMax) } catch {
            switch error {
            case .system(let error): throw ServiceError("cannot read \(path): \(error.reason)")
            case .notAFile: throw ServiceError("\(path) is not a file; copy the sealed file to this machine")
            case .tooLong: throw ServiceError(.tooLarge, path)
            }
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
