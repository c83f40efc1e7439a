/// Looks for damage in a write-ahead log of SQLite before SQLite does (https://sqlite.org/fileformat2.html, section 4).
///
/// SQLite's recovery ends at the first frame whose checksum does not fit, and drops all that follows without a word: after a
/// power cut that is the transaction which was being written, but after a flipped byte it is everything that was
/// acknowledged since. The two can be told apart, because with `synchronous = FULL` a transaction begins only when the
/// one before is on the disk: a cut leaves pieces of one transaction, and so nothing behind its commit.
struct WriteAheadLog {
    private let file: PrivateFile
    private let size: Int
    private let pageSize: Int
    private let salts: (UInt32, UInt32)
    private let isBigEndian: Bool
    private var sums: (UInt32, UInt32) = (0, 0)

    /// Throws `damaged` where recovery would lose what was acknowledged. Reads the whole log once.
    static func check(_ file: PrivateFile) throws(StoreError) {
        guard var log = try WriteAheadLog(file) else { return }
        try log.checkFrames()
    }

    /// Reads the header. Nil where there is no frame behind it.
    private init?(_ file: PrivateFile) throws(StoreError) {
        self.file = file
        size = try file.size
        guard size >= Self.headerSize + Self.frameHeaderSize + Self.minimumPageSize else { return nil }
        let header = try file.read(Self.headerSize, at: 0)
        let magic = header.bigEndianWord(at: 0)
        pageSize = Int(header.bigEndianWord(at: 8))
        isBigEndian = magic & 1 == 1
        salts = (header.bigEndianWord(at: 16), header.bigEndianWord(at: 20))
        // The header is written and synchronized before the first frame.
        guard magic & ~1 == 0x377F_0682, header.bigEndianWord(at: 4) == 3_007_000, pageSize.nonzeroBitCount == 1,
            pageSize >= Self.minimumPageSize, pageSize <= 65_536
        else { throw .damaged(file.path, "its header") }
        add(header[..<24])
        guard sums == (header.bigEndianWord(at: 24), header.bigEndianWord(at: 28)) else {
            throw .damaged(file.path, "its header")
        }
    }

    private static let headerSize = 32
    private static let frameHeaderSize = 24
    private static let minimumPageSize = 512

    private mutating func checkFrames() throws(StoreError) {
        let frameSize = Self.frameHeaderSize + pageSize
        var isWhole = true
        var hasCommitBehindTheBreak = false
        for offset in stride(from: Self.headerSize, through: size - frameSize, by: frameSize) {
            let frame = try file.read(isWhole ? frameSize : Self.frameHeaderSize, at: offset)
            guard frame.count >= Self.frameHeaderSize else { return }
            let found = (frame.bigEndianWord(at: 8), frame.bigEndianWord(at: 12))
            if isWhole, frame.count == frameSize, found == salts, isIntact(frame) { continue }
            isWhole = false
            // Frames of an earlier round have other salts, both of them; a single altered byte alters one.
            guard found.0 == salts.0 || found.1 == salts.1 else { continue }
            if hasCommitBehindTheBreak { throw .damaged(file.path, "a part in its middle") }
            hasCommitBehindTheBreak = frame.bigEndianWord(at: 4) != 0
        }
    }

    /// Checks a frame's checksum, which covers all frames before it too.
    private mutating func isIntact(_ frame: [UInt8]) -> Bool {
        let before = sums
        add(frame[..<8])
        add(frame[Self.frameHeaderSize...])
        if sums == (frame.bigEndianWord(at: 16), frame.bigEndianWord(at: 20)), frame.bigEndianWord(at: 0) != 0 {
            return true
        }
        sums = before
        return false
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let second = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                sums.0 &+= (isBigEndian ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ sums.1
                sums.1 &+= (isBigEndian ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ sums.0
            }
        }
    }
}

extension [UInt8] {
    fileprivate func bigEndianWord(at offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
