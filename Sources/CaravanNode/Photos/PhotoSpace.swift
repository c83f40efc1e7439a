import Foundation
import TripModel
import TripService
import TripStore

/// How much disk space the photos of each trip may take on this machine. Its person sets it by `CARAVAN_PHOTO_SPACE`.
enum PhotoSpace {
    private static let megabytes = 16...16_000_000

    /// In bytes; 2 GiB if nobody set it.
    ///
    /// - Throws: for what is not a whole number of megabytes or gigabytes in bounds.
    static func bytes(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ServiceError) -> Int {
        guard let text = environment["CARAVAN_PHOTO_SPACE"], !text.isEmpty else { return ChunkStore.quotaByDefault }
        let factor = ["M": 1, "G": 1_024][text.suffix(1).uppercased()]
        let (count, isTooLarge) = (Int(text.dropLast()) ?? 0).multipliedReportingOverflow(by: factor ?? 0)
        guard !isTooLarge, megabytes.contains(count), text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw ServiceError(
                "CARAVAN_PHOTO_SPACE is \(text.displayed().quoted); write it like 500M or 10G, at least 16M")
        }
        return count << 20
    }
}
