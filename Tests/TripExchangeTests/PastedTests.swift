import Testing
import TripModel
import TripService

@testable import TripExchange

/// What people paste out of chats, notes and documents.
struct PastedTests {
    private func read(_ text: String) throws -> [NewItem] {
        try ImportFormat(detecting: Array(text.utf8)).read(Array(text.utf8)).entries.map(\.item)
    }

    @Test(
        "numbers of a list, links of Markdown and mail, and addresses without a scheme are read as what they mean",
        arguments: [
            ("1. Casa", "Casa", nil), ("2) Loft", "Loft", nil), ("10. Boat trip", "Boat trip", nil),
            ("[Nice](https://a.b/c)", "Nice", "https://a.b/c"), ("- [Nice one](<https://a.b/c d>) ", "Nice one", nil),
            ("3. [Nice](https://a.b/(c))", "Nice", "https://a.b/(c)"), ("<https://a.b/c>", "a.b: c", "https://a.b/c"),
            ("Casa <https://a.b/c>", "Casa", "https://a.b/c"),
            ("www.example.org/x", "example.org: x", "https://www.example.org/x"),
            ("Casa www.example.org", "Casa", "https://www.example.org"), ("3.5 km run", "3.5 km run", nil),
            ("1999. A year", "1999. A year", nil), ("[ ] (maybe)", "(maybe)", nil), ("<3 Lisbon", "<3 Lisbon", nil),
        ] as [(String, String, String?)])
    func line(_ line: String, title: String, link: String?) throws {
        let items = try read(line)
        #expect(items.map(\.title) == [title])
        #expect(link == nil || items.first?.fields[.link] == link)
    }

    @Test("two counts of one thing in one paste are added up, and the same line twice is one")
    func sameThing() throws {
        let items = try read("2x towels\nmap\n3 towels\nmap\n- [ ] Towels\n")
        #expect(items.map(\.title) == ["towels", "map", "map"])
        #expect(items.first?.quantity == 6)
    }

    @Test("a column of titles is a table without its file's name, and a list with a line called title is none")
    func titles() throws {
        for text in ["title\nTowel\nSoap\n", "\u{FEFF}Title\r\n\"Towel\"\r\nSoap\r\n"] {
            #expect(try read(text).map(\.title) == ["Towel", "Soap"])
        }
        #expect(try read("title\n- Towel\n").map(\.title) == ["title", "Towel"])
        #expect(try read("Towel\ntitle\n").map(\.title) == ["Towel", "title"])
        #expect(try read("title\n").map(\.title) == ["title"])
    }

    @Test("lines that only divide are no items")
    func rules() throws {
        #expect(try read("Casa\n---\nLoft\n***\n\n=====\n_ _ _\n🏡\n").map(\.title) == ["Casa", "Loft", "🏡"])
    }

    @Test("HTML in a listing's description becomes text, with and without a host, and our own details stay as they are")
    func descriptions() throws {
        let html = "<b>Bold</b> &amp; &#8220;quiet&#8221;<br/>&eacute;t&#xE9;<ul><li>one</li><li>two</li></ul>"
        for (heading, ending) in [("name,description,price", "80"), ("name,description,host_id", "1")] {
            let items = try read("\(heading)\nCasa,\"\(html)\",\(ending)\n")
            #expect(items.first?.fields[.details] == "Bold & “quiet”\nété\none\ntwo")
        }
        #expect(try read("title,details\nCasa,<b>Bold</b> &amp;\n").first?.fields[.details] == "<b>Bold</b> &amp;")
    }
}
