import Files
import Foundation
import LibC
import TripService

/// Whether a home can be written, by its owner and by nobody else.
struct HomeCheck {
    let home: Home

    /// Bytes that a node wants to find free: some hundred changes and their log.
    static let freeMin: Int64 = 4 << 20
    /// How far ahead of the clock a file may be: network file systems have clocks of their own.
    static let aheadMax: Int64 = 120
    /// Folders above the home that are looked at, at most.
    private static let depthMax = 64

    func examine() -> [Finding] {
        guard access(home.folder, F_OK) == 0 else { return [] }
        return writableByOthers().map { .home(.writableByOthers(path: $0)) } + writing() + clock()
    }

    // MARK: - Who may write

    private func writableByOthers() -> [String] {
        let found = [home.folder, home.folder + "/trips"].filter(Self.isWritableByOthers)
        let trips = ((try? home.tripIDs()) ?? []).map { home.folder(ofTrip: $0) }
        let files = trips.flatMap { [$0, $0 + "/keys", $0 + "/trip.sqlite"] }
        return found + files.filter(Self.isWritableByOthers) + placesAbove().filter(Self.letsOthersReplace)
    }

    private func placesAbove() -> [String] {
        var place = URL(fileURLWithPath: home.folder).resolvingSymlinksInPath().deletingLastPathComponent()
        var places: [String] = []
        while places.count < Self.depthMax {
            places.append(place.path)
            if place.path == "/" { break }
            place.deleteLastPathComponent()
        }
        return places
    }

    private static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & 0o022 != 0 || ![getuid(), 0].contains(status.st_uid)
    }

    /// Of a folder with the sticky bit, as /tmp, only its owner and a file's own may rename what is in it (inode(7)).
    private static func letsOthersReplace(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & 0o002 != 0 && status.st_mode & S_ISVTX == 0 || ![getuid(), 0].contains(status.st_uid)
    }

    // MARK: - Whether there is room

    private func writing() -> [Finding] {
        let free = freeBytes
        switch tryToWrite() {
        case 0:
            guard let free, free < Self.freeMin else { return [] }
            return [.home(.diskNearlyFull(path: home.folder, freeBytes: free))]
        case ENOSPC, EDQUOT: return [.home(.diskFull(path: home.folder, freeBytes: free ?? 0))]
        case let number:
            return [.home(.unwritable(path: home.folder, reason: String(cString: strerror(number))))]
        }
    }

    /// Throws if nothing can be written.
    func requireWritable() throws(ServiceError) {
        switch tryToWrite() {
        case 0: return
        case ENOSPC, EDQUOT:
            throw ServiceError(.unwritable, Self.full(home.folder))
        case let number:
            throw ServiceError(
                .unwritable,
                "cannot write to \(home.folder) (\(String(cString: strerror(number)))); make it writable, or set "
                    + "CARAVAN_HOME to another folder")
        }
    }

    /// That a folder's disk has no byte left for this user; nil where it has some, or the system does not say.
    static func fullDiskProblem(at folder: String) -> String? {
        var status = statvfs()
        guard statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
        return (geteuid() == 0 ? status.f_bfree : status.f_bavail) == 0 ? full(folder) : nil
    }

    private static func full(_ folder: String) -> String {
        "the disk is full, so nothing can be written to \(folder); free some space, then try again"
    }

    /// What this user may still write under the home; nil where the system does not say.
    private var freeBytes: Int64? {
        var status = statvfs()
        guard statvfs(home.folder, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// Writes a file and makes it durable, in the home; the system's error, or 0. The file has no name, and is gone.
    private func tryToWrite() -> Int32 {
        var template = Array((home.folder + "/.doctor-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return errno }
        unlink(template)
        defer { close(descriptor) }
        // The part of a write that fitted on a full disk is no error: the next write is.
        let failure = WholeFile.append([UInt8](repeating: 1, count: 65_536), to: descriptor)
        return failure?.number ?? (fsync(descriptor) == 0 ? 0 : errno)
    }

    // MARK: - The clock, by the times of files

    private func clock() -> [Finding] {
        let trips = ((try? home.tripIDs()) ?? []).map { home.folder(ofTrip: $0) }
        let times = (trips + trips.map { $0 + "/trip.sqlite" } + [home.folder]).compactMap { path -> Int64? in
            var status = stat()
            return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
        }
        let ahead = (times.max() ?? 0) - Int64(time(nil))
        return ahead > Self.aheadMax ? [.clock(ClockFinding(secondsBehind: ahead, witness: .files))] : []
    }
}
