import Foundation
import Testing

/// Answers that say what was done, or what is wrong, so that nobody has to guess.
struct PlainAnswerTests {
    private func home(_ scratch: ScratchFolder, items: String...) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        for item in items { try await caravan.done("add", item) }
        return caravan
    }

    @Test("a word that is no command is named, with the nearest one or the commands of its group")
    func unknownCommands() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for (words, saying) in [
            ([""], "the command is empty ("), (["frobnicate"], "there is no command `caravan frobnicate`"),
            (["lst"], "no command `caravan lst`; did you mean `caravan list`?"),
            (["lists", "shwo"], "no command `caravan lists shwo`; did you mean `caravan lists show`?"),
            (
                ["cost", "frob"],
                "no command `caravan cost frob`; `caravan cost` has list, add, edit, remove, import, export (see caravan cost --help)"
            ),
            (["ad", "x"], "no command `caravan ad`; did you mean `caravan add`? (see caravan --help)"),
        ] {
            let outcome = try await caravan.run(words)
            #expect(outcome.isRefusal(saying: saying, status: 64), outcome.summary)
        }
    }

    @Test("a value that is not understood is answered with how it is written")
    func forms() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Soap")
        for (words, saying) in [
            (["up", "--port", "70000"], "write a number from 0 to 65535"),
            (["invite", "--expires", "soon"], "write a time such as 30m"),
            (["add", "x", "--beds", "-1"], "-1 is below 0"),
            (["bring", "1", "--count", "0"], "--count takes 1 or more"),
            (["invite", "--uses", "0"], "--uses takes 1 or more"),
            (["add", "Tent", "--quantity", "0"], "--quantity takes 1 or more"),
            (["add", "Tent", "--quantity", "-1"], "-1 is below 0; --quantity takes a whole number from 1 ("),
            (["add", "Tent", "--quantity=2.5"], "write a whole number from 1 ("),
            (["cost", "add", "x", "3 EUR", "--category", ""], "--category is empty"),
            (["edit", "1", "--clear", "title"], "the title can't be cleared; write another one with --title"),
            (["add", "--kind", "dates", "--dates", "2026-07-15..12"], "or the end is before the start"),
        ] {
            let outcome = try await caravan.run(words)
            #expect(outcome.isRefusal(saying: saying, status: 64), outcome.summary)
        }
        #expect(try await caravan.run("cost", "add", "x", "¥5000").isRefusal(saying: "write 5000 JPY"))
        try await caravan.done("quantity", "1", "3")
        try await caravan.done("quantity", "1", "--", "-1")
        #expect(try await caravan.json("show", "1")["quantity"] == .number(2))
    }

    @Test("files that are not there are named as files, and not as items")
    func missingFiles() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for name in ["no.backup", "no.bak", "lab/no"] {
            let restore = try await caravan.run("restore", name)
            #expect(restore.isRefusal(saying: "there is no item and no file “\(name)”"), restore.summary)
        }
        let bare = try await caravan.run("restore")
        #expect(bare.status == 64 && bare.errors.contains("<item-or-file>"), bare.summary)
        let browse = try await caravan.run("browse", "ok")
        #expect(browse.isRefusal(saying: "there is no feed and no file “ok”"), browse.summary)
    }

    @Test("how many somebody brings is said, and after a removal how to undo it")
    func receipts() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Ropes", "Soap")
        #expect(try await caravan.done("bring", "1", "--count", "99") == "You now bring 99 of item 1 “Ropes”\n")
        #expect(try await caravan.done("bring", "1", "--count", "99").contains("already bring 99 of"))
        #expect(try await caravan.done("bring", "2") == "You now bring item 2 “Soap”\n")
        #expect(try await caravan.done("remove", "1").contains("`caravan undo` brings it back"))
    }

    @Test("a name that is exactly a list's or a trip's comes before those in another case")
    func exactNames() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Tram")
        try await caravan.done("lists", "new", "Packing", "Soap")
        try await caravan.done("lists", "new", "packing", "Rope")
        #expect(try await caravan.run("list", "--list", "PACKING").isRefusal(saying: "could be"))
        for (name, item, other) in [("Packing", "Soap", "Rope"), ("packing", "Rope", "Soap")] {
            let list = try await caravan.done("list", "--list", name)
            #expect(list.contains(item) && !list.contains(other) && !list.contains("Tram"), "\(list)")
            try await caravan.done("add", "More", "--list", name)
            #expect(try await caravan.json("list", "--list", name)["items"].elements.count == 2)
        }
        try await caravan.done("new", "lisbon in june", "--as", "Noah")
        try await caravan.done("use", "Lisbon in June")
        #expect(try await caravan.done("list").contains("Jie"))
    }

    @Test("expenses are in no list of the plan, whatever it is asked for, and a search says what they are")
    func expensesAsExpenses() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Loft", "--amenity", "wifi")
        try await caravan.done("cost", "add", "Dinner", "20 EUR", "--category", "food")
        #expect(try await !caravan.done("list", "--where", "done=").contains("Dinner"))
        #expect(try await caravan.done("list", "--where", "category=food").contains("expense of €20.00"))
        #expect(try await caravan.done("search", "dinner").contains("expense of €20.00"))
        #expect(try await caravan.done("search", "WIFI").contains("Loft"))
        for words in [["choose", "2"], ["bring", "2"]] {
            let outcome = try await caravan.run(words)
            #expect(outcome.isRefusal(saying: "“Dinner” is an expense"), outcome.summary)
        }
    }

    @Test("an expense stays one, whatever an edit would make of it")
    func expensesStay() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("cost", "add", "Dinner", "20 EUR")
        for (option, value, part) in [
            ("--kind", "activity", "no kind"), ("--kind", "bring", "no kind"), ("--clear", "kind", "no kind"),
            ("--amenity", "wifi", "no amenities\n"), ("--beds", "3", "no beds\n"), ("--quantity", "3", "no quantity\n"),
            ("--assignee", "Jie", "no assignee\n"), ("--due", "2099-03-01", "no due date\n"),
            ("--price", "20 EUR", "no price; change its amount with `caravan cost edit`"),
        ] {
            let outcome = try await caravan.run("edit", "Dinner", option, value)
            #expect(outcome.isRefusal(saying: "“Dinner” is an expense, and has \(part)"), outcome.summary)
        }
        let done = try await caravan.run("edit", "Dinner", "--done")
        #expect(done.isRefusal(saying: "“Dinner” is an expense, and cannot be marked as done"), done.summary)
        #expect(try await caravan.json("list")["items"].elements.isEmpty)
        #expect(try await caravan.json("cost")["expenses"].elements.count == 1)
    }

    @Test("questions and expenses are moved to no list, which would not show them")
    func movedToNoList() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Tent")
        try await caravan.done("lists", "new", "Packing")
        try await caravan.done("ask", "When?", "Friday", "Saturday")
        try await caravan.done("cost", "add", "Dinner", "20 EUR")
        for (item, part) in [("When?", "a question, and in no list"), ("Dinner", "an expense, and in no list")] {
            let outcome = try await caravan.run("move", item, "Tent", "--list", "Packing")
            #expect(outcome.isRefusal(saying: "“\(item)” is \(part)"), outcome.summary)
        }
        #expect(try await caravan.done("lists").contains("0 items"))
        try await caravan.done("move", "Tent", "--list", "Packing")
    }
}
