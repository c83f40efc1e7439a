import DeltaCRDT
import Testing

/// Joins that walk everything because much is missing give what one part after the other gives.
@Suite struct JoinedAtOnceTests {
    private static let replicas = (0..<40).map { ReplicaID(high: UInt64($0), low: 3) }

    /// Dots that lie between those of other calls: of several replicas, some close together and some far apart.
    private func dots(_ random: inout SplitMix64, _ count: Int) -> [Dot] {
        (0..<count).map { _ in
            let spread = [60, 4000, 1_000_000][random.below(3)]
            return Dot(replica: Self.replicas[random.below(4)], counter: UInt64(1 + random.below(spread)))
        }
    }

    /// What cannot be seen from outside: a join at once and a join part by part, from either side, with what is told.
    private func check<State: DeltaState & CanonicalCodable>(_ left: State, _ right: State) throws {
        var changes = 0
        var atOnce = left
        atOnce.merge(right) { _ in changes += 1 }
        var onePartAfterTheOther = left
        for part in right.decomposed() { onePartAfterTheOther.merge(part) }
        #expect(atOnce == onePartAfterTheOther)
        #expect(right.merging(left) == atOnce && left.merging(right) == atOnce)
        #expect(left.merging(right.delta(for: left)) == atOnce)
        #expect(try State(decoding: atOnce.encoded()) == atOnce)
        #expect(changes > 0)
    }

    @Test func statesOfManyDotsThatLieBetweenEachOther() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<12 {
            let (mine, theirs) = (dots(&random, 120), dots(&random, 120))
            // Some are seen there and fallen, and some are alive in both.
            let seen = CausalContext(mine.prefix(30) + theirs)
            let common = mine.suffix(20)
            var (left, right) = (DotFun<UInt64>(), DotFun<UInt64>())
            for dot in mine { left[dot] = dot.counter }
            for dot in theirs + common { right[dot] = dot.counter }
            try check(
                MVRegister(Causal(store: left, context: CausalContext())),
                MVRegister(Causal(store: right, context: seen)))
            var (table, other) = (DotTable<UInt64>(), DotTable<UInt64>())
            for dot in mine { table.insert(dot, dot.counter % 50) }
            for dot in theirs + common { other.insert(dot, dot.counter % 50) }
            try check(
                AddWinsSet(Causal(store: table, context: CausalContext())),
                AddWinsSet(Causal(store: other, context: seen)))
            var (map, another) = (DotMap<UInt64, DotSet>(), DotMap<UInt64, DotSet>())
            for dot in mine { map[dot.counter % 50].insert(dot) }
            for dot in theirs + common { another[dot.counter % 50].insert(dot) }
            try check(
                ORMap<UInt64, EnableWinsFlag>(Causal(store: map, context: CausalContext())),
                ORMap<UInt64, EnableWinsFlag>(Causal(store: another, context: seen)))
        }
    }

    @Test func ballotsOfManyVotersInAnotherOrder() throws {
        var random = SplitMix64(seed: 12)
        for _ in 0..<8 {
            var (left, right) = (VoteCounter<UInt64, UInt64>(), VoteCounter<UInt64, UInt64>())
            for _ in 0..<200 {
                let (subject, voter) = (UInt64(random.below(3)), UInt64(random.below(90)))
                left.cast([.for, .against, .neither][random.below(3)], on: subject, by: voter)
                right.cast([.for, .against, .neither][random.below(3)], on: subject, by: 90 - voter)
            }
            try check(left, right)
            var joined = left
            var changed = left
            joined.merge(right) { change in changed.cast(change.choice, on: change.subject, by: change.voter) }
            for subject in UInt64(0)..<3 { #expect(changed.tally(of: subject) == joined.tally(of: subject)) }
        }
    }

    @Test func vectorsAndContextsOfManyReplicas() throws {
        var random = SplitMix64(seed: 13)
        for _ in 0..<200 {
            let (mine, theirs) = (dots(&random, 60), dots(&random, random.below(60)))
            var context = CausalContext(mine)
            let grew = context.merge(CausalContext(theirs))
            #expect(context == CausalContext(mine + theirs) && grew == !theirs.allSatisfy(CausalContext(mine).contains))
        }
        var (left, right) = (GCounter(), GCounter())
        for number in 0..<UInt64(500) { left.add(1, by: ReplicaID(high: number * 2, low: 1)) }
        for number in 0..<UInt64(20) { right.add(2, by: ReplicaID(high: number * 3, low: 1)) }
        try check(left, right)
        #expect(left.merging(right).value == 500 + 10 + 20)
    }

    @Test func oneElementUnderManyDots() {
        var random = SplitMix64(seed: 14)
        for names in [1, 3] {
            var table = DotTable<String>()
            var model: [Dot: String] = [:]
            var causal = Causal(store: table, context: CausalContext())
            _ = table.contains("name 0")
            for counter in UInt64(1)...400 {
                let dot = Dot(replica: Self.replicas[random.below(40)], counter: counter)
                let name = "name \(random.below(names))"
                model[dot] = name
                table.insert(dot, name)
            }
            causal = Causal(store: table, context: CausalContext())
            var order = Array(model.keys).sorted()
            while !order.isEmpty {
                let dot = order.remove(at: random.below(order.count))
                model[dot] = nil
                causal.merge(Causal(store: DotTable(), context: CausalContext(dot)))
                guard order.count % 7 == 0 else { continue }
                for number in 0..<names {
                    let held = CausalContext(model.filter { $0.value == "name \(number)" }.keys)
                    #expect(causal.store.dots(of: "name \(number)") == held)
                    #expect(causal.store.contains("name \(number)") == !held.isEmpty)
                }
                var elements: [String] = []
                causal.store.forEachElement { elements.append($0) }
                var met: Set<String> = []
                #expect(elements == order.compactMap { model[$0] }.filter { met.insert($0).inserted })
                #expect(causal.store.elementCount == elements.count)
            }
        }
    }
}
