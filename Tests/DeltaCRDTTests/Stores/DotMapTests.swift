import DeltaCRDT
import Testing

/// The map against plain dictionaries, with enough keys for slots to be freed, used again and given back.
@Suite struct DotMapTests {
    private static let replicas = (0..<3).map { ReplicaID(high: $0, low: 1) }

    @Test func mapIsADictionaryOfStores() throws {
        for seed in 0..<4 {
            var random = SplitMix64(seed: UInt64(seed))
            var map = Causal<DotMap<String, DotFun<Int>>>()
            var model: [String: [Dot: Int]] = [:]
            for step in 0..<2500 {
                let key = "key \(random.below(step % 1000 < 700 ? 400 : 40))"
                let replica = Self.replicas[random.below(3)]
                let dot = map.context.nextDot(for: replica)
                var covered = random.below(3) == 0 ? CausalContext() : map.store[key].dots()
                var changes: [MapChange<String>] = []
                let wasHere = model[key] != nil
                let fallen = (model[key] ?? [:]).filter { covered.contains($0.key) }
                if random.below(step % 1000 < 600 ? 3 : 2) > 0 {
                    covered.insert(dot)
                    map.merge(Causal(store: DotMap(key, DotFun(dot, step)), context: covered)) { changes.append($0) }
                    model[key, default: [:]] = (model[key] ?? [:]).filter { fallen[$0.key] == nil }
                    model[key]?[dot] = step
                    #expect(changes == [wasHere ? .updated(key) : .inserted(key)])
                } else {
                    map.merge(Causal(store: DotMap(), context: covered)) { changes.append($0) }
                    let rest = (model[key] ?? [:]).filter { fallen[$0.key] == nil }
                    model[key] = rest.isEmpty ? nil : rest
                    let expected: [MapChange<String>] =
                        fallen.isEmpty ? [] : [rest.isEmpty ? .removed(key) : .updated(key)]
                    #expect(changes == expected)
                }
                if step % 250 == 0 { try check(map, model) }
            }
            // Emptying it all by one delta that names no key.
            map.merge(Causal(store: DotMap(), context: map.context))
            #expect(map.store.isEmpty && map.store.liveKeys.isEmpty)
        }
    }

    /// Pages of dots make room for others between them, for all of one key at once.
    @Test func dotsOfOneKeyComeBetweenThoseOfOthers() throws {
        func state(_ key: String, _ counters: StrideThrough<UInt64>) -> Causal<DotMap<String, DotFun<Int>>> {
            var store = DotFun<Int>()
            for replica in Self.replicas {
                for counter in counters { store[Dot(replica: replica, counter: counter)] = Int(counter) }
            }
            return Causal(store: DotMap(key, store), context: CausalContext())
        }
        let parts = [
            state("one", stride(from: 1, through: 3000, by: 70)), state("two", stride(from: 34, through: 3000, by: 70)),
            state("three", stride(from: 2, through: 9000, by: 280)),
            state("four", stride(from: 3, through: 400, by: 200)),
        ]
        let joined = parts.reduce(Causal()) { $0.merging($1) }
        let reversed = parts.reversed().reduce(Causal()) { $0.merging($1) }
        #expect(joined == reversed && joined.encoded() == reversed.encoded())
        #expect(joined.store.dotCount == parts.reduce(0) { $0 + $1.store.dotCount })
        for (key, part) in zip(["one", "two", "three", "four"], parts) {
            #expect(joined.store[key] == part.store[key])
        }
        let some = CausalContext(Self.replicas.map { Dot(replica: $0, counter: 71) })
        #expect(joined.store.restricted(to: joined.context) == joined.store)
        #expect(joined.store.restricted(to: some).dotCount == 3)
    }

    /// A map of one key is joined without columns, and tells the same as one of many.
    @Test func oneKeyIsJoinedLikeMany() {
        typealias Map = Causal<DotMap<String, DotFun<Int>>>
        for seed in 0..<200 {
            var random = SplitMix64(seed: UInt64(seed))
            var (lone, beside) = (Map(), Map())
            let other = Dot(replica: ReplicaID(high: 9, low: 9), counter: 1)
            beside.merge(Map(store: DotMap("beside", DotFun(other, 0)), context: CausalContext()))
            for step in 0..<30 {
                let replica = Self.replicas[random.below(3)]
                let seen = random.below(2) == 0 ? lone.context : CausalContext()
                let dot = Dot(
                    replica: replica, counter: lone.context.lastCounter(of: replica) + 1 + UInt64(random.below(2)))
                let key = random.below(12) == 0 && lone.store.isEmpty ? "two" : lone.store.liveKeys.first ?? "one"
                let store = random.below(4) == 0 ? DotMap() : DotMap(key, DotFun(dot, step))
                let delta = Map(store: store, context: seen)
                var changes: [[MapChange<String>]] = [[], []]
                let isChanged = lone.merge(delta) { changes[0].append($0) }
                let isOtherChanged = beside.merge(delta) { changes[1].append($0) }
                #expect(isChanged == isOtherChanged && changes[0] == changes[1])
                #expect(lone.store[key] == beside.store[key] && lone.store.count == beside.store.count - 1)
                #expect(lone.store.dotCount == beside.store.dotCount - 1)
            }
        }
    }

    private func check(_ map: Causal<DotMap<String, DotFun<Int>>>, _ model: [String: [Dot: Int]]) throws {
        #expect(map.store.count == model.count)
        #expect(Set(map.store.liveKeys) == Set(model.keys))
        let firsts = map.store.liveKeys.compactMap { model[$0]?.keys.min() }
        #expect(firsts == firsts.sorted())
        for (key, writes) in model {
            #expect(map.store[key].count == writes.count)
            for (dot, value) in writes {
                #expect(map.store[key][dot] == value)
                #expect(map.store.key(of: dot) == key)
            }
        }
        #expect(map.store.dotCount == model.values.reduce(0) { $0 + $1.count })
        #expect(try Causal(decoding: map.encoded()) == map)
    }

    @Test func dotStaysUnderTheKeyThatHasIt() {
        let dot = Dot(replica: Self.replicas[0], counter: 1)
        var map = DotMap("first", DotFun(dot, 1))
        map["second"] = DotFun(dot, 2)
        #expect(map.key(of: dot) == "first" && map["first"][dot] == 1 && !map.contains("second"))
        // A replica that gave one dot to two keys breaks nothing here.
        let context = CausalContext(dot)
        var left = Causal(store: DotMap("first", DotFun(dot, 1)), context: context)
        let right = Causal(store: DotMap("second", DotFun(dot, 2)), context: context)
        left.merge(right)
        left.merge(Causal(store: DotMap("first", DotFun<Int>()), context: context))
        #expect(left.store.isEmpty)
    }

    @Test func dotUnderTwoKeysLeavesAStateThatCanBeRead() throws {
        // Found by the fuzzer: the columns kept a dot that the store under its key had lost.
        let (first, second) = (Dot(replica: Self.replicas[0], counter: 1), Dot(replica: Self.replicas[0], counter: 2))
        var mine = DotMap("key", DotFun(first, 1))
        mine["key"][second] = 2
        var theirs = DotMap("key", DotFun<Int>())
        theirs["other"] = DotFun(first, 3)
        var left = Causal(store: mine, context: CausalContext([first, second]))
        left.merge(Causal(store: theirs, context: CausalContext([first, second])))
        #expect(try Causal(decoding: left.encoded()) == left)
    }

    @Test("stores under keys are joined alike whether deltas come alone, together, out of order or in part")
    func partsOfStoresAreJoinedByKey() {
        typealias Board = ORMap<Int, ORMap<Int, AddWinsSet<Int>>>
        var random = SplitMix64(seed: 9)
        let writers = (0..<3).map { ReplicaID(high: 9, low: UInt64($0)) }
        for _ in 0..<60 {
            var boards = [Board(), Board(), Board()]
            var deltas: [Board] = []
            for _ in 0..<80 {
                let writer = random.below(3)
                let (key, inner, element) = (random.below(4), random.below(3), random.below(12))
                deltas.append(
                    boards[writer].updateValue(forKey: key) { map in
                        if random.below(9) == 0 {
                            map.removeValue(forKey: inner)
                        } else {
                            map.updateValue(forKey: inner) {
                                if random.below(3) == 0 {
                                    $0.remove(element)
                                } else {
                                    $0.insert(element, by: writers[writer])
                                }
                            }
                        }
                    })
                if random.below(4) == 0 { boards[writer].merge(boards[random.below(3)]) }
            }
            let whole = boards[0].merging(boards[1]).merging(boards[2])
            var shuffled = Board()
            for delta in deltas.map({ (random.next(), $0) }).sorted(by: { $0.0 < $1.0 }) { shuffled.merge(delta.1) }
            #expect(shuffled == whole)
            // Half of them, joined beforehand, so that of a store under a key part is new and part is known.
            var some = Board()
            for delta in deltas where random.below(2) == 0 { some.merge(delta) }
            #expect(some.merging(whole) == whole && whole.merging(some) == whole)
            #expect(some.merging(whole.delta(for: some)) == whole)
            #expect(some.merging(whole.delta(since: some.summary(within: whole.context.versionVector))) == whole)
        }
    }
}
