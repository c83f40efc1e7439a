import Testing

/// A quantity is set or stepped, and one edit changes all that an item says.
struct EditQuantityTests {
    @Test("a plain number sets a quantity, a sign adds to it")
    func quantity() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Tents", "--quantity", "2")
        for (change, count) in [("3", 3), ("3", 3), ("+3", 6), ("-1", 5), ("0", 0), ("12", 12)] as [(String, Int64)] {
            let outcome = try await caravan.run("quantity", "Tents", change)
            #expect(outcome.status == 0, outcome.summary)
            #expect(try await caravan.json("show", "Tents")["quantity"] == .number(count), "\(change)")
        }
        try await caravan.done("edit", "Tents", "--quantity", "4")
        try await caravan.done("edit", "Tents", "--quantity", "-1")
        #expect(try await caravan.json("show", "Tents")["quantity"] == .number(3))
        #expect(try await caravan.run("quantity", "Tents", "--set", "8").status == 0, "as it was written before")
    }

    @Test("an amenity in capitals is the same as in lower case, and the help says so")
    func amenitiesInCapitals() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Hut", "--amenity", "WLAN", "--amenity", "Frühstück")
        let again = try await caravan.run("edit", "1", "--amenity", "wlan")
        #expect(again.status == 0, again.summary)
        #expect(try await caravan.json("show", "1")["amenities"].elements == [.text("frühstück"), .text("wlan")])
        for command in ["add", "edit"] {
            let help = try await caravan.done(command, "--help").split(whereSeparator: \.isWhitespace)
            #expect(help.joined(separator: " ").contains("n amenity in lower case"))
        }
    }

    @Test("fields, amenities and the quantity are changed by one command")
    func together() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Casa", "--amenity", "pool")
        let receipt = try await caravan.json(
            [
                "edit", "1", "--title", "Loft", "--amenity", "wifi", "--no-amenity", "pool", "--price", "5",
                "--quantity", "2",
            ])
        #expect(receipt["did"].text == "edited" && receipt["items"].elements.first?["title"].text == "Loft")
        let item = try await caravan.json("show", "Loft")
        #expect(item["amenities"].elements == [.text("wifi")] && item["price"].text == "5")
        #expect(item["quantity"] == .number(2))
        // A part that is so already stops none of the others.
        let again = try await caravan.done("edit", "1", "--amenity", "wifi", "--price", "6")
        #expect(again == "Edited 1 “Loft”\n", "\(again)")
        #expect(try await caravan.json("show", "1")["price"].text == "6")
        let same = try await caravan.run("edit", "1", "--amenity", "wifi", "--price", "6")
        #expect(same.status == 0, same.summary)
    }
}
