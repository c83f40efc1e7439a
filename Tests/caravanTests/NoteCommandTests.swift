import Foundation
import TestTiers
import Testing

/// `caravan note`: a text that several people write, of an item or of the trip, in the editor that a person has.
struct NoteCommandTests {
    /// A home with one item, whose editor is a script that is given the file.
    private func home(_ scratch: ScratchFolder, editor script: String = "true") async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Casa do Rio", "--note", "By the river")
        return try editing(caravan, scratch, script)
    }

    private func editing(_ home: Product, _ scratch: ScratchFolder, _ script: String) throws -> Product {
        let editor = scratch.path + "/my editor"
        try "#!/bin/sh\n\(script)\n".write(toFile: editor, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
        let drafts = scratch.path + "/drafts"
        try FileManager.default.createDirectory(atPath: drafts, withIntermediateDirectories: true)
        var home = home
        home.environment.merge(
            [
                "EDITOR": "'\(editor)'", "XDG_RUNTIME_DIR": drafts, "PATH": "/usr/bin:/bin", "SCRATCH": scratch.path,
                "CARAVAN": Product.executable,
            ]
        ) { $1 }
        return home
    }

    private func drafts(_ scratch: ScratchFolder) -> [String] {
        scratch.contents().filter { $0.hasPrefix("drafts/") }
    }

    /// Runs a command with a text at its standard input.
    private func run(
        _ caravan: Product, _ arguments: [String], input: String, _ scratch: ScratchFolder
    ) async throws -> Product.Outcome {
        let path = scratch.path + "/input"
        try Data(input.utf8).write(to: URL(fileURLWithPath: path))
        let running = try caravan.start(arguments, input: FileHandle(forReadingAtPath: path))
        return try await running.ended(within: 60)
    }

    @Test("a note is shown as it was written, and to programs with its last writer")
    func showing() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let empty = try await caravan.run("note")
        #expect(empty.status == 0 && empty.output.isEmpty, empty.summary)
        #expect(empty.errors == "Nothing is written there yet. Write with `caravan note edit`.\n")
        #expect(try await caravan.json("note") == .object([:]))
        #expect(try await caravan.done("note", "1") == "By the river\n")
        #expect(try await caravan.done("note", "set", "Bus 28\n\tat nine") == "Wrote the note of the trip\n")
        #expect(try await caravan.done("note") == "Bus 28\n\tat nine\n")
        #expect(try await caravan.json("note") == .object(["note": .text("Bus 28\n\tat nine"), "by": .text("Jie")]))
        #expect(try await caravan.json("note", "Casa do Rio")["note"].text == "By the river")
        let overview = try await caravan.run([]).output
        #expect(overview.contains("\nNote of the trip: Bus 28 …\n"), "\(overview)")
        // Of another trip, and of a note that is longer than a window.
        try await caravan.done("new", "Porto", "--as", "Jie")
        #expect(try await caravan.run("note").output.isEmpty)
        #expect(try await caravan.done("note", "-t", "Lisbon in June") == "Bus 28\n\tat nine\n")
        #expect(try await caravan.done("-t", "Lisbon in June", "note", "1") == "By the river\n")
        let unknown = try await caravan.run("note", "9")
        #expect(unknown.isRefusal(saying: "there is no item 9"), unknown.summary)
    }

    @Test("the number of an item is no text of the trip's note, and a text that is piped goes to that item")
    func forgottenText() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let forgotten = try await caravan.run("note", "set", "1")
        #expect(
            forgotten.isRefusal(saying: "1 is the number of “Casa do Rio”; write `caravan note set 1 TEXT`"),
            forgotten.summary)
        #expect(try await caravan.run("note").output.isEmpty)
        let piped = try await run(caravan, ["note", "set", "1"], input: "Bus 28\n", scratch)
        #expect(piped.output == "Wrote the note of 1 “Casa do Rio”\n", piped.summary)
        #expect(try await caravan.done("note", "1") == "Bus 28\n")
        let empty = try await run(caravan, ["note", "set", "1"], input: "", scratch)
        #expect(empty.isRefusal(saying: "the text is empty"), empty.summary)
        // No item has it.
        #expect(try await caravan.done("note", "set", "28") == "Wrote the note of the trip\n")
    }

    @Test("what is changed in the editor is written, and nothing of it stays on the disk")
    func editing() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(
            scratch,
            editor: """
                stat -c '%a' "$1" "$(dirname "$1")" > "$SCRATCH/modes"; cp "$1" "$SCRATCH/seen.txt"
                echo "$1" > "$SCRATCH/path"; touch "$1~" "$(dirname "$1")/.note.swp"
                sed -i 's/river/Tejo/' "$1"; printf 'Two bathrooms\\n\\n' >> "$1"
                """)
        #expect(try await caravan.done("note", "edit", "1") == "Wrote the note of 1 “Casa do Rio”\n")
        #expect(try await caravan.done("note", "1") == "By the Tejo\nTwo bathrooms\n")
        #expect(try String(contentsOfFile: scratch.path + "/modes", encoding: .utf8) == "600\n700\n")
        #expect(try String(contentsOfFile: scratch.path + "/seen.txt", encoding: .utf8) == "By the river\n")
        #expect(try String(contentsOfFile: scratch.path + "/path", encoding: .utf8).hasSuffix(".txt\n"))
        #expect(drafts(scratch).isEmpty, "\(drafts(scratch))")
        // The trip's begins as an empty file.
        let json = try await caravan.json("note", "edit")
        #expect(json["did"].text == "edited" && json["note"].text == "Two bathrooms")
        #expect(try String(contentsOfFile: scratch.path + "/seen.txt", encoding: .utf8).isEmpty)
        // History tells it, and undo removes what was written.
        let history = try await caravan.done("history")
        #expect(history.contains("Jie edited the note of the trip: +“Two bathrooms”"), "\(history)")
        #expect(try await caravan.json("history").elements.last?["did"].elements.first?["what"].text == "noted")
        try await caravan.done("undo")
        #expect(try await caravan.run("note").output.isEmpty)
        try await caravan.done("undo")
        #expect(try await caravan.done("note", "1") == "By the river\n")
    }

    @Test("what two people write while the editor is open is all there", .tags(.slow))
    func together() async throws {
        let trip = try await Gathering()
        let noah = try await trip.joined("noah", as: "Noah")
        let node = try await trip.node(of: noah)
        try await trip.founder.done("note", "set", "Meet at nine\nBring boots")
        try await trip.settle(noah)
        // Noah writes while Jie's editor is open, and Jie's home has it before the editor ends.
        var jie = try editing(
            trip.founder, trip.scratch,
            """
            CARAVAN_HOME="$NOAH" "$CARAVAN" note set "Meet at nine
            Bring boots and a coat" > /dev/null
            for try in $(seq 300); do "$CARAVAN" note | grep -q coat && break; sleep 0.1; done
            sed -i 's/nine/ten/' "$1"
            """)
        jie.environment["NOAH"] = noah.home
        #expect(try await jie.done("note", "edit") == "Wrote the note of the trip\n")
        try await trip.settle(noah)
        for home in [trip.founder, noah] {
            #expect(try await home.done("note") == "Meet at ten\nBring boots and a coat\n")
        }
        try await node.end()
    }

    @Test("an unchanged or removed file changes nothing and says so, and an emptied one clears the note")
    func nothing() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        for script in ["true", "printf 'By the river' > \"$1\"", "printf 'By the river\\r\\n' > \"$1\"", "rm \"$1\""] {
            caravan = try editing(caravan, scratch, script)
            let outcome = try await caravan.run("note", "edit", "1")
            #expect(outcome.status == 0 && outcome.output == "Nothing changed\n", "\(script): \(outcome.summary)")
            #expect(try await caravan.done("note", "1") == "By the river\n", "\(script)")
            #expect(drafts(scratch).isEmpty)
        }
        caravan = try editing(caravan, scratch, ": > \"$1\"")
        try await caravan.done("note", "edit", "1")
        #expect(try await caravan.json("note", "1") == .object([:]))
    }

    @Test("an editor that fails changes nothing, and what was typed is kept where the one line says")
    func failures() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        for script in ["exit 1", "kill -9 $$"] {
            caravan = try editing(caravan, scratch, script)
            let same = try await caravan.run("note", "edit", "1")
            // The shell says a line of its own where a signal ended the editor.
            #expect(same.status == 1 && same.output.isEmpty && drafts(scratch).isEmpty, same.summary)
            #expect(same.errorLines.last?.hasSuffix("; nothing was changed") == true, same.summary)
            caravan = try editing(caravan, scratch, "echo 'Two bathrooms' >> \"$1\"; \(script)")
            let outcome = try await caravan.run("note", "edit", "1")
            let file = try #require(drafts(scratch).first { $0.hasSuffix(".txt") })
            #expect(outcome.status == 1 && outcome.output.isEmpty, outcome.summary)
            let line = try #require(outcome.errorLines.last)
            #expect(line.contains("; nothing was changed (your text is in ") && line.contains(file), outcome.summary)
            let kept = try String(contentsOfFile: "\(scratch.path)/\(file)", encoding: .utf8)
            #expect(kept == "By the river\nTwo bathrooms\n")
            #expect(try await caravan.done("note", "1") == "By the river\n")
            try FileManager.default.removeItem(atPath: scratch.path + "/drafts")
        }
        caravan = try editing(caravan, scratch, "true")
        caravan.environment["EDITOR"] = "vi"
        let terminal = try await caravan.run("note", "edit")
        #expect(terminal.isRefusal(saying: "use `caravan note set`"), terminal.summary)
    }

    @Test("what the trip refuses is kept where the one line says")
    func refusals() async throws {
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch)
        for (script, part) in [
            ("printf 'a\\033[2Jb' > \"$1\"", "control character"), ("printf '\\377' > \"$1\"", "UTF-8"),
            ("head -c 100001 /dev/zero | tr '\\0' a > \"$1\"", "more than 100000"),
            ("head -c 2000000 /dev/zero > \"$1\"", "longer"),
        ] {
            caravan = try editing(caravan, scratch, script)
            for arguments in [["note", "edit", "1"], ["note", "edit"]] {
                let outcome = try await caravan.run(arguments)
                #expect(outcome.isRefusal(saying: part), outcome.summary)
                let file = try #require(drafts(scratch).first { $0.hasSuffix(".txt") })
                #expect(outcome.errors.contains(file), outcome.summary)
                try FileManager.default.removeItem(atPath: scratch.path + "/drafts")
                try FileManager.default.createDirectory(
                    atPath: scratch.path + "/drafts", withIntermediateDirectories: true)
            }
            #expect(try await caravan.done("note", "1") == "By the river\n")
        }
        // Nobody is let type what can't be written.
        caravan = try editing(caravan, scratch, "touch \"$SCRATCH/opened\"")
        try await caravan.done("remove", "1")
        let removed = try await caravan.run("note", "edit", "1")
        #expect(removed.isRefusal(saying: "restore it first"), removed.summary)
        #expect(!scratch.contents().contains("opened"))
    }

    @Test("scripts write a note from their words or from standard input, and clear it")
    func setting() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        #expect(
            try await caravan.done("note", "set", "1", "Two bathrooms") == "Wrote the note of 1 “Casa do Rio”\n")
        #expect(try await caravan.done("note", "1") == "Two bathrooms\n")
        let unchanged = try await caravan.run("note", "set", "1", "Two bathrooms")
        #expect(unchanged.status == 0 && unchanged.output.hasPrefix("Nothing changed: "), unchanged.summary)
        let piped = try await run(caravan, ["note", "set", "1", "-"], input: "Bring\r\nboots\n\n", scratch)
        #expect(piped.status == 0, piped.summary)
        #expect(try await caravan.done("note", "1") == "Bring\nboots\n")
        let whole = try await run(caravan, ["note", "set", "-"], input: "Meet at nine\n", scratch)
        #expect(whole.output == "Wrote the note of the trip\n", whole.summary)
        #expect(try await caravan.done("note", "set", "Meet at nine").hasPrefix("Nothing changed: "))
        #expect(try await caravan.json("note", "set", "--clear")["did"].text == "edited")
        #expect(try await caravan.json("note") == .object([:]))
        try await caravan.done("note", "set", "1", "--clear")
        #expect(try await caravan.json("note", "1") == .object([:]))
        for (words, part, status) in [
            (["note", "set"], "give the text of the note", 64), (["note", "set", "1", "a", "--clear"], "--clear", 64),
            (["note", "set", " "], "--clear", 64), (["note", "set", "1", "-"], "--clear", 1),
            (["note", "set", "Meet", "at", "nine"], "put a text of several words in quotes", 64),
            (["note", "Casa", "do", "Rio"], "put a text of several words in quotes", 64),
            (["note", "edti", "1"], "did you mean `caravan note edit`?", 64),
            (["note", "set", "9", "a"], "no item 9", 1),
        ] as [([String], String, Int32)] {
            let outcome = try await caravan.run(words)
            #expect(outcome.isRefusal(saying: part, status: status), "\(words): \(outcome.summary)")
        }
    }

    @Test("an item that is called as a command is reached behind the command")
    func commandsAsTitles() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, editor: "echo more >> \"$1\"")
        for title in ["edit", "show"] { try await caravan.done("add", title, "--note", "of \(title)") }
        #expect(try await caravan.done("note", "show", "edit") == "of edit\n")
        #expect(try await caravan.done("note", "show", "show") == "of show\n")
        try await caravan.done("note", "edit", "edit")
        #expect(try await caravan.done("note", "show", "edit") == "of edit\nmore\n")
        #expect(try await caravan.run("note", "show").output.isEmpty, "of the trip nothing is written")
        let help = try await caravan.done("help", "note").replacing("\n", with: " ")
        #expect(help.contains("`caravan note show edit`"), "\(help)")
    }
}
