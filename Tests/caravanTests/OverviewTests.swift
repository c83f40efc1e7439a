import Foundation
import Testing

@testable import caravan

/// `caravan` alone, and what concerns all commands.
struct OverviewTests {
    @Test("without a trip, the first steps in about ten lines")
    func firstSteps() async throws {
        let scratch = try ScratchFolder()
        let outcome = try await Product(home: scratch.path + "/home").run([])
        #expect(outcome.status == 0 && outcome.errors == "", outcome.summary)
        #expect(outcome.output.contains("caravan new") && outcome.output.contains("caravan join"))
        #expect(outcome.output.split(separator: "\n").count <= 10 && !scratch.contents().contains("home"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("in a trip, how it stands and what to do next")
    func nextSteps() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let empty = try await caravan.run([]).output
        #expect(empty.hasPrefix(try await caravan.done("status")) && empty.contains("caravan add"), "\(empty)")
        #expect(empty.contains("caravan invite") && empty.contains("caravan up"))
        try await caravan.done("add", "Tram")
        #expect(try await !caravan.run([]).output.contains("caravan add"))
        try await caravan.done("new", "Porto", "--as", "Jie")
        try FileManager.default.removeItem(atPath: scratch.path + "/in-use")
        let two = try await caravan.run([])
        #expect(two.status == 0 && two.output.contains("caravan use") && two.output.contains("Porto"), two.summary)
        #expect(try await caravan.run("-t", "Lisbon").output.contains("Lisbon"))
    }

    @Test("of an archived trip no step is named that would be refused")
    func nextStepsOfAnArchivedTrip() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("archive", scratch.path + "/lisbon.html")
        let overview = try await caravan.run([]).output
        #expect(overview.contains("Archived: read-only here") && overview.contains("caravan up"), "\(overview)")
        #expect(!overview.contains("caravan invite") && !overview.contains("caravan add"), "\(overview)")
    }

    @Test("topics of the help, which are no commands")
    func topics() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for topic in HelpTopic.allCases {
            let outcome = try await caravan.run("help", topic.rawValue)
            #expect(outcome.status == 0 && outcome.output == topic.text + "\n", outcome.summary)
            #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(topic)")
        }
        for (word, near) in [("liste", "caravan help list"), ("exitcodes", "exit-codes"), ("zzzzzz", "naming")] {
            let outcome = try await caravan.run("help", word)
            #expect(outcome.isRefusal(saying: near, status: 64), outcome.summary)
        }
        #expect(try await caravan.run("help", "ls").output == caravan.run("help", "list").output)
    }

    @Test("what is wrong is told before what is missing, and nothing that was typed moves the terminal")
    func complaints() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for (arguments, part) in [
            (["add", "--hlep"], "unknown option '--hlep'; did you mean --help"),
            (["lists", "new", "--knd", "bring"], "did you mean --kind?"),
            (["invite", "--usse"], "--usse"), (["list", "--where", "kin=stay"], "did you mean “kind”"),
            (["list", "--where", "zzzz=1"], "the fields are title"), (["list", "--where", "kind"], "FIELD=TEXT"),
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.isRefusal(saying: part, status: 64), outcome.summary)
        }
        for arguments in [["trips", "\u{1B}[31mred"], ["list", "\u{202E}x"], ["add", "x", "--kind", "\u{1B}[2J"]] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 64 && !outcome.errors.contains { "\u{1B}\u{202E}".contains($0) }, outcome.summary)
        }
        let long = try await caravan.run("trips", String(repeating: "x", count: 3_000))
        #expect(long.status == 64 && long.errors.count < 600, long.summary)
    }

    @Test("what is so already is no failure, and writes nothing")
    func unchanged() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path)
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        try await caravan.done("add", "Tram")
        try await caravan.done("rename", "Faro")
        let history = try await caravan.done("history", "--json")
        for arguments in [
            ["unvote", "1"], ["rename", "Faro"], ["rename", "--me", "Jie"], ["bring", "1", "--not"], ["restore", "1"],
            ["choose", "1", "--not"], ["move", "1", "--out"], ["unplan", "1"], ["edit", "1", "--title", "Tram"],
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.status == 0 && outcome.errors == "" && !outcome.output.isEmpty, "\(arguments): \(outcome)")
        }
        #expect(try await caravan.done("history", "--json") == history)
        #expect(try await caravan.json("unvote", "1")["did"].text == "nothing")
        #expect(try await caravan.done("unvote", "1").hasPrefix("Nothing changed: you have no vote on 1 “"))
        try await caravan.done("remove", "1")
        #expect(try await caravan.run("remove", "1").status == 0)
        // Of two only one is removed already.
        try await caravan.done("add", "Castle")
        #expect(
            try await caravan.done("remove", "2", "1")
                == "Removed 2 “Castle”\nNothing changed: 1 “Tram” is already removed\n`caravan undo` brings it back.\n")
        try await caravan.done("undo")
        try await caravan.done("add", "Bridge")
        let told = { (each: (String) -> String) in
            ["2 “Castle”", "3 “Bridge”"].map { "Nothing changed: \(each($0))\n" }.joined()
        }
        for (words, told) in [
            ("restore 2 3", told { "\($0) is not removed" }), ("unvote 2 3", told { "you have no vote on \($0)" }),
            ("going 2 3 --withdraw", told { "you have no answer for \($0)" }),
            ("bring 2 3 --not", told { "you don't bring item \($0)" }), ("bring 2", "You now bring item 2 “Castle”\n"),
            ("bring 2 3", "You now bring item 3 “Bridge”\nNothing changed: you already bring item 2 “Castle”\n"),
        ] {
            let outcome = try await caravan.run(words.split(separator: " ").map(String.init))
            #expect(outcome.status == 0 && outcome.output == told, "\(words): \(outcome)")
        }
        try await caravan.done("remove", "2", "3")
        #expect(try await caravan.json("remove", "2", "3")["unchanged"].elements.count == 2)
        try await caravan.done("restore", "2")
        #expect(try await caravan.run("vote", "1").status == 1, "to vote for what is removed is a failure")
    }

    @Test("an empty field is refused, and no bed is none")
    func emptyFields() async throws {
        let caravan = Product(home: try ScratchFolder().path)
        for (arguments, part) in [
            (["add", "Casa", "--price", ""], "--price is empty"), (["wish", "Casa", "--note", " "], "--note is empty"),
            (["add", "Casa", "--beds", "0"], "--beds"), (["edit", "1", "--host", ""], "--clear host"),
        ] {
            let outcome = try await caravan.run(arguments)
            #expect(outcome.isRefusal(saying: part, status: 64), outcome.summary)
        }
    }
}
