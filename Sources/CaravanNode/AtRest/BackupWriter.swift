import LibC
import Sodium
import TripService
import TripStore

/// Writes a backup, chunk by chunk.
struct BackupWriter: ~Copyable {
    private let file: NewFile
    private let sealer: SecretStreamSealer
    private let context: [UInt8]
    private var pending: [UInt8] = []
    private var size = BackupFormat.headerSize

    /// Writes the whole of a backup. The file is there when this returns, and not at all when it throws.
    static func write(_ content: BackupContent, to file: NewFile, key: PassphraseKey) throws(ServiceError) {
        do {
            var writer = try BackupWriter(file: file, key: key)
            try writer.write(content)
        } catch {
            throw ServiceError(anyOf: error)
        }
    }

    private init(file: NewFile, key: PassphraseKey) throws(StoreError) {
        self.file = file
        sealer = SecretStreamSealer(key: key)
        context = BackupFormat.beginning + key.recipe.bytes
        try file.append(context + sealer.header)
    }

    private mutating func write(_ content: BackupContent) throws {
        let secrets = try LockedBytes(capacity: BackupFormat.chunkSize) { chunk in
            try content.keys.withEncoding { (encoding) throws(StoreError) in
                let header = [content.wasUnderPassphrase ? 1 : 0] + BackupFormat.encode(encoding.count)
                chunk.copyBytes(from: header)
                UnsafeMutableRawBufferPointer(rebasing: chunk[header.count...]).copyBytes(from: encoding)
            }
            return chunk.count
        }
        try secrets.withUnsafeBytes {
            try file.append(sealer.seal($0, isLast: content.records.isEmpty, context: context))
        }
        size += BackupFormat.sealedChunkSize
        for record in content.records {
            pending += BackupFormat.encode(record.count)
            pending += record
            // One byte must be left for the last chunk.
            while pending.count > BackupFormat.chunkSize { try flush(BackupFormat.chunkSize, isLast: false) }
        }
        if !pending.isEmpty { try flush(pending.count, isLast: true) }
        try file.commit()
    }

    private mutating func flush(_ count: Int, isLast: Bool) throws {
        size += count + SecretStream.sealSize
        guard size <= BackupFormat.bytesMax else {
            throw ServiceError(
                "this trip is too large for a backup (\(BackupFormat.bytesMax >> 20) MiB); copy its folder")
        }
        let sealed = pending.withUnsafeBytes {
            sealer.seal(UnsafeRawBufferPointer(rebasing: $0[..<count]), isLast: isLast, context: context)
        }
        try file.append(sealed)
        pending.removeFirst(count)
    }
}
