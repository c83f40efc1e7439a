import Files
import LibC
import Sodium
import TripService
import TripStore

/// Reads a backup, chunk by chunk. Nothing of it is believed before it was authenticated; nothing is allocated for what it
/// only promises.
final class BackupReader {
    /// What errors call it.
    private let path: String
    private let descriptor: Int32
    private let recipe: PassphraseKey.Recipe
    private let streamHeader: [UInt8]
    private let context: [UInt8]
    private var size = BackupFormat.headerSize
    /// The first chunk, which tells a passphrase from a wrong one.
    private let first: [UInt8]

    /// Whether a file begins as a backup does.
    static func isBackup(_ path: String) -> Bool {
        (try? WholeFile.beginning(of: path, upTo: BackupFormat.magic.count)) == BackupFormat.magic
    }

    /// - Parameter name: what errors call the file; nil for its path.
    init(path: String, named name: String? = nil) throws(ServiceError) {
        descriptor = LibC.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ServiceError("cannot read \(path): \(String(cString: strerror(errno)))") }
        let path = name ?? path
        self.path = path
        let header: [UInt8]
        do throws(ServiceError) {
            header = try BackupReader.read(BackupFormat.headerSize, from: descriptor, path)
            guard header.starts(with: BackupFormat.magic) else {
                throw ServiceError("\(path) is not a backup; create one with `caravan backup FILE`")
            }
            guard header.count > BackupFormat.magic.count, header[BackupFormat.magic.count] <= BackupFormat.version
            else {
                throw ServiceError("\(path) was made by a newer version of caravan; update yours")
            }
            let recipe = header.dropFirst(BackupFormat.beginning.count).prefix(PassphraseKey.Recipe.size)
            guard header[BackupFormat.magic.count] == BackupFormat.version else {
                throw ServiceError("\(path) was made by an older version of caravan, and can no longer be read")
            }
            guard header.count == BackupFormat.headerSize,
                let recipe = PassphraseKey.Recipe(recipe)
            else { throw ServiceError.damaged(path) }
            self.recipe = recipe
            first = try BackupReader.read(BackupFormat.sealedChunkSize, from: descriptor, path)
            guard first.count == BackupFormat.sealedChunkSize else { throw ServiceError.damaged(path) }
        } catch {
            close(descriptor)
            throw error
        }
        streamHeader = Array(header.suffix(SecretStream.headerSize))
        context = Array(header.dropLast(SecretStream.headerSize))
    }

    deinit { close(descriptor) }

    /// Reads everything. Asks for the passphrase as often as its source allows.
    /// - Returns: what is there, and the passphrase that opened it.
    func content(_ passphrases: PassphraseSource) throws(ServiceError) -> (BackupContent, Passphrase) {
        for attempt in 0..<passphrases.triesMax {
            let passphrase = try passphrases.ask("the backup", attempt)
            let key = try KeyLock.makeKey(passphrase, recipe)
            do {
                let opener = try SecretStreamOpener(key: key, header: streamHeader)
                let (secrets, isLast) = try opener.open(first, context: context)
                return (try content(secrets, isLast: isLast, opener), passphrase)
            } catch let error as ServiceError {
                throw error
            } catch PassphraseFailure.wrongPassphrase {
                continue
            } catch {
                throw ServiceError.damaged(path)
            }
        }
        throw ServiceError(
            "wrong passphrase, or \(path) is damaged; try again, or use another copy")
    }

    // MARK: -

    private func content(
        _ secrets: LockedBytes, isLast: Bool, _ opener: SecretStreamOpener
    ) throws(ServiceError) -> BackupContent {
        let damaged = ServiceError.damaged(path)
        let (keys, wasUnderPassphrase) = try secrets.withUnsafeBytes { chunk throws(ServiceError) in
            let length = BackupFormat.decode(chunk[1..<5])
            guard chunk[0] <= 1, length <= KeyFile.maximumEncodedLength, chunk[(5 + length)...].allSatisfy({ $0 == 0 }),
                let keys = try? KeyFile(decoding: UnsafeRawBufferPointer(rebasing: chunk[5..<5 + length]))
            else { throw damaged }
            return (keys, chunk[0] == 1)
        }
        var records: [[UInt8]] = []
        var pending: [UInt8] = []
        var hasEnded = isLast
        while !hasEnded {
            let sealed = try readChunk()
            guard sealed.count > SecretStream.sealSize, let opened = try? opener.open(sealed, context: context),
                opened.isLast || sealed.count == BackupFormat.sealedChunkSize
            else { throw damaged }
            opened.chunk.withUnsafeBytes { pending += $0 }
            hasEnded = opened.isLast
            try takeRecords(from: &pending, into: &records)
        }
        guard pending.isEmpty, try BackupReader.read(1, from: descriptor, path).isEmpty else { throw damaged }
        return BackupContent(keys: keys, wasUnderPassphrase: wasUnderPassphrase, records: records)
    }

    /// Takes the records that are whole.
    private func takeRecords(from pending: inout [UInt8], into records: inout [[UInt8]]) throws(ServiceError) {
        var start = 0
        while pending.count - start >= BackupFormat.recordHeaderSize {
            let length = BackupFormat.decode(pending[start..<(start + BackupFormat.recordHeaderSize)])
            guard length <= TripStore.maximumRecordBytes else { throw ServiceError.damaged(path) }
            let begin = start + BackupFormat.recordHeaderSize
            guard pending.count - begin >= length else { break }
            records.append(Array(pending[begin..<begin + length]))
            start = begin + length
        }
        pending.removeFirst(start)
    }

    private func readChunk() throws(ServiceError) -> [UInt8] {
        let sealed = try BackupReader.read(BackupFormat.sealedChunkSize, from: descriptor, path)
        size += sealed.count
        guard size <= BackupFormat.bytesMax else {
            throw ServiceError(
                "\(path) is too large for a backup (\(BackupFormat.bytesMax >> 20) MiB); give another file")
        }
        return sealed
    }

    /// Reads so many bytes, fewer at the file's end alone.
    private static func read(_ count: Int, from descriptor: Int32, _ path: String) throws(ServiceError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let size = bytes.withUnsafeMutableBytes { LibC.read(descriptor, $0.baseAddress! + done, count - done) }
            if size < 0, errno == EINTR { continue }
            guard size >= 0 else { throw ServiceError("cannot read \(path): \(String(cString: strerror(errno)))") }
            if size == 0 { break }
            done += size
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

extension ServiceError {
    fileprivate static func damaged(_ path: String) -> ServiceError {
        ServiceError("\(path) is truncated or damaged, and nothing was restored; use another copy of the backup")
    }
}
