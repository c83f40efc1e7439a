import Foundation
import Testing

/// What one person types in a day.
struct SmallThingsTests {
    private func home(_ scratch: ScratchFolder, items: String...) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        for item in items { try await caravan.done("add", item) }
        return caravan
    }

    @Test("contradicting flags are refused")
    func contradiction() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Roof tent")
        for flags in [["--done", "--no-done"], ["--no-done", "--done"]] {
            let outcome = try await caravan.run(["edit", "1"] + flags)
            let line = "\(flags[0]) and \(flags[1]) cannot be combined"
            #expect(outcome.isRefusal(saying: line, status: 64), outcome.summary)
        }
        #expect(try await caravan.json("show", "1")["done"] == .flag(false))
    }

    @Test("the same vote again writes nothing, and says so")
    func voteAgain() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Roof tent")
        for against in [[], ["--against"]] {
            #expect(try await caravan.run(["vote", "1"] + against).status == 0)
            let changes = try await caravan.json("status")["changes"]
            let again = try await caravan.run(["vote", "1"] + against)
            #expect(again.status == 0 && again.output.contains("already"), again.summary)
            #expect(try await caravan.json("status")["changes"] == changes)
        }
        #expect(try await caravan.json("show", "1")["tally"] == .number(-1))
    }

    @Test("a backup that is not there is not taken for a missing trip")
    func restoreOfNothing() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/empty")
        let restore = try await caravan.run("restore", "typo")
        #expect(restore.isRefusal(saying: "typo") && !restore.errors.contains("caravan new"), restore.summary)
    }

    @Test("a new passphrase has eight characters or more")
    func shortPassphrase() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch).withoutTerminal
        func set(_ passphrase: String) async throws -> Product.Outcome {
            let file = scratch.path + "/" + UUID().uuidString
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            let contents = Data((passphrase + "\n").utf8)
            try #require(FileManager.default.createFile(atPath: file, contents: contents, attributes: attributes))
            return try await caravan.run("passphrase", "set", "--new-passphrase-file", file)
        }
        // Characters are counted, not bytes.
        for short in ["x", "1234567", "åäöåäöå"] {
            let outcome = try await set(short)
            #expect(outcome.isRefusal(saying: "8 characters"), "\(short): \(outcome.summary)")
            #expect(try await caravan.run("list").status == 0)
        }
        let long = try await set("12345678")
        #expect(long.status == 0, long.summary)
    }

    @Test("a place may be written with a space")
    func placeWithSpace() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for (number, place) in ["38.7, -9.1", " 38.7 ,-9.1 "].enumerated() {
            let add = try await caravan.run("add", "Cabin \(number)", "--place", place)
            #expect(add.status == 0, "\(place): \(add.summary)")
            #expect(try await caravan.json("show", "\(number + 1)")["place"].text == "38.7,-9.1")
        }
        #expect(try await caravan.done("show", "1").contains("38.7,-9.1"))
    }

    @Test("a title's bound counts characters")
    func titleLength() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for title in [String(repeating: "🏕", count: 150), String(repeating: "x", count: 200)] {
            let add = try await caravan.run("add", title)
            #expect(add.status == 0, add.summary)
        }
        for title in [String(repeating: "x", count: 201), String(repeating: "å", count: 201)] {
            let add = try await caravan.run("add", title)
            #expect(add.isRefusal(saying: "201 characters"), add.summary)
        }
        #expect(try await caravan.json("list")["items"].elements.count == 2)
    }

    @Test("a misspelt command or title is answered with what was meant")
    func misspelt() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, items: "Casa do Rio", "Roof tent")
        let command = try await caravan.run("lst")
        #expect(command.isRefusal(saying: "did you mean", status: 64), command.summary)
        #expect(command.errors.contains("list"), command.summary)
        for arguments in [["show", "Cas do Rio"], ["vote", "casa de rio"]] {
            let title = try await caravan.run(arguments)
            #expect(title.isRefusal(saying: "did you mean"), title.summary)
            #expect(title.errors.contains("Casa do Rio"), title.summary)
        }
        // What is like nothing is not guessed at.
        let other = try await caravan.run("show", "Zeppelin")
        #expect(other.isRefusal(saying: "Zeppelin") && !other.errors.contains("did you mean"), other.summary)
    }

    @Test("an invite says to run a node where none runs, and its link is shown again")
    func invite() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let made = try await caravan.run("invite")
        #expect(made.status == 0 && made.errors.contains("caravan up"), made.summary)
        let shown = try await caravan.run("invite", "show", "1")
        #expect(shown.status == 0 && shown.output == made.output && made.output.hasPrefix("caravan:"), shown.summary)
        // A link that is there takes no options, and perhaps ends.
        #expect(made.errors.contains("`--uses 5`") && !shown.errors.contains("--uses"), shown.summary)
        try await caravan.done("invite", "--expires", "7d")
        let ending = try await caravan.run("invite", "show", "2")
        #expect(ending.errors.contains("can join with this link. It expires in 7 days. They run"), ending.summary)
        let none = try await caravan.run("invite", "show", "3")
        #expect(none.isRefusal(saying: "3"), none.summary)
        let node = try await ListeningNode(caravan)
        let running = try await caravan.run("invite")
        #expect(running.status == 0 && !running.errors.contains("caravan up"), running.summary)
        try await node.end()
    }

    @Test("trips are listed for programs")
    func trips() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let trip = try #require(try await caravan.json("trips").elements.first)
        #expect(trip["title"].text == "Lisbon in June" && trip["id"].text?.isEmpty == false)
        #expect(trip["in_use"] == .flag(true) && trip["running"] == .flag(false))
    }
}
