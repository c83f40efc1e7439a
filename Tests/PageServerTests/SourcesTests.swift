import Foundation
import PageServer
import Synchronization
import Testing
import TripExchange
import TripModel
import TripPage
import TripService

/// The owner's wish list, what they looked at and their feeds, as the page shares from them; and that guests see none of it.
struct SourcesTests {
    private static func list(_ text: String) throws(ServiceError) -> ImportedList {
        try ImportFormat(detecting: Array(text.utf8)).read(Array(text.utf8))
    }

    /// A feed that says what a text says, and how often it was read.
    final class Reader: Sendable {
        let text: Mutex<String>
        let count = Mutex(0)
        init(text: String) { self.text = Mutex(text) }
    }

    private func house(_ reader: Reader) async throws -> PageHouse {
        let house = try await PageHouse { options in
            options.feed = { _ throws(ServiceError) in
                reader.count.withLock { $0 += 1 }
                return try Self.list(reader.text.withLock { $0 })
            }
        }
        _ = try await house.service.answer(.addFeed(Feed(name: "stays.csv", origin: "/nowhere/stays.csv")))
        return house
    }

    /// The rows of a page: whether each can be shared, by its title.
    private func rows(_ page: String) -> [String: (id: String, canShare: Bool)] {
        var rows: [String: (String, Bool)] = [:]
        for piece in page.components(separatedBy: "<article id=\"o-").dropFirst() {
            let row = piece.components(separatedBy: "</article>")[0]
            guard let title = row.firstMatch(of: /<h3>(?:<[^>]*>)+([^<]*)</)?.1 else { continue }
            rows[String(title)] = (String(row.prefix(16)), row.contains("value=\"share\""))
        }
        return rows
    }

    private static let table = "title,link,price\nCasa,https://a.b/1,80 EUR\nLoft,https://a.b/2,90 EUR\n"

    @Test("a feed is browsed, searched and shared from without script; what is shared says so, and is shared once")
    func feed() async throws {
        let house = try await house(Reader(text: Self.table))
        let browser = try await house.browser()
        let (page, act) = ("/t/\(house.trip)/?view=sources&from=feed%3Astays.csv", "/t/\(house.trip)/act")
        let first = rows(try await browser.get(page).body)
        #expect(first.mapValues(\.canShare) == ["Casa": true, "Loft": true])
        #expect(rows(try await browser.get(page + "&find=LOFT").body).keys.sorted() == ["Loft"])
        let loft = try #require(first["Loft"]?.id)
        let form = [("do", "share"), ("from", "feed:stays.csv"), ("offer", loft)]
        #expect(try await browser.post(act, form + [("back", "view=sources&from=feed%3Astays.csv")]).status == 303)
        #expect(rows(try await browser.get(page).body).mapValues(\.canShare) == ["Casa": true, "Loft": false])
        let again = try await browser.post(act, form + [("stream", "x")])
        #expect(again.status == 200 && again.body.contains("is already in the trip"))
        let items = try await house.view().items
        #expect(items.map(\.title) == ["Loft"] && items[0].fields[.price]?.value == "90 EUR")
        // What is not there is not shared, nor what a form makes up.
        for offer in ["0123456789abcdef", "x"] {
            let answer = try await browser.post(
                act, [("do", "share"), ("from", "feed:stays.csv"), ("offer", offer), ("stream", "x")])
            #expect(answer.status == 422)
        }
        await house.close()
    }

    @Test("what a page looks at comes on its stream: a feed that was read, a wish from elsewhere")
    func live() async throws {
        let house = try await house(Reader(text: Self.table))
        let browser = try await house.browser()
        let wishes = try await house.stream(browser, query: "view=sources")
        try await wishes.receives("Nobody else sees them")
        _ = try await house.service.answer(.wish([Wish(title: "Boat trip")]))
        try await wishes.receives("Boat trip")
        let feed = try await house.stream(browser, query: "view=sources&from=feed%3Astays.csv")
        try await feed.receives("80 EUR")
        await house.close()
    }

    @Test("a wish is kept from a feed, shared and taken away; what is kept there is nobody else's")
    func wishes() async throws {
        let house = try await house(Reader(text: Self.table))
        let browser = try await house.browser()
        let act = "/t/\(house.trip)/act"
        _ = try await browser.get("/t/\(house.trip)/?view=sources&from=feed%3Astays.csv")
        let casa = try #require(
            rows(try await browser.get("/t/\(house.trip)/?view=sources&from=feed%3Astays.csv").body)["Casa"]?.id)
        _ = try await browser.post(act, [("do", "keep"), ("from", "feed:stays.csv"), ("offer", casa)])
        // Two of one name, and one whose name is a number: each is itself.
        let wished = try await browser.post(act, [("do", "wish"), ("what", "1"), ("stream", "x")])
        #expect(wished.body.contains("was saved to your wish list. Nobody else sees it"), "\(wished.body)")
        _ = try await house.service.answer(.wish([Wish(title: "Casa", fields: [.note: "another"])]))
        let page = "/t/\(house.trip)/?view=sources"
        #expect(try await eventually { rows(try await browser.get(page).body)["1"] != nil })
        #expect(try await house.view().items.isEmpty)
        let one = try #require(rows(try await browser.get(page).body)["1"]?.id)
        _ = try await browser.post(act, [("do", "share"), ("from", "wishes"), ("offer", one)])
        #expect(try await house.view().items.map(\.title) == ["1"])
        guard case .own(let own) = try await house.service.answer(.own) else { return _ = Issue.record("no answer") }
        #expect(own.wishes.map(\.fields) == [[.link: "https://a.b/1", .price: "80 EUR"], [.note: "another"]])
        let kept = Offer.all(own.wishes.map { NewItem($0) })[1].id
        let gone = try await browser.post(act, [("do", "unwish"), ("offer", kept), ("stream", "x")])
        #expect(gone.status == 200 && gone.body.contains("removed from your wish list"))
        guard case .own(let rest) = try await house.service.answer(.own) else { return _ = Issue.record("no answer") }
        #expect(rest.wishes == [own.wishes[0]])
        await house.close()
    }

    @Test("a card that is opened is noted, for its owner alone: not by a guest, and not by what only asks for a head")
    func viewed() async throws {
        let house = try await PageHouse()
        let ids = try await house.add([NewItem(title: "Casa"), NewItem(title: "Loft"), NewItem(title: "Tent")])
        let browser = try await house.browser()
        for id in [ids[0], ids[1], ids[0]] { _ = try await browser.get("/t/\(house.trip)/?open=\(id)") }
        _ = try await browser.ask("HEAD", "/t/\(house.trip)/?open=\(ids[2])")
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        var phone = Browser(port: try #require(UInt16(door.link.split(separator: "/")[1].split(separator: ":")[1])))
        _ = try await phone.enter(door.link)
        _ = try await phone.post("/t/\(house.trip)/who", [("name", "Mia")])
        #expect(try await phone.get("/t/\(house.trip)/?open=\(ids[2])").status == 200)
        guard case .items(let items) = try await house.service.answer(.viewed) else {
            return _ = Issue.record("no answer")
        }
        #expect(items.map(\.title) == ["Casa", "Loft"])
        await house.close()
    }

    @Test("nothing of the owner's wishes, feeds and looks reaches a guest: not the page, not its stream, not its forms")
    func guests() async throws {
        let house = try await house(Reader(text: Self.table))
        let id = try await house.add([NewItem(title: "Tent")])[0]
        _ = try await house.service.answer(.wish([Wish(title: "Boat trip")]))
        let browser = try await house.browser()
        let wish = try #require(rows(try await browser.get("/t/\(house.trip)/?view=sources").body)["Boat trip"]?.id)
        _ = try await browser.get("/t/\(house.trip)/?open=\(id)")
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        var phone = Browser(port: try #require(UInt16(door.link.split(separator: "/")[1].split(separator: ":")[1])))
        _ = try await phone.enter(door.link)
        _ = try await phone.post("/t/\(house.trip)/who", [("name", "Mia")])
        for source in ["wishes", "viewed", "feed%3Astays.csv"] {
            let query = "view=sources&from=\(source)"
            #expect(try await phone.get("/t/\(house.trip)/?" + query).status == 303)
            let stream = try await RawConnection(port: phone.port)
            try await stream.send(phone.head("GET", "/t/\(house.trip)/stream?" + query))
            let text = try await stream.received { $0.contains("Tent") }
            #expect(!text.contains("Boat trip") && !text.contains("stays.csv") && !text.contains("Casa"))
            await stream.close()
        }
        #expect(try await !phone.get("/t/\(house.trip)/").body.contains("view=sources"))
        for form in [
            [("do", "share"), ("from", "wishes"), ("offer", wish)], [("do", "unwish"), ("offer", wish)],
            [("do", "keep"), ("from", "feed:stays.csv"), ("offer", wish)], [("do", "wish"), ("what", "x")],
        ] {
            #expect(try await phone.post("/t/\(house.trip)/act", form + [("stream", "x")]).status == 422, "\(form)")
        }
        #expect(try await house.view().items.count == 1)
        await house.close()
    }

    @Test("a feed that cannot be read says why; a new document reads it again, and it is not read for each reader")
    func problems() async throws {
        let reader = Reader(text: "[{\"title\": ")
        let house = try await house(reader)
        let browser = try await house.browser()
        let page = "/t/\(house.trip)/?view=sources&from=feed%3Astays.csv"
        #expect(try await browser.get(page).body.contains("role=\"alert\""))
        reader.text.withLock { $0 = Self.table }
        for _ in 0..<3 { _ = try await browser.get(page) }
        #expect(reader.count.withLock { $0 } == 1, "read again at once")
        #expect(try await eventually { rows(try await browser.get(page).body).count == 2 })
        #expect(
            try await browser.get("/t/\(house.trip)/?view=sources&from=feed%3Anone").body.contains(
                "You have no feed named"))
        await house.close()
    }
}
