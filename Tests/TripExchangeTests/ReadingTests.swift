import TestTiers
import Testing
import TripModel
import TripService

@testable import TripExchange

/// Imports that are read, and imports that are refused in one line.
struct ReadingTests {
    private func read(_ text: String, as format: ImportFormat? = nil) throws(ServiceError) -> ImportedList {
        let bytes = Array(text.utf8)
        if let format { return try format.read(bytes) }
        return try ImportFormat(detecting: bytes).read(bytes)
    }

    @Test("a Reddit listing becomes items with link, score and domain, and hidden posts are passed over")
    func reddit() throws {
        let list = try read(
            """
            {"kind": "Listing", "data": {"after": "t3_b", "children": [
              {"kind": "t3", "data": {"title": "Quinta &amp; pool", "score": 123, "domain": "airbnb.com",
                "url": "https://www.airbnb.com/rooms/1?a=1&amp;b=2", "hidden": false, "removed_by_category": null}},
              {"kind": "t3", "data": {"title": "Spam", "score": 0, "removed_by_category": "moderator", "url": "https://s.pam"}},
              {"kind": "t3", "data": {"title": "Kept hidden", "hidden": true, "url": "https://h.id"}},
              {"kind": "t3", "data": {"title": "[deleted by user]", "url": "https://d.el"}},
              {"kind": "t3", "data": {"title": "Where to eat?", "score": 1, "domain": "self.lisbon", "url": "/r/lisbon/2",
                "permalink": "/r/lisbon/comments/2/"}}
            ]}}
            """)
        #expect(list.entries.map(\.number) == [1, 5])
        #expect(
            list.entries.map(\.item) == [
                NewItem(
                    title: "Quinta & pool",
                    fields: [
                        .title: "Quinta & pool", .link: "https://www.airbnb.com/rooms/1?a=1&b=2",
                        .note: "123 points · airbnb.com",
                    ]),
                NewItem(
                    title: "Where to eat?",
                    fields: [
                        .title: "Where to eat?", .link: "https://www.reddit.com/r/lisbon/comments/2/",
                        .note: "1 point · self.lisbon",
                    ]),
            ])
        #expect(list.hiddenCount == 3)
    }

    @Test("a long Reddit title is cut where titles end, and counted")
    func longTitle() throws {
        let title = String(repeating: "ü", count: 300)
        let list = try read(
            "{\"kind\":\"Listing\",\"data\":{\"children\":[{\"data\":{\"title\":\"\(title)\",\"url\":\"https://a.b\"}}]}}"
        )
        #expect(list.entries[0].item.title == String(repeating: "ü", count: 199) + "…")
        #expect(list.shortenedCount == 1)
    }

    /// The columns that insideairbnb.com documents, as far as items keep them, and one that they do not.
    @Test("the columns of Inside Airbnb's tables are understood, with and without a link")
    func airbnb() throws {
        let detailed = try read(
            """
            id,listing_url,scrape_id,name,description,host_id,host_name,neighbourhood_cleansed,latitude,longitude,room_type,\
            accommodates,bedrooms,beds,price
            6499,https://www.airbnb.com/rooms/6499,2025,"Belém ""1 bedroom"", river","Bright.<br /><br /><b>The space</b> \
            &amp; more",14455,Bruno,Belém,38.6975,-9.19768,Entire home/apt,3,1.0,2,"$1,085.00"
            """)
        #expect(
            detailed.entries[0].item.fields == [
                .title: "Belém \"1 bedroom\", river", .link: "https://www.airbnb.com/rooms/6499",
                .details: "Bright.\n\nThe space & more", .host: "Bruno", .place: "38.6975,-9.19768",
                .note: "Entire home/apt · Belém", .rooms: "1 bedroom, for 3", .beds: "2", .price: "$1,085.00 a night",
            ])
        let short = try read(
            "id,name,host_id,host_name,neighbourhood,latitude,longitude,room_type,price\r\n"
                + "25659,,107347,Eva,Alfama,38.7,-9.1,Private room,\r\n")
        #expect(
            short.entries[0].item.fields == [
                .title: "airbnb.com: rooms 25659", .link: "https://www.airbnb.com/rooms/25659", .host: "Eva",
                .place: "38.7,-9.1", .note: "Private room · Alfama",
            ])
    }

    @Test("quoting, line ends, marks and separators of tables are read as RFC 4180 and programs write them")
    func awkwardTables() throws {
        let list = try read(
            "\u{FEFF}Title,Note,Price\r\n\"a \"\"quoted\"\" one, with a comma\",\"two\r\nlines\",\n\n"
                + "\"\"\"\",plain,\"\"\r\nlast,,'=1+1")
        #expect(list.entries.map(\.number) == [2, 4, 5])
        #expect(list.entries.map(\.item.title) == ["a \"quoted\" one, with a comma", "\"", "last"])
        #expect(list.entries[0].item.fields[.note] == "two\r\nlines")
        #expect(list.entries[1].item.fields == [.title: "\"", .note: "plain"])
        #expect(list.entries[2].item.fields[.price] == "=1+1")
        for separator in [";", "\t"] {
            let list = try read("title\(separator)price\nCasa\(separator)80,5")
            #expect(list.entries[0].item.fields == [.title: "Casa", .price: "80,5"])
        }
        #expect(try read("title\rCasa\rLoft", as: .csv).entries.map(\.item.title) == ["Casa", "Loft"])
    }

    @Test("objects are read by our own names first and by others' where those are missing")
    func objects() throws {
        let list = try read(
            """
            {"title": "Lisbon", "items": [
              {"name": "other", "title": "Casa", "price": 80.5, "quantity": 2, "done": true, "votes": [{"name": "Jie"}],
               "lat": 38.7, "lng": -9.1, "also": {"title": ["x"]}, "note": null},
              {"title": "gone", "removed": true},
              {"url": "https://www.example.org/casa-do-rio", "done": false}
            ]}
            """)
        #expect(list.name == "Lisbon" && list.hiddenCount == 1)
        #expect(
            list.entries.map(\.item) == [
                NewItem(
                    title: "Casa", fields: [.title: "Casa", .price: "80.5", .done: "true", .place: "38.7,-9.1"],
                    quantity: 2),
                NewItem(
                    title: "example.org: casa do rio",
                    fields: [.title: "example.org: casa do rio", .link: "https://www.example.org/casa-do-rio"]),
            ])
    }

    @Test("lines are links, names and things to bring")
    func lines() throws {
        let list = try read(
            "https://www.airbnb.com/rooms/1\n\nCasa https://a.b/c\r\n- [x] 3 towels\n* https://a.b/d\n- Loft\n[ ] map")
        #expect(list.entries.map(\.number) == [1, 3, 4, 5, 6, 7])
        #expect(
            list.entries.map(\.item) == [
                NewItem(title: "airbnb.com: rooms 1", fields: [.link: "https://www.airbnb.com/rooms/1"]),
                NewItem(title: "Casa", fields: [.link: "https://a.b/c"]),
                NewItem(title: "towels", fields: [.done: "true"], quantity: 3),
                NewItem(title: "a.b: d", fields: [.link: "https://a.b/d"]), NewItem(title: "Loft"),
                NewItem(title: "map", quantity: 1),
            ])
    }

    @Test("a heading names a list and is no item, one above others the whole, and a word with a number sign is an item")
    func headings() throws {
        let list = try read("# Packing\n- [ ] 3 towels\n## Later\n#1 hostel\n")
        #expect(list.parts.map(\.title) == ["Packing", "Later"] && list.name == nil)
        #expect(list.entries.map(\.item.title) == ["towels", "#1 hostel"])
        #expect(list.entries.map(\.part) == [0, 1])
        let whole = try read("# Lisbon\n## Packing\nSoap\n## Food\n")
        #expect(whole.name == "Lisbon" && whole.parts.map(\.title) == ["Packing", "Food"])
        let underlined = try read("Lisbon\n======\nCasa\n# Packing\nSoap\n")
        #expect(underlined.name == "Lisbon" && underlined.entries.map(\.part) == [nil, 0])
    }

    @Test("a link of a list is read with its name, though a chat broke it, and names of later versions are passed over")
    func link() throws {
        let list = try read(
            "caravan:list?title=Mussels%20Party&item=Mussels&quantity=2&later=1&item=Fries&price=%E2%82%AC4\n &item=Andalouse%20sauce"
        )
        #expect(list.name == "Mussels Party")
        #expect(
            list.entries.map(\.item) == [
                NewItem(title: "Mussels", quantity: 2), NewItem(title: "Fries", fields: [.price: "€4"]),
                NewItem(title: "Andalouse sauce"),
            ])
    }

    @Test(
        "what is malformed, deep, wide or long is refused in one line that says where", .tags(.slow),
        arguments: [
            (.json, "[{\"title\": \"a\"},\n {\"title\": }]", "line 2: this is not valid JSON"),
            (.json, "[{\"title\": \"a\"", "line 1: the JSON is truncated; save or copy all of it"),
            (.json, "[{\"title\": \"a\nb\"}]", "line 1: a text contains an unescaped line break or control character"),
            (.json, "[{\"title\": \"\\q\"}]", "line 1: this is not valid JSON"),
            (.json, "[{\"title\": \"\\u00G0\"}]", "line 1: this is not valid JSON"),
            (.json, "[{\"title\": 01}]", "line 1: this is not valid JSON"),
            (.json, "[{\"a\": 1}] x", "line 1: there is text after the end of the JSON; delete it"),
            (.json, "[1]", "element 1: it is not an object"),
            (.json, "[{\"price\": 1}]", "element 1: neither a title nor a link; give one"),
            (.json, "3", "this JSON is not a list of items; give an array of objects, each with a title or a link"),
            (.json, "[]", "it contains nothing to add"),
            (.json, String(repeating: "[", count: 100_000), "line 1: the JSON is nested more than 64 levels deep"),
            (.json, String(repeating: "{\"a\":", count: 65), "line 1: the JSON is nested more than 64 levels deep"),
            (.json, "{\"kind\":\"Listing\",\"data\":{\"children\":[{}]}}", "post 1 has no title"),
            (.json, "[\"" + String(repeating: "x", count: 1_100_000) + "\"]", "line 1: a text has more than 1024 KiB"),
            (.json, "[" + String(repeating: "9", count: 65) + "]", "line 1: a number has more than 64 characters"),
            (.csv, "a,b\n1,2", "row 1: no column is called title, name or link; name the columns in the first row"),
            (.csv, "", "it contains nothing to add"),
            (.csv, "title\n\"a", "row 2: a quotation mark is not closed; close it"),
            (
                .csv, "title\n\"a\"b",
                "row 2: there is text after a closing quotation mark; write \"\" for a quotation mark within a text"
            ),
            (.csv, "title,price\nCasa,80,90", "row 2: 3 fields, but the first row has 2"),
            (.csv, "title,price\nCasa,80\n,90", "row 3: neither a title nor a link; give one"),
            (.csv, "title,quantity\nCasa,some", "row 2: the quantity “some” is not a whole number"),
            (.csv, String(repeating: "title,", count: 1_000_000), "row 1: more than 256 columns; delete some"),
            (.csv, "title\n" + String(repeating: "x", count: 300_000), "row 2: a field has more than 256 KiB"),
            (
                .csv, "title\n\"" + String(repeating: "x", count: 300_000),
                "row 2: a quotation mark is not closed; close it"
            ),
            (
                .csv, "title\n" + String(repeating: "x\n", count: 20_001),
                "row 20002: more than 20000 rows; import a part of them"
            ),
            (.lines, String(repeating: "x\n", count: 20_001), "more than 20000 lines; import a part of them"),
            (.lines, "a\n" + String(repeating: "x ", count: 150_000), "line 2 is longer than 256 KiB"),
            (.lines, " \n", "it contains nothing to add"),
            (.link, "caravan:list?item=a%2", "the link is truncated or altered; “item=a%2” cannot be decoded"),
            (.link, "caravan:list?item=a%FF", "the link is truncated or altered; “item=a%FF” cannot be decoded"),
            (.link, "caravan:list?title=a", "it contains nothing to add"),
            (.link, "caravan:list?item=a&quantity=x", "item 1: the quantity “x” is not a whole number"),
            (.link, "https://a.b", "this is not a list link; it must start with caravan:list?"),
        ] as [(ImportFormat, String, String)])
    func refused(_ format: ImportFormat, _ text: String, _ message: String) {
        let error = #expect(throws: ServiceError.self) { try read(text, as: format) }
        #expect(error?.message == message)
    }

    @Test("bytes that are no UTF-8 are refused where they stand")
    func encodings() {
        for (format, text) in [(ImportFormat.csv, "title\nCaf"), (.json, "[{\"title\":\"Caf"), (.lines, "Caf")] {
            let error = #expect(throws: ServiceError.self) {
                try format.read(Array(text.utf8) + [0xE9] + Array((format == .json ? "\"}]" : "").utf8))
            }
            #expect(error?.message.contains("UTF-8") ?? false)
        }
    }

    @Test("what is cut off anywhere or has a byte flipped is read or refused, and never traps")
    func damaged() throws {
        var seed: UInt64 = 1
        let texts = [
            "title,note\r\n\"a \"\"b\"\"\",c\r\nd,\"e\nf\"\r\n",
            "{\"items\":[{\"title\":\"\\ud83c\\udfe1 \\u00e9\",\"a\":[1.5e3,null]}]}",
            "caravan:list?title=a%20b&item=c&quantity=2&item=%F0%9F%8F%A1", "- [ ] 3 × towels\nCasa https://a.b/c%20d",
        ]
        for text in texts {
            let bytes = Array(text.utf8)
            for length in 0...bytes.count {
                for format in ImportFormat.allCases { _ = try? format.read(Array(bytes.prefix(length))) }
            }
            for _ in 0..<2_000 {
                var damaged = bytes
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                damaged[Int(seed >> 33) % bytes.count] ^= 1 << UInt8(seed >> 60 & 7)
                _ = try? ImportFormat(detecting: damaged).read(damaged)
            }
        }
    }
}
