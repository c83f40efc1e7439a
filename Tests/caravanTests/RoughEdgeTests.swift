import Foundation
import TestTiers
import Testing

/// What a first hour on the command line stumbled over.
struct RoughEdgeTests {
    private func home(_ scratch: ScratchFolder, items: String..., name: String = "home") async throws -> Product {
        let caravan = Product(home: scratch.path + "/" + name)
        try await caravan.done("new", "Fjords", "--as", "Jie")
        for item in items { try await caravan.done("add", item) }
        return caravan
    }

    @Test("what was so already is no failure, and is told in one way")
    func unchanged() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Fjords", "--as", "Jie")
        #expect(try await caravan.done("undo") == "Nothing changed: there is nothing to undo\n")
        #expect(try await caravan.done("down") == "Nothing changed: no node is running\n")
        try await caravan.done("add", "Kayak")
        try await caravan.done("choose", "1")
        for line in [
            "choose 1", "going 1 --withdraw", "vote 1", "vote 1", "unplan 1", "remove 1", "remove 1 --dry-run",
        ] {
            _ = try await caravan.run(line.split(separator: " ").map(String.init))
        }
        #expect(
            try await caravan.done("remove", "1", "--dry-run")
                == "Nothing would change: 1 “Kayak” is already removed\n")
        try await caravan.done("restore", "1")
        #expect(try await caravan.done("choose", "1") == "Nothing changed: 1 “Kayak” is already chosen\n")
        #expect(try await caravan.done("vote", "1") == "Nothing changed: you already voted for 1 “Kayak”\n")
        #expect(try await caravan.done("members", "keep", "Jie").hasPrefix("Nothing changed: "))
        #expect(try await caravan.done("unplan", "1") == "Nothing changed: 1 “Kayak” is not planned\n")
        #expect(
            try await caravan.done("guests", "--close") == "Nothing changed: no node is running, so no guest can join\n"
        )
        try Data("title\nA\n".utf8).write(to: URL(fileURLWithPath: scratch.path + "/c.csv"))
        try await caravan.done("feeds", "add", scratch.path + "/c.csv")
        #expect(try await caravan.done("feeds", "remove", "c.csv") == "Removed feed “c.csv”\n")
    }

    @Test("recent lists what was opened, and nothing that was only changed")
    func recent() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "A1", "A2")
        try await caravan.done("plan", "A1", "--on", "2027-01-01")
        try await caravan.done("show", "A2")
        #expect(try await caravan.json("recent").elements.map { $0["title"].text } == ["A2"])
    }

    @Test("trips marks the only trip as current, and archived ones")
    func trips() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        #expect(try await caravan.done("trips").hasPrefix("* "))
        try await caravan.done("archive", scratch.path + "/a.html")
        #expect(try await caravan.done("trips").hasSuffix("  Fjords  (archived)\n"))
        #expect(try await caravan.json("trips").elements.map { $0["archived"] } == [.flag(true)])
    }

    @Test("an expense takes nothing that means nothing for it, and one day")
    func expenses() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("cost", "add", "Food", "10 EUR")
        for (line, part) in [
            ("edit Food --price 99", "caravan cost edit"), ("edit Food --beds 2", "expense"), ("going Food", "expense"),
            ("quantity Food 3", "expense"), ("quantity Food +1", "expense"),
        ] {
            let outcome = try await caravan.run(line.split(separator: " ").map(String.init))
            #expect(outcome.isRefusal(saying: part), outcome.summary)
        }
        for day in ["2027-06-12..14", "yesterday"] {
            let added = try await caravan.run("cost", "add", "Fuel", "5 EUR", "--on", day)
            #expect(added.isRefusal(saying: "--on takes one day, such as 2026-06-12"), added.summary)
            let settled = try await caravan.run("settle", "Noah", "5 EUR", "--on", day)
            #expect(settled.isRefusal(saying: "--on takes one day"), settled.summary)
        }
        try await caravan.done("cost", "edit", "Food", "--on", "2027-06-12")
        #expect(try await caravan.json("cost")["expenses"].elements[0]["date"].text == "2027-06-12")
        try await caravan.done("cost", "edit", "Food", "--on", "none")
        #expect(try await caravan.json("cost")["expenses"].elements[0]["date"].text == nil)
    }

    @Test("amounts below 0, shares in percent and payments to oneself are refused in words of their own")
    func amounts() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for (words, part) in [
            (["cost", "add", "Food", "--", "-5 EUR"], "“-5 EUR” is not above 0"),
            (["cost", "add", "Food", "€-5"], "“€-5” is not above 0"),
            (["cost", "add", "Food", "10 EUR", "--percent", "Jie=200"], "between 0.01 and 100 percent"),
            (["cost", "add", "Food", "10 EUR", "--percent", "Jie=0"], "between 0.01 and 100 percent"),
            (["settle", "Jie"], "name another person"), (["settle", "Jie", "5 EUR"], "name another person"),
            (["cost", "add", "Food", "¥5000"], "write 5000 JPY or 5000 CNY"),
            (["cost", "add", "Food", "$12.50"], "write 12.50 USD, 12.50 CAD or 12.50 AUD"),
        ] {
            let outcome = try await caravan.run(words)
            #expect(outcome.isRefusal(saying: part), outcome.summary)
        }
        // The sign of the home currency is understood, and so are signs of one country.
        try await caravan.done("cost", "add", "Ramen", "5000 JPY")
        #expect(try await caravan.done("cost", "add", "Sushi", "¥800").contains("800 JPY"))
        #expect(try await caravan.done("cost", "add", "Tea", "￥300").contains("300 JPY"))
        #expect(try await caravan.done("cost", "add", "Pie", "US$4").contains("4.00 USD"))
        let dollars = try await caravan.run("cost", "add", "Pie", "$4")
        #expect(dollars.isRefusal(saying: "write 4 USD"), dollars.summary)
    }

    @Test("a wrong command line is told without far guesses and without a hint that does not fit")
    func commandLines() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for (line, whole) in [
            ("add --foo x", "unknown option '--foo' ("),
            (
                "add --kind hotel K",
                "the value 'hotel' is invalid for '--kind <kind>': --kind takes stay, activity, bring, idea, dates ("
            ),
            ("add --nots x", "unknown option '--nots'; did you mean --note? ("),
            ("list --limt 3", "unknown option '--limt'; did you mean --limit? ("),
            ("quantity 1 2 --jsn", "unknown option '--jsn'; did you mean --json? ("),
            ("quantity 1 -x", "unknown option '-x'; put -- before a text that starts with a dash ("),
            ("edit 3 -y", "unknown option '-y'; put -- before a text that starts with a dash ("),
            ("cost add -x 5", "unknown option '-x'; put -- before a text that starts with a dash ("),
            ("edit 2 --pric 29", "unknown option '--pric'; did you mean --price? ("),
            ("cost edit Js --amont 4", "unknown option '--amont'; did you mean --amount? ("),
            ("plan 3 --onn 2027-05-10", "unknown option '--onn'; did you mean --on? ("),
            ("move 3 --lst Food", "unknown option '--lst'; did you mean --list? ("),
            ("options Q --ad X", "unknown option '--ad'; did you mean --add? ("),
            ("note set --cleer", "unknown option '--cleer'; did you mean --clear? ("),
            ("edit 2 --place -38.7,-9.1 --beds -1", "-1 is below 0; --beds takes a whole number from 1 ("),
            ("--generate-completion-script foo", "can't generate"),
            ("invite --uses -1", "-1 is below 0; --uses takes a whole number from 1 ("),
            ("list --limit -1", "-1 is below 0; --limit takes a whole number from 1 ("),
            ("cost add Cab -3", "“-3” starts with a dash; put -- before it, or = between an option and its value ("),
            ("settle Ben -3", "“-3” starts with a dash; put -- before it, or = between an option and its value ("),
            ("settle Ben -3.5", "“-3.5” starts with a dash; put -- before it, or = between an option and its value ("),
            ("add --beds=-1 B1", "--beds takes 1 or more ("),
            ("add -t x", "give a title, a link or --lines; -t names the trip here ("),
            ("add", "give a title, a link or --lines (usage: caravan add "),
            ("wish", "give a title or a link (usage: caravan wish "),
            ("fetch", "give an item or --always (usage: caravan fetch "),
            (
                "invite --expires 7w",
                "the value '7w' is invalid for '--expires <time>'; write a time such as 30m, 12h or 7d, 3650d at most (usage: caravan invite ["
            ),
            ("invite make --uses 0", "--uses takes 1 or more (usage: caravan invite make ["),
        ] {
            let outcome = try await caravan.run(line.split(separator: " ").map(String.init))
            #expect(outcome.isRefusal(saying: "caravan: " + whole, status: 64), outcome.summary)
        }
        let long = try await caravan.run("invite", "--expires", "99999d")
        #expect(long.isRefusal(saying: "3650d at most", status: 64), long.summary)
        let quotes = try await caravan.run("add", "Casa", "do", "Rio")
        #expect(quotes.isRefusal(saying: "put a title of several words in quotes", status: 64), quotes.summary)
    }

    @Test(
        "a list that is missing is made with the command that the error names, and a second one of its title is noted")
    func lists() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Casa", "Rio")
        let missing = try await caravan.run("add", "Soap", "--list", "Packing")
        #expect(missing.isRefusal(saying: "`caravan lists new`"), missing.summary)
        try await caravan.done("lists", "new", "Packing")
        let second = try await caravan.run("lists", "new", "packing")
        #expect(second.status == 0 && second.errors.contains("another list"), second.summary)
        // The number of an item is no title of a new one, and a number that no item has is one.
        for (typed, numbers) in [("1", "1"), ("1,2", "1 2"), ("1, 99", "1 99")] {
            let numbered = try await caravan.run("lists", "new", "Best sights", typed, "Soap")
            let way = "`caravan lists new \"Best sights\"`, then `caravan move \(numbers) --list \"Best sights\"`"
            #expect(numbered.isRefusal(saying: way), numbered.summary)
        }
        #expect(try await !caravan.done("lists").contains("Best sights"))
        try await caravan.done("lists", "new", "Platforms", "77", "3 towels")
        try await caravan.done("lists", "new", "Bags")
        let renamed = try await caravan.run("lists", "rename", "Bags", "PACKING")
        #expect(renamed.status == 0 && renamed.errors.contains("another list"), renamed.summary)
        let itself = try await caravan.run("lists", "new", "Food")
        #expect(itself.status == 0 && itself.errors == "", itself.summary)
        let trip = try await caravan.run("new", "fjords", "--as", "Jie")
        #expect(trip.status == 0 && trip.errors.contains("another trip"), trip.summary)
        let other = try await caravan.run("rename", "Fjords 2")
        #expect(other.status == 0 && other.errors == "", other.summary)
        let back = try await caravan.run("rename", "Fjords")
        #expect(back.status == 0 && back.errors.contains("another trip"), back.summary)
    }

    @Test("a long note is cut in the list, and whole in show")
    func longNote() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let note = String(repeating: "word ", count: 1_000)
        try await caravan.done("add", "Casa", "--note", note)
        #expect(try await caravan.done("list").count < 600)
        #expect(try await caravan.done("show", "Casa").count > 4_000)
    }

    @Test("programs and files get the order that the list shows")
    func order() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "A", "B", "C")
        try await caravan.done("lists", "new", "P", "x", "y", "z")
        try await caravan.done("move", "A", "--after", "C")
        try await caravan.done("move", "z", "--before", "x")
        let file = scratch.path + "/trip.json"
        try await caravan.done("export", file)
        let other = try await home(scratch, name: "other")
        try await other.done("import", file)
        for trip in [caravan, other] {
            let json = try await trip.json("list")
            let items = json["items"].elements
            let titles = items.filter { $0["list"] == .null }.map { $0["title"].text }
            #expect(titles == ["B", "C", "A"])
            let listed = json["lists"].elements[0]["items"].elements.map { number in
                items.first { $0["number"] == number }?["title"].text
            }
            #expect(listed == ["z", "x", "y"])
        }
    }

    @Test("what is moved to where it stands is not moved, and nothing is written")
    func movedInPlace() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "A", "B", "C")
        try await caravan.done("lists", "new", "P", "x", "y", "z")
        let count = try await caravan.json("history").elements.count
        for line in [
            ["B", "--after", "A"], ["B", "--before", "C"], ["A", "B", "--before", "C"], ["y", "z", "--list", "P"],
            ["y", "--after", "x"], ["z", "--list", "P"],
        ] {
            let outcome = try await caravan.run(["move"] + line)
            #expect(
                outcome.status == 0 && outcome.output.hasPrefix("Nothing changed: "), "\(line): \(outcome.summary)")
        }
        #expect(try await caravan.json("history").elements.count == count)
        for line in [["B", "A", "--before", "C"], ["x", "--list", "P"], ["A", "--after", "x"]] {
            #expect(try await caravan.run(["move"] + line).output.hasPrefix("Moved "), "\(line)")
        }
    }

    @Test("free is the lowest price")
    func free() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for (title, price) in [("Hostel", "20 EUR pp"), ("Field", "Free"), ("Loft", "10 EUR pp"), ("House", "ask")] {
            try await caravan.done("add", title, "--price", price)
        }
        let sorted = try await caravan.json("list", "--sort", "price")["items"].elements.map { $0["title"].text }
        #expect(sorted == ["Field", "Loft", "Hostel", "House"])
    }

    @Test("lines without a number have no quantity, whichever command reads them")
    func lines() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let path = scratch.path + "/things"
        try Data("tent\n3 towels\n".utf8).write(to: URL(fileURLWithPath: path))
        let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let outcome = try await caravan.start(["add", "--lines"], input: input).ended(within: 30)
        #expect(outcome.output.contains("“tent” (") && outcome.output.contains("“towels”"), outcome.summary)
        #expect(try await caravan.json("show", "tent")["quantity"] == .null)
        #expect(try await caravan.json("show", "towels")["quantity"] == .number(3))
    }

    @Test("photos are counted in what is said of them")
    func photos() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Casa")
        let picture = scratch.path + "/one.png"
        try #require(Data(base64Encoded: Self.dot)).write(to: URL(fileURLWithPath: picture))
        #expect(try await caravan.done("photo", "1", picture, picture) == "Attached 1 photo to 1 “Casa”\n")
        #expect(try await caravan.done("photo", "1", picture, picture).hasPrefix("Nothing changed: “Casa” already has"))
        #expect(try await caravan.done("photo", "1", "--remove", "1") == "Removed 1 photo from 1 “Casa”\n")
    }

    /// A red pixel.
    private static let dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

    @Test("a quiet invite prints the link and nothing else")
    func quietInvite() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let outcome = try await caravan.run("invite", "-q")
        #expect(outcome.status == 0 && outcome.errors.isEmpty, outcome.summary)
        #expect(outcome.output.hasPrefix("caravan:") && outcome.output.split(separator: "\n").count == 1)
    }

    @Test("a mailbox that is added again is named with its number and code, and refused with another code")
    func mailbox() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let folder = scratch.path + "/box"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await caravan.done("mailbox", "add", folder)
        let code = try #require(try await caravan.json("mailbox").elements[0]["code"].text)
        let again = try await caravan.run("mailbox", "add", folder)
        #expect(
            again.status == 0
                && again.output
                    == "Nothing changed: this mailbox was already added, as mailbox 1; its code is \(code)\n",
            again.summary)
        // By other paths it is the same folder.
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        for path in [scratch.path + "/./box", scratch.path + "/box/../box", link] {
            for options in [[], ["--code", code]] {
                let same = try await caravan.run(["mailbox", "add", path] + options)
                #expect(same.status == 0 && same.output == again.output, "\(path): \(same.summary)")
            }
        }
        let other = String(repeating: "9f2c", count: 8)
        for path in [folder, link] {
            let refused = try await caravan.run("mailbox", "add", path, "--code", other)
            let saying =
                "mailbox 1 has this address and another code, \(code); to use the new code, remove that mailbox first"
            #expect(refused.isRefusal(saying: saying), refused.summary)
        }
        #expect(try await caravan.json("mailbox").elements.map { $0["code"].text } == [code])
        try await caravan.done("mailbox", "remove", "1")
        try await caravan.done("mailbox", "add", folder, "--code", other)
        #expect(try await caravan.json("mailbox").elements.map { $0["code"].text } == [other])
    }

    @Test("an editor that needs a terminal is not started without one")
    func editor() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch, items: "Casa")
        caravan.environment["EDITOR"] = "vi"
        caravan.environment["VISUAL"] = ""
        let outcome = try await caravan.run("edit", "1", "--editor")
        #expect(outcome.isRefusal(saying: "no terminal"), outcome.summary)
    }

    @Test("a trip in the trash that is mistyped is guessed")
    func trash() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("delete", "Fjords", "--yes")
        let outcome = try await caravan.run("trash", "restore", "Fjrods")
        #expect(outcome.isRefusal(saying: "did you mean “Fjords”?"), outcome.summary)
    }

    @Test("advice for a trip that the running node does not run leads out", .tags(.slow))
    func otherTrip() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("new", "Three", "--as", "Jie")
        try await caravan.done("up", "--detach", "--trip", "Fjords")
        let status = try await caravan.done("status", "--trip", "Three")
        #expect(status.contains("`caravan down`") && status.contains("`caravan up`"), "\(status)")
        let overview = try await caravan.done("--trip", "Three")
        #expect(overview.contains("`caravan down`") && !overview.contains("up --detach"), "\(overview)")
        let up = try await caravan.run("up", "--trip", "Three")
        #expect(up.isRefusal(saying: "`caravan down`"), up.summary)
        try await caravan.done("down")
    }

    @Test("balances say that a member who joined again is another person, and who settles the old debts", .tags(.slow))
    func rejoined() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        try await trip.founder.done("cost", "add", "Boat", "20 EUR")
        try await trip.takeOut("Noah")
        try await noah.done("join", trip.invite(), "--as", "Noah", "--anew", "--peer", trip.host.address)
        let text = try await trip.founder.done("balances")
        #expect(text.contains("“Noah (out)” and “Noah” are two people here."), "\(text)")
    }
}
