import Attachments
import PageServer
import Synchronization
import Testing
import TripExchange
import TripModel
import TripPage
import TripService

/// Details that are fetched of links: by the owner, who asks for it, and by nobody else.
struct LinkTests {
    private static let link = "https://example.org/rooms/casa"
    private static let page = """
        <meta property="og:title" content="Casa do Rio"><meta property="og:description" content="By the river">
        """

    /// What was asked for.
    final class Asked: Sendable {
        private let asked = Mutex<[String]>([])
        var links: [String] { asked.withLock { $0 } }
        func note(_ link: String) { asked.withLock { $0.append(link) } }
    }

    /// Keeps a site from answering.
    final class Gate: Sendable {
        private let state = Mutex(false)
        var isOpen: Bool { state.withLock { $0 } }
        func open() { state.withLock { $0 = true } }
    }

    private func house(
        _ asked: Asked, _ fetch: @escaping @Sendable () throws(ServiceError) -> LinkDetails = Self.details
    ) async throws -> PageHouse {
        try await PageHouse { options in
            options.details = { link throws(ServiceError) in
                asked.note(link)
                return try fetch()
            }
        }
    }

    private static func details() throws(ServiceError) -> LinkDetails {
        guard let address = WebAddress(link) else { throw ServiceError("no address") }
        let picture = NewPhoto.Picture(type: .jpeg, width: 300, height: 200, bytes: [0xFF, 0xD8, 0xFF])
        return LinkDetails(
            card: try LinkCard(page: Array(page.utf8), contentType: nil, address: address),
            photo: NewPhoto(sharp: picture, card: picture, thumbnail: picture))
    }

    @Test("the button on an open card fetches once, fills what is empty, and goes; one undo takes it back")
    func fetching() async throws {
        let asked = Asked()
        let house = try await house(asked)
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "example.org: casa", fields: [.link: Self.link])])[0]
        let act = "/t/\(house.trip)/act"
        let card = try await browser.get("/t/\(house.trip)/?open=\(id)").body
        #expect(
            card.contains(">Fetch details</button>") && asked.links.isEmpty,
            "opening a card fetches nothing")
        let answer = try await browser.post(act, [("do", "fetch"), ("item", id), ("stream", "x")])
        #expect(answer.status == 200 && answer.body.contains("Fetched the details of “Casa do Rio”"), "\(answer.body)")
        #expect(asked.links == [Self.link])
        #expect(answer.body.contains(#"value=\"undo\""#) && answer.body.contains(">Undo</button>"), "\(answer.body)")
        let item = try #require(try await house.view().items.first)
        #expect(item.title == "Casa do Rio" && item.fields[.details]?.value == "By the river" && item.photos.count == 1)
        let isGone = try await eventually {
            try await !browser.get("/t/\(house.trip)/?open=\(id)").body.contains("Fetch details")
        }
        #expect(isGone)
        let again = try await browser.post(act, [("do", "fetch"), ("item", id), ("stream", "x")])
        #expect(
            again.status == 200 && again.body.contains("The page has nothing that “Casa do Rio” lacks"),
            "\(again.body)")
        #expect(try await browser.post(act, [("do", "undo"), ("stream", "x")]).status == 200)
        let undone = try #require(try await house.view().items.first)
        #expect(undone.title == "example.org: casa" && undone.fields[.details] == nil && undone.photos.isEmpty)
        await house.close()
    }

    @Test("a slow site holds up nothing else: its card fills once it answers")
    func slow() async throws {
        let gate = Gate()
        let house = try await PageHouse { options in
            options.detailsPatience = .milliseconds(20)
            options.details = { _ throws(ServiceError) in
                while !gate.isOpen { try? await Task.sleep(for: .milliseconds(5)) }
                return try Self.details()
            }
        }
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa", fields: [.link: Self.link])])[0]
        let form = [("do", "fetch"), ("item", id), ("stream", "x")]
        let answer = try await browser.post("/t/\(house.trip)/act", form)
        #expect(answer.status == 200 && answer.body.contains("Fetching the details of “Casa”"), "\(answer.body)")
        #expect(try await house.view().items.first?.fields[.details] == nil)
        gate.open()
        #expect(try await eventually { try await house.view().items.first?.fields[.details] != nil })
        await house.close()
    }

    @Test("why nothing was fetched is said, and the item stays as it is")
    func failure() async throws {
        let house = try await house(Asked()) { () throws(ServiceError) in throw ServiceError("cannot find example.org")
        }
        let browser = try await house.browser()
        let ids = try await house.add([NewItem(title: "Casa", fields: [.link: Self.link]), NewItem(title: "No link")])
        let act = "/t/\(house.trip)/act"
        let answer = try await browser.post(act, [("do", "fetch"), ("item", ids[0]), ("stream", "x")])
        #expect(answer.status == 422 && answer.body.contains("annot find example.org"), "\(answer.body)")
        let none = try await browser.post(act, [("do", "fetch"), ("item", ids[1]), ("stream", "x")])
        #expect(none.status == 422 && none.body.contains("no link"), "\(none.body)")
        #expect(try await house.view().items.map(\.title) == ["Casa", "No link"])
        await house.close()
    }

    @Test(
        "once it is allowed for the trip, a link that is added is fetched by itself, and a box says so until that ends")
    func always() async throws {
        let asked = Asked()
        let house = try await house(asked)
        let browser = try await house.browser()
        let (page, act) = ("/t/\(house.trip)/", "/t/\(house.trip)/act")
        #expect(try await !browser.get(page).body.contains("Stop fetching"))
        #expect(try await browser.post(act, [("do", "fetch-always"), ("stream", "x")]).status == 200)
        #expect(try await browser.get(page).body.contains("Stop fetching"))
        #expect(try await browser.post(act, [("do", "add"), ("what", Self.link), ("stream", "x")]).status == 200)
        #expect(try await eventually { try await house.view().items.first?.photos.count == 1 })
        #expect(try await house.view().items.first?.title == "Casa do Rio")
        #expect(try await browser.post(act, [("do", "fetch-on-request"), ("stream", "x")]).status == 200)
        #expect(try await browser.post(act, [("do", "add"), ("what", Self.link + "2"), ("stream", "x")]).status == 200)
        #expect(asked.links == [Self.link])
        await house.close()
    }

    @Test("a guest has no button, and what they send fetches nothing: it would be their host's machine that asks")
    func guests() async throws {
        let asked = Asked()
        let house = try await house(asked)
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        try #require(try await phone.enter(door.link).status == 303)
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", "Mia")]).status == 303)
        let act = "/t/\(house.trip)/act"
        try #require(try await phone.post(act, [("do", "add"), ("what", Self.link), ("stream", "x")]).status == 200)
        let id = try #require(try await house.view().items.first).shortID
        #expect(try await !phone.get("/t/\(house.trip)/?open=\(id)").body.contains("Fetch details"))
        let answer = try await phone.post(act, [("do", "fetch"), ("item", id), ("stream", "x")])
        #expect(answer.status == 422 && answer.body.contains("uests can add places"), "\(answer.body)")
        #expect(asked.links.isEmpty)
        await house.close()
    }
}
