import Foundation

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
        guard FileManager.default.fileExists(atPath: trips) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: trips)
                .filter { !$0.contains(".") && FileManager.default.fileExists(atPath: "\(trips)/\($0)/keys") }
                .sorted().map { "\(trips)/\($0)" }
        } catch {
            throw NodeError("\(trips) cannot be read: give yourself permission for it, or set CARAVAN_HOME")
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
