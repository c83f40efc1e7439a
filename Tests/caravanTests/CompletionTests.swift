import Foundation
import Testing

/// What the shell offers at Tab.
struct CompletionTests {
    /// Types a line in bash, whose last word is empty or begun, and presses Tab.
    /// - Parameter isOld: whether the script doesn't say that it takes words as they are.
    private func offered(
        _ caravan: Product, _ words: [String], in scratch: ScratchFolder, isOld: Bool = false
    ) async throws -> [String] {
        let script = scratch.path + "/completions" + (isOld ? "-old" : "")
        if !FileManager.default.fileExists(atPath: script) {
            var text = try await caravan.done("--generate-completion-script", "bash")
            if isOld { text.replace(" CARAVAN_LITERAL_NAMES=1", with: "") }
            try #require(FileManager.default.createFile(atPath: script, contents: Data(text.utf8)))
        }
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let line = """
            . \(script); COMP_WORDS=(\(Product.executable) \(quoted)); COMP_CWORD=\(words.count)
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _caravan caravan '\(words.last ?? "")' '\(words.dropLast().last ?? "caravan")'; printf '%s\\n' "${COMPREPLY[@]}"
            """
        var shell = caravan
        shell.wrapper = ["/bin/bash", "-c", line]
        shell.environment["PATH"] = "/usr/bin:/bin"
        let outcome = try await shell.run([])
        #expect(outcome.errors == "", outcome.summary)
        return outcome.output.split(separator: "\n").map(String.init)
    }

    @Test("kinds, orders, trips, items, lists, members and files are offered")
    func values() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        for title in ["Casa do Rio", "Castle", "Tram"] { try await caravan.done("add", title) }
        try await caravan.done("lists", "new", "Packing")
        try await caravan.done("remove", "3")
        try await caravan.done("new", "Porto", "--as", "Noah")
        try await caravan.done("add", "Bridge")
        try await caravan.done("new", "Faro", "--as", "Noah")
        try await caravan.done("delete", "Faro", "--yes")
        try await caravan.done("use", "Porto")
        for (words, expected) in [
            (["vote", ""], ["Bridge"]), (["vote", "--trip", "Lisbon", ""], ["Casa do Rio", "Castle"]),
            (["show", "-t", "Lisbon", "Cast"], ["Castle"]), (["restore", "-t", "Lisbon", "Tr"], ["Tram"]),
            (["use", "L"], ["Lisbon"]), (["list", "--sort", "v"], ["votes"]),
            (["add", "x", "--kind", "st"], ["stay"]), (["members", "remove", ""], ["Noah"]),
            (["add", "x", "-t", "Lisbon", "--list", ""], ["Packing"]), (["trash", "restore", ""], ["Faro"]),
            (["--trip", "L"], ["Lisbon"]), (["-t", "L"], ["Lisbon"]), (["--color", "n"], ["never"]),
            (["--trip", "Lisbon", "show", "Cast"], ["Castle"]), (["--color", "never", "vote", ""], ["Bridge"]),
            (["edit", "1", "--clear", "pri"], ["price"]), (["note", "edit", "-t", "Lisbon", "Cast"], ["Castle"]),
        ] {
            #expect(try await offered(caravan, words, in: scratch) == expected, "\(words)")
        }
    }

    @Test("other names of commands, what help is about and names in either case are offered")
    func otherNames() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        for title in ["Casa do Rio", "Éclair"] { try await caravan.done("add", title) }
        let lines: [(words: [String], offered: String)] = [
            (["rm", "Cas"], "Casa do Rio"), (["mv", "casa d"], "Casa do Rio"), (["vote", "CASA"], "Casa do Rio"),
            (["log", "--by", ""], "Jie"), (["ls", "--sort", "V"], "votes"), (["--trip", "lis"], "Lisbon"),
            (["help", "nam"], "naming"), (["help", "quan"], "quantity"), (["help", "list", ""], ""),
        ]
        for line in lines {
            let offered = try await offered(caravan, line.words, in: scratch).joined(separator: ", ")
            #expect(offered == line.offered, "\(line.words)")
        }
    }

    @Test("expenses are offered to be edited, and payments to be removed only")
    func costs() async throws {
        let trip = try await Gathering()
        _ = try await trip.joined("noah", as: "Noah")
        try await trip.founder.done("cost", "add", "Dinner", "20 EUR")
        try await trip.founder.done("settle", "Noah", "5 EUR")
        let scratch = try ScratchFolder()
        #expect(try await offered(trip.founder, ["cost", "edit", ""], in: scratch) == ["Dinner"])
        let removable = try await offered(trip.founder, ["cost", "remove", ""], in: scratch)
        #expect(removable == ["Dinner", "Payment to Noah"])
    }

    @Test("titles, questions and lists are offered as they are called, and found by what bash made of their beginning")
    func titles() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        for title in ["Train or van?", "Train & boat!"] { try await caravan.done("add", title, "--kind", "activity") }
        try await caravan.done("lists", "new", "Essen & Food/Drink 🍕")
        #expect(try await offered(caravan, ["vote", ""], in: scratch) == ["Train or van?", "Train & boat!"])
        // Where several begin alike, bash types what they share.
        #expect(try await offered(caravan, ["vote", "train\\ o"], in: scratch) == ["Train or van?"])
        #expect(try await offered(caravan, ["lists", "remove", "E"], in: scratch) == ["Essen & Food/Drink 🍕"])
    }

    @Test("a title that a shell would read as something else is offered by its id, and nothing of it is run")
    func hostileTitles() async throws {
        let scratch = try ScratchFolder()
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon", "--as", "Jie")
        let mark = scratch.path + "/ran"
        let titles = [
            "$(touch \(mark))", "`touch \(mark)`", "Bob's place", "a\"b", "$HOME", "Dinner: 8pm", "-x", "a;b", "*",
        ]
        for title in titles { try await caravan.done("add", "--", title) }
        let ids = try await caravan.json("list")["items"].elements.compactMap { $0["id"].text }
        for isOld in [false, true] {
            let offered = try await offered(caravan, ["vote", ""], in: scratch, isOld: isOld)
            #expect(offered.count == titles.count && !scratch.contents().contains("ran"))
            let named = offered.filter { word in !ids.contains { $0.hasPrefix(word) } }
            #expect(named == (isOld ? [] : ["Bob's place", "a\"b", "Dinner: 8pm", "a;b", "*"]), "\(named)")
        }
    }

    @Test("where nothing can be read, nothing is offered, and nothing is said")
    func silence() async throws {
        let scratch = try ScratchFolder()
        for home in [scratch.path + "/none", "/proc/1/root/none", "/dev/null"] {
            for words in [["vote", ""], ["use", ""], ["members", "remove", ""]] {
                #expect(try await offered(Product(home: home), words, in: scratch).isEmpty, "\(home) \(words)")
            }
        }
        #expect(!scratch.contents().contains("none"))
    }
}
