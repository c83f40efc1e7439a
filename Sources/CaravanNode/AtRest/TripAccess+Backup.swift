import ChangeLog
import Foundation
package import Sodium
import SyncEngine
import TripModel
import TripRules
package import TripService
import TripStore

/// What a backup or a restored trip consists of, for people.
package struct BackupSummary: Sendable {
    /// How the trip is called in its home.
    package let id: String
    package let title: String
    package let changes: Int
    /// Whether the trip's secrets were put under the backup's passphrase.
    package let isUnderPassphrase: Bool
}

// Backs up a trip to one file, with or without a running node, and restores it.
extension TripAccess {
    /// Writes a backup of the trip to a file that is not there yet.
    ///
    /// - Parameters:
    ///   - cost: of the key made of the passphrase. Only tests ask for less.
    ///   - passphrase: asked for once the trip's own secrets are open.
    package func backUp(
        to path: String, cost: PassphraseCost = .backup, under passphrase: () throws(ServiceError) -> Passphrase
    ) async throws(ServiceError) -> BackupSummary {
        // An error of the file comes before anybody types a passphrase. While they type, there is none: a signal ends the
        // process at once.
        do { _ = try NewFile(path: path) } catch { throw ServiceError(error) }
        try lock.prepare(for: folder)
        let key = try KeyLock.makeKey(try passphrase(), PassphraseKey.Recipe(cost: cost))
        let file: NewFile
        do { file = try NewFile(path: path) } catch { throw ServiceError(error) }
        // First the changes, then the secrets: no guest of theirs is then without keys.
        let records = try await storedRecords()
        let keys = try lock.readKeys(in: folder)
        let content = BackupContent(keys: keys, wasUnderPassphrase: lock.isSealing, records: records)
        let title = try TripNode.write(content, to: file, key: key)
        return BackupSummary(id: id, title: title, changes: records.count, isUnderPassphrase: lock.isSealing)
    }

    /// The records of all durable changes, from the node where one runs and answers, and else from the store.
    private func storedRecords() async throws(ServiceError) -> [[UInt8]] {
        let deadline = ContinuousClock.now + TripAccess.patience
        while true {
            do { if let records = try client.changes(ofTrip: id) { return records } } catch {
                let node = try await reader(after: error)
                do throws(ServiceError) {
                    let content = try await node.backupContent()
                    await node.close()
                    return content.records
                } catch {
                    await node.close()
                    throw error
                }
            }
            do {
                let store = try TripStore(opening: folder)
                defer { store.close() }
                let keys = try lock.readKeys(in: folder)
                return try store.changes(TripNode.seal(of: keys, try TripNode.readyCryptography())).map(\.record)
            } catch let error as ServiceError {
                throw error
            } catch let error as StoreError {
                guard error.code == .owned, ContinuousClock.now < deadline else { throw ServiceError(error) }
                try? await Task.sleep(for: .milliseconds(10))
            } catch {
                throw ServiceError("\(error)")
            }
        }
    }
}

extension TripNode {
    /// Whether a file begins as a backup does.
    package static func isBackup(_ path: String) -> Bool { BackupReader.isBackup(path) }

    /// Writes a backup.
    /// - Returns: the trip's title.
    static func write(_ content: BackupContent, to file: NewFile, key: PassphraseKey) throws(ServiceError) -> String {
        // What could not be restored is no backup.
        let (_, title) = try checked(content, "cannot back up the trip")
        try BackupWriter.write(content, to: file, key: key)
        return title
    }

    /// All that a backup of this trip holds: what is durable.
    func backupContent() throws(ServiceError) -> BackupContent {
        // First the changes, then the secrets: no guest of theirs is then without keys.
        do {
            let records = try store.changes(seal).map(\.record)
            return BackupContent(keys: keys, wasUnderPassphrase: lock.isSealing, records: records)
        } catch { throw ServiceError(error) }
    }

    /// Restores a trip from a backup, beside the other trips. If it throws, it leaves nothing behind.
    /// - Parameter name: what errors call the file; nil for its path.
    package static func restore(
        from path: String, named name: String? = nil, in home: Home, passphrases: PassphraseSource
    ) throws(ServiceError) -> BackupSummary {
        let (content, passphrase) = try BackupReader(path: path, named: name).content(passphrases)
        let id = Home.id(ofTrip: content.keys.trip.description)
        let folder = home.folder(ofTrip: id)
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw ServiceError(
                "this trip already exists in \(folder); move that folder away, or set CARAVAN_HOME to another folder")
        }
        let (changes, title) = try checked(content, "cannot restore \(name ?? path)")
        // Secrets that lay under a passphrase do not come to lie in the clear by this.
        let lock = content.wasUnderPassphrase ? try KeyLock(protecting: passphrase) : KeyLock()
        try makeFolder(folder, keys: content.keys, lock: lock, changes: changes, using: try readyCryptography())
        return BackupSummary(id: id, title: title, changes: changes.count, isUnderPassphrase: lock.isSealing)
    }

    /// The changes of a backup with their hashes, and the trip's title, once all of it was read as a trip.
    fileprivate static func checked(
        _ content: BackupContent, _ complaint: String
    ) throws(ServiceError) -> ([StoredChange], title: String) {
        let cryptography = try readyCryptography()
        do {
            let node = try load(content.records, keys: content.keys, cryptography: cryptography)
            var trip = LiveTrip()
            for index in node.log.graph.changes.indices where node.isShown(index) {
                trip.apply(node.applied(index))
            }
            let changes = node.log.graph.changes.map { StoredChange(hash: $0.hash, record: $0.record) }
            return (changes, trip.title?.value ?? "")
        } catch .malformed {
            throw ServiceError("\(complaint): it was made by a newer version of caravan; update yours")
        } catch {
            throw ServiceError("\(complaint): its data is invalid (\(error)); use another copy")
        }
    }
}
