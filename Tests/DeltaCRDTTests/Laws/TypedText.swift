import DeltaCRDT

/// A text that can be typed into: the library's, and those that it is held against.
protocol TypedText: DeltaState, CanonicalCodable where Change == SequenceChange<String> {
    var string: String { get }
    var utf8Count: Int { get }

    mutating func insert(_ text: String, at position: Int, by replica: ReplicaID) -> Self
    mutating func remove(_ range: Range<Int>) -> Self

    /// Brings this text up to another from its summary, where the type can.
    func catchUp(from other: Self) -> [Self]
}

extension Text: TypedText {
    func catchUp(from other: Text) -> [Text] {
        [
            merging(other.delta(since: summary())),
            merging(other.delta(since: summary(within: other.context.versionVector))),
            merging(other.delta(since: context.versionVector)),
        ]
    }
}

/// What two type at the same moment at one place stands there whole, each letter before or behind those that its writer typed there
/// before: forward and backward non-interleaving, as *The Art of the Fugue* has it, in texts in which much was removed.
enum NonInterleaving {
    static func run(_ subject: (some TypedText).Type, seed: UInt64, steps: Int) throws(Violation) {
        for history in 0..<UInt64((steps + 63) / 64) { try check(subject, seed: seed &+ history) }
    }

    private static func check<State: TypedText>(_ subject: State.Type, seed: UInt64) throws(Violation) {
        var random = SplitMix64(seed: seed)
        let names = (1...3).map { ReplicaID(high: 7, low: UInt64(random.below(2) == 0 ? $0 : 9 - $0)) }
        let base = base(subject, names, &random)
        let place = random.below(base.string.utf8.count + 1)
        var deltas: [State] = []
        var words: [String] = []
        for (writer, first) in zip(names, [UInt8(ascii: "A"), UInt8(ascii: "0")]) {
            var (text, word) = (base, "")
            let style = random.below(3)
            for number in 0..<UInt8(2 + random.below(7)) {
                let letter = String(Unicode.Scalar(first + number))
                let isBehind = style == 0 || style == 1 && random.below(2) == 0
                deltas.append(text.insert(letter, at: place + (isBehind ? word.utf8.count : 0), by: writer))
                word = isBehind ? word + letter : letter + word
            }
            words.append(word)
        }
        // Somebody removes what lies around them.
        var third = base
        let count = base.string.utf8.count
        if random.below(2) == 0 { deltas.append(third.remove(max(0, place - 2)..<min(count, place + 2))) }
        var joined = base
        while !deltas.isEmpty { joined.merge(deltas.remove(at: random.below(deltas.count))) }
        let letters = Array(joined.string.utf8)
        guard words.allSatisfy({ stands($0, in: letters) }) else {
            throw Violation(
                law: .nonInterleaving, seed: seed, detail: "\(words) at \(place) of \(base.string): \(joined.string)")
        }
    }

    private static func stands(_ word: String, in letters: [UInt8]) -> Bool {
        let count = word.utf8.count
        return (0..<max(0, letters.count - count + 1)).contains { letters[$0..<$0 + count].elementsEqual(word.utf8) }
    }

    /// A text that three wrote together.
    private static func base<State: TypedText>(
        _ subject: State.Type, _ names: [ReplicaID], _ random: inout SplitMix64
    ) -> State {
        var texts = names.map { _ in State() }
        for _ in 0..<random.below(24) {
            let writer = random.below(3)
            let count = texts[writer].string.utf8.count
            let place = random.below(count + 1)
            switch random.below(4) {
            case 0: texts[writer].merge(texts[random.below(3)])
            case 1: _ = texts[writer].remove(place..<min(count, place + 1 + random.below(4)))
            default: _ = texts[writer].insert(["a", "bc", "def"][random.below(3)], at: place, by: names[writer])
            }
        }
        return texts[0].merging(texts[1]).merging(texts[2])
    }
}
