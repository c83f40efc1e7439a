import DeltaCRDT
import Testing

/// Two replicas that ask each other until they agree, over bytes alone.
@Suite struct AnswerTests {
    private let me = ReplicaID(high: 1, low: 1)
    private let you = ReplicaID(high: 2, low: 2)

    /// What a conversation cost that `asking` began.
    private struct Cost {
        var (messages, bytes) = (0, 0)
    }

    private func talk<State: CausalState & CanonicalCodable>(
        _ asking: inout State, _ answering: inout State
    ) throws -> Cost {
        var cost = Cost()
        func sent<Value: CanonicalCodable>(_ value: Value) throws -> Value {
            let bytes = value.encoded()
            cost.bytes += bytes.count
            return try Value(decoding: bytes)
        }
        let first = answering.answer(to: try sent(asking.summary()))
        asking.merge(try sent(first.delta))
        var question = try sent(first.question)
        cost.messages = 2
        while !question.isEmpty {
            try #require(cost.messages < 60)
            let answer = asking.answer(to: question)
            answering.merge(try sent(answer.delta))
            question = try sent(answer.question)
            cost.messages += 1
            swap(&asking, &answering)
        }
        if cost.messages % 2 == 1 { swap(&asking, &answering) }
        return cost
    }

    @Test("one removal apart among 100,000 costs a few hundred bytes, after a restart and on either side")
    func oneRemovalApartIsCheap() throws {
        var mine = AddWinsSet<Int>()
        mine.formUnion(0..<200_000, by: me)
        for number in stride(from: 0, to: 200_000, by: 2) { mine.remove(number) }
        let bytes = mine.encoded()
        mine.remove(77_777)
        for isRestarted in [false, true] {
            for asksWhoLacks in [false, true] {
                var here = isRestarted ? try AddWinsSet<Int>(decoding: mine.encoded()) : mine
                var there = try AddWinsSet<Int>(decoding: bytes)
                let cost = asksWhoLacks ? try talk(&there, &here) : try talk(&here, &there)
                #expect(here == there && !there.contains(77_777))
                #expect(cost.bytes < 1000 && cost.messages <= 8, "\(cost)")
            }
        }
    }

    @Test("states of every kind that were apart agree after a conversation", arguments: 0..<40)
    func statesAgree(seed: UInt64) throws {
        try agree(AddWinsSet<UInt64>.self, seed) { state, random, writer in
            let number = random.next() % 64
            if random.below(3) == 0 { state.remove(number) } else { state.insert(number, by: writer) }
        }
        try agree(EnableWinsFlag.self, seed) { state, random, writer in
            if random.below(5) == 0 { state.disable() } else { state.enable(by: writer) }
        }
        try agree(ORMap<UInt64, AddWinsSet<UInt64>>.self, seed) { state, random, writer in
            let (key, number) = (random.next() % 8, random.next() % 8)
            if random.below(3) == 0 {
                state.removeValue(forKey: key)
            } else {
                state.updateValue(forKey: key) { $0.insert(number, by: writer) }
            }
        }
        try agree(Record<Card>.self, seed) { state, random, writer in
            switch random.below(4) {
            case 0: state.labels.insert("label \(random.below(20))", by: writer)
            case 1: state.labels.remove("label \(random.below(20))")
            case 2: state.isDone.enable(by: writer)
            default: state.removeAll()
            }
        }
    }

    /// Two writers act, and lose some of the deltas of each other.
    private func agree<State: CausalState & CanonicalCodable>(
        _: State.Type, _ seed: UInt64, _ act: (inout State, inout SplitMix64, ReplicaID) -> Void
    ) throws {
        var random = SplitMix64(seed: seed)
        var (mine, yours) = (State(), State())
        for _ in 0..<random.below(400) {
            if random.below(2) == 0 {
                let delta = mine.update { act(&$0, &random, me) }
                if random.below(4) > 0 { yours.merge(delta) }
            } else {
                let delta = yours.update { act(&$0, &random, you) }
                if random.below(4) > 0 { mine.merge(delta) }
            }
            if random.below(100) == 0 { mine = try State(decoding: mine.encoded()) }
        }
        let whole = mine.merging(yours)
        // Each asks once: the asker is sent what it lacks, and the other must ask for what only the asker has.
        _ = try talk(&mine, &yours)
        _ = try talk(&yours, &mine)
        #expect(mine == whole && yours == whole, "\(State.self)")
        #expect(mine.summary() == yours.summary(), "summaries")
    }

    @Test("a summary names what is known beyond a gap, so that it is not sent again")
    func islandsAreNotSentAgain() throws {
        var (source, lossy) = (AddWinsSet<Int>(), AddWinsSet<Int>())
        for number in 0..<40 {
            for writer in 0..<50 {
                let delta = source.insert(writer * 100 + number, by: ReplicaID(high: UInt64(writer), low: 7))
                if number % 2 == 1 { lossy.merge(delta) }
            }
        }
        source.remove(101)
        let summary = try StateSummary(decoding: lossy.summary().encoded())
        #expect(summary == lossy.summary() && summary.versionVector.isEmpty)
        let delta = source.delta(since: summary)
        #expect(delta.count == 50 * 20)
        lossy.merge(delta)
        #expect(lossy == source && !lossy.contains(101))
    }

    @Test("writers without anything alive are forgotten, and nobody else")
    func writersAreForgotten() throws {
        var set = AddWinsSet<Int>()
        let writers = (0..<500).map { ReplicaID(high: 9, low: UInt64($0)) }
        for (number, writer) in writers.enumerated() {
            set.insert(number, by: writer)
            if number != 3 { set.remove(number) }
        }
        let before = set
        #expect(set.encoded().count > 18 * 500 && set.summary().encoded().count > 26 * 500)
        #expect(set.forgetWriters(writers + [me]) == writers.filter { $0 != writers[3] })
        #expect(set.elements == [3])
        #expect(set.encoded().count < 40 && set.summary().encoded().count < 40)
        #expect(try AddWinsSet(decoding: set.encoded()) == set)
        // A peer that has not forgotten yet brings the names back, and nothing else.
        set.insert(4, by: me)
        #expect(before.merging(set).elements == set.merging(before).elements)
        #expect(set.merging(before).elements.sorted() == [3, 4])
    }
}
