import DeltaCRDT
import Testing

@testable import TripModel

/// One person's own wish list, on their devices.
struct WishListTests {
    private let phone = ReplicaID(high: 0, low: 1)
    private let laptop = ReplicaID(high: 0, low: 2)

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
        #expect(try list.wish("1").title == "Boat trip" && list.wish(" BOAT trip ").title == "Boat trip")
        #expect(try list.wish("3").fields[.note] == "a\nb")
        for reference in ["museum", "0", "4", "", "Tent"] {
            #expect(throws: TripError.self) { _ = try list.wish(reference) }
        }
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
}
