import Testing
import TripFixtures

@testable import TripModel

/// What numbers mean to the people at one device.
@Suite struct ShownNumbersTests {
    @Test("a number that was shown keeps meaning its item, whatever arrives in between")
    func stays() throws {
        var world = World(participants: [0, 1])
        let boat = try world.add(ItemDraft(title: "Boat"), on: 0)
        try world.perform(.setName("Noah"), on: 1)
        for title in ["Cabin", "Hut"] { _ = try world.add(ItemDraft(title: title), on: 1) }
        // Item 1 of one of them and items 1 and 2 of the other one, until they meet.
        var live = LiveTrip(world.nodes[1].replica)
        var shown = ShownNumbers()
        shown.showed(list: live.view.items)
        let before = live.view.items
        #expect(before.map(\.number) == [1, 2])
        live.apply(world.change(0, in: world.nodes[1].order + [0]))
        #expect(live.item(boat)?.number == 1 && live.view.items.map(\.title) == ["Boat", "Cabin", "Hut"])
        #expect(try live.resolve("1", shown: shown).title == "Cabin" && live.resolve("2", shown: shown).title == "Hut")
        #expect(try live.resolve("1").title == "Boat", "where nothing was shown, what it means at present")
        do {
            _ = try live.resolve("3", shown: shown)
            Issue.record("3 is Hut now, and was never shown; Hut was shown as 2")
        } catch {
            #expect(error.code == .ambiguousItem)
            #expect(
                error.message
                    == "no item was shown as 3 here; “Hut”, which now has this number, was shown as 2; see `caravan list`"
            )
        }
        // What is said of an item does not give it a number that means another one here.
        #expect(live.number(of: before[0].id, shown: shown) == 1 && live.number(of: boat, shown: shown) == nil)
        shown.showed(1, boat)
        #expect(try live.resolve("1", shown: shown).title == "Cabin")
        let tent = item(9, 1)
        shown.showed(4, tent)
        #expect(throws: TripError.self) { try live.resolve("4", shown: shown) }
        // Until a list is shown.
        shown.showed(list: live.view.items)
        for item in live.view.items {
            #expect(try live.resolve(String(item.number), shown: shown) == item)
            #expect(live.number(of: item.id, shown: shown) == item.number)
        }
        #expect(throws: TripError.self) { try live.resolve("4", shown: shown) }
    }

    @Test("a number that was shown for a removed item means that item")
    func removed() throws {
        var world = World(participants: [0])
        for title in ["a", "b"] { _ = try world.add(ItemDraft(title: title), on: 0) }
        var live = LiveTrip(world.nodes[0].replica)
        var shown = ShownNumbers()
        shown.showed(list: live.view.items)
        try world.perform(.remove([live.view.items[0].id]), on: 0)
        live.apply(world.changes[2])
        #expect(try live.resolve("1", shown: shown).isRemoved && live.resolve("2", shown: shown).title == "b")
    }

    @Test("they are kept between commands in few bytes, and damaged bytes are forgotten")
    func bytes() {
        var generator = SeededGenerator(seed: 3)
        var shown = ShownNumbers()
        #expect(ShownNumbers(bytes: shown.bytes) == shown)
        var counters: [Int: UInt64] = [:]
        for number in 1...400 {
            let writer = generator.below(40)
            counters[writer, default: 0] += UInt64(1 + generator.below(9))
            shown.showed(number * (number % 7 == 0 ? 3 : 1), item(writer, counters[writer] ?? 1))
        }
        shown.showed(ShownNumbers.numberMax, item(1, .max))
        let bytes = shown.bytes
        #expect(ShownNumbers(bytes: bytes) == shown && ShownNumbers(bytes: bytes).bytes == bytes)
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(generator.below(8))
            #expect(ShownNumbers(bytes: damaged).isEmpty, "\(index)")
            #expect(ShownNumbers(bytes: Array(bytes[..<index])).isEmpty)
        }
        for _ in 0..<2_000 {
            let noise = (0..<generator.below(60)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            #expect(ShownNumbers(bytes: noise).isEmpty)
        }
    }

    @Test("rows of a part have the numbers that they were shown with, or new ones, however many they are")
    func parts() {
        for seed in UInt64(1)...200 {
            var generator = SeededGenerator(seed: seed)
            var shown = ShownNumbers()
            var numbers: [UInt64: Int] = [:]
            for _ in 0..<6 {
                // Some stand where they stood, some moved, some are new.
                let places = Array(1...40).shuffled(using: &generator).prefix(Int(1 + generator.below(30)))
                var marks: Set<UInt64> = []
                let rows = places.compactMap { place -> (mark: UInt64, place: Int)? in
                    let mark = generator.below(3) == 0 ? UInt64(generator.below(60)) : UInt64(place)
                    return marks.insert(mark).inserted ? (mark, place) : nil
                }
                let found = shown.show(part: rows)
                #expect(Set(found).count == found.count, "seed \(seed)")
                for (row, number) in zip(rows, found) {
                    #expect(numbers[row.mark] ?? number == number, "seed \(seed)")
                    #expect(shown.mark(numbered: number) == row.mark, "seed \(seed)")
                    numbers[row.mark] = number
                }
            }
        }
    }

    @Test("a great trip's numbers take little room, and their number is bounded")
    func size() {
        var shown = ShownNumbers()
        for number in 1...50_000 { shown.showed(number, item(number * 7 % 300, UInt64(number * 3))) }
        #expect(shown.bytes.count < 9 * 50_001 + 20)
        #expect(ShownNumbers(bytes: shown.bytes) == shown)
        for number in 50_001...ShownNumbers.countMax + 9 { shown.showed(number, item(1, UInt64(number))) }
        let last = item(1, UInt64(ShownNumbers.countMax + 9))
        #expect(shown.number(of: last) == ShownNumbers.countMax + 9, "the last one that was shown is known")
        #expect(shown.item(numbered: ShownNumbers.countMax) == nil && shown.item(numbered: 7) != nil)
        for number in [0, -1, ShownNumbers.numberMax + 1] {
            shown.showed(number, last)
            #expect(shown.item(numbered: number) == nil)
        }
    }

    private func item(_ writer: Int, _ counter: UInt64) -> ItemID {
        ItemID(change: ChangeHash(words: (UInt64(writer) << 48 ^ counter, 0, 0, 0)), index: 0)
    }
}
