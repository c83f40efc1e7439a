import Foundation
import Testing

@testable import caravan

/// Long lists: a pager at a terminal, a limit anywhere, and colors where they are seen.
struct LongTextTests {
    private func trip(_ scratch: ScratchFolder, items: Int) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let file = scratch.path + "/items.txt"
        let lines = (1...items).map { "Item \($0)\n" }.joined()
        try #require(FileManager.default.createFile(atPath: file, contents: Data(lines.utf8)))
        try await caravan.done("import", file, "-q")
        return caravan
    }

    /// A command that reads, at a terminal of 24 rows.
    private func atTerminal(_ caravan: Product, _ arguments: [String]) async throws -> (String, Product.Outcome) {
        let terminal = try PseudoTerminal()
        var product = caravan
        product.wrapper = PseudoTerminal.wrapper
        let running = try product.start(arguments, output: terminal.slave, input: terminal.slave)
        let outcome = try await running.ended(within: 20)
        return (terminal.screen, outcome)
    }

    @Test("a text that is longer than the terminal goes through the pager, any other does not")
    func pages() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await trip(scratch, items: 40)
        let seen = scratch.path + "/seen"
        caravan.environment["PATH"] = "/usr/bin:/bin"
        caravan.environment["PAGER"] = "tee \(seen) >/dev/null"
        func isPaged(_ arguments: [String]) async throws -> Bool {
            try? FileManager.default.removeItem(atPath: seen)
            let (screen, outcome) = try await atTerminal(caravan, arguments)
            #expect(outcome.status == 0, outcome.summary)
            let paged = FileManager.default.contents(atPath: seen).map { String(decoding: $0, as: UTF8.self) } ?? ""
            #expect(paged.isEmpty != screen.isEmpty, "\(arguments): \(screen)")
            return !paged.isEmpty
        }
        #expect(try await isPaged(["list"]))
        #expect(try await isPaged(["search", "Item"]))
        for help in [["help", "up"], ["--help"], ["list", "--help"]] {
            #expect(try await isPaged(help), "\(help)")
        }
        for arguments in [
            ["list", "--limit", "3"], ["show", "1"], ["list", "--json"], ["--no-pager", "list"],
            ["list", "--no-pager"], ["help", "use"], ["help", "environment"], ["--help", "--no-pager"], ["--version"],
        ] { #expect(try await !isPaged(arguments), "\(arguments)") }
        for (variable, value) in [("TERM", "dumb"), ("PAGER", ""), ("PAGER", "cat"), ("PAGER", "/nonexistent/pager")] {
            let kept = caravan.environment
            caravan.environment[variable] = value
            let (screen, outcome) = try await atTerminal(caravan, ["list"])
            #expect(outcome.status == 0 && screen.contains("Item 40"), "\(variable)=\(value): \(outcome.summary)")
            caravan.environment = kept
        }
        let pipe = try await caravan.run("list")
        #expect(pipe.output.contains("Item 40"), "a pipe has no pager")
    }

    @Test("the name of a written file moves no terminal, and is whole for a program")
    func namesOfFiles() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch, items: 1)
        let (screen, outcome) = try await atTerminal(caravan, ["export", scratch.path + "/a\u{1B}[3m.md"])
        #expect(outcome.status == 0 && screen.contains("a") && !screen.contains("\u{1B}"), "\(screen)")
        let path = scratch.path + "/b\u{1B}[3m.md"
        #expect(try await caravan.done("export", path) == path + "\n")
    }

    @Test("the pager is $PAGER, or less if it is installed")
    func choosesPagers() {
        #expect(Pager.command(["PAGER": "more"]) == "more")
        #expect(Pager.command(["PAGER": ""]) == nil && Pager.command(["PAGER": "cat"]) == nil)
        #expect(Pager.command(["PATH": "/nonexistent"]) == nil && Pager.command([:]) == nil)
    }

    @Test("a limit shows so many, says how many are left out, and counts what is printed as JSON too")
    func limits() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch, items: 7)
        try await caravan.done("vote", "5")
        let few = try await caravan.done("list", "--sort", "votes", "--limit", "2")
        #expect(few.contains("Item 5") && few.contains("Item 1") && !few.contains("Item 2"), "\(few)")
        #expect(few.contains("5 more items"), "\(few)")
        #expect(try await caravan.json("list", "--limit", "3")["items"].elements.count == 3)
        #expect(try await !caravan.done("list", "--limit", "7").contains("more"))
        #expect(try await caravan.json("search", "Item", "--limit", "2")["items"].elements.count == 2)
        #expect(try await caravan.json("history", "--limit", "1").elements.count == 1)
        try await caravan.done("new", "Porto", "--as", "Jie")
        #expect(try await caravan.json("trips", "--limit", "1").elements.count == 1)
        for command in ["list", "history", "trips"] {
            let none = try await caravan.run(command, "--limit", "0")
            #expect(none.isRefusal(saying: "1 or more", status: 64), none.summary)
        }
    }

    @Test("what each person pays is that of the whole list, however few are shown")
    func limitsKeepPrices() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Casa", "--price", "100 EUR/night")
        try await caravan.done("add", "--kind", "dates", "--dates", "2026-06-12..15")
        try await caravan.done("choose", "2")
        let line = "100 EUR/night"
        let whole = try await caravan.done("list").split(separator: "\n").first { $0.contains(line) }
        let part = try await caravan.done("list", "--limit", "1").split(separator: "\n").first { $0.contains(line) }
        #expect(whole != nil && part == whole, "\(part ?? "") is not \(whole ?? "")")
    }

    @Test("the history of an item by its number, of a member, and since a time")
    func partsOfTheHistory() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch, items: 2)
        try await caravan.done("vote", "2")
        let lines = { (text: String) in text.split(separator: "\n").map { $0.drop { $0 != "J" } } }
        #expect(lines(try await caravan.done("log", "2")) == ["Jie added “Item 2”", "Jie voted for “Item 2”"])
        let all = try await caravan.json("history")
        for arguments in [["--by", "Jie"], ["--since", "1h"], ["--since", "2020-01-01"], ["--limit", "999"]] {
            #expect(try await caravan.json(["history"] + arguments) == all, "\(arguments)")
        }
        #expect(try await caravan.json("history", "--since", "2999-01-01").elements.isEmpty)
        for (arguments, part, status) in [
            (["--by", "Noah"], "Noah", Int32(1)), (["--since", "soon"], "--since", 64), (["99"], "--limit 99", 1),
        ] {
            let outcome = try await caravan.run(["history"] + arguments)
            #expect(outcome.isRefusal(saying: part, status: status), outcome.summary)
        }
    }

    @Test(
        "colors: what is typed counts before the environment, and that before the terminal",
        arguments: [
            (ColorChoice.auto, [:], true, true), (.auto, [:], false, false), (.auto, ["TERM": "dumb"], true, false),
            (.auto, ["NO_COLOR": "1"], true, false), (.auto, ["NO_COLOR": ""], true, true),
            (.auto, ["CLICOLOR_FORCE": "1"], false, true), (.auto, ["CLICOLOR_FORCE": "0"], false, false),
            (.auto, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false), (.always, ["NO_COLOR": "1"], false, true),
            (.never, ["CLICOLOR_FORCE": "1"], true, false),
        ])
    func colors(choice: ColorChoice, environment: [String: String], isTerminal: Bool, isStyled: Bool) {
        #expect(choice.isStyled(environment, atTerminal: isTerminal) == isStyled)
    }

    @Test("states have colors, and plain text is the same without them")
    func coloredList() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await trip(scratch, items: 2)
        try await caravan.done("choose", "2")
        let plain = try await caravan.done("list")
        #expect(!plain.contains("\u{1B}"))
        for arguments in [["--color", "always", "list"], ["list", "--color=always"]] {
            let colored = try await caravan.run(arguments).output
            #expect(colored.contains("\u{1B}[1;32m★ Item 2"), "\(colored)")
            #expect(
                colored.replacing(try Regex("\u{1B}\\[[0-9;]*m"), with: "").split(separator: "\n").count
                    == plain.split(separator: "\n").count)
        }
        let wrong = try await caravan.run("list", "--color", "pink")
        #expect(wrong.isRefusal(saying: ": --color takes auto, always or never (", status: 64), wrong.summary)
    }
}
