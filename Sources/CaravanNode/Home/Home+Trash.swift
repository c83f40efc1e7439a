import Foundation
import LibC
import TripModel
package import TripService
import TripStore

// Deleted trips that can still be restored. In the folder `trash`, each has a home of its own, named by the second of the
// deletion and the trip's id. So its title is read as in any home, with the trip's passphrase.
extension Home {
    /// How long a deleted trip can be restored.
    package static let trashDays = 30
    private static let trashSeconds = Int64(trashDays) * 86_400

    private var trash: String { folder + "/trash" }

    /// Moves a trip, with all earlier and damaged copies, into the trash. A running node of this home stops it first.
    package func moveToTrash(trip id: String, now: Int64 = Int64(time(nil))) async throws(ServiceError) {
        _ = try? emptyTrash(now: now)
        try await ControlClient(home: self).release(trip: id)
        // So that no other process has it open. The lock's file goes with the folder.
        let owner: OwnerLock
        do { owner = try OwnerLock(folder: folder(ofTrip: id)) } catch { throw ServiceError(error) }
        defer { withExtendedLifetime(owner) {} }
        try Self.moveTrip(id, from: folder + "/trips", to: "\(trash)/\(now).\(id)/trips")
    }

    /// The deleted trips that can be restored, the last one first.
    package func trashed(
        _ passphrases: PassphraseSource = .none, now: Int64 = Int64(time(nil))
    ) async throws(ServiceError) -> [TrashedTrip] {
        var found: [TrashedTrip] = []
        for place in places() where !isOver(place, now) {
            guard let entry = try await Home(folder: place.path).entries(passphrases).first else { continue }
            found.append(
                TrashedTrip(
                    id: entry.id, title: entry.title, deletedAt: place.time,
                    restorableUntil: place.time + Self.trashSeconds, copy: 1 + found.count(where: { $0.id == entry.id })
                ))
        }
        return found
    }

    /// Restores a deleted trip, by its title, the start of one, or the start of its id. Of several copies it is the one that was
    /// deleted last, unless another one is named, as in `3f2a9c.2`.
    package func restoreFromTrash(
        named reference: String, _ passphrases: PassphraseSource = .none
    ) async throws(ServiceError) -> TrashedTrip {
        let name = try ServiceError.name(reference, of: "trip", listing: "caravan trash").lowercased()
        let all = try await trashed(passphrases)
        var matching = all.filter { $0.title?.lowercased() == name }
        if matching.isEmpty { matching = all.filter { $0.title?.lowercased().hasPrefix(name) ?? false } }
        if matching.isEmpty {
            let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let copy = parts.count == 1 ? 1 : Int(parts[1])
            if parts[0].utf8.count >= 4 { matching = all.filter { $0.id.hasPrefix(parts[0]) && $0.copy == copy } }
        }
        guard let trip = matching.first else {
            let near = NearNames.nearest(reference, among: all.compactMap(\.title))
            throw ServiceError(
                "there is no trip \(reference.quoted) in the trash; "
                    + (near.map { "did you mean \($0.quoted)?" } ?? "see `caravan trash`"))
        }
        guard matching.allSatisfy({ $0.id == trip.id }) else {
            let ids = matching.map { String($0.id.prefix(6)) }.joined(separator: " or ")
            throw ServiceError("\(reference.quoted) could be \(ids); give an id")
        }
        guard try !tripIDs().contains(trip.id) else {
            throw ServiceError("this trip is already here; delete that copy first, or keep it")
        }
        let place = "\(trash)/\(trip.deletedAt).\(trip.id)"
        try Self.moveTrip(trip.id, from: place + "/trips", to: folder + "/trips")
        try? FileManager.default.removeItem(atPath: place)
        try await ControlClient(home: self).run(trip: trip.id)
        return trip
    }

    /// Erases trips that have been in the trash for too long.
    /// - Parameter all: whether to erase all trips.
    /// - Returns: how many trips were deleted.
    @discardableResult
    package func emptyTrash(all: Bool = false, now: Int64 = Int64(time(nil))) throws(ServiceError) -> Int {
        let old = places().filter { all || isOver($0, now) }
        try erase(old)
        return old.count
    }

    /// Erases all copies of a trip in the trash.
    func eraseFromTrash(trip id: String) throws(ServiceError) {
        try erase(places().filter { $0.path.hasSuffix(".\(id)") })
    }

    private func erase(_ places: [Place]) throws(ServiceError) {
        for place in places {
            do { try FileManager.default.removeItem(atPath: place.path) } catch {
                throw ServiceError(.unwritable, "cannot delete \(place.path); check its permissions")
            }
        }
    }

    private typealias Place = (path: String, time: Int64)

    /// The content of the trash, the last deletion first.
    private func places() -> [Place] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: trash)) ?? []
        return names.compactMap { name in
            name.split(separator: ".").first.flatMap { Int64($0) }.map { ("\(trash)/\(name)", $0) }
        }
        .sorted { ($0.time, $0.path) > ($1.time, $1.path) }
    }

    /// Whether a trip has been in the trash for too long, also counted from its last change, because the clock may have been wrong
    /// at the deletion.
    private func isOver(_ place: Place, _ now: Int64) -> Bool {
        let trips = place.path + "/trips"
        let files = FileManager.default
        let names = (try? files.subpathsOfDirectory(atPath: trips)) ?? []
        let changed = names.compactMap { name in
            (try? files.attributesOfItem(atPath: "\(trips)/\(name)"))?[.modificationDate] as? Date
        }
        let newest = changed.map { Int64($0.timeIntervalSince1970) }.max() ?? 0
        return max(place.time, newest) < now - Self.trashSeconds
    }

    /// Moves the folder of a trip, and those that were put aside of it.
    private static func moveTrip(_ id: String, from: String, to: String) throws(ServiceError) {
        let files = FileManager.default
        var moved: [String] = []
        do {
            try files.createDirectory(
                atPath: to, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let names = try files.contentsOfDirectory(atPath: from).filter { $0 == id || $0.hasPrefix(id + ".") }
            // The trip itself last: until then it is where it was.
            for name in names.sorted(by: >) {
                try files.moveItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)")
                moved.append(name)
            }
        } catch {
            for name in moved { try? files.moveItem(atPath: "\(to)/\(name)", toPath: "\(from)/\(name)") }
            throw ServiceError(.unwritable, "cannot move \(from)/\(id) to \(to); check the permissions")
        }
    }
}
