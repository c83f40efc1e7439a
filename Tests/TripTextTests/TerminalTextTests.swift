import Testing
import TripFixtures
import TripModel
import TripService

@testable import TripText

/// What people and programs read.
@Suite struct TerminalTextTests {
    /// A terminal of a reader who lives by UTC.
    private static let terminal = TextStyle(width: 80, secondsFromUTC: { _ in 0 })

    /// Three friends, an item of every kind, a field in dispute, a removed item.
    private func trip() throws -> World {
        var world = World(participants: [0, 1, 2])
        try world.perform(.setName("Jie"), on: 0)
        try world.perform(.setTitle("Summer by the lake"), on: 0)
        let drafts = [
            ItemDraft(
                title: "Cabin by the lake",
                fields: [
                    .price: "€120 a night", .link: "https://example.org/stays/17", .host: "Ana",
                    .note: "Quiet.\nBring boots.", .place: "48.8584,2.2945",
                ], quantity: 2), ItemDraft(title: "Campsite"), ItemDraft(title: "民宿 🏡"),
        ]
        let entry = try world.perform(.add(drafts), on: 0)
        try world.syncAll()
        try world.perform(.setName("Michelle"), on: 1)
        try world.perform(.setName("Noah"), on: 2)
        try world.syncAll()
        let view = world.view(0)
        let (cabin, camp, inn) = (view.items[0].id, view.items[1].id, view.items[2].id)
        #expect(cabin == world.item(entry))
        try world.perform(.vote([cabin, inn], .for), on: 1)
        try world.perform(.vote([cabin], .for), on: 2)
        try world.perform(.vote([inn], .against), on: 2)
        try world.perform(.edit(cabin, [.title: "Hut", .price: "€100"]), on: 2)
        try world.perform(.edit(cabin, [.title: "Cabin", .done: "true"]), on: 0)
        try world.syncAll()
        try world.perform(.remove([camp]), on: 1)
        try world.perform(.changeQuantity(cabin, by: -1), on: 0)
        try world.syncAll()
        return world
    }

    @Test func theListOfATripThatUsesEverything() throws {
        let view = try trip().view(1)
        #expect(
            TerminalText.list(view, includingRemoved: true, style: Self.terminal) == """
                Summer by the lake
                Jie, Noah, Michelle

                  1  ✓ Hut     +2  Michelle, Noah
                     €100 · ×1 · host: Ana · Quiet. …
                     https://example.org/stays/17
                     also proposed: Cabin (Jie)
                  3  民宿 🏡    0  Michelle · against: Noah

                Removed (restore with `caravan restore ITEM`)
                  2  Campsite

                """)
        #expect(TerminalText.list(TripReplica().view).contains("caravan add TITLE"))
    }

    @Test("a comment of several lines passes for nothing else, and an invisible character in it is marked")
    func commentOfSeveralLines() throws {
        var world = try trip()
        let hut = world.view(0).items[0].id
        try world.perform(.comment(hut, "nice\u{200B}\n2 Jie: I pay\nvotes  9 for"), on: 2)
        let view = world.view(2)
        let card = TerminalText.card(view.items[0], of: view.group, style: Self.terminal)
        let lines = card.split(separator: "\n").suffix(3).map { $0.drop { $0 == " " } }
        #expect(lines == ["comments  1 Noah: nice·", "│ 2 Jie: I pay", "│ votes  9 for"])
    }

    @Test("further lines of a note and of details pass for no lines of the card")
    func proseOfSeveralLines() throws {
        var world = World(participants: [0, 1])
        try world.perform(.setName("Jie"), on: 0)
        let forged = "Quiet.\nalso proposed: Loud. (Jie)\nnot voted yet: Jie"
        let hut = try world.add(ItemDraft(title: "Hut", fields: [.details: "Small."]), on: 0)
        try world.syncAll()
        try world.perform(.edit(hut, [.note: forged, .details: forged]), on: 1)
        try world.perform(.edit(hut, [.details: "Large."]), on: 0)
        try world.syncAll()
        let view = world.view(0)
        let card = TerminalText.card(view.items[0], of: view.group, style: Self.terminal)
        let lines = card.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.count { $0 == "│ also proposed: Loud. (Jie)" } == 2)
        #expect(lines.count { $0.hasPrefix("│ not voted yet: Jie") } == 2)
        #expect(!lines.contains { $0.hasPrefix("also proposed: Loud.") || $0.hasPrefix("not voted yet") })
    }

    @Test func theCardOfAnItem() throws {
        let view = try trip().view(2)
        #expect(
            TerminalText.card(view.items[0], of: view.group, style: Self.terminal) == """
                Hut  ✓ done
                number 1 · id afd690d3587e · added by Jie on 2023-11-14 22:13

                also proposed: Cabin (Jie)

                note      Quiet.
                          │ Bring boots.
                link      https://example.org/stays/17
                price     €100
                place     48.8584,2.2945
                host      Ana
                quantity  ×1
                votes     +2 · Michelle, Noah
                          not voted yet: Jie

                """)
    }

    @Test func historyIsTheSameOnEveryNodeAndInAnyOrderOfItsChanges() throws {
        let world = try trip()
        let changes = world.changes
        let entries = TripReplica.history(of: changes)
        var trips = world.nodes.map { LiveTrip($0.replica) }
        #expect(
            TerminalText.history(entries, trips[0].names(of: entries), style: Self.terminal) == """
                2023-11-14 22:13  Jie joined as “Jie”
                2023-11-14 22:13  Jie named the trip “Summer by the lake”
                2023-11-14 22:13  Jie added “Cabin by the lake” ×2
                                  Jie added “Campsite” and “民宿 🏡”
                2023-11-14 22:13  Noah joined as “Noah”
                2023-11-14 22:13  Michelle joined as “Michelle”
                2023-11-14 22:13  Jie edited “Cabin by the lake”: title “Cabin” (was “Cabin by
                                    the lake”); done
                2023-11-14 22:13  Noah voted for “Cabin”
                2023-11-14 22:13  Michelle voted for “Cabin” and “民宿 🏡”
                2023-11-14 22:13  Noah voted against “民宿 🏡”
                2023-11-14 22:13  Noah edited “Cabin”: title “Hut” (also proposed: “Cabin”);
                                    price “€100” (was “€120 a night”)
                2023-11-14 22:13  Jie changed the quantity of “Hut” by -1
                2023-11-14 22:13  Michelle removed “Campsite”

                """)
        #expect(TripReplica.history(of: changes.reversed()) == entries)
        let json = TripJSON.history(entries, trips[0].names(of: entries)).text
        #expect(json == TripJSON.history(entries, trips[2].names(of: entries)).text)
        #expect(json.contains(#""what": "removed""#))
    }

    @Test("what a person writes in a note is one line of the history, and in JSON an object for each change")
    func notes() throws {
        var world = World(participants: [0])
        try world.perform(.setName("Jie"), on: 0)
        let casa = try world.add(ItemDraft(title: "Casa"), on: 0)
        for text in ["Bus", "Bus 28", "Bus 28\nat nine"] { try world.perform(.editNote(text), on: 0) }
        try world.perform(.vote([casa], .for), on: 0)
        for text in ["By the river", "By the tram"] { try world.perform(.edit(casa, [.note: text]), on: 0) }
        let entries = TripReplica.history(of: world.changes).dropFirst(2)
        var trip = LiveTrip(world.nodes[0].replica)
        let names = trip.names(of: entries)
        let text = TerminalText.history(Array(entries), names, style: Self.terminal)
        #expect(
            text == """
                2023-11-14 22:13  Jie edited the note of the trip: +“Bus 28 at nine”
                2023-11-14 22:13  Jie voted for “Casa”
                2023-11-14 22:13  Jie edited the note of “Casa”: +“By the tram”

                """)
        let json = TripJSON.history(Array(entries), names).text
        #expect(json.ranges(of: #""what": "noted""#).count == 5, "\(json)")
    }

    @Test("an edit of a cost names who paid and who shares it where only that changed")
    func costs() throws {
        var world = World(participants: [0, 1])
        for (device, name) in ["Jie", "Noah"].enumerated() { try world.perform(.setName(name), on: device) }
        try world.syncAll()
        let (jie, noah) = (world.nodes[0].participant, world.nodes[1].participant)
        let view = world.view(0)
        let first = try TypedCost(amount: "20 EUR").cost(in: view, by: jie).text
        let cab = try world.add(
            ItemDraft(title: "Cab", fields: [.cost: first, .itemKind: ItemView.expenseKind]), on: 0)
        for typed in [
            TypedCost(amount: "20 EUR", payers: ["Noah"]),
            TypedCost(amount: "20 EUR", payers: ["Noah"], way: .parts, sharers: ["Jie=2", "Noah=1"]),
            TypedCost(amount: "30 EUR"),
        ] {
            let text = try typed.cost(in: view, by: jie).text
            try world.perform(.edit(cab, [.cost: text]), on: 0)
        }
        let entries = TripReplica.history(of: world.changes).suffix(3)
        var trip = LiveTrip(world.nodes[0].replica)
        let names = trip.names(of: entries)
        let equally = jie < noah ? "Jie, Noah" : "Noah, Jie"
        let parts = jie < noah ? "Jie (2 parts), Noah (1 part)" : "Noah (1 part), Jie (2 parts)"
        let paid = "€20.00 for 2 people; paid by"
        #expect(
            entries.flatMap { TerminalText.sentences($0, names) } == [
                "Jie edited “Cab”: cost “\(paid) Noah; shared by \(equally)” (was “\(paid) Jie; shared by \(equally)”)",
                "Jie edited “Cab”: cost “\(paid) Noah; shared by \(parts)” (was “\(paid) Noah; shared by \(equally)”)",
                "Jie edited “Cab”: cost “€30.00 for 2 people” (was “€20.00 for 2 people”)",
            ])
    }

    @Test("days are told in words, wherever they stand")
    func daysInWords() throws {
        var world = World(participants: [0, 1])
        let item = try world.add(ItemDraft(title: "Cabin", fields: [.dates: "2026-06-11/2026-06-15"]), on: 0)
        try world.syncAll()
        try world.perform(.edit(item, [.dates: "2026-06-12/2026-06-14"]), on: 0)
        try world.perform(.edit(item, [.dates: "2026-06-13/2026-06-16"]), on: 1)
        try world.syncAll()
        let view = world.view(0)
        let entries = TripReplica.history(of: world.changes)
        var trip = LiveTrip(world.nodes[0].replica)
        for text in [
            TerminalText.list(view), TerminalText.card(try #require(view.item(item)), of: view.group),
            TerminalText.history(entries, trip.names(of: entries)),
        ] {
            #expect(text.contains("12–14 June 2026") && text.contains("13–16 June 2026"), "\(text)")
            #expect(!text.contains("2026-06"), "\(text)")
        }
    }

    @Test func jsonIsTheSameBytesOnEveryNode() throws {
        let world = try trip()
        let texts = (0..<3).map { TripJSON.list(world.view($0), includingRemoved: true).text }
        #expect(Set(texts.map { Array($0.utf8) }).count == 1)
        #expect(TripJSON.item(world.view(0).items[0], of: world.view(0).group).text == Self.cabinJSON)
        #expect(
            TripJSON.list(TripReplica().view).text == "{\n  \"group\": {\n    \"people\": 0\n  },\n  \"items\": []\n}")
    }

    private static let cabinJSON = """
        {
          "added_at": "2023-11-14T22:13:23Z",
          "added_by": "Jie",
          "also": {
            "title": [
              "Cabin"
            ]
          },
          "cost": {
            "amount": "100",
            "currency": "EUR"
          },
          "done": true,
          "host": "Ana",
          "id": "afd690d3587e",
          "link": "https://example.org/stays/17",
          "not_voted": [
            "Jie"
          ],
          "note": "Quiet.\\nBring boots.",
          "number": 1,
          "place": "48.8584,2.2945",
          "price": "€100",
          "quantity": 1,
          "removed": false,
          "tally": 2,
          "title": "Hut",
          "votes": [
            {
              "name": "Michelle",
              "vote": "for"
            },
            {
              "name": "Noah",
              "vote": "for"
            }
          ]
        }
        """

    @Test func jsonEscapes() {
        let nasty = "\"\\/\u{0}\u{1B}[31m\n\t\r\u{7F}\u{85}\u{2028}\u{202E}é民🏡"
        let expected = #""\"\\/\u0000\u001b[31m\n\t\r\u007f\u0085\u2028\u202eé民🏡""#
        #expect(JSONValue.string(nasty).text == expected)
        let object = JSONValue.object(["b": .bool(true), "a": .integer(.min), "é": .array([]), "z": JSONValue?.none])
        #expect(
            object.text == #"""
                {
                  "a": -9223372036854775808,
                  "b": true,
                  "é": []
                }
                """#)
    }

    @Test func timesOfEveryKindOfClock() {
        let texts: [Int64: String] = [
            978_264_000_000: "2000-12-31T12:00:00Z", 0: "1970-01-01T00:00:00Z", -1: "1969-12-31T23:59:59Z",
            951_782_400_000: "2000-02-29T00:00:00Z",
            1_709_251_199_999: "2024-02-29T23:59:59Z", 4_107_542_400_000: "2100-03-01T00:00:00Z",
            1_735_689_599_000: "2024-12-31T23:59:59Z", .min: "0001-01-01T00:00:00Z", .max: "9999-12-31T23:59:59Z",
        ]
        for (milliseconds, text) in texts { #expect(CivilTime.rfc3339(milliseconds) == text) }
        #expect(CivilTime(milliseconds: 0, offset: 8 * 3600).toTheMinute == "1970-01-01 08:00")
        #expect(CivilTime(milliseconds: .max, offset: .max).toTheMinute == "9999-12-31 23:59")
    }

    @Test func columnsFitWhateverTheScript() {
        for text in ["", "abc", "民宿民宿", "👩‍👩‍👧‍👦 family", "🇵🇹🇪🇸", "e\u{301}e\u{301}", "a\u{200B}b"] {
            for width in 1...12 { #expect(DisplayWidth.of(DisplayWidth.fit(text, to: width)) == width) }
        }
        #expect(DisplayWidth.of("🇵🇹") == 2 && DisplayWidth.of("e\u{301}") == 1 && DisplayWidth.of("民") == 2)
        #expect(DisplayWidth.wrap("one two three\n\nfour", to: 7) == ["one two", "three", "", "four"])
        #expect(DisplayWidth.wrap(" 1  Ana\n 1  Ana Lopes", to: 8) == [" 1  Ana", "1 Ana", "Lopes"])
    }

    @Test("a reader's zone has another offset in summer, and UTC is said")
    func timesOfAZone() {
        let summer: Int64 = 1_780_000_000_000
        let lisbon = TextStyle(secondsFromUTC: { $0 < summer ? 0 : 3600 })
        #expect(lisbon.time(summer - 60_000) == "2026-05-28 20:25")
        #expect(lisbon.time(summer) == "2026-05-28 21:26")
        #expect(TextStyle().time(summer) == "2026-05-28 20:26 UTC")
        #expect(TextStyle(secondsFromUTC: { _ in .max }).time(.max) == "9999-12-31 23:59")
    }

    @Test("nothing is wrapped or cut in a pipe, and everything is in a narrow terminal")
    func widths() throws {
        var world = World(participants: [0])
        let words = Array(repeating: "wide", count: 40).joined(separator: " ")
        let draft = ItemDraft(title: words, fields: [.note: words + "\nmore", .link: "https://example.org/a"])
        let item = try world.add(draft, on: 0)
        let view = world.view(0)
        let entries = TripReplica.history(of: world.changes)
        var trip = LiveTrip(world.nodes[0].replica)
        let names = trip.names(of: entries)
        let texts = { (style: TextStyle) in
            [
                TerminalText.list(view, style: style),
                TerminalText.card(try #require(view.item(item)), of: view.group, style: style),
                TerminalText.history(entries, names, style: style),
            ]
        }
        for text in try texts(TextStyle()) { #expect(text.contains(words) || text.contains("“wide wide")) }
        #expect(try texts(TextStyle())[0].contains("\(words) …"), "the first line of the note, whole")
        for width in [1, 40, 57, 100] {
            for text in try texts(TextStyle(width: width)) {
                for line in text.split(separator: "\n") { #expect(DisplayWidth.of(line) <= max(40, width), "\(line)") }
            }
        }
    }

    @Test("votes, expenses, balances and the status fit a narrow terminal")
    func narrow() throws {
        var world = try trip()
        let title = "A house by the lake with a sauna and a boat"
        let house = try world.add(ItemDraft(title: title), on: 0)
        try world.syncAll()
        for person in 0..<3 { try world.perform(.vote([house], .for), on: person) }
        let jie = world.nodes[0].participant
        let cost = try TypedCost(amount: "1284.50 EUR").cost(in: world.view(0), by: jie).text
        _ = try world.add(
            ItemDraft(title: title, fields: [.cost: cost, .itemKind: ItemView.expenseKind]), on: 0)
        try world.syncAll()
        let view = world.view(0)
        let style = TextStyle(width: 40)
        let lines = ["Not running. Start the node with `caravan up`", "  Noah: up to date"]
        let status = TerminalText.within(lines, style)
        #expect(status == ["Not running. Start the node with", "`caravan up`", "  Noah: up to date"])
        for text in [
            TerminalText.list(view, style: style), TerminalText.costs(view, style: style),
            TerminalText.balances(view, style: style),
        ] {
            for line in text.split(separator: "\n") { #expect(DisplayWidth.of(line) <= 40, "\(line)") }
        }
    }

    @Test("a text is broken between words, and a command on a line of its own stays whole")
    func fitted() {
        let sentence = "  The node is running, so stop it with `caravan down`, then set the passphrase again"
        let command = "  caravan mailbox add FOLDER --code 9f2c51e07ab34d6685d0c1e2f3a4b596"
        let text = sentence + "\n" + command + "\n"
        let fitted = TextStyle(width: 40).fitted(text)
        let lines = fitted.split(separator: "\n").map(String.init)
        #expect(lines.last == command && lines.count == 4, "\(fitted)")
        #expect(lines.dropLast().allSatisfy { DisplayWidth.of($0) <= 40 && $0.hasPrefix("  ") }, "\(fitted)")
        #expect(fitted.split(whereSeparator: \.isWhitespace) == text.split(whereSeparator: \.isWhitespace))
        #expect(TextStyle().fitted(text) == text)
    }

    @Test("payments without an expense have no total")
    func payments() throws {
        var world = try trip()
        let people = world.nodes.map(\.participant)
        let euro = try #require(Currency(code: "EUR"))
        let paid = try Cost(payment: Money(500, euro), from: people[0], to: people[1]).text
        _ = try world.add(
            ItemDraft(title: "Payment", fields: [.payment: paid, .itemKind: ItemView.paymentKind]), on: 0)
        let text = TerminalText.costs(world.view(0))
        #expect(text.contains("Jie paid Michelle") && !text.contains("Total"), "\(text)")
    }

    @Test func boldIsForTerminalsThatAskForIt() throws {
        let view = try trip().view(0)
        #expect(!TerminalText.list(view).utf8.contains(0x1B))
        #expect(
            TerminalText.list(view, style: TextStyle(isStyled: true)).hasPrefix("\u{1B}[1mSummer by the lake\u{1B}[0m"))
    }
}
