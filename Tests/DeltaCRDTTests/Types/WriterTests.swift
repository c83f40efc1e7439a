import DeltaCRDT
import Testing

@Suite struct WriterTests {
    private let jie = ReplicaID(high: 1, low: 1)
    private let noah = ReplicaID(high: 2, low: 2)

    @Test("what is done without a name is done in the writer's, and the delta has all of it")
    func writersAct() {
        var board = ORMap<String, Record<Card>>()
        let delta = board.update(by: jie) { board in
            board["tent"].title.set("Buy a tent")
            board["tent"].labels.formUnion(["shopping", "urgent"])
            board["tent"].labels.remove("urgent")
            board["tent"].isDone.set(true)
            board["tent"].estimate.add(2)
            board["tent"].due["noah"] = 7
            board["tent"].steps[1].set(true)
            board["stove"].title.set("Lend a stove")
            board.removeValue(forKey: "stove")
        }
        #expect(board["tent"].title.values == ["Buy a tent"] && board["tent"].labels.elements == ["shopping"])
        #expect(board["tent"].isDone.isEnabled && board["tent"].estimate.value == 2 && board["tent"].due["noah"] == 7)
        #expect(board["tent"].steps[1].values == [true] && board.keys == ["tent"])
        #expect(delta == board && board.context.versionVector.entries.map(\.replica) == [jie])
        var named = ORMap<String, Record<Card>>()
        named["tent"].title.set("Buy a tent", by: jie)
        var written = ORMap<String, Record<Card>>()
        written.update(by: jie) { $0["tent"].title.set("Buy a tent") }
        #expect(named == written)
    }

    @Test("a removed state that somebody edits at the same time comes back whole, and can be restored")
    func removedStatesComeBackWhole() throws {
        typealias Board = RestorableMap<String, Record<Card>>
        var mine = Board()
        mine.updateValue(forKey: "tent", by: jie) { $0.title.set("Tent", by: jie) }
        var theirs = try Board(decoding: mine.encoded())
        let removal = mine.removeValue(forKey: "tent")
        #expect(mine["tent"] == nil && mine.removedKeys == ["tent"] && mine.keys.isEmpty)
        let edit = theirs.updateValue(forKey: "tent", by: noah) { $0.labels.insert("urgent", by: noah) }
        theirs.merge(removal)
        mine.merge(edit)
        #expect(mine == theirs && mine.keys == ["tent"])
        #expect(mine["tent"]?.title.values == ["Tent"] && mine["tent"]?.labels.elements == ["urgent"])
        mine.removeValue(forKey: "tent")
        theirs.merge(mine)
        theirs.merge(mine.restoreValue(forKey: "tent", by: jie))
        #expect(theirs["tent"]?.title.values == ["Tent"] && theirs.removedKeys.isEmpty)
        theirs.purgeValue(forKey: "tent")
        #expect(theirs.keys.isEmpty && theirs.removedKeys.isEmpty)
        #expect(theirs.restoreValue(forKey: "tent", by: jie).context.isEmpty)
    }

    @Test("a writer changes, hides and shows what is under a key, in one delta, at any depth")
    func writersRestore() {
        typealias Board = RestorableMap<String, Record<Card>>
        var board = ORMap<Int, Board>()
        let first = board.update(by: jie) { boards in
            boards[1]["tent"].title.set("Tent")
            boards[1]["stove"].labels.insert("urgent")
            boards[1].removeValue(forKey: "stove")
            boards[1].removeValue(forKey: "rope")
        }
        #expect(board[1].keys == ["tent"] && board[1].removedKeys == ["stove"])
        #expect(first == board && board.context.versionVector.entries.map(\.replica) == [jie])
        var named = Board()
        named.updateValue(forKey: "tent", by: jie) { $0.title.set("Tent", by: jie) }
        var written = Board()
        written.update(by: jie) { $0["tent"].title.set("Tent") }
        #expect(named == written)
        var copy = board
        let second = board.update(by: noah) { boards in
            boards[1].restoreValue(forKey: "stove")
            boards[1]["tent"].estimate.add(2)
        }
        #expect(board[1].keys.sorted() == ["stove", "tent"] && board[1]["stove"]?.labels.elements == ["urgent"])
        copy.merge(second)
        #expect(copy == board && board[1]["tent"]?.title.values == ["Tent"] && board[1]["tent"]?.estimate.value == 2)
        // What is only read is not shown for that.
        board.update(by: noah) { boards in
            boards[1].removeValue(forKey: "tent")
            #expect(boards[1]["tent"].state.title.values == ["Tent"])
        }
        #expect(board[1].keys == ["stove"])
    }

    @Test("a merge tells of each key what was measured before and the state now")
    func mergesTellValues() {
        var mine = ORMap<String, MVRegister<Int>>()
        mine["a"].set(1, by: jie)
        mine["b"].set(2, by: jie)
        var theirs = mine
        let delta = theirs.update {
            $0["a"].set(3, by: noah)
            $0.removeValue(forKey: "b")
            $0["c"].set(4, by: noah)
        }
        var told: [String: [[Int]]] = [:]
        mine.merge(delta, measuring: \.values) { told[$0] = [$1, $2.values] }
        #expect(told == ["a": [[1], [3]], "b": [[2], []], "c": [[], [4]]])
    }

    @Test("walks are lazy, in the order of forEach, and see nothing of what is done meanwhile")
    func walksAreLazy() {
        var set = AddWinsSet<Int>()
        var map = ORMap<Int, EnableWinsFlag>()
        for number in 0..<200 {
            set.insert(number % 150, by: number % 3 == 0 ? jie : noah)
            map[number % 150].enable(by: number % 3 == 0 ? jie : noah)
        }
        #expect(Array(set) == set.elements && map.map(\.key) == map.keys)
        var seen: [Int] = []
        for number in set {
            set.remove(number)
            seen.append(number)
        }
        #expect(seen.count == 150 && set.isEmpty)
        #expect(Array(set.prefix(3)).isEmpty && Array(map.prefix(3)).count == 3)
        let literal: GSet = ["tent", "stove", "tent"]
        #expect(literal.count == 2 && GSet([1, 2, 2].lazy.map(String.init)) == ["1", "2"])
    }
}
