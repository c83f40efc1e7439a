import Glibc

/// Alters inputs of the corpus at random, and gives them to the fuzzer's function: no feedback and no sanitizer, so many times as
/// many in the same time.
///
/// Usage: COUNT SEED [FIRST], with the corpus as lines of hexadecimal digits on standard input. An input follows from the seed and
/// its number alone. Where it ends the program, the number is in the file that is named by BLIND_LAST, if it is set.
@main
struct Blind {
    private var random: SplitMix64Source
    private let corpus: [[UInt8]]

    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        guard arguments.count >= 2 else { fatalError("usage: COUNT SEED [FIRST]") }
        let (count, seed) = (arguments[0], arguments[1])
        let first = arguments.count > 2 ? arguments[2] : 0
        var corpus: [[UInt8]] = []
        while let line = readLine() { corpus.append(bytes(of: line)) }
        guard !corpus.isEmpty else { fatalError("no corpus on standard input") }
        let last = getenv("BLIND_LAST").flatMap { open($0, O_RDWR | O_CREAT, 0o600) } ?? -1
        var (slowest, slowestNumber): (UInt64, UInt64) = (0, 0)
        for number in first..<first + count {
            var blind = Blind(random: SplitMix64Source(seed, number), corpus: corpus)
            let input = blind.input()
            if last >= 0 { withUnsafeBytes(of: number) { _ = pwrite(last, $0.baseAddress, 8, 0) } }
            let begin = processorTime()
            _ = input.withUnsafeBufferPointer { bytes in bytes.baseAddress.map { fuzz($0, bytes.count) } }
            let time = processorTime() - begin
            if time > slowest { (slowest, slowestNumber) = (time, number) }
            if (number + 1 - first) % 500_000 == 0 || number + 1 == first + count {
                print(
                    "\(number + 1 - first) inputs of seed \(seed), \(statesRead) states read; "
                        + "the slowest: number \(slowestNumber), \(slowest / 1_000_000) ms")
                fflush(nil)
            }
        }
    }

    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func bytes(of line: String) -> [UInt8] {
        let digits = line.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private mutating func input() -> [UInt8] {
        var input = corpus[random.below(corpus.count)]
        for _ in 0..<1 + random.below(4) { alter(&input) }
        return input
    }

    private mutating func alter(_ input: inout [UInt8]) {
        guard input.count > 2 else { return input.append(UInt8(random.below(256))) }
        let place = 1 + random.below(input.count - 1)
        let length = 1 + random.below(min(16, input.count - place))
        switch random.below(8) {
        case 0: input[place] ^= 1 << UInt8(random.below(8))
        case 1: input[place] = [0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF][random.below(8)]
        case 2: input[place] = UInt8(random.below(256))
        case 3: input.removeSubrange(place..<place + length)
        case 4: input.insert(contentsOf: Array(input[place..<place + length]), at: place)
        case 5:
            let other = corpus[random.below(corpus.count)]
            input = Array(input[..<place] + other[random.below(other.count)...])
        case 6:
            let great: [[UInt8]] = [
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0xFF, 0xFF, 0x03],
                [0x80, 0x80, 0x80, 0x80, 0x10],
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            ]
            input.replaceSubrange(place..<place + 1, with: great[random.below(great.count)])
        default: input[place] = input[place] &+ (random.below(2) == 0 ? 1 : 255)
        }
        if input.count > 4096 { input.removeLast(input.count - 4096) }
    }
}

private struct SplitMix64Source {
    private var state: UInt64

    init(_ seed: UInt64, _ number: UInt64) { state = SplitMix64.mixed(seed) &+ SplitMix64.mixed(number) }

    mutating func below(_ bound: Int) -> Int {
        state &+= SplitMix64.increment
        return Int(truncatingIfNeeded: SplitMix64.mixed(state) >> 1) % bound
    }
}
