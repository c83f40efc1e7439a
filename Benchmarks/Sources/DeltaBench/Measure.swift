import CBench

/// The seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let time = try clock.measure(body)
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}

/// The seconds of processor time that `body` takes: what else runs on the machine does not count.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    let begin = processor_seconds()
    try body()
    return processor_seconds() - begin
}

/// The least of several times: what the work takes when nothing else disturbs it.
func leastSeconds(of rounds: Int, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<rounds { least = min(least, try seconds(body)) }
    return least
}

/// The least of several processor times.
func leastProcessorSeconds(of rounds: Int, _ body: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<rounds { least = min(least, try processorSeconds(body)) }
    return least
}

/// The bytes that the allocator has handed out and not got back.
func allocatedBytes() -> Int { Int(allocated_bytes()) }

/// Keeps the optimiser from dropping what is measured.
@inline(never)
func use<T>(_ value: T) {}

/// Prints one figure as a line of JSON.
func report(_ work: String, _ value: Double, _ unit: String) {
    print("{\"work\": \"\(work)\", \"value\": \(value), \"unit\": \"\(unit)\"}")
}

/// Steele, Lea and Flood's generator.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// Texts of 16 hexadecimal digits, the same for the same seed everywhere.
func keys(_ count: Int, seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    let digits = Array("0123456789abcdef".utf8)
    return (0..<count).map { _ in
        let number = random.next()
        return String(
            decoding: stride(from: UInt64(60), through: 0, by: -4).map { digits[Int(number >> $0 & 15)] }, as: UTF8.self
        )
    }
}
