import Testing
import TripFixtures

@testable import TripModel

/// What actions refuse, in which words, and that a refusal changes nothing.
@Suite struct ActionTests {
    private func refusal(_ action: TripAction, on world: World, device: Int = 0) -> TripError? {
        var world = world
        let before = world.nodes[device].replica
        do {
            try world.perform(action, on: device)
            return nil
        } catch {
            #expect(world.nodes[device].replica == before)
            let error = error as? TripError
            #expect(error.map { !$0.message.contains("\n") && $0.message.utf8.count < 200 } ?? false, "one clear line")
            return error
        }
    }

    private func world() throws -> (World, there: ItemID, gone: ItemID) {
        var world = World(participants: [0, 1])
        let there = try world.add(ItemDraft(title: "Cabin", fields: [.note: "n"]), on: 0)
        let gone = try world.add(ItemDraft(title: "Hut", quantity: 1), on: 0)
        try world.perform(.remove([gone]), on: 0)
        try world.syncAll()
        return (world, there, gone)
    }

    @Test func textsHaveRules() throws {
        let (world, item, _) = try world()
        let long = String(repeating: "x", count: 100_000)
        let titles: [(String, TripError.Code)] = [
            ("", .emptyText), (" \n\t ", .emptyText), ("\u{200B}\u{2060}\u{FEFF}", .emptyText), (long, .textTooLong),
            ("a\u{0}b", .forbiddenCharacter), ("a\nb", .forbiddenCharacter), ("a\u{1B}[2Jb", .forbiddenCharacter),
            ("a\u{202E}b", .forbiddenCharacter), ("a\u{2067}b", .forbiddenCharacter),
            ("a\u{2028}b", .forbiddenCharacter), (String(repeating: "民", count: 201), .textTooLong),
        ]
        for (text, code) in titles {
            for action in [
                TripAction.add([ItemDraft(title: "fine"), ItemDraft(title: text)]), .edit(item, [.title: text]),
                .setTitle(text), .setName(text),
            ] { #expect(refusal(action, on: world)?.code == code, "\(text.prefix(9).debugDescription) \(action)") }
        }
        let wide = String(repeating: "w", count: 201)
        #expect(
            refusal(.add([ItemDraft(title: "fine"), ItemDraft(title: wide)]), on: world)?.message
                == "\(wide.quoted): the title has 201 characters, more than 200; shorten it", "which one it is")
        #expect(refusal(.edit(item, [.title: String?.none]), on: world)?.code == .emptyText)
        #expect(refusal(.setName(String(repeating: "n", count: 65)), on: world)?.code == .textTooLong)
        let fields: [(Field, String, TripError.Code?)] = [
            (.note, "two\nlines\twith a tab\r\nand CRLF \u{202E}", nil), (.note, "bell\u{7}", .forbiddenCharacter),
            (.details, String(repeating: "d", count: 10_000), nil),
            (.details, String(repeating: "d", count: 10_001), .textTooLong),
            (.link, "HTTPS://example.org/?q=1#x", nil), (.link, "https://", .malformedValue),
            (.link, "javascript:alert(1)", .malformedValue), (.link, "https://a b", .malformedValue),
            (.place, "48.8584,2.2945", nil), (.place, "-90,-180", nil), (.place, "90.1,0", .malformedValue),
            (.place, "0,180.5", .malformedValue), (.place, "nan,0", .malformedValue),
            (.place, "1e1,0", .malformedValue),
            (.place, "0x1,0", .malformedValue), (.place, "1,", .malformedValue), (.place, "1.,2", .malformedValue),
            (.place, "1,2,3", .malformedValue), (.price, "€120 / night", nil), (.host, "👩‍👩‍👧‍👦 & co", nil),
            (.done, "true", nil), (.done, "false", .malformedValue), (.done, "truer", .malformedValue),
        ]
        for (field, value, code) in fields {
            #expect(refusal(.edit(item, [field: value]), on: world)?.code == code, "\(field) \(value.prefix(20))")
        }
        for beds in ["10000", "100000000", "1000000000000000000000"] {
            #expect(
                refusal(.edit(item, [.beds: beds]), on: world)?.message
                    == "the number of beds must be between 1 and 9999")
        }
    }

    @Test("a price below 0 is refused where somebody writes it, and shown where an earlier version wrote it")
    func priceBelowZero() throws {
        var (world, item, _) = try world()
        for price in ["-5 EUR", "€-5", "−20", "EUR -80 a night", "- 5", "-€5"] {
            let draft = ItemDraft(title: "Loft", fields: [.price: price])
            for action in [TripAction.edit(item, [.price: price]), .add([draft])] {
                let error = refusal(action, on: world)
                #expect(error?.message == "the price is below 0; write a price of 0 or more", "\(price)")
            }
            var wishes = WishList()
            #expect(throws: TripError.self) {
                try wishes.add(Wish(title: "Loft", fields: [.price: price]), by: 1)
            }
        }
        for price in ["5 EUR", "80-90 EUR", "mid-June: 80", "free", "€80 - a night"] {
            #expect(refusal(.edit(item, [.price: price]), on: world) == nil, "\(price)")
        }
        let earlier = FieldWrite(field: .price, value: .text(Text("-5 EUR")), siblings: [])
        try world.write(TripContent.encode([.item(.there(item.operation), .edit([earlier]))]), on: 0)
        #expect(world.view(0).items[0].fields[.price]?.value == "-5 EUR")
    }

    @Test("tags outside a flag and piles of marks are refused where somebody types them, and shown where they stand")
    func hiddenTexts() throws {
        var (world, item, _) = try world()
        let piled = "e" + String(repeating: "\u{301}", count: 11)
        for (text, part) in [(piled, "more than 10 marks on one letter"), ("民\u{E0041}宿", "an invisible character")] {
            for action in [
                TripAction.add([ItemDraft(title: text)]), .edit(item, [.title: text]), .edit(item, [.price: text]),
                .setTitle(text), .setName(text),
            ] {
                let error = refusal(action, on: world)
                #expect(error?.code == .forbiddenCharacter && error?.message.contains(part) == true, "\(action)")
            }
            var wishes = WishList()
            #expect(throws: TripError.self) { try wishes.add(Wish(title: text), by: 1) }
        }
        let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
        for text in [scotland + " Skye", "e\u{301}\u{302}", "\u{F67}\u{F90}\u{FB5}\u{FA8}", "👩\u{200D}👧"] {
            #expect(refusal(.edit(item, [.title: text]), on: world) == nil, "\(text)")
        }
        let earlier = FieldWrite(field: .title, value: .text(Text(piled)), siblings: [])
        try world.write(TripContent.encode([.item(.there(item.operation), .edit([earlier]))]), on: 0)
        #expect(world.view(0).items[0].title == piled)
    }

    @Test func textsAreKeptAsTheirRulesSay() throws {
        var (world, item, _) = try world()
        try world.perform(.edit(item, [.title: "  Cabin by\u{A0}the lake\u{3000}", .note: "\r\na\r\nb\rc\n\n"]), on: 0)
        #expect(world.view(0).items[0].title == "Cabin by\u{A0}the lake")
        #expect(world.view(0).items[0].fields[.note]?.value == "a\nb\nc")
        try world.perform(.edit(item, [.note: " "]), on: 0)
        #expect(world.view(0).items[0].fields[.note] == nil, "an empty note is none")
    }

    @Test func whatIsRemovedMustBeRestoredFirst() throws {
        let (world, there, gone) = try world()
        for action in [
            TripAction.edit(gone, [.note: "a"]), .vote([there, gone], .for), .vote([gone], nil),
            .changeQuantity(gone, by: 1),
        ] {
            let error = refusal(action, on: world)
            #expect(error?.code == .itemRemoved && error?.message == "“Hut” is removed; restore it first")
        }
        #expect(refusal(.remove([there, gone]), on: world)?.code == .itemRemoved)
        #expect(refusal(.restore([gone, there]), on: world)?.code == .itemNotRemoved)
        let never = world.item(0)
        for action in [TripAction.vote([never], .for), .edit(never, [:]), .remove([never]), .restore([never])] {
            #expect(refusal(action, on: World(participants: [0]))?.code == .unknownItem)
        }
    }

    @Test func whatChangesNothingSaysSo() throws {
        var (world, item, gone) = try world()
        try world.perform(.setTitle("Trip"), on: 0)
        try world.perform(.setName("Jie"), on: 0)
        for action in [
            TripAction.edit(item, [.title: "Cabin"]), .edit(item, [.title: " Cabin ", .price: nil]), .edit(item, [:]),
            .setTitle("Trip"), .setName("Jie"), .vote([item], nil),
        ] { #expect(refusal(action, on: world)?.code == .nothingChanged, "\(action)") }
        for action in [TripAction.add([]), .remove([]), .restore([]), .vote([], .for), .vote([], nil)] {
            #expect(refusal(action, on: world)?.code == .nothingNamed, "\(action)")
        }
        // Texts that look alike and differ in bytes are different.
        try world.perform(.edit(item, [.title: "Cafe\u{301}"]), on: 0)
        #expect(refusal(.edit(item, [.title: "Caf\u{E9}"]), on: world) == nil)
        // Only what differs is written.
        let content = try world.nodes[0].replica.perform(
            .edit(item, [.note: "n", .price: "1"]), by: world.nodes[0].participant)
        let price = FieldWrite(field: .price, value: .text(Text("1")), siblings: [])
        #expect(TripContent(content).operations == [.item(.there(item.operation), .edit([price]))])
        try world.perform(.restore([gone]), on: 0)
        #expect(refusal(.restore([gone]), on: world)?.code == .itemNotRemoved)
    }

    @Test("a quantity is set by a step, so what others add at the same moment still counts")
    func setQuantity() throws {
        var (world, item, _) = try world()
        try world.perform(.changeQuantity(item, by: 2), on: 0)
        let content = try world.nodes[0].replica.perform(
            .act(.setQuantity(12), on: [item]), by: world.nodes[0].participant)
        #expect(TripContent(content).operations == [.item(.there(item.operation), .changeQuantity(by: 10))])
        try world.perform(.act(.setQuantity(0), on: [item]), on: 0)
        #expect(world.view(0).items[0].quantity == Int64(0))
        #expect(refusal(.act(.setQuantity(0), on: [item]), on: world)?.code == .nothingChanged)
        for count in [-1, Limits.quantityStep + 1, .min] {
            #expect(refusal(.act(.setQuantity(count), on: [item]), on: world)?.code == .outOfRange)
        }
    }

    @Test func quantitiesAndSizesHaveBounds() throws {
        var (world, item, _) = try world()
        for step in [0, Limits.quantityStep + 1, -Limits.quantityStep - 1, Int64.min, Int64.max, -1] {
            #expect(refusal(.changeQuantity(item, by: step), on: world)?.code == .outOfRange, "\(step)")
        }
        for quantity in [0, -1, Limits.quantityStep + 1] {
            #expect(refusal(.add([ItemDraft(title: "a", quantity: quantity)]), on: world)?.code == .outOfRange)
        }
        try world.perform(.changeQuantity(item, by: 2), on: 0)
        #expect(refusal(.changeQuantity(item, by: -3), on: world)?.code == .outOfRange)
        try world.perform(.changeQuantity(item, by: -2), on: 0)
        #expect(world.view(0).items[0].quantity == Int64(0))
        let many = (0...Limits.operationsPerChange).map { ItemDraft(title: "item \($0)") }
        #expect(refusal(.add(many), on: world)?.code == .tooMuchAtOnce)
        let heavy = (0..<120).map { ItemDraft(title: "\($0)", fields: [.note: String(repeating: "n", count: 10_000)]) }
        #expect(refusal(.add(heavy), on: world)?.code == .tooMuchAtOnce)
        try world.perform(.add(Array(many.dropLast())), on: 0)
        #expect(world.view(0).items.count == Limits.operationsPerChange + 1)
    }

    @Test("a text has as many characters as its rule says, in any script")
    func charactersNotBytes() throws {
        var (world, item, _) = try world()
        for letter in ["a", "é", "民", "🏡"] {
            #expect(refusal(.setName(String(repeating: letter, count: 64)), on: world) == nil)
            #expect(
                refusal(.setName(String(repeating: letter, count: 65)), on: world)?.message
                    == "the name has 65 characters, more than 64; shorten it")
            let note = String(repeating: letter, count: Limits.noteCharacters)
            #expect(refusal(.edit(item, [.note: note + letter]), on: world)?.code == .textTooLong)
            // What one node writes every node takes.
            try world.perform(.edit(item, [.note: note, .title: String(repeating: letter, count: 200)]), on: 0)
        }
        // A scalar is what counts, and not what a reader takes for one character.
        #expect(refusal(.setName(String(repeating: "👩‍👩‍👧‍👦", count: 9)), on: world) == nil)
        #expect(refusal(.setName(String(repeating: "👩‍👩‍👧‍👦", count: 10)), on: world)?.code == .textTooLong)
    }

    @Test("a place is taken as people paste it, and kept in one form")
    func places() throws {
        var (world, item, _) = try world()
        for (given, kept) in [
            ("38.7, -9.1", "38.7,-9.1"), (" +38.7 ,\t+9.1 ", "38.7,9.1"), ("38.7 -9.1", "38.7,-9.1"),
            ("-1  2", "-1,2"), ("48.8584,2.2945", "48.8584,2.2945"),
        ] {
            try world.perform(.edit(item, [.place: given]), on: 0)
            #expect(world.view(0).items[0].fields[.place]?.value == kept)
            try world.perform(.add([ItemDraft(title: "there", fields: [.place: given])]), on: 0)
            #expect(world.view(0).items.last?.fields[.place]?.value == kept)
        }
        for wrong in ["38.7", "1,2,3", "1 2 3", "++1,2", "+-1,2", "1,+", "1 , ", "Lisbon, Portugal", "1;2;3"] {
            #expect(refusal(.edit(item, [.place: wrong]), on: world)?.code == .malformedValue, "\(wrong)")
        }
        // What is written in another form has no effect.
        let before = world.view(0).items[0].fields[.place]
        let write = FieldWrite(field: .place, value: .text(Text("38.7, -9.1")), siblings: [])
        try world.write(TripContent.encode([.item(.there(item.operation), .edit([write]))]), on: 0)
        #expect(world.view(0).items[0].fields[.place] == before)
    }

    @Test("a vote that says nothing new writes nothing")
    func votesAlreadyCast() throws {
        var (world, first, _) = try world()
        let second = try world.add(ItemDraft(title: "Hostel"), on: 0)
        for (vote, word) in [(Vote.for, "for"), (.against, "against")] {
            try world.perform(.vote([first], vote), on: 0)
            let error = refusal(.vote([first, first], vote), on: world)
            #expect(error?.code == .nothingChanged && error?.message == "you already voted \(word) “Cabin”")
            // Only what is new is written.
            let content = try world.nodes[0].replica.perform(
                .vote([first, second], vote), by: world.nodes[0].participant)
            #expect(TripContent(content).operations == [.item(.there(second.operation), .vote(vote))])
            try world.perform(.vote([first, second], vote), on: 0)
            #expect(
                refusal(.vote([first, second], vote), on: world)?.message
                    == "you already voted \(word) all of these")
            // Another's vote is another's.
            #expect(refusal(.vote([first], vote), on: world, device: 1) == nil)
        }
        try world.perform(.vote([second], nil), on: 0)
        #expect(
            refusal(.vote([second], nil), on: world)?.message == "you have no vote on “Hostel”; nothing to withdraw")
        let content = try world.nodes[0].replica.perform(
            .vote([first, second], nil), by: world.nodes[0].participant)
        #expect(TripContent(content).operations.count == 1)
    }

    @Test("taking away more than there is says how many there are, and can be short")
    func quantitiesThatAreShort() throws {
        var (world, _, _) = try world()
        let eggs = try world.add(ItemDraft(title: "Eggs", quantity: 3), on: 0)
        try world.syncAll()
        let take = { (count: Int64, world: World) in refusal(.changeQuantity(eggs, by: -count), on: world)?.message }
        #expect(take(4, world) == "only 3 left of “Eggs”; cannot take 4")
        for device in 0..<2 { try world.perform(.changeQuantity(eggs, by: -2), on: device) }
        #expect(take(2, world) == "only 1 left of “Eggs”; cannot take 2")
        try world.syncAll()
        #expect(world.nodes.indices.allSatisfy { world.view($0).items.last?.quantity == -1 })
        #expect(take(1, world) == "“Eggs” is already short by 1; cannot take 1")
        try world.perform(.changeQuantity(eggs, by: 1), on: 0)
        #expect(take(1, world) == "none left of “Eggs”; cannot take 1")
    }
}
