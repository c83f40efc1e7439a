import Files
import Foundation
import LibC
package import TripService
import TripStore

/// The folder of a person's trips: `$CARAVAN_HOME`, or the folder `caravan` in the XDG data folder.
///
/// Each trip has a folder in `trips`, named by the beginning of its id. The file `in-use` names the current trip.
package struct Home: Sendable {
    package let folder: String

    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        if let home = environment["CARAVAN_HOME"], !home.isEmpty {
            folder = home
        } else if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            folder = data + "/caravan"
        } else {
            folder = (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/caravan"
        }
    }

    package init(folder: String) { self.folder = folder }

    /// A trip's id in a home: the beginning of its full name.
    static func id(ofTrip name: String) -> String { String(name.prefix(16)) }

    package func folder(ofTrip id: String) -> String { "\(folder)/trips/\(id)" }

    /// The trips that are here, sorted.
    package func tripIDs() throws(ServiceError) -> [String] {
        let trips = folder + "/trips"
        do {
            guard try Home.isThere(trips) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: trips)
                .filter { !$0.contains(".") && Home.holdsTrip("\(trips)/\($0)") }
                .sorted()
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError("cannot read \(trips); check its permissions, or set CARAVAN_HOME")
        }
    }

    /// A trip without read permission counts as a trip, and so does one whose keys are missing. Opening it throws the reason.
    private static func holdsTrip(_ folder: String) -> Bool {
        ["keys", "trip.sqlite"].contains { access("\(folder)/\($0)", F_OK) == 0 || errno == EACCES }
    }

    /// Whether a file exists. A file without permission to look for it does not count as missing.
    private static func isThere(_ path: String) throws(ServiceError) -> Bool {
        guard access(path, F_OK) != 0 else { return true }
        switch errno {
        case ENOENT: return false
        case EACCES, EPERM:
            throw ServiceError("cannot read \(path); check its permissions, or set CARAVAN_HOME")
        default: throw ServiceError("\(path): \(String(cString: strerror(errno))); set CARAVAN_HOME to another folder")
        }
    }

    // MARK: - The trip in use

    private var choicePath: String { folder + "/in-use" }

    /// The current trip: the only one, or the one that was chosen last.
    package func tripInUse() throws(ServiceError) -> String? {
        let ids = try tripIDs()
        if ids.count == 1 { return ids[0] }
        let chosen = (try? WholeFile.read(choicePath, atMost: 64)).map { String(decoding: $0, as: UTF8.self) }
        return ids.first { $0 == chosen?.trimmingCharacters(in: .newlines) }
    }

    /// Makes this the current trip.
    package func use(trip id: String) throws(ServiceError) {
        do { try WholeFile.write(Array("\(id)\n".utf8), to: choicePath, .none) } catch {
            throw ServiceError(
                .unwritable,
                error.number == EROFS
                    ? "cannot write \(choicePath): read-only file system; make it writable, or set CARAVAN_HOME to another folder"
                    : "cannot write \(choicePath); check its permissions and the space on the disk")
        }
    }

    /// Whether a process runs trips of this home.
    package var isNodeRunning: Bool { OwnerLock.owner(of: folder) != nil }

    /// How the node is resumed, whether it has a terminal or not.
    package var adviceOnSuspendedNode: String {
        let commands = OwnerLock.owner(of: folder).map { "`kill -CONT \($0)`, or with " } ?? ""
        return "if it is suspended, resume it with \(commands)`fg` in its terminal"
    }

    /// Creates the folder if it is missing, for only its owner.
    package func make() throws(ServiceError) {
        do { try PrivateFolder.make(folder) } catch { throw ServiceError(error) }
    }

    // MARK: - Trips that come and go

    /// Puts the folder of a finished join in the place of the trip's, if there is one whose person is out. A running node of
    /// this home continues with it.
    func install(
        _ joined: String, asTrip id: String, report: @Sendable (String) -> Void
    ) async throws(ServiceError) {
        let place = folder(ofTrip: id)
        let node = ControlClient(home: self)
        if access(place, F_OK) == 0 {
            try await node.release(trip: id)
            let aside = "\(place).before-\(time(nil))"
            guard rename(place, aside) == 0 else {
                throw ServiceError("cannot move \(place) away; do that, then rename \(joined) to it")
            }
            report("The earlier copy of this trip is now in \(aside)")
        }
        guard rename(joined, place) == 0 else {
            throw ServiceError("cannot rename \(joined) to \(place); do that yourself")
        }
        try await node.run(trip: id)
    }

    /// Deletes a trip from this machine, with all earlier and damaged copies.
    package func delete(trip id: String) async throws(ServiceError) {
        try await ControlClient(home: self).release(trip: id)
        try eraseFromTrash(trip: id)
        let trips = folder + "/trips"
        let files = FileManager.default
        // So that no other process has it open. The lock's file goes with the folder.
        let owner: OwnerLock
        do { owner = try OwnerLock(folder: folder(ofTrip: id)) } catch { throw ServiceError(error) }
        defer { withExtendedLifetime(owner) {} }
        do {
            for name in try files.contentsOfDirectory(atPath: trips) where name == id || name.hasPrefix(id + ".") {
                try files.removeItem(atPath: "\(trips)/\(name)")
            }
        } catch {
            throw ServiceError(.unwritable, "cannot delete \(folder(ofTrip: id)); check its permissions")
        }
    }
}
