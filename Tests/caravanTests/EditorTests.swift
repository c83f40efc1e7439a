import Foundation
import TestTiers
import Testing

/// `caravan edit ITEM --editor`: an item changed in the editor that a person has.
struct EditorTests {
    /// A home with one item, whose editor is a script that is given the file.
    private func home(_ scratch: ScratchFolder, editor script: String) async throws -> Product {
        var caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Lisbon in June", "--as", "Jie")
        try await caravan.done("add", "Casa do Rio", "--price", "€80", "--note", "By the river")
        let editor = scratch.path + "/my editor"
        try "#!/bin/sh\n\(script)\n".write(toFile: editor, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
        let drafts = scratch.path + "/drafts"
        try FileManager.default.createDirectory(atPath: drafts, withIntermediateDirectories: true)
        caravan.environment.merge(
            ["EDITOR": "'\(editor)'", "XDG_RUNTIME_DIR": drafts, "PATH": "/usr/bin:/bin", "SCRATCH": scratch.path]
        ) { $1 }
        return caravan
    }

    private func drafts(_ scratch: ScratchFolder) -> [String] {
        scratch.contents().filter { $0.hasPrefix("drafts/") }
    }

    @Test("what is changed in the editor is written, several lines for note and details")
    func changes() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(
            scratch,
            editor: """
                stat -c '%a' "$1" "$(dirname "$1")" > "$SCRATCH/modes"; cp "$1" "$SCRATCH/seen"
                touch "$1~" "$(dirname "$1")/.item.swp"
                sed -i -e 's/€80/€75/' -e 's/^By the river$/By the river.\\nTwo bathrooms./' "$1"
                printf 'A long\\n\\n\\\\# story\\n' > "$SCRATCH/details"; sed -i "/^.details.$/r $SCRATCH/details" "$1"
                """)
        let outcome = try await caravan.run("edit", "1", "--editor")
        #expect(outcome.status == 0 && outcome.output.contains("Casa do Rio"), outcome.summary)
        let item = try await caravan.json("show", "1")
        #expect(item["price"].text == "€75" && item["note"].text == "By the river.\nTwo bathrooms.")
        #expect(item["details"].text == "A long\n\n# story" && item["title"].text == "Casa do Rio")
        #expect(try String(contentsOfFile: scratch.path + "/modes", encoding: .utf8) == "600\n700\n")
        let seen = try String(contentsOfFile: scratch.path + "/seen", encoding: .utf8)
        #expect(seen.contains("[price]\n€80\n") && seen.contains("# "))
        // Only what was changed is written, and nothing of it stays on the disk.
        let last = try #require(try await caravan.json("history").elements.last)
        #expect(last["did"].elements.first?["fields"]["title"].text == nil)
        #expect(drafts(scratch).isEmpty, "\(drafts(scratch))")
    }

    @Test("an unchanged, emptied or removed file changes nothing and says so", .tags(.slow))
    func nothing() async throws {
        for script in ["true", ": > \"$1\"", "rm \"$1\"", "echo '# only this' > \"$1\""] {
            let scratch = try ScratchFolder()
            let caravan = try await home(scratch, editor: script)
            let before = try await caravan.json("status")["changes"]
            let outcome = try await caravan.run("edit", "Casa do Rio", "--editor")
            #expect(outcome.status == 0 && outcome.output == "Nothing changed\n", outcome.summary)
            #expect(try await caravan.json("status")["changes"] == before, "\(script)")
            #expect(drafts(scratch).isEmpty)
        }
    }

    @Test("an editor that fails changes nothing, whatever it wrote")
    func failure() async throws {
        for script in ["sed -i 's/€80/€75/' \"$1\"; exit 1", "kill -9 $$"] {
            let scratch = try ScratchFolder()
            let caravan = try await home(scratch, editor: script)
            let outcome = try await caravan.run("edit", "1", "--editor")
            #expect(outcome.status == 1 && outcome.output.isEmpty, outcome.summary)
            #expect(outcome.errorLines.last?.hasSuffix("nothing was changed") == true, outcome.summary)
            #expect(try await caravan.json("show", "1")["price"].text == "€80")
            #expect(drafts(scratch).isEmpty)
        }
        let scratch = try ScratchFolder()
        var caravan = try await home(scratch, editor: "true")
        caravan.environment["EDITOR"] = "/nonexistent/editor"
        let outcome = try await caravan.run("edit", "1", "--editor")
        #expect(outcome.status == 1 && outcome.errors.contains("/nonexistent/editor"), outcome.summary)
        #expect(outcome.errorLines.last?.contains("nothing was changed") == true, outcome.summary)
    }

    @Test("what the rules refuse is kept where the one line says", .tags(.slow))
    func refusal() async throws {
        for (script, part) in [
            ("sed -i 's/€80/€75/; s/^Casa do Rio$/&\\nCasa/' \"$1\"", "line break"),
            ("sed -i 's/€80/€75/; s/^.link.$/&\\nno address/' \"$1\"", "link"),
            ("sed -i 's/^.price.$/[prise]/' \"$1\"", "prise"), ("printf '[price]\\n\\377' > \"$1\"", "UTF-8"),
            ("head -c 2000000 /dev/zero > \"$1\"", "longer"),
        ] {
            let scratch = try ScratchFolder()
            let caravan = try await home(scratch, editor: script)
            let outcome = try await caravan.run("edit", "1", "--editor")
            #expect(outcome.isRefusal(saying: part), outcome.summary)
            #expect(try await caravan.json("show", "1")["price"].text == "€80", "nothing is half done")
            let file = try #require(drafts(scratch).first { $0.hasSuffix(".txt") })
            #expect(outcome.errors.contains(file), outcome.summary)
        }
    }

    @Test("what somebody wrote while the editor was open stays beside")
    func meanwhile() async throws {
        let scratch = try ScratchFolder()
        // A second command of the same home stands for a change from somebody else.
        let caravan = try await home(
            scratch, editor: "\"$CARAVAN\" edit 1 --price €99 > /dev/null; sed -i 's/€80/€75/' \"$1\"")
        var product = caravan
        product.environment["CARAVAN"] = Product.executable
        try await product.done("edit", "1", "--editor")
        let item = try await caravan.json("show", "1")
        #expect(item["price"].text == "€75")
        #expect(item["also"]["price"].elements.contains { $0["value"].text == "€99" || $0.text == "€99" }, "\(item)")
    }

    @Test("--editor stands alone, and a removed item is not edited")
    func wrongUse() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch, editor: "touch \"$SCRATCH/opened\"")
        let both = try await caravan.run("edit", "1", "--editor", "--price", "3")
        #expect(both.isRefusal(saying: "--editor", status: 64), both.summary)
        try await caravan.done("remove", "1")
        let removed = try await caravan.run("edit", "1", "--editor")
        #expect(removed.isRefusal(saying: "restore it first"), removed.summary)
        #expect(!scratch.contents().contains("opened"))
    }
}
