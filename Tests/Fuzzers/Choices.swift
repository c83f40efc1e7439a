import Convergence

/// The bytes of one input, read as a row of choices. After their end everything is zero.
struct Choices {
    private var rest: ArraySlice<UInt8>
    /// FNV-1a of all the bytes.
    private let sum: UInt64

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        sum = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Whether this is one of the few inputs that are put through what costs more than all the rest: by the input alone,
    /// and so that none of its bytes can be altered without a new throw of the dice.
    func isOne(of count: UInt64, but rest: UInt64 = 0) -> Bool { (sum ^ sum >> 32) % count == rest }

    /// A number below a bound, by the input alone and with none of its bytes.
    func die(_ bound: UInt64) -> Int { Int((sum >> 36) % bound) }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number of the lowest `count` bytes, most significant first.
    mutating func number(_ count: Int) -> UInt64 { (0..<count).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

    /// A number below a bound of at most 65,536; 0 where the bound is 0.
    mutating func index(_ bound: Int) -> Int {
        guard bound > 1 else { return 0 }
        return Int(number(bound > 256 ? 2 : 1)) % bound
    }

    mutating func pick<Element>(_ elements: some RandomAccessCollection<Element>) -> Element? {
        elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: index(elements.count))]
    }

    /// Bytes with their number, of up to 255, before them.
    mutating func bytes() -> [UInt8] {
        let count = Int(byte())
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// All that is left.
    mutating func everything() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// A few altered, put in or left out, as the input says.
    mutating func altered(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<(byte() % 4) {
            let place = index(bytes.count + 1)
            switch byte() % 4 {
            case 0 where place < bytes.count: bytes[place] ^= byte()
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: self.bytes().prefix(32), at: place)
            default: bytes = Array(bytes.prefix(place))
            }
        }
        return bytes
    }
}
