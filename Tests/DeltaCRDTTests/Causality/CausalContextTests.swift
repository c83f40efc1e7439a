import DeltaCRDT
import TestTiers
import Testing

/// Version vectors and contexts against plain sets of dots.
@Suite struct CausalContextTests {
    private static let replicas = (0..<3).map { ReplicaID(high: $0, low: 1) }

    private func randomPair(_ random: inout SplitMix64) -> (context: CausalContext, dots: Set<Dot>) {
        var context = CausalContext()
        var dots: Set<Dot> = []
        for _ in 0..<random.below(12) {
            let replica = Self.replicas[random.below(3)]
            let low = UInt64(1 + random.below(40))
            let range = low...low + UInt64(random.below(6))
            let news = Set(range.map { Dot(replica: replica, counter: $0) }).subtracting(dots)
            let isNew = context.insert(replica: replica, counters: range)
            #expect(isNew == !news.isEmpty)
            dots.formUnion(news)
        }
        return (context, dots)
    }

    private func dots(of context: CausalContext) -> Set<Dot> {
        var dots: Set<Dot> = []
        var previous: Dot?
        context.forEachRange { replica, range in
            let first = Dot(replica: replica, counter: range.lowerBound)
            // Ascending, and with a gap between two of one replica.
            if let previous {
                #expect(previous < first)
                #expect(previous.replica != replica || previous.counter + 1 < first.counter)
            }
            previous = Dot(replica: replica, counter: range.upperBound)
            dots.formUnion(range.map { Dot(replica: replica, counter: $0) })
        }
        return dots
    }

    @Test(.tags(.slow)) func contextIsASetOfDots() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let (left, leftDots) = randomPair(&random)
            let (right, rightDots) = randomPair(&random)
            #expect(dots(of: left) == leftDots)
            #expect(left == CausalContext(leftDots))
            #expect((left == right) == (leftDots == rightDots))
            #expect(left.isSubset(of: right) == leftDots.isSubset(of: rightDots))
            #expect(dots(of: left.subtracting(right)) == leftDots.subtracting(rightDots))
            #expect(dots(of: left.intersection(right)) == leftDots.intersection(rightDots))
            var both = left
            let grew = both.merge(right)
            #expect(grew == !rightDots.isSubset(of: leftDots))
            #expect(dots(of: both) == leftDots.union(rightDots))
            #expect(try CausalContext(decoding: left.encoded()) == left)
            for replica in Self.replicas {
                let numbers = leftDots.filter { $0.replica == replica }.map(\.counter)
                #expect(left.nextDot(for: replica).counter == (numbers.max() ?? 0) + 1)
                let prefix = UInt64((1...100).first { !numbers.contains($0) } ?? 0) - 1
                #expect(left.versionVector[replica] == prefix)
                for counter in UInt64(1)...50 {
                    let dot = Dot(replica: replica, counter: counter)
                    #expect(left.contains(dot) == leftDots.contains(dot))
                }
            }
        }
    }

    @Test func vectorsAreOrderedByWhatTheyContain() throws {
        var random = SplitMix64(seed: 2)
        var orders: Set<CausalOrder> = []
        for _ in 0..<1000 {
            var left = VersionVector()
            var right = VersionVector()
            for replica in Self.replicas {
                left[replica] = UInt64(random.below(3))
                right[replica] = UInt64(random.below(3))
            }
            let isBelow = Self.replicas.allSatisfy { left[$0] <= right[$0] }
            let isAbove = Self.replicas.allSatisfy { left[$0] >= right[$0] }
            let order: CausalOrder =
                isBelow ? (isAbove ? .equal : .before) : (isAbove ? .after : .concurrent)
            #expect(left.order(relativeTo: right) == order)
            #expect((left <= right) == isBelow)
            #expect((left == right) == (order == .equal))
            orders.insert(order)
            var joined = left
            let grew = joined.merge(right)
            #expect(grew == !(right <= left))
            for replica in Self.replicas { #expect(joined[replica] == max(left[replica], right[replica])) }
            #expect(try VersionVector(decoding: left.encoded()) == left)
        }
        #expect(orders.count == 4)
    }

    @Test func shortVectorsJoinIntoLongOnes() {
        var long = VersionVector()
        for number in 0..<100 { long[ReplicaID(high: UInt64(number) * 2, low: 0)] = 5 }
        var short = VersionVector()
        short[ReplicaID(high: 10, low: 0)] = 9
        short[ReplicaID(high: 11, low: 0)] = 1
        let grew = long.merge(short)
        #expect(grew)
        #expect(long[ReplicaID(high: 10, low: 0)] == 9 && long[ReplicaID(high: 11, low: 0)] == 1)
        #expect(long.entries.count == 101 && long.entries.map(\.replica).sorted() == long.entries.map(\.replica))
        let grewAgain = long.merge(short)
        #expect(!grewAgain)
    }
}
