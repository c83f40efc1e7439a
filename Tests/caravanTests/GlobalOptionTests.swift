import Foundation
import Testing

@testable import caravan

/// Options before the command, short options, and other names of commands.
struct GlobalOptionTests {
    @Test(
        "options before the command are removed from its words",
        arguments: [
            (["-t", "Lisbon", "list"], ["-t", "Lisbon"], ["list"]),
            (["--trip=Lisbon", "--home", "h", "list", "--all"], ["--trip=Lisbon", "--home", "h"], ["list", "--all"]),
            (["list", "--trip", "Lisbon", "--home", "h"], ["--home", "h"], ["list", "--trip", "Lisbon"]),
            (["add", "--", "--home", "x"], [], ["add", "--", "--home", "x"]),
            (["simulate", "--home", "x"], [], ["simulate", "--home", "x"]),
            (["---completion", "list", "--", "--home", "x"], [], ["---completion", "list", "--", "--home", "x"]),
            (["--home", "h", "-V"], ["--home", "h"], ["--version"]), (["-V"], [], ["--version"]), (["-t"], ["-t"], []),
        ])
    func words(typed: [String], global: [String], command: [String]) {
        let words = CommandWords(typed)
        #expect(words.global == global && words.command == command, "\(words)")
    }

    @Test("a row of short options is read as each of them, and no other word is")
    func rows() {
        let apart: [(typed: String, words: String)] = [
            ("list -jt Lisbon", "list -j -t Lisbon"), ("rm 8 -nq", "rm 8 -n -q"),
            ("list -tj -jj -jx", "list -tj -jj -jx"),
            ("add -- -jt", "add -- -jt"), ("simulate -jt", "simulate -jt"),
        ]
        for line in apart {
            let words = CommandWords(line.typed.split(separator: " ").map(String.init))
            #expect(words.command.joined(separator: " ") == line.words)
        }
    }

    @Test("a trip and a home are named before the command, by a short option, or by the environment")
    func namesTrips() async throws {
        let scratch = try ScratchFolder()
        var caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Tram")
        try await caravan.done("new", "Porto", "--as", "Jie")
        for arguments in [
            ["--trip", "Lisbon", "list"], ["-t", "Lis", "list"], ["list", "-t", "Lisbon"], ["-t", "Lisbon", "ls"],
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && outcome.output.contains("Tram"), outcome.summary)
        }
        #expect(try await !caravan.done("list").contains("Tram"))
        caravan.environment["CARAVAN_TRIP"] = "Lisbon"
        #expect(try await caravan.done("list").contains("Tram"))
        #expect(try await !caravan.done("list", "-t", "Porto").contains("Tram"), "what is typed counts")
        #expect(try await !caravan.done("-t", "Porto", "list").contains("Tram"))
        caravan.environment["CARAVAN_TRIP"] = ""
        #expect(try await !caravan.done("list").contains("Tram"), "an empty variable names none")

        let relative = try await Product(home: "home").run("trips")
        #expect(relative.status == 1 && relative.errors.contains("set it to an absolute one"), relative.summary)

        let other = scratch.path + "/other"
        try await caravan.done("--home", other, "new", "Faro", "--as", "Jie")
        for arguments in [["--home", other, "trips"], ["trips", "--home=" + other]] {
            #expect(try await caravan.run(arguments).output.contains("Faro"))
        }
        #expect(try await !caravan.done("trips").contains("Faro"))
        let nothing = try await caravan.run("--home")
        #expect(nothing.isRefusal(saying: "--home", status: 64), nothing.summary)
    }

    @Test("other names and short options do the same")
    func shortNames() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        for title in ["Tram", "Castle"] { try await caravan.done("add", title) }
        #expect(try await caravan.done("ls", "-j") == caravan.done("list", "--json"))
        #expect(try await caravan.done("log", "-j") == caravan.done("history", "--json"))
        try await caravan.done("mv", "2", "--before", "1")
        try await caravan.done("rm", "1")
        #expect(try await !caravan.done("ls").contains("Tram"))
        for group in ["cost", "lists", "members", "wishes", "feeds", "trash", "mailbox", "device", "invite"] {
            #expect(try await caravan.done(group, "ls", "-j") == caravan.done(group, "list", "--json"), "\(group)")
        }
        try await caravan.done("lists", "new", "Packing")
        try await caravan.done("lists", "rm", "Packing")
        try await caravan.done("invite", "-q")
        #expect(try await caravan.done("invite", "revoke", "1").hasPrefix("Revoked"))
        let version = try await caravan.done("--version")
        #expect(version == "caravan 1.0.0 (protocol 1, development build)\n")
        for word in ["-V", "version"] { #expect(try await caravan.done(word) == version) }
        let row = try await caravan.run("ls", "-jt", "Lisbon")
        #expect(try await row.output == caravan.done("list", "--json"), row.summary)
        for word in ["-jx", "-yay"] {
            let unknown = try await caravan.run("ls", word)
            #expect(unknown.isRefusal(saying: "“\(word)” is no row of short options", status: 64), unknown.summary)
        }
        for words in [["list", "-tLisbon"], ["-t=Lisbon", "ls"]] {
            let joined = try await caravan.run(words)
            #expect(joined.isRefusal(saying: "put a blank after -t (-t Lisbon), or", status: 64), joined.summary)
        }
        let typo = try await caravan.run("lsit")
        #expect(typo.isRefusal(saying: "did you mean", status: 64), typo.summary)
        try await caravan.done("delete", "Lisbon", "-y")
        #expect(try await caravan.json("trips").elements.isEmpty)
    }

    @Test("a dry run says what would be done, and does nothing")
    func dryRuns() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path).withoutTerminal
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Tram")
        let history = try await caravan.done("history", "--json")
        for (arguments, says) in [
            (["remove", "1", "-n"], "Would remove 1 “Tram”"), (["leave", "--dry-run"], "Would leave “Lisbon”"),
            (["delete", "Lisbon", "-n"], "Would delete “Lisbon”"),
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && outcome.output.contains(says), outcome.summary)
        }
        #expect(try await caravan.done("history", "--json") == history)
        let missing = try await caravan.run("remove", "9", "-n")
        #expect(missing.isRefusal(saying: "there is no item 9"), missing.summary)
    }
}
