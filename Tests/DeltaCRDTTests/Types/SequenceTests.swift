import DeltaCRDT
import Testing

@Suite struct SequenceTests {
    private let jie = ReplicaID(high: 1, low: 1)

    @Test("sets and maps are walked in one order, and shown as what is in them")
    func sequencesAreInOrder() {
        var set = AddWinsSet<String>()
        set.formUnion(["tent", "rope"], by: jie)
        set.insert("tent", by: jie)
        #expect(Array(set) == set.elements && "\(set)" == #"["rope", "tent"]"#)
        var guests = RemoveWinsSet<String>()
        guests.insert("Ana", by: jie)
        guests.remove("Rui", by: jie)
        #expect(Array(guests) == ["Ana"] && "\(guests)" == #"["Ana"]"#)
        var all = GSet<Int>()
        for number in [3, 1, 2] { all.insert(number) }
        #expect(Array(all) == [3, 1, 2] && "\(all)" == "[3, 1, 2]")
        var prices = LWWMap<String, Int>()
        #expect("\(prices)" == "[:]")
        prices.updateValue(40, forKey: "hut", by: jie)
        prices.updateValue(5, forKey: "tent", by: jie)
        prices.removeValue(forKey: "hut", by: jie)
        #expect(prices.map(\.value) == [5] && "\(prices)" == #"["tent": 5]"#)
        var trips = ORMap<String, AddWinsSet<String>>()
        trips.updateValue(forKey: "Lisbon") { $0.insert("tent", by: jie) }
        #expect(trips.map(\.key) == ["Lisbon"] && "\(trips)" == #"["Lisbon": ["tent"]]"#)
    }

    @Test("a walk takes no more than is asked for, also beside what was removed")
    func walksAreLazy() {
        var (guests, prices, list) = (RemoveWinsSet<Int>(), LWWMap<Int, String>(), List<Int>())
        for number in 0..<20 {
            guests.insert(number, by: jie)
            prices.updateValue("\(number)", forKey: number, by: jie)
            list.append(number, by: jie)
        }
        guests.remove(0, by: jie)
        prices.removeValue(forKey: 1, by: jie)
        var walk = guests.makeIterator()
        #expect(walk.next() == 1)
        guests.remove(2, by: jie)
        #expect(walk.next() == 2 && guests.elements == Array(guests))
        var entries: [Int] = []
        prices.forEach { key, _ in entries.append(key) }
        #expect(prices.map(\.key) == entries && prices.first { $0.value == "7" }?.key == 7 && entries.count == 19)
        // A list is a collection.
        #expect(list.last == 19 && list[5] == 5 && Array(list[3..<6]) == [3, 4, 5] && list.firstIndex(of: 8) == 8)
        #expect(list.dropFirst(17).map { $0 } == [17, 18, 19] && list.reversed().first == 19)
    }

    @Test("registers, flags and counters are shown as their values")
    func valuesAreShown() {
        var title = MVRegister<String>()
        title.set("hut", by: jie)
        var last = LWWRegister<String>()
        #expect("\(title) \(last)" == #"["hut"] nil"#)
        last.set("tent", by: jie)
        #expect("\(last)" == "tent")
        var (on, off) = (EnableWinsFlag(), DisableWinsFlag())
        on.enable(by: jie)
        off.disable(by: jie)
        #expect("\(on) \(off)" == "true false")
        var (grown, both, reset) = (GCounter(), PNCounter(), CausalCounter())
        grown.add(3, by: jie)
        both.add(-4, by: jie)
        reset.add(5, by: jie)
        #expect("\(grown) \(both) \(reset)" == "3 -4 5")
    }

    @Test("names drawn at random differ, and follow from their generator alone")
    func namesAreDrawn() {
        struct Counting: RandomNumberGenerator {
            var last: UInt64 = 0

            mutating func next() -> UInt64 {
                last += 1
                return last
            }
        }
        var generator = Counting()
        #expect(ReplicaID.random(using: &generator) == ReplicaID(high: 1, low: 2))
        #expect(ReplicaID.random(using: &generator) == ReplicaID(high: 3, low: 4))
    }
}
