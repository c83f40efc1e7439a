import Foundation
import Sodium
import Synchronization
import TripService
import TripStore

/// How a trip's secrets lie on the disk, in the clear or under a passphrase: reads them, and writes them as they were.
///
/// Whoever opened them once need not give the passphrase again: the key made of it is kept, in locked memory.
package final class KeyLock: Sendable {
    private let passphrases: PassphraseSource
    private let key = Mutex<PassphraseKey?>(nil)

    package init(_ passphrases: PassphraseSource = .none) { self.passphrases = passphrases }

    /// Of secrets that are to be written under this passphrase. Takes a moment.
    init(protecting passphrase: Passphrase, cost: PassphraseCost = .keyFile) throws(ServiceError) {
        passphrases = .none
        let fresh = try Self.makeKey(passphrase, PassphraseKey.Recipe(cost: cost))
        key.withLock { $0 = fresh }
    }

    /// Whether what is written is sealed.
    var isSealing: Bool { key.withLock { $0 != nil } }

    /// Asks for the passphrase where the secrets in a folder are under one that is not known yet.
    func prepare(for folder: String) throws(ServiceError) {
        guard case .sealed(let sealed) = try Self.stored(in: folder) else { return }
        _ = try open(sealed, in: folder)
    }

    /// The secrets in a folder.
    func readKeys(in folder: String) throws(ServiceError) -> KeyFile {
        try keys(of: try Self.stored(in: folder), in: folder)
    }

    /// The secrets in a folder, though one bit of their file was flipped; and whether that was so.
    func salvageKeys(in folder: String) throws(ServiceError) -> (KeyFile, isMended: Bool) {
        do {
            let (stored, isMended) = try KeyFile.salvaged(in: folder)
            return (try keys(of: stored, in: folder), isMended)
        } catch let error as ServiceError {
            throw error
        } catch let error as StoreError where error.code != .damaged {
            throw ServiceError(error)
        } catch {
            throw ServiceError(
                "the keys in \(folder) are damaged, and nothing here can be read without them: restore a backup, or join again with a new invite"
            )
        }
    }

    private func keys(of stored: KeyFile.Stored, in folder: String) throws(ServiceError) -> KeyFile {
        switch stored {
        case .plain(let keys):
            key.withLock { $0 = nil }
            return keys
        case .sealed(let sealed): return try open(sealed, in: folder)
        }
    }

    /// Writes the secrets as they were read: in the clear, or under the same passphrase.
    func write(_ keys: KeyFile, to folder: String) throws(ServiceError) {
        do {
            guard let key = key.withLock({ $0 }) else { return try keys.write(to: folder) }
            let sealed = try keys.withEncoding { (encoding) throws(StoreError) in
                key.seal(encoding, context: KeyFile.sealContext)
            }
            try KeyFile.write(sealed: sealed, to: folder)
        } catch {
            throw ServiceError(error)
        }
    }

    /// Writes the secrets as another lock would, and goes on so. Where that cannot be written, all stays as it was.
    func change(to other: KeyLock, rewriting keys: KeyFile, in folder: String) throws(ServiceError) {
        let (old, new) = (key.withLock { $0 }, other.key.withLock { $0 })
        key.withLock { $0 = new }
        do { try write(keys, to: folder) } catch {
            key.withLock { $0 = old }
            throw error
        }
    }

    // MARK: -

    private static func stored(in folder: String) throws(ServiceError) -> KeyFile.Stored {
        do { return try KeyFile.stored(in: folder) } catch { throw ServiceError(error) }
    }

    private func open(_ sealed: [UInt8], in folder: String) throws(ServiceError) -> KeyFile {
        let damaged = ServiceError(
            "the keys in \(folder) are damaged; try `caravan salvage`, or restore a backup, or join again with a new invite"
        )
        guard let recipe = try? PassphraseKey.recipe(of: sealed) else { throw damaged }
        let known = key.withLock { $0 }
        if let known, known.recipe == recipe, let keys = try Self.open(sealed, with: known, damaged) { return keys }
        let trip = "trip " + (folder as NSString).lastPathComponent.prefix(6)
        for attempt in 0..<passphrases.triesMax {
            let candidate = try Self.makeKey(try passphrases.ask(trip, attempt), recipe)
            guard let keys = try Self.open(sealed, with: candidate, damaged) else { continue }
            key.withLock { $0 = candidate }
            return keys
        }
        throw ServiceError("wrong passphrase\(passphrases.namesTrip ? " of \(trip)" : ""); try again")
    }

    /// Nil for another passphrase's key.
    private static func open(
        _ sealed: [UInt8], with key: PassphraseKey, _ damaged: ServiceError
    ) throws(ServiceError) -> KeyFile? {
        do {
            return try key.open(sealed, context: KeyFile.sealContext).withUnsafeBytes { try KeyFile(decoding: $0) }
        } catch PassphraseFailure.wrongPassphrase {
            return nil
        } catch {
            throw damaged
        }
    }

    /// Makes the key of a passphrase.
    static func makeKey(_ passphrase: Passphrase, _ recipe: PassphraseKey.Recipe) throws(ServiceError) -> PassphraseKey
    {
        do { return try PassphraseKey(passphrase.bytes, recipe: recipe) } catch {
            throw ServiceError(
                "not enough memory to use a passphrase (\(recipe.cost.memory >> 10) MiB); close a program and try again"
            )
        }
    }
}
