import Testing
import TripFixtures

@testable import TripModel

/// One person's own wish list, on their devices.
struct WishListTests {
    private let phone: UInt64 = 1
    private let laptop: UInt64 = 2

    @Test("what two devices wish for apart is there on both, what both wish alike once")
    func apart() throws {
        var (here, there) = (WishList(), WishList())
        let first = try here.add(Wish(title: "Boat trip", fields: [.price: "40 EUR"]), by: phone)
        let second = try there.add(Wish(title: " Boat trip ", fields: [.price: "40 EUR"]), by: laptop)
        let third = try there.add(Wish(title: "Museum"), by: laptop)
        for delta in [third, second] { here.merge(delta) }
        there.merge(first)
        #expect(here.wishes.map(\.title) == ["Boat trip", "Museum"] && here.encoded == there.encoded)
        #expect(here.wishes[0].fields == [.price: "40 EUR"])
    }

    @Test("what is taken away here while it is wished for again there stays; what is taken away alone goes")
    func addWins() throws {
        var here = WishList()
        let added = try here.add(Wish(title: "Boat trip"), by: phone)
        var there = WishList()
        there.merge(added)
        let removal = try here.remove(Wish(title: "Boat trip"))
        var later = there
        later.merge(removal)
        #expect(later.wishes.isEmpty)
        _ = try there.remove(Wish(title: "Boat trip"))
        let again = try there.add(Wish(title: "Boat trip"), by: laptop)
        here.merge(again)
        there.merge(removal)
        #expect(here.wishes.count == 1 && there.wishes.count == 1)
    }

    @Test("a wish that breaks a rule, is there already or is unknown is refused, and changes nothing")
    func refused() throws {
        var list = WishList()
        _ = try list.add(Wish(title: "Boat trip"), by: phone)
        let before = list
        for wish in [
            Wish(title: ""), Wish(title: "a\nb"), Wish(title: "a", fields: [.link: "ftp://a"]),
            Wish(title: "Boat trip"),
        ] {
            #expect(throws: TripError.self) { _ = try list.add(wish, by: phone) }
        }
        #expect(throws: TripError.self) { _ = try list.remove(Wish(title: "Museum")) }
        let isMerged = list.merge([1, 2, 3])
        #expect(!isMerged && list == before)
    }

    @Test("a wish is named by its number or its title in any case; what several bear is refused")
    func names() throws {
        var list = WishList()
        for wish in [Wish(title: "Boat trip"), Wish(title: "Museum"), Wish(title: "museum", fields: [.note: "a\nb"])] {
            _ = try list.add(wish, by: phone)
        }
        var shown = ShownLists()
        for reference in ["1", " BOAT trip ", list.wishes[0].id] {
            #expect(try list.wish(reference, shown: &shown).title == "Boat trip")
        }
        #expect(try list.wish("3", shown: &shown).fields[.note] == "a\nb")
        for reference in ["museum", "0", "4", "", "Tent"] {
            #expect(throws: TripError.self) { _ = try list.wish(reference, shown: &shown) }
        }
        // A number goes on meaning the wish that it was used for.
        _ = try list.remove(list.wishes[0])
        #expect(try list.wish("3", shown: &shown).fields[.note] == "a\nb")
        #expect(throws: TripError.self) { _ = try list.wish("1", shown: &shown) }
    }

    @Test("to the trip a note of one's own does nothing, and needs no newer version; what it says is kept")
    func noEffect() throws {
        let content = TripContent(try TripReplica.content(noting: [1, 2, 3]))
        #expect(content.ownNotes == [[1, 2, 3]] && !content.hasUnknown)
        let participant = ParticipantID(high: 0, low: 1)
        let both = try TripReplica().perform(.add([ItemDraft(title: "Tent")]), by: participant, noting: [4])
        #expect(TripContent(both).ownNotes == [[4]])
        #expect(throws: TripError.self) {
            _ = try TripReplica.content(noting: [UInt8](repeating: 0, count: Limits.contentBytes))
        }
    }

    @Test("wishes stand as they were wished for, whatever their writers are called, and the same on every device")
    func order() throws {
        var (here, there) = (WishList(), WishList())
        var deltas: [[UInt8]] = []
        // Each command is a writer of its own, with a name drawn at random.
        for (place, writer) in ([9, 3, 7, 1, 8, 2] as [UInt64]).enumerated() {
            deltas.append(try here.add(Wish(title: "w\(place)"), by: writer))
        }
        for delta in deltas.reversed() { there.merge(delta) }
        #expect(here.wishes.map(\.title) == (0..<6).map { "w\($0)" } && there.wishes == here.wishes)
        // What is wished for after the others were seen stands behind them.
        let last = try there.add(Wish(title: "last"), by: 0)
        here.merge(last)
        #expect(here.wishes.last?.title == "last" && here.wishes == there.wishes)
        // Apart, both add behind what they know; together all stand alike everywhere.
        let (mine, theirs) = (try here.add(Wish(title: "mine"), by: 5), try there.add(Wish(title: "theirs"), by: 4))
        here.merge(theirs)
        there.merge(mine)
        #expect(here.wishes == there.wishes && here.wishes.suffix(2).map(\.title) == ["theirs", "mine"])
    }

    @Test("what takes back a change of the list says what it did, and puts a wish back where it stood")
    func undoing() throws {
        var (world, list) = (World(participants: [0]), WishList())
        func note(_ bytes: [UInt8]) throws { try world.write(try TripReplica.content(noting: bytes), on: 0) }
        for title in ["a", "b", "c"] { try note(try list.add(Wish(title: title), by: phone)) }
        try note(try list.remove(Wish(title: "b")))
        let changes = world.changes
        let removal = try #require(WishUndoing(changes[3], among: changes, now: list) { $0 })
        #expect(removal.added.map(\.title) == ["b"] && removal.removed.isEmpty)
        _ = try removal.apply(to: &list, by: laptop)
        #expect(list.wishes.map(\.title) == ["a", "b", "c"])
        let wish = try #require(WishUndoing(changes[2], among: changes, now: list) { $0 })
        #expect(wish.removed.map(\.title) == ["c"] && wish.added.isEmpty)
        _ = try wish.apply(to: &list, by: laptop)
        #expect(list.wishes.map(\.title) == ["a", "b"])
        // A device that reads the third note first takes it for the whole list, so it does not know what that one did.
        let late = WishUndoing(changes[2], among: changes, now: list) { note in
            changes[2...].contains { $0.content.ownNotes.contains(note) } ? note : nil
        }
        #expect(late == nil)
    }
}
