import ChangeLog
import Foundation
import LibC
import Sodium
import SyncEngine
package import TripService
import TripStore

// A trip whose store is damaged, rebuilt from the changes that are intact.
extension TripAccess {
    /// Puts all that is intact and signed into a new store in the place of the damaged one, which is kept beside it. Where it throws,
    /// or nothing is damaged, all is as it was.
    ///
    /// - Parameter isDry: only tells what would be recovered.
    package func salvage(isDry: Bool) async throws(ServiceError) -> SalvageView {
        // Nothing may be written meanwhile.
        let owner = try await own()
        defer { withExtendedLifetime(owner) {} }
        do {
            return try salvageOwned(isDry: isDry)
        } catch {
            throw ServiceError(anyOf: error)
        }
    }

    private func salvageOwned(isDry: Bool) throws -> SalvageView {
        let cryptography = try TripNode.readyCryptography()
        let (keys, areKeysMended) = try lock.salvageKeys(in: folder)
        let seal = TripNode.seal(of: keys, cryptography)
        let store = try StoreSalvage(of: folder, seal)
        let waitedBefore = WaitingChanges.read(in: folder, seal)
        let salvaged = SalvagedLog(store.changes + waitedBefore, of: keys.trip, using: cryptography)
        let writers = Set(TripNode.writers(keys, cryptography))
        let marks = salvaged.marks(of: writers, besides: TripStore.marks(in: folder, seal))
        if salvaged.hasNewer { throw StoreError.newerVersion }
        guard salvaged.log.graph.count > 0 else {
            throw ServiceError(
                "nothing in \(folder) can be recovered; restore a backup, or join again with a new invite")
        }
        let isWhole = try isWhole(salvaged, seal) && !areKeysMended
        let damagedFolder = isWhole || isDry ? nil : "\(folder).damaged-\(time(nil))"
        let view = SalvageView(
            id: id, title: salvaged.title, kept: salvaged.log.graph.count,
            mended: store.mended + (areKeysMended ? 1 : 0),
            lost: isWhole ? [] : salvaged.losses(marks, unreadable: store.unreadable),
            waiting: salvaged.waitingByAuthor, isWhole: isWhole, damagedFolder: damagedFolder)
        guard let damagedFolder else { return view }
        let draft = try TripNode.makeDraft(
            of: folder, keys: keys, lock: lock, changes: salvaged.kept, marks: marks, using: cryptography)
        do {
            if !salvaged.waiting.isEmpty { try WaitingChanges.write(salvaged.waitingChanges, to: draft, seal) }
            try TripFolder.copyRest(from: folder, to: draft)
            try TripFolder.exchange(draft, folder, puttingAside: damagedFolder)
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw error
        }
        return view
    }

    /// Whether the store opens, and holds all that was found. Throws where it is of another version, or may not be read.
    private func isWhole(_ salvaged: SalvagedLog, _ seal: StoreSeal) throws(StoreError) -> Bool {
        do {
            let store = try TripStore(reading: folder, because: .onlyRead(folder))
            defer { store.close() }
            let changes = try store.changes(seal)
            return changes.count == salvaged.log.graph.count
                && changes.allSatisfy { salvaged.log.graph.index(of: $0.hash) != nil }
        } catch {
            guard [.damaged, .notATrip, .system].contains(error.code) else { throw error }
            return false
        }
    }
}

/// The folder of a trip.
enum TripFolder {
    /// What is made anew, and not copied.
    private static let made: Set = [
        "trip.sqlite", "trip.sqlite-wal", "trip.sqlite-shm", "trip.sqlite-journal", "keys", "lock", "written",
        "waiting",
    ]

    /// Copies what lies in a folder besides the store and its keys: photos, by a second name of each where that can be done,
    /// and what is this device's own.
    static func copyRest(from source: String, to target: String) throws(ServiceError) {
        let files = FileManager.default
        do {
            for name in try files.contentsOfDirectory(atPath: source)
            where !made.contains(name) && !name.hasSuffix(".new") {
                let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
                var isFolder: ObjCBool = false
                guard files.fileExists(atPath: from, isDirectory: &isFolder) else { continue }
                guard isFolder.boolValue else {
                    try files.copyItem(atPath: from, toPath: to)
                    continue
                }
                try files.createDirectory(
                    atPath: to, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
                for name in try files.contentsOfDirectory(atPath: from)
                where link("\(from)/\(name)", "\(to)/\(name)") != 0 {
                    try files.copyItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)")
                }
            }
        } catch {
            throw ServiceError(.unwritable, "\(source) cannot be copied; free some space, then try again")
        }
    }

    /// Puts a folder in the place of another, and the other aside. Where it throws, both are where they were.
    static func exchange(_ draft: String, _ folder: String, puttingAside aside: String) throws(ServiceError) {
        guard rename(folder, aside) == 0 else { throw cannotBeReplaced(folder) }
        guard rename(draft, folder) == 0 else {
            let failure = cannotBeReplaced(folder)
            rename(aside, folder)
            throw failure
        }
    }

    private static func cannotBeReplaced(_ folder: String) -> ServiceError {
        ServiceError(.unwritable, "\(folder) cannot be replaced (\(String(cString: strerror(errno)))); try again")
    }
}
