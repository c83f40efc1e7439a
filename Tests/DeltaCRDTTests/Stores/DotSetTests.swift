import DeltaCRDT
import Testing

@Suite struct DotSetTests {
    private static let replicas = (0..<3).map { ReplicaID(high: UInt64(3 - $0), low: 1) }
    private let jie = replicas[0]

    /// A flag all of whose dots in a range are alive.
    private func flag(_ counters: ClosedRange<UInt64>) -> EnableWinsFlag {
        var context = CausalContext()
        context.insert(replica: jie, counters: counters)
        // One run: a gap before it, and what is alive.
        var bytes: [UInt8] = [0x16, 1, (counters.lowerBound > 1 ? 2 : 1) << 1 | 1] + jie.bytes
        if counters.lowerBound > 1 { bytes += ((counters.lowerBound - 1) << 2).encoded() }
        bytes += (UInt64(counters.count) << 2 | 2).encoded()
        return (try? EnableWinsFlag(decoding: bytes)) ?? EnableWinsFlag()
    }

    @Test("any number of dots in a row is read, joined, told apart and caught up with at once")
    func rangesCostNoMoreThanOne() throws {
        let whole = 1...Dot.maximumCounter
        var mine = flag(whole)
        #expect(mine.isEnabled && mine.causal.store.count == whole.count)
        #expect(try EnableWinsFlag(decoding: mine.encoded()) == mine)
        var theirs = flag(1...1 << 40)
        #expect(theirs.summary() != mine.summary())
        theirs.merge(mine.delta(since: theirs.summary()))
        #expect(theirs == mine && theirs.summary() == mine.summary())
        let removal = mine.disable()
        #expect(!mine.isEnabled)
        var enabled = mine
        enabled.enable(by: jie)
        #expect(enabled.isEnabled)
        theirs.merge(mine.delta(since: theirs.summary()))
        #expect(theirs == mine && !theirs.isEnabled)
        theirs = flag(whole)
        #expect(theirs.merging(mine.delta(for: theirs)) == mine && theirs.merging(removal) == mine)
        theirs.merge(mine) { #expect(!$0) }
    }

    @Test("a set of dots is a set of dots, whatever was joined to it")
    func dotsAreASet() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<3000 {
            func dots(_ most: Int) -> Set<Dot> {
                Set(
                    (0..<random.below(most + 1)).map { _ in
                        Dot(replica: Self.replicas[random.below(3)], counter: UInt64(1 + random.below(6)))
                    })
            }
            func store(_ dots: Set<Dot>) -> DotSet {
                var store = DotSet()
                for dot in dots.sorted(by: { $0.hashValue < $1.hashValue }) {
                    let isNew = store.insert(dot)
                    #expect(isNew)
                }
                return store
            }
            let (mine, theirs) = (dots(random.below(6)), dots(random.below(6)))
            let (seen, seenThere) = (mine.union(dots(8)), theirs.union(dots(8)))
            let expected = mine.intersection(theirs).union(mine.subtracting(seenThere)).union(theirs.subtracting(seen))
            var joined = store(mine)
            let changed = joined.merge(
                store(theirs), context: CausalContext(seen), otherContext: CausalContext(seenThere))
            #expect(
                joined == store(expected) && joined.hashValue == store(expected).hashValue
                    && changed == (expected != mine))
            #expect(joined.count == expected.count && joined.isEmpty == expected.isEmpty)
            var visited: [Dot] = []
            joined.forEachDot { visited.append($0) }
            #expect(visited == expected.sorted() && joined.dots() == CausalContext(expected))
            #expect(joined.restricted(to: CausalContext(seen)) == store(expected.intersection(seen)))
            #expect(expected.allSatisfy(joined.contains))
            visited = []
            joined.forEachDot(in: CausalContext(seen)) { visited.append($0) }
            #expect(visited == expected.intersection(seen).sorted())
        }
    }

    @Test("a small delta changes many ranges of dots as the sets of dots say")
    func fewDotsFallAmongMany() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<2000 {
            var mine: Set<Dot> = []
            for _ in 0..<60 {
                let counter = UInt64(1 + random.below(80))
                mine.insert(Dot(replica: Self.replicas[random.below(3)], counter: counter))
            }
            let low = UInt64(1 + random.below(80))
            let seenThere = Set(
                (low...low + UInt64(random.below(9))).map { Dot(replica: Self.replicas[random.below(3)], counter: $0) })
            let theirs = seenThere.filter { _ in random.below(2) == 0 }
            let expected = mine.subtracting(seenThere).union(theirs)
            var joined = DotSet()
            for dot in mine { joined.insert(dot) }
            var other = DotSet()
            for dot in theirs { other.insert(dot) }
            let changed = joined.merge(other, context: CausalContext(mine), otherContext: CausalContext(seenThere))
            #expect(joined.dots() == CausalContext(expected) && changed == (expected != mine))
            #expect(joined.count == expected.count)
        }
    }

    @Test("the fingerprint of a row of dots up to a number is that of the row that ends there")
    func fingerprintsTellRowsApart() {
        var met: [UInt64: ClosedRange<UInt64>] = [:]
        for first in [1, 60, 64, 65, 128, 1000] as [UInt64] {
            for length in [1, 2, 63, 64, 65, 127, 128, 129, 300, 5000] as [UInt64] {
                let row = first...first + length - 1
                let fingerprint = flag(row).causal.store.fingerprint(of: jie, in: 1...row.upperBound)
                #expect(
                    flag(first...Dot.maximumCounter).causal.store.fingerprint(of: jie, in: 1...row.upperBound)
                        == fingerprint)
                #expect(met.updateValue(row, forKey: fingerprint) == nil)
            }
        }
    }
}
