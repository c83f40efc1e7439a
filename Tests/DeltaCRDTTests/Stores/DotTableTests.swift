import DeltaCRDT
import TestTiers
import Testing

/// The columns against plain dictionaries, with enough dots for pages to fill, empty and be dropped.
@Suite struct DotTableTests {
    /// What a table and its context should hold.
    private struct Model {
        var alive: [Dot: String] = [:]
        var seen: Set<Dot> = []

        mutating func merge(_ other: Model) {
            alive = alive.filter { other.alive[$0.key] != nil || !other.seen.contains($0.key) }
                .merging(other.alive.filter { !seen.contains($0.key) }) { mine, _ in mine }
            seen.formUnion(other.seen)
        }
    }

    private struct Pair {
        var causal = Causal<DotTable<String>>()
        var model = Model()

        mutating func merge(_ other: Pair) {
            causal.merge(other.causal)
            model.merge(other.model)
        }

        func check() {
            var dots: [Dot] = []
            causal.store.forEach { dot, element in
                dots.append(dot)
                #expect(model.alive[dot] == element)
            }
            #expect(dots == model.alive.keys.sorted())
            #expect(causal.store.dotCount == dots.count)
            var elements: [String] = []
            causal.store.forEachElement { elements.append($0) }
            var met: Set<String> = []
            let firsts = dots.compactMap { model.alive[$0] }.filter { met.insert($0).inserted }
            #expect(elements == firsts)
            #expect(causal.store.elementCount == elements.count)
            for element in ["item 1", "item 77", "item 500"] {
                let held = Set(model.alive.filter { $0.value == element }.keys)
                #expect(causal.store.contains(element) == !held.isEmpty)
                #expect(causal.store.dots(of: element) == CausalContext(held))
            }
        }
    }

    private static let replicas = (0..<4).map { ReplicaID(high: UInt64(99 - $0), low: 1) }

    /// A delta that adds a few elements, some far from the others, or covers some of what is alive.
    private func delta(_ random: inout SplitMix64, for pair: Pair, side: Int) -> Pair {
        var delta = Pair()
        if random.below(3) > 0 {
            let replica = Self.replicas[random.below(2) * 2 + side]
            var counter = pair.causal.context.lastCounter(of: replica) + 1
            if random.below(8) == 0 { counter += UInt64(random.below(3000)) }
            for _ in 0...random.below(40) {
                let dot = Dot(replica: replica, counter: counter)
                delta.model.alive[dot] = "item \(random.below(600))"
                counter += random.below(10) == 0 ? 2 : 1
            }
            delta.model.seen = Set(delta.model.alive.keys)
        }
        if random.below(2) == 0 {
            let share = 1 + random.below(40)
            delta.model.seen.formUnion(pair.model.alive.keys.sorted().filter { _ in random.below(share) == 0 })
        }
        var table = DotTable<String>()
        for (dot, element) in delta.model.alive.sorted(by: { $0.key < $1.key }) { table.insert(dot, element) }
        delta.causal = Causal(store: table, context: CausalContext(delta.model.seen))
        return delta
    }

    @Test(.tags(.slow)) func tableIsADictionaryOfDots() throws {
        for seed in 0..<4 {
            var random = SplitMix64(seed: UInt64(seed))
            var left = Pair()
            var right = Pair()
            for step in 0..<300 {
                let isLeft = random.below(2) == 0
                let delta = delta(&random, for: isLeft ? left : right, side: isLeft ? 0 : 1)
                // A copy taken before keeps what it had.
                let before = isLeft ? left : right
                if isLeft { left.merge(delta) } else { right.merge(delta) }
                if random.below(4) == 0 { if isLeft { right.merge(delta) } else { left.merge(delta) } }
                if step % 20 == 0 {
                    before.check()
                    left.check()
                    #expect(try Causal(decoding: left.causal.encoded()) == left.causal)
                }
                if step % 60 == 0 {
                    left.merge(right)
                    right.merge(left)
                    #expect(left.causal == right.causal && left.causal.hashValue == right.causal.hashValue)
                    right.check()
                }
            }
        }
    }

    @Test func dotsMayComeInAnyOrder() {
        var random = SplitMix64(seed: 9)
        var dots = (1...3000).map { Dot(replica: Self.replicas[$0 % 2], counter: UInt64($0)) }
        for index in dots.indices.reversed() { dots.swapAt(index, random.below(index + 1)) }
        var table = DotTable<UInt64>()
        for dot in dots { table.insert(dot, dot.counter * 7) }
        for dot in dots { #expect(table[dot] == dot.counter * 7) }
        var inOrder = DotTable<UInt64>()
        for dot in dots.sorted() { inOrder.insert(dot, dot.counter * 7) }
        #expect(table == inOrder && table.hashValue == inOrder.hashValue)
    }
}
