import Foundation
import Testing

/// Which items the commands of costs take, and what they read and write.
struct CostChoiceTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Dinner", "--kind", "stay")
        return caravan
    }

    @Test("costs are removed and edited among expenses and payments alone, also where something else has the title")
    func chosenAmongCosts() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for command in [["remove", "1"], ["edit", "1", "--amount", "3 EUR"], ["remove", "Dinner"]] {
            let outcome = try await caravan.run(["cost"] + command)
            #expect(outcome.isRefusal(saying: "“Dinner” is neither an expense nor a payment"), outcome.summary)
        }
        try await caravan.done("cost", "add", "Dinner", "84 EUR")
        try await caravan.done("cost", "edit", "dinner", "--amount", "90")
        #expect(try await caravan.json("cost", "list")["expenses"].elements.map { $0["amount"].text } == ["90.00"])
        try await caravan.done("cost", "remove", "Dinner")
        #expect(try await caravan.json("cost", "list")["expenses"].elements.isEmpty)
        #expect(try await caravan.json("list")["items"].elements.count == 1)
    }

    @Test("the receipt of an expense shows its amount, and an amount with two readings is refused")
    func amount() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let refused = try await caravan.run("cost", "add", "Taxi", "84.505 EUR")
        #expect(refused.isRefusal(saying: "write 84505 or, with 2 decimals, 84.50"), refused.summary)
        #expect(try await caravan.done("cost", "add", "Taxi", "84 EUR").contains("“Taxi” · €84.00"))
        #expect(try await caravan.done("cost", "edit", "Taxi", "--amount", "85").contains("“Taxi” · €85.00"))
    }

    @Test("what was exported and is imported again into the same trip is there already, payments too")
    func exportedAgain() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let caravan = trip.founder
        try await caravan.done("cost", "add", "Taxi", "84 EUR")
        #expect(try await caravan.done("settle", "Noah", "20").contains("€20.00"))
        let scratch = try ScratchFolder()
        let file = scratch.path + "/costs.csv"
        try await caravan.done("cost", "export", file)
        let again = try await caravan.done("cost", "import", file)
        #expect(again.contains("Nothing changed: added 0 expenses; skipped 2 duplicates"), "\(again)")
        let all = try await caravan.json("cost", "list")
        #expect(all["expenses"].elements.count == 1 && all["payments"].elements.count == 1)
        _ = noah
    }

    @Test("a member is named in any case, in every script and wherever one is named")
    func nameInAnyCase() async throws {
        let trip = try await Gathering()
        let other = try await trip.joined("other", as: "Élodie")
        let caravan = trip.founder
        try await caravan.done("add", "Tent")
        for line in [
            ["cost", "add", "Taxi", "84 EUR", "--by", "élodie", "--for", "ÉLODIE", "--for", "jie"],
            ["settle", "élodie", "5"], ["edit", "Tent", "--assignee", "élodie"],
            ["list", "--where", "assignee=élodie"], ["history", "--by", "élodie"],
        ] {
            let outcome = try await caravan.run(line)
            #expect(outcome.status == 0, outcome.summary)
        }
        #expect(try await caravan.json("list", "--where", "assignee=élodie")["items"].elements.count == 1)
        _ = other
    }

    @Test("the balances and the error say the command that settles a debt, to the payer and to the payee")
    func severalCurrencies() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let caravan = trip.founder
        try await caravan.done("cost", "add", "Taxi", "84 EUR", "--by", "Noah")
        let owing = try await caravan.done("balances")
        #expect(
            owing.contains("Jie pays Noah €42.00 (record it with `caravan settle \"Noah\" \"42.00 EUR\"`)"), "\(owing)")
        try await caravan.done("cost", "edit", "Taxi", "--by", "Jie")
        try await caravan.done("cost", "add", "Fondue", "20 CHF")
        let balances = try await caravan.done("balances")
        for amount in ["42.00 EUR", "10.00 CHF"] {
            #expect(
                balances.contains("(record it with `caravan settle \"Noah\" \"\(amount)\" --received`)"), "\(balances)")
        }
        let several = try await caravan.run("settle", "Noah")
        for amount in ["42.00 EUR", "10.00 CHF"] {
            #expect(
                several.isRefusal(saying: "`caravan settle \"Noah\" \"\(amount)\" --received`"), several.summary)
            try await caravan.done("settle", "Noah", amount, "--received")
        }
        #expect(try await !caravan.done("balances").contains("To settle up"))
        _ = noah
    }

    @Test("a dash is standard output, and no file")
    func standardOutput() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        caravan.wrapper = ["/usr/bin/env", "-C", scratch.path]
        try await caravan.done("cost", "add", "Taxi", "84 EUR")
        for command in [["cost", "export"], ["export"]] {
            let plain = try await caravan.run(command)
            let outcome = try await caravan.run(command + ["-"])
            #expect(outcome.status == 0 && outcome.output == plain.output, outcome.summary)
        }
        #expect(!scratch.contents().contains("-"))
    }

    @Test("a table without a title is refused on standard input as it is in a file, and so is a table of expenses")
    func standardInput() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let tables = [
            ("animal,colour\nDog,blue\n", "no column is called title"),
            ("Date,Description,Category,Cost,Currency,Jie\n2026-01-01,Taxi,,10,EUR,0\n", "caravan cost import"),
            ("date,title,category,amount,currency,rate,paid_by,split,shares,note\n", "caravan cost import"),
        ]
        for (text, reason) in tables {
            let file = scratch.path + "/table.csv"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let named = try await caravan.run("import", file)
            #expect(named.isRefusal(saying: reason), named.summary)
            let typed = try caravan.start(["import", "-"], input: FileHandle(forReadingAtPath: file))
            let outcome = try await typed.ended(within: 60)
            #expect(outcome.isRefusal(saying: reason), outcome.summary)
        }
        // Words with commas are no table.
        for (number, text) in ["Bread, butter\nMilk, eggs\n", "1,5 kg flour\n0,5 l oil\n"].enumerated() {
            let file = scratch.path + "/list\(number)"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            #expect(try await caravan.done("import", file).contains("2 items"))
        }
    }
}
