package import ChangeLog
package import DeltaCRDT

/// The last change of a log that is written on this device, as its writer was told that it is durable.
package struct WrittenMark: Hashable, Sendable {
    package let replica: ReplicaID
    /// The change's number in that log.
    package let number: UInt64
    package let hash: Bytes32

    package init(replica: ReplicaID, number: UInt64, hash: Bytes32) {
        self.replica = replica
        self.number = number
        self.hash = hash
    }
}

/// The last acknowledged change of each log that is written here, in the file `written` beside the database.
///
/// SQLite recovers from a damaged end of its write-ahead log by dropping it silently, and nothing in the database shows that there
/// was more. This file shows it. It is written after a commit is on the disk, and not synchronized: after a power cut
/// it may be behind the database, never ahead of it. Where it cannot be read it says nothing.
struct WrittenMarks {
    private var marks: [ReplicaID: WrittenMark] = [:]
    private let path: String
    /// Nil before anything was written.
    private var file: PrivateFile?

    /// Logs that are written on one device: its own, and those of its guests.
    private static let logsMax = 1_024
    private static let markSize = 16 + 8 + 32
    private static let lengthSize = 4

    /// Reads the marks in a folder.
    init(in folder: String, _ seal: StoreSeal) {
        path = folder + "/written"
        guard let source = try? PrivateFile(reading: path) else { return }
        for mark in Self.read(source, seal) { marks[mark.replica] = mark }
    }

    /// In the order of the logs' names.
    var all: [WrittenMark] { marks.values.sorted { $0.replica < $1.replica } }

    /// Notes what was acknowledged; of one log the greatest number stays.
    mutating func raise(to written: [WrittenMark], _ seal: StoreSeal) {
        let before = marks
        for mark in written where mark.number >= marks[mark.replica]?.number ?? 0 { marks[mark.replica] = mark }
        if marks != before { save(seal) }
    }

    mutating func replace(with written: [WrittenMark], _ seal: StoreSeal) {
        marks = Dictionary(written.map { ($0.replica, $0) }) { $0.number > $1.number ? $0 : $1 }
        save(seal)
    }

    // MARK: -

    /// In place and in one call, so that a process that is killed leaves the old marks or the new ones.
    private mutating func save(_ seal: StoreSeal) {
        var encoder = CanonicalEncoder()
        for mark in all.prefix(Self.logsMax) {
            encoder.encode(mark.replica)
            encoder.encode(fixed: withUnsafeBytes(of: mark.number.bigEndian) { Array($0) })
            encoder.encode(fixed: mark.hash.bytes)
        }
        let sealed = seal.seal(marks: encoder.bytes)
        let length = withUnsafeBytes(of: UInt32(sealed.count).bigEndian) { Array($0) }
        // Marks that are not kept are a loss that goes unnoticed, and no reason to refuse what is durable.
        if file == nil { file = try? PrivateFile(path: path) }
        try? file?.write(length + sealed, at: 0)
    }

    private static func read(_ file: PrivateFile, _ seal: StoreSeal) -> [WrittenMark] {
        guard let length = try? file.read(lengthSize, at: 0), length.count == lengthSize else { return [] }
        let size = length.reduce(0) { $0 << 8 | Int($1) }
        guard size <= StoreSeal.overhead + logsMax * markSize,
            let sealed = try? file.read(size, at: lengthSize), sealed.count == size,
            let bytes = seal.open(marks: sealed)
        else { return [] }
        return stride(from: 0, through: bytes.count - markSize, by: markSize).compactMap { start in
            guard let replica = ReplicaID(bytes: bytes[start..<start + 16]),
                let hash = Bytes32(bytes[(start + 24)..<(start + markSize)])
            else { return nil }
            let number = bytes[(start + 16)..<(start + 24)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return WrittenMark(replica: replica, number: number, hash: hash)
        }
    }
}
