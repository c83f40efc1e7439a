import TestTiers
import Testing
import TripModel
import TripService

@testable import TripExchange

/// Pages that are made to cost something. They need no clock: for a reader that is not linear, the slow one would take hours.
struct HostilePageTests {
    private func card(_ page: String) throws -> LinkCard {
        try LinkCard(
            page: Array(page.utf8), contentType: "text/html", address: try #require(WebAddress("https://a.example/")))
    }

    private static let title = "<title>Casa</title>"

    /// Each of so many parts.
    private static func every(of count: Int) -> [String] {
        let many = { (text: String) in String(repeating: text, count: count) }
        let script = "<script type=application/ld+json>"
        return [
            many("<div>"), "<p " + many("a=1 b ") + ">", many("<meta property=og:x content=y>"), many("<"), many("<a"),
            many("<a b=\""), "<!--" + many("--"), many("<!--"), "<p a=\"" + many("''"), "<script>" + many("</scrip"),
            many("</"),
            "<textarea>" + many("<!--<script>"), many("&"), many("&#"), script + many("["), script + many("{\"a\":"),
            script + "[" + many("{\"@type\":\"Hotel\"},") + "0]</script>", many(script + "{\"@type\":\"x\"}</script>"),
            script + "{\"@type\":\"Hotel\",\"beds\":" + many("9") + "}</script>",
        ]
    }

    @Test(
        "deep nesting, many attributes, many tags, and what is never closed: 2,000 parts leave the title as it is",
        arguments: every(of: 2_000))
    func bombs(bomb: String) throws {
        #expect(try card(Self.title + bomb).fields[.title] == "Casa")
    }

    @Test(
        "deep nesting, many attributes, many tags, and what is never closed: 90,000 parts leave the title as it is",
        .tags(.slow), arguments: every(of: 90_000))
    func greatBombs(bomb: String) throws {
        #expect(try card(Self.title + bomb).fields[.title] == "Casa")
    }

    @Test("a bomb before the title hides it at most")
    func hidden() throws {
        for bomb in ["<!--", "<script>", "<p a=\"", "<textarea>"] {
            #expect(throws: ServiceError.self) { try card(bomb + Self.title) }
        }
    }

    @Test("a text of megabytes is cut, and references without end grow nothing")
    func longTexts() throws {
        let long = try card("<title>" + String(repeating: "&amp;é", count: 50_000) + "</title>")
        #expect(long.fields[.title]?.unicodeScalars.count == 200)
        let marks = try card(
            "<title>e" + String(repeating: "\u{301}", count: 100_000) + "</title><meta name=description content=x>")
        #expect((marks.fields[.title]?.unicodeScalars.count ?? 0) <= 200)
    }

    @Test("more than 5 MB are no page")
    func bytes() throws {
        let error = #expect(throws: ServiceError.self) { try card(String(repeating: "a", count: LinkLimits.bytes + 1)) }
        #expect(error?.message == "the page is larger than 5 MB")
    }

    @Test("JSON of numbers beyond any, of values without end, and of names that are no things")
    func data() throws {
        let json = [
            "{\"@type\":\"Hotel\",\"name\":\"A\",\"offers\":{\"price\":1e308,\"priceCurrency\":\"EUR\"}}",
            "{\"@type\":\"Hotel\",\"name\":\"A\",\"offers\":{\"price\":\"99999999999999999999999999\"}}",
            "{\"@type\":\"Hotel\",\"name\":\"A\",\"geo\":{\"latitude\":1e-5,\"longitude\":1e5}}",
            "{\"@type\":\"Hotel\",\"name\":\"A\",\"bed\":{\"numberOfBeds\":9223372036854775807}}",
            "{\"@type\":\"Hotel\",\"name\":\"A\",\"containsPlace\":[],\"offers\":[],\"image\":[[[\"x\"]]],\"geo\":7,\"address\":[[]]}",
            "{\"@type\":\"Hotel\",\"name\":\"A\",\"offers\":[\(String(repeating: "{\"price\":{}},", count: 10_000))0]}",
        ]
        for text in json {
            let card = try card("<script type='application/ld+json'>\(text)</script>")
            #expect(card.fields == [.title: "A", .itemKind: "stay"], "\(text.prefix(100))")
        }
    }
}
