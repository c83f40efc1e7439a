import ChangeLog
import FoundationEssentials
import GRDB
import Glibc
import Sodium
import TripRules

@testable import CaravanNode
@testable import TripStore

/// What a store may hold that nobody here wrote: rows of any content, with checksums that are right or not, and key files.
func tryRows(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    if choices.byte() % 4 == 0 {
        Shelf.shared.tryKeys(&choices)
    } else {
        Shelf.shared.tryRows(&choices)
    }
}

/// A store in memory's file system that is put back after each input.
private final class Shelf: Sendable {
    static let shared = Shelf()

    private let folder = "/dev/shm/caravan-fuzz-rows.\(getpid())"
    private let keysOnly = "/dev/shm/caravan-fuzz-keys.\(getpid())"
    private let store: TripStore
    private let keys: KeyFile
    private let honest: [StoredChange]
    private let keyBytes: [UInt8]
    private let cryptography: SodiumCryptography

    private init() {
        do {
            cryptography = try SodiumCryptography()
            for path in [folder, keysOnly] { try? FileManager.default.removeItem(atPath: path) }
            let log = Group.shared.log
            honest = log.changes.map { StoredChange(hash: $0.hash, sealed: $0.sealed, isVerified: true) }
            store = try TripStore.create(at: folder)
            try store.append(honest)
            let secrets = Group.shared.people[0]
            keys = KeyFile(
                trip: log.trip, signingSeed: secrets.signingSeed, agreementSecret: secrets.agreementSecret,
                epochSecrets: log.epochs.map(\.secret), pendingJoin: nil)
            try FileManager.default.createDirectory(atPath: keysOnly, withIntermediateDirectories: true)
            try keys.write(to: keysOnly)
            keyBytes = [UInt8](try Data(contentsOf: URL(filePath: keysOnly + "/keys")))
        } catch {
            fatalError("\(error)")
        }
    }

    /// Rows altered one way or another, read as a node that starts reads them.
    func tryRows(_ choices: inout Choices) {
        var edits: [(String, StatementArguments)] = []
        for _ in 0..<1 + choices.byte() % 4 {
            let position = Int64(choices.index(honest.count + 2))
            let old = honest[min(Int(position), honest.count - 1)]
            switch choices.byte() % 8 {
            case 0:
                edits.append(("UPDATE changes SET sealed = ? WHERE position = ?", [Data(choices.bytes()), position]))
            case 1:
                edits.append(("UPDATE changes SET hash = ? WHERE position = ?", [Data(choices.bytes()), position]))
            case 2:
                let mark = Int64(bitPattern: choices.number(8))
                edits.append(("UPDATE changes SET verified = ? WHERE position = ?", [mark, position]))
            case 3: edits.append(("DELETE FROM changes WHERE position = ?", [position]))
            default:
                // A row whose checksum is right, whatever it says.
                let sealed = choices.altered(old.sealed)
                let hash = choices.byte() % 2 == 0 ? old.hash.bytes : choices.altered(old.hash.bytes)
                var checksum = Checksum()
                checksum.add(UInt64(bitPattern: position))
                checksum.add(hash)
                checksum.add(sealed)
                edits.append(
                    (
                        "INSERT OR REPLACE INTO changes (position, hash, sealed, verified, checksum) VALUES (?, ?, ?, ?, ?)",
                        [
                            position, Data(hash), Data(sealed),
                            choices.byte() % 2 == 0 ? StoreFormat.verifiedMark : StoreFormat.unverifiedMark,
                            Int64(bitPattern: checksum.value),
                        ]
                    ))
            }
        }
        let changed = edits
        try? store.withDatabase { database, state in
            try database.execute(sql: "SAVEPOINT fuzz")
            for (sql, arguments) in changed { try? database.execute(sql: sql, arguments: arguments) }
            state.positions = nil
        }
        let found = try? store.changes()
        try? store.withDatabase { database, state in
            try database.execute(sql: "ROLLBACK TO fuzz; RELEASE fuzz")
            state.positions = nil
        }
        guard let found else { return }
        var log = TripLog(trip: keys.trip, cryptography: Group.shared.cryptography, rules: TripContentRules())
        for secret in keys.epochSecrets { log.addEpoch(secret: secret) }
        for change in found {
            guard (try? log.restore(change.sealed, isVerified: change.isVerified)) != nil else { return }
        }
        _ = Replayed(log)
    }

    /// A key file of any bytes, and such whose checksum is right.
    func tryKeys(_ choices: inout Choices) {
        var bytes: [UInt8]
        switch choices.byte() % 3 {
        case 0: bytes = choices.everything()
        case 1: bytes = choices.altered(keyBytes)
        default:
            bytes = choices.altered(Array(keyBytes.dropLast(8)))
            var checksum = Checksum()
            checksum.add(bytes)
            bytes += checksum.value.littleEndianBytes
        }
        let path = keysOnly + "/keys"
        let descriptor = open(path, O_WRONLY | O_TRUNC)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        guard let read = try? KeyFile(readingFrom: keysOnly) else { return }
        if let pending = read.pendingJoin { _ = PendingJoin(decoding: pending, using: cryptography) }
    }
}
