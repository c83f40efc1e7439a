import ChangeLog
import DeltaCRDT
import Foundation
import Sodium
import SyncEngine
import TripModel
import TripRules
package import TripService
import TripStore

// Creating and opening a trip.
extension TripNode {
    /// Makes a new trip, durable on return.
    /// - Returns: the name of its folder in the home.
    package static func create(title: String, name: String, in home: Home) async throws(ServiceError) -> String {
        let cryptography = try readyCryptography()
        var entropy = SystemRandomNumberGenerator()
        let secrets = DeviceSecrets(
            signingSeed: .random(using: &entropy), agreementSecret: .random(using: &entropy), firstOf: .founder,
            using: cryptography)
        let epoch = Epoch(secret: .random(using: &entropy), using: cryptography)
        var log: TripLog
        do {
            log = try TripLog.found(
                by: secrets, name: try typed(name: name), epoch: epoch.id, wallTime: Now.current.wall,
                cryptography: cryptography)
        } catch let error as ServiceError {
            throw error
        } catch let error as WritingFailure {
            throw ServiceError(describing: error)
        } catch {
            throw ServiceError("\(error)")
        }
        let participant = ParticipantID(secrets.device.participant)
        var replica = TripReplica()
        for action in [TripAction.setTitle(title), .setName(name)] {
            do {
                for index in log.graph.changes.indices { replica.apply(log.applied(index)) }
                let content = try replica.perform(action, by: participant)
                _ = try log.write(nil, content: content, wallTime: Now.current.wall, as: secrets)
            } catch let error as TripError {
                throw ServiceError(error)
            } catch {
                throw ServiceError("\(error)")
            }
        }
        let keys = KeyFile(
            trip: log.trip, signingSeed: secrets.signingSeed, agreementSecret: secrets.agreementSecret,
            participant: secrets.device.participant, recordKey: .random(using: &entropy), epochSecrets: [epoch.secret],
            pendingJoin: nil)
        let id = Home.id(ofTrip: log.trip.description)
        let changes = log.graph.changes.map { StoredChange(hash: $0.hash, record: $0.record) }
        try makeFolder(home.folder(ofTrip: id), keys: keys, changes: changes, using: cryptography)
        return id
    }

    /// Opens the trip in a folder and becomes its owner. If nothing can be written there, it opens the trip only to read it.
    ///
    /// - Parameter lock: opens the secrets where they are under a passphrase, and keeps what it learned for the next try.
    package static func open(folder: String, lock: KeyLock = KeyLock()) async throws(ServiceError) -> TripNode {
        try await open(folder: folder, lock: lock, isBesideOwner: false)
    }

    /// Opens the trip in a folder only to read it, although another process may own it. Writes nothing there, not even what was shown.
    static func open(reading folder: String, lock: KeyLock) async throws(ServiceError) -> TripNode {
        try await open(folder: folder, lock: lock, isBesideOwner: true)
    }

    private static func open(
        folder: String, lock: KeyLock, isBesideOwner: Bool
    ) async throws(ServiceError) -> TripNode {
        let cryptography = try readyCryptography()
        // Ask before taking ownership, so that no process waits while a person types.
        try lock.prepare(for: folder)
        do {
            let store =
                try isBesideOwner
                ? TripStore(reading: folder, because: .onlyRead(folder)) : TripStore.open(orRead: folder)
            let keys = try lock.readKeys(in: folder)
            let signing = cryptography.keeping(signingSeed: keys.signingSeed)
            let node = try load(store: store, keys: keys, cryptography: signing)
            let trip = TripNode(
                folder: folder, store: store, keys: keys, lock: lock, node: node, cryptography: signing,
                photoSpace: try PhotoSpace.bytes(), writingProblem: store.obstacle?.message,
                isBesideOwner: isBesideOwner)
            try await trip.start()
            return trip
        } catch {
            throw ServiceError(anyOf: error)
        }
    }

    /// The protocol's value, from what the disk holds.
    static func load(
        store: TripStore, keys: KeyFile, cryptography: SodiumCryptography
    ) throws(ServiceError) -> SyncNode {
        let changes: [StoredChange]
        do { changes = try store.changes(seal(of: keys, cryptography)) } catch { throw ServiceError(error) }
        do {
            return try load(changes.lazy.map(\.record), keys: keys, cryptography: cryptography)
        } catch .malformed {
            // The record is whole, because its seal is. The version that wrote it can read it.
            throw ServiceError(StoreError.newerVersion)
        } catch {
            throw ServiceError(
                "the data of this trip is damaged (\(error)); recover what is intact with `caravan salvage`")
        }
    }

    /// The protocol's value, from the records of changes, each after its past.
    static func load(
        _ records: some Sequence<[UInt8]>, keys: KeyFile, cryptography: SodiumCryptography
    ) throws(Refusal) -> SyncNode {
        let secrets = secrets(keys, cryptography)
        var log = TripLog(trip: keys.trip, cryptography: cryptography)
        try log.restore(records)
        return SyncNode(
            log: log, secrets: secrets,
            guests: guests(of: keys, cryptography),
            epochSecrets: keys.epochSecrets,
            joining: keys.pendingJoin.flatMap { Invitation(decoding: $0, using: cryptography) },
            version: ProgramVersion.number, cryptography: cryptography)
    }

    private static func secrets(_ keys: KeyFile, _ cryptography: SodiumCryptography) -> DeviceSecrets {
        DeviceSecrets(
            signingSeed: keys.signingSeed, agreementSecret: keys.agreementSecret, of: keys.participant,
            using: cryptography)
    }

    private static func guests(of keys: KeyFile, _ cryptography: SodiumCryptography) -> [DeviceSecrets] {
        keys.guestSeeds.map { DeviceSecrets(guestOf: keys.participant, seed: $0, using: cryptography) }
    }

    /// The logs that are written with these keys: the device's own, and its guests'.
    static func writers(_ keys: KeyFile, _ cryptography: SodiumCryptography) -> [ReplicaID] {
        ([secrets(keys, cryptography)] + guests(of: keys, cryptography)).map(\.device.replica)
    }

    static func seal(of keys: KeyFile, _ cryptography: SodiumCryptography) -> StoreSeal {
        StoreSeal(key: keys.recordKey, using: cryptography)
    }

    static func readyCryptography() throws(ServiceError) -> SodiumCryptography {
        do { return try SodiumCryptography() } catch {
            throw ServiceError("libsodium cannot start, because the system provides no randomness")
        }
    }

    /// A participant's name where somebody types it.
    static func typed(name: String) throws(ServiceError) -> String {
        do { return try TripReplica.typedName(name) } catch { throw ServiceError(error) }
    }

    /// Makes a trip's folder under another name first, so that it is there whole or not at all.
    static func makeFolder(
        _ folder: String, keys: KeyFile, lock: KeyLock = KeyLock(), changes: [StoredChange],
        using cryptography: SodiumCryptography
    ) throws(ServiceError) {
        let draft = try makeDraft(of: folder, keys: keys, lock: lock, changes: changes, using: cryptography)
        guard rename(draft, folder) == 0 else {
            try? FileManager.default.removeItem(atPath: draft)
            throw cannotBeMade(folder)
        }
    }

    /// Makes all that a trip's folder needs, under another name beside it.
    ///
    /// - Parameter marks: of the logs that are written here, the last change that was acknowledged, here or lost.
    /// - Returns: the folder that was made.
    static func makeDraft(
        of folder: String, keys: KeyFile, lock: KeyLock, changes: [StoredChange], marks: [WrittenMark] = [],
        using cryptography: SodiumCryptography
    ) throws(ServiceError) -> String {
        let draft = "\(folder).\(getpid())\(draftSuffix)"
        let files = FileManager.default
        do {
            removeAbandonedDrafts(of: folder)
            let store = try TripStore.create(at: draft)
            try store.append(changes, seal(of: keys, cryptography))
            if !marks.isEmpty { store.setMarks(marks, seal(of: keys, cryptography)) }
            store.close()
            try lock.write(keys, to: draft)
            return draft
        } catch let error as StoreError {
            try? files.removeItem(atPath: draft)
            throw ServiceError(error)
        } catch let error as ServiceError {
            try? files.removeItem(atPath: draft)
            throw error
        } catch {
            try? files.removeItem(atPath: draft)
            throw cannotBeMade(folder)
        }
    }

    private static func cannotBeMade(_ folder: String) -> ServiceError {
        ServiceError("cannot create \(folder); check its permissions, or set CARAVAN_HOME")
    }

    private static let draftSuffix = ".new"

    /// Removes what processes that are gone left of making this folder.
    private static func removeAbandonedDrafts(of folder: String) {
        let files = FileManager.default
        let (parent, name) = ((folder as NSString).deletingLastPathComponent, (folder as NSString).lastPathComponent)
        for draft in (try? files.contentsOfDirectory(atPath: parent)) ?? [] {
            guard draft.hasPrefix(name + "."), draft.hasSuffix(draftSuffix),
                let process = Int32(draft.dropFirst(name.count + 1).dropLast(draftSuffix.count)), process > 0,
                process == getpid() || kill(process, 0) != 0 && errno == ESRCH
            else { continue }
            try? files.removeItem(atPath: "\(parent)/\(draft)")
        }
    }

    /// Stores the secret of an epoch. If it throws, the disk keeps the old ones, and a waiting join gets the reason.
    func storeEpoch(_ secret: Bytes32) throws(ServiceError) {
        guard !keys.epochSecrets.contains(secret) else { return }
        var grown = keys
        grown.epochSecrets = (grown.epochSecrets + [secret]).suffix(KeyFile.maximumEpochs)
        do { try lock.write(grown, to: folder) } catch {
            admission.end(.failure(error))
            throw error
        }
        keys = grown
    }
}
