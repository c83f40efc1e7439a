import Attachments
import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripExchange

/// What of a card an item takes: what it lacks, and nothing else.
struct LinkDetailsTests {
    private static let link = "https://example.org/rooms/casa-do-rio"
    private static let page = """
        <script type="application/ld+json">{"@type":"Hotel","name":"Casa do Rio","description":"By the river","priceRange":"€€",
        "address":"Lisbon"}</script>
        """

    private func details(photo: NewPhoto? = nil) throws -> LinkDetails {
        let address = try #require(WebAddress("https://evil.example/"))
        return LinkDetails(
            card: try LinkCard(page: Array(Self.page.utf8), contentType: nil, address: address), photo: photo)
    }

    private func item(_ draft: ItemDraft) throws -> ItemView {
        var world = World(participants: [0])
        try world.perform(.add([draft]), on: 0)
        return try #require(world.view(0).items.first)
    }

    private var photo: NewPhoto {
        let picture = NewPhoto.Picture(type: .jpeg, width: 1, height: 1, bytes: [0xFF, 0xD8])
        return NewPhoto(sharp: picture, card: picture, thumbnail: picture)
    }

    @Test(
        "an item of a link alone takes all of it, with what was shown there, so that nothing that came meanwhile is lost"
    )
    func whole() throws {
        let bare = try #require(NewItem(typed: Self.link))
        let item = try item(ItemDraft(title: bare.title, fields: bare.fields))
        let requests = try details(photo: photo).requests(for: item, mark: 7)
        let fields: [Field: String?] = [
            .title: "Casa do Rio", .details: "By the river", .price: "€€", .address: "Lisbon", .itemKind: "stay",
        ]
        let shown: [Field: [String]] = [
            .title: ["example.org: casa do rio"], .details: [], .price: [], .address: [], .itemKind: [],
        ]
        #expect(
            requests == [
                .step(of: 7, .act(.edit(fields, shown: shown), on: [.id(item.id)])),
                .step(of: 7, .attach(item: .id(item.id), photos: [photo])),
            ])
    }

    @Test("what somebody wrote stays: a title, a price, the link; and what has all lacks nothing")
    func kept() throws {
        let mine = try item(ItemDraft(title: "Ours", fields: [.link: Self.link, .price: "80 EUR", .itemKind: "idea"]))
        #expect(mine.lacksDetails)
        #expect(try details().card.lacking(in: mine) == [.details: "By the river", .address: "Lisbon"])
        let full = try item(
            ItemDraft(
                title: "Ours", fields: [.link: Self.link, .price: "1", .itemKind: "idea", .details: "x", .address: "y"])
        )
        #expect(try details().requests(for: full, mark: 7).isEmpty)
        #expect(try !item(ItemDraft(title: "No link")).lacksDetails)
    }

    @Test("a new item keeps what was typed, and its link")
    func added() throws {
        let bare = try #require(NewItem(typed: Self.link))
        let all = bare.completed(by: try details(photo: photo))
        #expect(all.title == "Casa do Rio" && all.fields[.link] == Self.link && all.fields[.details] == "By the river")
        #expect(all.photos == [photo])
        let typed = try #require(NewItem(title: .some(Self.link), fields: [.details: "Mine"]))
        #expect(typed.completed(by: try details()).fields[.details] == "Mine")
        let named = try #require(NewItem(typed: "Ours \(Self.link)"))
        #expect(named.completed(by: try details()).title == "Ours")
    }

    @Test(
        "what a page means by a reference",
        arguments: [
            ("https://a.b/c", "https://a.b/c"), ("http://a.b/c", "https://a.b/c"), ("//a.b/c", "https://a.b/c"),
            ("/c", "https://example.org/c"), ("c d.png", "https://example.org/x/c%20d.png"),
            ("?c", "https://example.org/x/y?c"),
            ("data:image/png;base64,AA", nil), ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("#c", nil),
            ("", nil),
        ])
    func references(reference: String, whole: String?) throws {
        #expect(try #require(WebAddress("https://example.org/x/y?z=/q#f")).resolving(reference)?.text == whole)
    }
}
