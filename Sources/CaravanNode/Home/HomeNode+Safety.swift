import Files
import Foundation
import LibC
import Sodium
package import TripService
import TripStore

// Passphrases and backups of trips that run here. What takes a second is done on no actor, which others would wait for.
extension HomeNode {
    package nonisolated func isUnderPassphrase(trip id: String) async throws(ServiceError) -> Bool {
        try TripAccess(home: home, id: id).isUnderPassphrase
    }

    package nonisolated func setPassphrase(
        _ new: [UInt8]?, old: [UInt8]?, trip id: String
    ) async throws(ServiceError) {
        let node = try await running(id)
        if try await isUnderPassphrase(trip: id) {
            guard let old, !old.isEmpty else { throw ServiceError("type the present passphrase, too") }
            _ = try KeyLock(.known(Passphrase(typed: old))).readKeys(in: home.folder(ofTrip: id))
        }
        let lock = try new.map { (typed) throws(ServiceError) in
            try KeyLock(protecting: Passphrase(typed: typed).longEnough)
        }
        try await node.change(to: lock ?? KeyLock())
    }

    package nonisolated func backUp(
        trip id: String, under passphrase: [UInt8]
    ) async throws(ServiceError) -> [UInt8] {
        let node = try await running(id)
        let passphrase = try Passphrase(typed: passphrase).longEnough
        let path = scratchPath
        defer { unlink(path) }
        do {
            let key = try KeyLock.makeKey(passphrase, PassphraseKey.Recipe(cost: .backup))
            _ = try TripNode.write(try await node.backupContent(), to: NewFile(path: path), key: key)
        } catch { throw ServiceError(anyOf: error) }
        do { return try WholeFile.read(path, atMost: backupBytesMax) } catch {
            throw error == .tooLong
                ? ServiceError(
                    "the backup is larger than \(backupBytesMax >> 20) MiB; make it with `caravan backup FILE`")
                : ServiceError("cannot read \(path); check its permissions")
        }
    }

    package nonisolated func restore(
        backup: [UInt8], under passphrase: [UInt8]
    ) async throws(ServiceError) -> String {
        let passphrases = PassphraseSource.known(try Passphrase(typed: passphrase))
        let path = scratchPath
        defer { unlink(path) }
        do {
            let file = try NewFile(path: path)
            try file.append(backup)
            try file.commit()
        } catch { throw ServiceError(error) }
        let restored = try TripNode.restore(from: path, named: "this file", in: home, passphrases: passphrases)
        try home.use(trip: restored.id)
        try await run(restored.id, passphrases)
        return restored.id
    }

    package nonisolated func isForDevice(link: String) -> Bool { TripNode.isForDevice(link) }

    private func running(_ id: String) throws(ServiceError) -> TripNode {
        guard let node = node(of: id) else {
            throw ServiceError("this trip isn’t running here; start it with `caravan up`")
        }
        return node
    }

    /// Of a file of the home that is there for a moment, for only this user.
    private nonisolated var scratchPath: String { "\(home.folder)/backup.\(UUID().uuidString)" }
}

extension TripNode {
    /// Writes the secrets in another way from now on.
    fileprivate func change(to lock: KeyLock) throws(ServiceError) {
        if let writingProblem { throw ServiceError(.unwritable, writingProblem) }
        try self.lock.change(to: lock, rewriting: keys, in: folder)
    }
}
