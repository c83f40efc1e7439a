/// What a replica tells of a state that knows no events, so that a peer can send what it lacks: fingerprints of its entries, which
/// are dealt out to buckets by a number that is the same everywhere.
///
/// A peer answers with its entries of those buckets in which the fingerprints differ, at 64 entries a bucket about as many for each
/// one that is missing. A fingerprint is a sum of 64-bit numbers, one for each entry; for what it is worth against chance and against
/// deceit see ``StateSummary``.
public struct EntrySummary: Hashable, Sendable {
    /// The most buckets, 4,096, so that a summary takes at most 32 KiB.
    static var mostBits: Int { 12 }

    /// One for each bucket: a power of two.
    private(set) var fingerprints: [UInt64]

    /// Knows nothing, and so asks for everything. Complexity: O(1).
    public init() {
        fingerprints = [0]
    }

    /// Of about so many entries as will be inserted.
    init(count: Int) {
        var bits = 0
        while bits < Self.mostBits, count >> bits > 64 { bits += 1 }
        fingerprints = Array(repeating: 0, count: 1 << bits)
    }

    /// Of the same buckets as another, and no entries.
    private init(like other: EntrySummary) {
        fingerprints = Array(repeating: 0, count: other.fingerprints.count)
    }

    /// Notes an entry. Complexity: O(1).
    mutating func insert(_ entry: EntryFingerprint) {
        fingerprints[bucket(of: entry)] &+= SplitMix64.mixed(
            entry.key ^ SplitMix64.mixed(entry.value &+ SplitMix64.increment))
    }

    private func bucket(of entry: EntryFingerprint) -> Int {
        let bits = fingerprints.count.trailingZeroBitCount
        return bits == 0 ? 0 : Int(entry.key >> UInt64(64 - bits))
    }

    /// Whether the one who made this summary may lack an entry, by what a state that has these entries differs in.
    func lacking(_ entries: (_ visit: (EntryFingerprint) -> Void) -> Void) -> (EntryFingerprint) -> Bool {
        var own = EntrySummary(like: self)
        entries { own.insert($0) }
        let differs = zip(own.fingerprints, fingerprints).map { $0 != $1 }
        return { entry in differs[bucket(of: entry)] }
    }
}

/// An entry of a state that knows no events, as numbers that are the same everywhere.
struct EntryFingerprint {
    /// Tells the entry from others: evenly spread.
    let key: UInt64
    /// What stands there.
    let value: UInt64

    init(replica: ReplicaID, value: UInt64) {
        key = replica.fingerprintSalt
        self.value = value
    }

    init(key: UInt64, value: UInt64) {
        self.key = key
        self.value = value
    }

    /// A number for a value, from its bytes alone.
    static func number(of bytes: [UInt8]) -> UInt64 {
        var number = SplitMix64.mixed(UInt64(bytes.count) &+ SplitMix64.increment)
        bytes.withUnsafeBytes { bytes in
            var position = 0
            while position + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                number = SplitMix64.mixed(number ^ word)
                position += 8
            }
            guard position < bytes.count else { return }
            var word: UInt64 = 0
            for (index, byte) in bytes[position...].enumerated() { word |= UInt64(byte) << UInt64(index * 8) }
            number = SplitMix64.mixed(number ^ word)
        }
        return number
    }
}

extension EntrySummary: CanonicalCodable {
    /// Appends the value in its one form; see <doc:Format>. Complexity: O(size).
    public func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(byte: UInt8(fingerprints.count.trailingZeroBitCount))
        for fingerprint in fingerprints {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                encoder.encode(byte: UInt8(truncatingIfNeeded: fingerprint >> shift))
            }
        }
    }

    /// Reads a value, and refuses every form but its only one; see <doc:Format>.
    ///
    /// Complexity: O(size of the bytes read), with a bound on what they may ask for.
    public init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        let bits = Int(try decoder.decodeByte())
        guard bits <= Self.mostBits else { throw .tooLarge }
        let bytes = try decoder.decodeFixed(8 << bits)
        fingerprints = stride(from: bytes.startIndex, to: bytes.endIndex, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
