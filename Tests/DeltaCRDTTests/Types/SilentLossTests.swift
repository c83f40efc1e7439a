import DeltaCRDT
import Testing

/// What was once lost without a sign.
@Suite struct SilentLossTests {
    private let jie = ReplicaID(high: 1, low: 1)
    private let noah = ReplicaID(high: 2, low: 2)

    @Test("an event that was given to two contents is reported by the merge")
    func twoContentsAreReported() {
        expectConflict(AddWinsSet<Int>.self) { state, number in state.insert(number, by: jie) }
        expectConflict(RemoveWinsSet<Int>.self) { state, number in state.insert(number, by: jie) }
        expectConflict(MVRegister<Int>.self) { state, number in state.set(number, by: jie) }
        expectConflict(LWWMap<Int, Int>.self) { state, number in state.updateValue(1, forKey: number, by: jie) }
        expectConflict(LWWMap<Int, Int>.self) { state, number in state.updateValue(number, forKey: 1, by: jie) }
        expectConflict(CausalCounter.self) { state, number in state.add(Int64(number), by: jie) }
        expectConflict(DisableWinsFlag.self) { state, number in
            if number == 1 { state.enable(by: jie) } else { state.disable(by: jie) }
        }
        expectConflict(ORMap<Int, EnableWinsFlag>.self) { state, number in state[number].enable(by: jie) }
        expectConflict(ORMap<Int, AddWinsSet<Int>>.self) { state, number in state[1].insert(number, by: jie) }
        expectConflict(Record<Pair>.self) { state, number in state.left.set(number, by: jie) }
        expectConflict(Record<Pair>.self) { state, number in
            if number == 1 { state.left.set(1, by: jie) } else { state.right.set(1, by: jie) }
        }
    }

    private func expectConflict<State: CausalState>(_: State.Type, _ act: (inout State, Int) -> Void) {
        var (mine, theirs) = (State(), State())
        act(&mine, 1)
        act(&theirs, 2)
        var found = CausalContext()
        var joined = mine
        joined.merge(theirs, conflicts: &found)
        #expect(found == CausalContext(Dot(replica: jie, counter: 1)))
        found = CausalContext()
        mine.merge(mine, conflicts: &found)
        #expect(found.isEmpty)
    }

    @Test("a fork among thousands of events is reported by either side, and an honest delta reports nothing")
    func forkAmongManyIsReported() {
        var mine = AddWinsSet<String>()
        mine.formUnion((0..<3000).map { "item \($0)" }, by: jie)
        var restored = mine
        mine.insert("rope", by: jie)
        restored.insert("lamp", by: jie)
        let delta = restored.insert("stove", by: noah)
        var found = CausalContext()
        for (one, other) in [(mine, restored), (restored, mine)] {
            var joined = one
            found = CausalContext()
            joined.merge(other, conflicts: &found)
            #expect(found == CausalContext(Dot(replica: jie, counter: 3001)))
        }
        found = CausalContext()
        mine.merge(delta, conflicts: &found)
        #expect(found.isEmpty && mine.contains("stove"))
    }

    @Test("a change of a property that the schema does not list ends the program and names it")
    func unlistedPropertyTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var record = Record<Forgetful>()
            record.right.set(2, by: ReplicaID(high: 1, low: 1))
        }
        #expect(message(of: result).contains("right is not among the fields of Forgetful"))
    }

    @Test("a schema that lists a property or a number twice ends the program")
    func repeatedFieldTraps() async {
        await #expect(processExitsWith: .failure) {
            var record = Record<TwiceNumbered>()
            record.left.set(1, by: ReplicaID(high: 1, low: 1))
        }
        await #expect(processExitsWith: .failure) {
            var record = Record<TwiceListed>()
            record.left.set(1, by: ReplicaID(high: 1, low: 1))
        }
    }

    @Test("an event without a number ends the program and says why")
    func eventZeroTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dot(replica: ReplicaID(high: 1, low: 1), counter: 0)
        }
        #expect(message(of: result).contains("events are numbered from 1 to 2^56 - 1"))
    }

    private func message(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("whose last event was forged writes on, and others take it")
    func forgedLastEventLosesNoAct() throws {
        var forged = CausalContext()
        let last = Dot.maximumCounter
        forged.insert(replica: jie, counters: last...last)
        var set = AddWinsSet<String>(Causal(store: DotTable(), context: forged))
        let delta = set.insert("rope", by: jie)
        set.insert("lamp", by: jie)
        #expect(set.elements.sorted() == ["lamp", "rope"] && delta.elements == ["rope"])
        #expect(set.context.nextDot(for: jie) == Dot(replica: jie.successor, counter: 3))
        #expect(try AddWinsSet(decoding: set.encoded()) == set)
    }

    @Test("counters wrap around where they overflow, and count on where a total is full")
    func countersWrapAround() throws {
        var sum = GCounter()
        let full = sum.add(.max, by: jie)
        var theirs = full
        theirs.merge(sum.add(5, by: jie))
        #expect(sum.value == 4 && theirs == sum)
        var balance = PNCounter()
        for _ in 0..<3 { balance.add(.min, by: jie) }
        #expect(balance.value == Int64.min &+ .min &+ .min)
        #expect(try PNCounter(decoding: balance.encoded()) == balance)
    }

    @Test("arguments of a change under a key may read the same map, and update has its delta")
    func mapIsReadWhileItChanges() {
        var board = ORMap<String, AddWinsSet<String>>()
        board["tent"].insert("large", by: jie)
        let delta = board.update { $0["copy"].formUnion($0["tent"].elements, by: noah) }
        #expect(board["copy"].elements == ["large"] && board.keys == ["tent", "copy"])
        #expect(delta.keys == ["copy"] && delta["copy"].contains("large"))
        board["tent"].remove("large")
        #expect(board.keys == ["copy"])
    }

    @Test("a record is shown by its fields that are not empty")
    func recordIsShown() {
        var record = Record<Card>()
        #expect("\(record)" == "Card()")
        record.title.set("Tent", by: jie)
        record.estimate.add(2, by: jie)
        #expect("\(record)" == #"Card(title: ["Tent"], estimate: 2)"#)
    }
}

private struct Pair: RecordSchema {
    var left = MVRegister<Int>()
    var right = MVRegister<Int>()

    static let fields: [RecordField<Pair>] = [.init(1, \.left), .init(2, \.right)]
}

private struct Forgetful: RecordSchema {
    var left = MVRegister<Int>()
    var right = MVRegister<Int>()

    static let fields: [RecordField<Forgetful>] = [.init(1, \.left)]
}

private struct TwiceNumbered: RecordSchema {
    var left = MVRegister<Int>()
    var right = MVRegister<Int>()

    static let fields: [RecordField<TwiceNumbered>] = [.init(1, \.left), .init(1, \.right)]
}

private struct TwiceListed: RecordSchema {
    var left = MVRegister<Int>()

    static let fields: [RecordField<TwiceListed>] = [.init(1, \.left), .init(2, \.left)]
}
