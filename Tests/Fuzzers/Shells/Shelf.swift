import ChangeLog
import FoundationEssentials
import LibC
import Sodium
import SyncEngine
import TripService

@testable import CaravanNode
@testable import TripStore

/// A disk in memory's file system that is put back after each input.
final class Shelf: Sendable {
    static let shared = Shelf()

    let store: TripStore
    /// What the store holds.
    let honest: [StoredChange]
    /// The log after each number of changes, from none on.
    let prefixes: [TripLog]
    let seal: StoreSeal
    let cryptography: SodiumCryptography
    private let folder = "/dev/shm/caravan-fuzz-rows.\(getpid())"
    private let keys: KeyFile
    /// Their canonical coding.
    private let encodedKeys: [UInt8]
    /// Made with the least work that Argon2id takes.
    private let key: PassphraseKey
    private let passphrase: Passphrase

    private init() {
        do {
            cryptography = try SodiumCryptography()
            try? FileManager.default.removeItem(atPath: folder)
            let log = Group.shared.log
            honest = log.graph.changes.map { StoredChange(hash: $0.hash, record: $0.record) }
            let secrets = Group.shared.people[0]
            seal = StoreSeal(key: log.trip, using: cryptography)
            store = try TripStore.create(at: folder)
            try store.append(honest, seal)
            keys = KeyFile(
                trip: log.trip, signingSeed: secrets.signingSeed, agreementSecret: secrets.agreementSecret,
                participant: secrets.device.participant, recordKey: log.trip,
                epochSecrets: [secrets.signingSeed, secrets.agreementSecret],
                pendingJoin: Array(repeating: 7, count: 60), guestSeeds: [secrets.signingSeed])
            encodedKeys = try keys.withEncoding { Array($0) }
            var start = Self.emptyLog(of: keys)
            prefixes =
                try [start]
                + honest.map {
                    try start.restore([$0.record])
                    return start
                }
            passphrase = try Passphrase { (buffer) throws(ServiceError) in
                buffer.copyBytes(from: Array("under the stone".utf8))
                return 15
            }
            guard let cost = PassphraseCost(passes: 1, memory: 8) else { fatalError("no such cost") }
            key = try PassphraseKey(passphrase.bytes, recipe: PassphraseKey.Recipe(cost: cost))
        } catch {
            fatalError("\(error)")
        }
    }

    private static func emptyLog(of keys: KeyFile) -> TripLog {
        TripLog(trip: keys.trip, cryptography: Group.shared.cryptography)
    }

    // MARK: - Key files

    /// A key file of any bytes, and such whose checksum is right.
    func tryKeys(_ choices: inout Choices) {
        let body = choices.byte() % 2 == 0 ? choices.altered(encodedKeys) : choices.everything()
        readKeys(file(version: 3, body, &choices), &choices)
    }

    /// A key file under a passphrase: what was sealed may be anything, and the seal altered or not.
    func trySealedKeys(_ choices: inout Choices) {
        let isAltered = choices.byte() % 2 == 0
        let body = choices.byte() % 2 == 0 ? choices.altered(encodedKeys) : choices.bytes()
        let sealed = body.withUnsafeBytes { key.seal($0, context: KeyFile.sealContext) }
        readKeys(file(version: 4, isAltered ? choices.altered(sealed) : sealed, &choices), &choices)
    }

    private func file(version: UInt8, _ body: [UInt8], _ choices: inout Choices) -> [UInt8] {
        var bytes = Array("caravan keys".utf8) + [version] + body
        if choices.byte() % 4 == 0 { bytes = choices.altered(bytes) }
        var checksum = Checksum()
        checksum.add(bytes)
        bytes += checksum.value.littleEndianBytes
        return choices.byte() % 8 == 0 ? choices.altered(bytes) : bytes
    }

    /// As a node that starts: a few from the file, the others from its bytes.
    private func readKeys(_ bytes: [UInt8], _ choices: inout Choices) {
        let isFromFile = choices.isOne(of: 64)
        if isFromFile { write(bytes, to: folder + "/keys") }
        guard
            let stored = try? isFromFile ? KeyFile.stored(in: folder) : KeyFile.stored(as: bytes, "keys")
        else { return }
        let keys: KeyFile
        switch stored {
        case .plain(let plain): keys = plain
        case .sealed(let sealed):
            // A recipe that was altered may ask for seconds of work: it is read, and no key is made by it.
            guard (try? PassphraseKey.recipe(of: sealed)) == key.recipe,
                let opened = try? key.open(sealed, context: KeyFile.sealContext),
                let decoded = try? opened.withUnsafeBytes({ try KeyFile(decoding: $0) })
            else { return }
            keys = decoded
        }
        if let pending = keys.pendingJoin { _ = Invitation(decoding: pending, using: cryptography) }
        guard (try? keys.withEncoding { try? KeyFile(decoding: $0) }) == keys else {
            fatalError("secrets are read and written otherwise")
        }
    }

    // MARK: - Backups

    /// A backup under the right passphrase, or altered: of any secrets and any changes, its chunks of any length.
    func tryBackup(_ choices: inout Choices) {
        let context = BackupFormat.beginning + key.recipe.bytes
        let sealer = SecretStreamSealer(key: key)
        var bytes = context + sealer.header
        let secrets = choices.byte() % 2 == 0 ? encodedKeys : choices.altered(encodedKeys)
        var first = [choices.byte() % 4] + BackupFormat.encode(secrets.count)
        if choices.byte() % 4 == 0 { first = choices.altered(first) }
        first += secrets
        first += [UInt8](repeating: 0, count: max(0, BackupFormat.chunkSize - first.count))
        let chunks = Int(choices.byte() % 4)
        let isEnded = choices.byte() % 8 != 0
        bytes += first.withUnsafeBytes { sealer.seal($0, isLast: chunks == 0 && isEnded, context: context) }
        for number in 0..<chunks {
            var chunk: [UInt8] = []
            for change in honest.prefix(Int(choices.byte() % 8)) {
                let record = BackupFormat.encode(change.record.count) + change.record
                chunk += choices.byte() % 4 == 0 ? choices.altered(record) : record
            }
            if choices.byte() % 4 == 0, chunk.count < BackupFormat.chunkSize {
                // Filled up, as all but the last have to be.
                let rest = BackupFormat.chunkSize - chunk.count - BackupFormat.recordHeaderSize
                let filler = [UInt8](repeating: choices.byte(), count: max(0, rest))
                chunk += BackupFormat.encode(filler.count) + filler
            }
            bytes += chunk.withUnsafeBytes {
                sealer.seal($0, isLast: number == chunks - 1 && isEnded, context: context)
            }
        }
        read(choices.byte() % 2 == 0 ? bytes : choices.altered(bytes))
    }

    private func read(_ backup: [UInt8]) {
        let recipe = backup.dropFirst(BackupFormat.beginning.count).prefix(PassphraseKey.Recipe.size)
        // As above.
        if let asked = PassphraseKey.Recipe(recipe), asked.cost != key.recipe.cost { return }
        let path = folder + "/backup"
        write(backup, to: path)
        let source = PassphraseSource(triesMax: 1) { [passphrase] _, _ throws(ServiceError) in passphrase }
        guard let (content, _) = try? BackupReader(path: path).content(source) else { return }
        var log = Self.emptyLog(of: content.keys)
        for record in content.records {
            guard (try? log.restore([record])) != nil else { return }
        }
        _ = Replayed(log)
    }

    private func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0o600)
        guard bytes.withUnsafeBytes({ LibC.write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
            fatalError("no room in memory's file system")
        }
        close(descriptor)
    }
}
