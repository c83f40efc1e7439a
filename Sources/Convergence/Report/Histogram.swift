/// How often a number came out how great.
package struct Histogram: Sendable {
    /// A range of numbers, and how often one of them came.
    struct Bin: Sendable, Hashable {
        let range: ClosedRange<Int>
        /// It stands for all that is greater, too.
        let isOpen: Bool
        let count: Int
    }

    package var unit: Unit
    /// What is counted, in the singular: "change", "run".
    package var noun: String
    /// How often each number came. What is negative or beyond 10^14 is left out.
    package private(set) var counts: [(value: Int, count: Int)]
    package private(set) var total: Int

    /// O(n log n) in the number of different values.
    package init(unit: Unit, noun: String, counts: [Int: Int]) {
        self.unit = unit
        self.noun = noun
        self.counts = counts.filter { $0.value > 0 && (0...Scale.greatest / 10).contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { (value: $0.key, count: $0.value) }
        total = self.counts.reduce(0) { $0 + $1.count }
    }

    package init(unit: Unit, noun: String, values: some Sequence<Int>) {
        self.init(unit: unit, noun: noun, counts: values.reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }

    /// The least number that so many hundredths of all do not exceed; 0 where there are none. O(different values).
    package func percentile(_ hundredths: Int) -> Int {
        let rank = (total * hundredths + 99) / 100
        var seen = 0
        for (value, count) in counts {
            seen += count
            if seen >= rank { return value }
        }
        return 0
    }

    static let binsMax = 30

    /// Bins of one round width; the last is open where few are far greater than the others.
    var bins: [Bin] {
        guard let greatest = counts.last?.value else { return [] }
        let usual = percentile(99)
        let isCut = greatest > 2 * max(1, usual)
        let end = isCut ? usual : greatest
        let width = unit.roundStep(upTo: end + 1, parts: Self.binsMax)
        let binCount = end / width + 1
        var tallies = Array(repeating: 0, count: binCount + (isCut ? 1 : 0))
        for (value, count) in counts { tallies[min(value / width, tallies.count - 1)] += count }
        return tallies.enumerated().map { index, count in
            let isOpen = isCut && index == binCount
            let last = isOpen ? max(greatest, (index + 1) * width - 1) : (index + 1) * width - 1
            return Bin(range: index * width...last, isOpen: isOpen, count: count)
        }
    }
}
