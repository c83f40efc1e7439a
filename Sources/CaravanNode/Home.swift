import Foundation
import Glibc

/// Where a person's trips are kept: `$CARAVAN_HOME`, or the folder `caravan` in the XDG data folder.
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

    /// The folder of a new trip, named by the beginning of its id.
    func folder(ofTrip id: String) -> String { "\(folder)/trips/\(id.prefix(16))" }

    /// The names of the folders that hold trips, sorted.
    package func allTripFolders() throws(NodeError) -> [String] {
        let trips = folder + "/trips"
        do {
            guard try Home.isThere(trips) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: trips)
                .filter { !$0.contains(".") && Home.holdsTrip("\(trips)/\($0)") }
                .sorted().map { "\(trips)/\($0)" }
        } catch let error as NodeError {
            throw error
        } catch {
            throw NodeError("\(trips) cannot be read: give yourself permission for it, or set CARAVAN_HOME")
        }
    }

    /// A trip that may not be looked into is one: who opens it hears why that fails.
    private static func holdsTrip(_ folder: String) -> Bool {
        access(folder + "/keys", F_OK) == 0 || errno == EACCES
    }

    /// Whether a file is there. One that may not be looked for is not taken for one that is missing.
    private static func isThere(_ path: String) throws(NodeError) -> Bool {
        guard access(path, F_OK) != 0 else { return true }
        switch errno {
        case ENOENT: return false
        case EACCES, EPERM:
            throw NodeError("\(path) cannot be read: give yourself permission for it, or set CARAVAN_HOME")
        default: throw NodeError("\(path): \(String(cString: strerror(errno))): set CARAVAN_HOME to another folder")
        }
    }

    /// The folder of the trip that is meant: the only one, or the one whose id begins so.
    package func tripFolder(named prefix: String?) throws(NodeError) -> String {
        let all = try allTripFolders()
        let matching = all.filter { ($0 as NSString).lastPathComponent.hasPrefix(prefix ?? "") }
        switch matching.count {
        case 1: return matching[0]
        case 0 where all.isEmpty:
            throw NodeError("there is no trip here: start one with `caravan new TITLE --as NAME`, or join one")
        case 0: throw NodeError("no trip's id begins with \"\(prefix ?? "")\": `caravan trips` lists them")
        default:
            let ids = matching.map { String(($0 as NSString).lastPathComponent.prefix(6)) }.joined(separator: ", ")
            throw NodeError("there are several trips: choose one with --trip (\(ids))")
        }
    }
}
