import Foundation
import LibC
import TestTiers
import Testing

/// `caravan import` and `caravan export`, as people run them.
struct ExchangeTests {
    private func home(_ scratch: ScratchFolder, _ title: String = "Mussels Party") async throws -> Product {
        let caravan = Product(home: scratch.path + "/" + title)
        try await caravan.done("new", title, "--as", "Jie")
        return caravan
    }

    private func file(_ scratch: ScratchFolder, _ name: String, _ text: String) throws -> String {
        let path = scratch.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("a table is one change, is shown before it is added, and is passed over the second time", .tags(.slow))
    func table() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let rows = (1...300).map { "\($0),\"Casa, \($0)\",107,Ana,38.7,-9.\($0),$\($0).00\r\n" }.joined()
        let path = try file(scratch, "listings.csv", "id,name,host_id,host_name,latitude,longitude,price\r\n" + rows)
        let before = try await caravan.json("history").elements.count
        let dry = try await caravan.done("import", path, "--dry-run")
        #expect(dry.hasPrefix("Casa, 1 · $1.00 a night · https://www.airbnb.com/rooms/1\n"))
        #expect(dry.hasSuffix("\nWould add 300 items\n"))
        #expect(try await caravan.json("history").elements.count == before)
        #expect(try await caravan.done("import", path) == "Added 300 items\n")
        #expect(try await caravan.json("history").elements.count == before + 1)
        #expect(try await caravan.done("import", path) == "Nothing changed: added 0 items; skipped 300 duplicates\n")
        let all = try await caravan.json("import", path, "--all", "--dry-run")
        #expect(all["added"] == .number(300) && all["there_already"] == .number(0) && all["changes"] == .number(1))
        #expect(try await caravan.json("show", "Casa, 7")["link"].text == "https://www.airbnb.com/rooms/7")
    }

    @Test(
        "a list goes from one home to another by its link, with awkward names, and by CSV, JSON and a pipe",
        .tags(.slow))
    func roundTrip() async throws {
        let scratch = try ScratchFolder()
        let here = try await home(scratch)
        try await here.done("add", "Mussels", "--price", "€4 & more", "--quantity", "12")
        try await here.done("add", "Fries = 100 % ü 🏡", "--place", "-33.9,18.4", "--note", "=1+1, \"quoted\"")
        try await here.done("add", "Andalouse sauce", "--link", "https://example.org/?a=b&c=%20d#e")
        let keys = ["title", "price", "place", "note", "link", "quantity"]
        let written = try await here.json("list")["items"].elements.map { item in keys.map { item[$0] } }
        for (number, form) in ["url", "csv", "json"].enumerated() {
            let there = try await home(scratch, "Home \(number)")
            let text = try await here.done("export", "--as", form)
            if form == "url" {
                let link = text.split(separator: "\n").joined()
                #expect(link.hasPrefix("caravan:list?title=Mussels%20Party&item=Mussels&price="))
                #expect(try await there.done("import", link) == "Added 3 items from “Mussels Party”\n")
            } else {
                let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: try file(scratch, form, text)))
                let outcome = try await there.start(["import", "-"], input: input).ended(within: 30)
                #expect(outcome.status == 0 && outcome.output.hasPrefix("Added 3 items"), outcome.summary)
            }
            let read = try await there.json("list")["items"].elements.map { item in keys.map { item[$0] } }
            #expect(read == written, "\(form)")
        }
    }

    @Test("the note of a trip goes along in JSON, behind what is there, and one undo undoes the import")
    func note() async throws {
        let scratch = try ScratchFolder()
        let here = try await home(scratch)
        try await here.done("add", "Mussels")
        try await here.done("note", "set", "Bus 28\nBring boots")
        let json = try await here.done("export", "--as", "json")
        let path = try file(scratch, "trip.json", json)
        let there = try await home(scratch, "There")
        try await there.done("note", "set", "Meet at nine")
        let dry = try await there.done("import", path, "--dry-run")
        #expect(dry.hasSuffix("Would add 1 item from “Mussels Party”; would write the note of the trip\n"), "\(dry)")
        #expect(try await there.done("note") == "Meet at nine\n")
        let done = try await there.json("import", path)
        #expect(done["note"] == .flag(true) && done["added"] == .number(1))
        #expect(try await there.done("note") == "Meet at nine\n\nBus 28\nBring boots\n")
        #expect(try await there.done("import", path).hasPrefix("Nothing changed: added 0 items"), "it is there already")
        try await there.done("undo")
        #expect(try await there.done("note") == "Meet at nine\n")
        #expect(try await there.json("list")["items"].elements.isEmpty)
        let table = try await here.run("export", "--as", "csv")
        #expect(
            table.errors == "Left out the note of the trip; Markdown and JSON hold the note.\n", table.summary)
    }

    @Test("every form is written to a file that is not there yet, by what its name ends in")
    func files() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let nothing = try await caravan.run("export", scratch.path + "/a.gpx")
        #expect(nothing.isRefusal(saying: "no item has a place"), nothing.summary)
        try await caravan.done("add", "Casa do Rio", "--place", "38.7,-9.1")
        try await caravan.done("add", "Boat trip")
        for (name, beginning) in [
            ("a.md", "Mussels Party\n=============\n"), ("a.csv", "title,"), ("a.ics", "BEGIN:VCALENDAR\r\n"),
            ("a.gpx", "<?xml "),
            ("a.kml", "<?xml "), ("a.json", "{\n"),
        ] {
            let path = scratch.path + "/" + name
            let outcome = try await caravan.run("export", path)
            #expect(outcome.status == 0 && outcome.output == path + "\n", outcome.summary)
            let isPlaces = name == "a.gpx" || name == "a.kml"
            #expect(outcome.errors == (isPlaces ? "Left out 1 of 2 items, which have no place.\n" : ""))
            let data = try #require(FileManager.default.contents(atPath: path))
            #expect(String(decoding: data, as: UTF8.self).hasPrefix(beginning))
            let again = try await caravan.run("export", path)
            #expect(again.isRefusal(saying: "already exists"), again.summary)
        }
        #expect(
            try await caravan.done("export")
                == "Mussels Party\n=============\n\n- Casa do Rio\n  - place: 38.7,-9.1\n- Boat trip\n")
        let wrong = try await caravan.run("export", "--as", "pdf")
        #expect(wrong.isRefusal(saying: "--as takes markdown, csv", status: 64), wrong.summary)
    }

    @Test("what is malformed, huge, deep, wide or no file is refused in one line, and nothing of it is added")
    func refused() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let sparse = scratch.path + "/huge.csv"
        try #require(FileManager.default.createFile(atPath: sparse, contents: nil))
        try #require(truncate(sparse, 1 << 40) == 0)
        let wide = String(repeating: "title,", count: 1_000_000)
        for (name, text, part) in [
            ("a.csv", "title,link\nfine,\nCasa,ftp://a", "a.csv: row 3: the link is not a web address"),
            ("wide.csv", wide, "row 1: more than 256 columns; delete some"),
            ("deep.json", String(repeating: "[", count: 1_000_000), "line 1: the JSON is nested more than 64"),
            (
                "b.json", "[{\"title\": \"fine\"}, {\"title\": 1",
                "line 1: the JSON is truncated; save or copy all of it"
            ),
            ("b.csv", "a,b\n", "row 1: no column is called title"), ("c.csv", "", "it contains nothing to add"),
        ] {
            let outcome = try await caravan.run("import", try file(scratch, name, text))
            #expect(outcome.isRefusal(saying: part), outcome.summary)
        }
        let invite = "caravan:" + String(repeating: "a", count: 40)
        for (source, part) in [
            (sparse, "larger than 64 MiB"), (scratch.path, "Is a directory"), (scratch.path + "/none", "No such file"),
            ("/dev/zero", "larger than 64 MiB"), ("https://example.org/a.csv", "does not download pages"),
            ("caravan:abcd", "is not a list link, which begins with caravan:list?"), (invite, "caravan join"),
            ("caravan:list?item=%", "truncated or altered"),
        ] {
            let outcome = try await caravan.run("import", source)
            #expect(outcome.isRefusal(saying: part), outcome.summary)
        }
        #expect(try await caravan.json("list")["items"].elements.isEmpty)
    }

    @Test("a slow pipe is read to its end, and one that is cut off adds nothing")
    func slowPipe() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        for (ending, isWhole) in [("\"}]", true), ("", false)] {
            let pipe = Pipe()
            let running = try caravan.start(["import", "-"], input: pipe.fileHandleForReading)
            try pipe.fileHandleForReading.close()
            for piece in ["[{\"title\": ", "\"Ca", "sa", ending] {
                try pipe.fileHandleForWriting.write(contentsOf: Data(piece.utf8))
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(running.process.isRunning)
            try pipe.fileHandleForWriting.close()
            let outcome = try await running.ended(within: 30)
            #expect(isWhole ? outcome.output == "Added 1 item\n" : outcome.isRefusal(saying: "is truncated"))
        }
        #expect(try await caravan.json("list")["items"].elements.count == 1)
    }

    @Test("what is looked for is found in every field and name, and a condition holds of one field")
    func finding() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa do Rio", "--host", "Ana", "--price", "€80")
        try await caravan.done("add", "Loft", "--note", "By the RIVER, says Ana")
        try await caravan.done("add", "Tent")
        try await caravan.done("remove", "Tent")
        let titles = { (arguments: [String]) async throws -> [String] in
            let output = try await caravan.run(arguments + ["--json"]).output
            let answer = try JSONDecoder().decode(JSONAnswer.self, from: Data(output.utf8))
            return answer["items"].elements.map { $0["title"].text ?? "" }
        }
        #expect(try await titles(["search", "ana"]) == ["Casa do Rio", "Loft"])
        #expect(try await titles(["search", "river"]) == ["Loft"])
        #expect(try await titles(["search", "tent"]) == [])
        #expect(try await titles(["search", "jie"]).count == 2)
        #expect(try await caravan.done("search", "zebra") == "No item matches “zebra”.\n")
        #expect(try await titles(["list", "--where", "host=AN"]) == ["Casa do Rio"])
        #expect(try await titles(["list", "--where", "host="]) == ["Loft"])
        #expect(try await titles(["list", "--where", "title=o", "--where", "price="]) == ["Loft"])
        #expect(try await titles(["list", "--where", "host=", "--all"]) == ["Loft", "Tent"])
        // Days and amounts as they are shown, and as programs read them.
        try await caravan.done("edit", "Loft", "--dates", "2026-06-12..15")
        try await caravan.done("cost", "add", "Dinner", "1200 EUR")
        for text in ["June", "12–15 june 2026", "2026-06-12"] {
            #expect(try await titles(["search", text]) == ["Loft"], "\(text)")
            #expect(try await titles(["list", "--where", "dates=\(text)"]) == ["Loft"], "\(text)")
        }
        #expect(try await titles(["search", "€1200.00"]) == ["Dinner"])
        try await caravan.done("ask", "When?", "2026-07-03", "2026-07-10", "--dates")
        #expect(try await titles(["search", "july"]) == ["When?"])
        try await caravan.done("comment", "Loft", "Quiet street, no lift")
        #expect(try await titles(["search", "lift quiet"]) == ["Loft"])
        #expect(try await titles(["search", "lift", "quiet", "--limit", "5"]) == ["Loft"])
        #expect(try await caravan.done("list", "--where", "host=bob") == "No item matches.\n")
        let wrong = try await caravan.run("list", "--where", "hots=Ana")
        #expect(wrong.status == 64 && wrong.errorLines.count == 1, wrong.summary)
        for text in ["", " "] {
            let nothing = try await caravan.run("search", text)
            #expect(nothing.isRefusal(saying: "the text to find is empty", status: 64), nothing.summary)
        }
        // A person is named as everywhere.
        try await caravan.done("edit", "Loft", "--assignee", "Jie")
        #expect(try await titles(["list", "--where", "assignee=jie"]) == ["Loft"])
        #expect(try await titles(["list", "--where", "assignee="]) == ["Casa do Rio"])
        let stranger = try await caravan.run("list", "--where", "assignee=Zoe")
        #expect(stranger.isRefusal(saying: "there is nobody called “Zoe”"), stranger.summary)
        // Flags are written as in the editor.
        try await caravan.done("edit", "Loft", "--done")
        for (words, title) in [(["yes", "Yes", "true"], "Loft"), (["no", ""], "Casa do Rio")] {
            for word in words { #expect(try await titles(["list", "--where", "done=" + word]) == [title], "\(word)") }
        }
        let unclear = try await caravan.run("list", "--where", "chosen=maybe")
        #expect(unclear.isRefusal(saying: "--where takes yes or no", status: 64), unclear.summary)
        // What is in no list is no field of one.
        let payment = try await caravan.run("list", "--where", "payment=5")
        #expect(payment.isRefusal(saying: "there is no field “payment”", status: 64), payment.summary)
    }

    @Test("a part of the history is the last changes, or what was done to one item")
    func history() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let path = try file(scratch, "items.txt", "Casa\nLoft\nTent\n")
        try await caravan.done("import", path)
        try await caravan.done("vote", "Loft")
        try await caravan.done("vote", "Casa")
        let lines = { (text: String) in text.split(separator: "\n").map { $0.drop { $0 != "J" } } }
        #expect(
            lines(try await caravan.done("history", "--limit", "2")) == [
                "Jie voted for “Loft”", "Jie voted for “Casa”",
            ])
        #expect(lines(try await caravan.done("history", "Loft")) == ["Jie added “Loft”", "Jie voted for “Loft”"])
        let unknown = try await caravan.run("history", "Zeppelin")
        #expect(unknown.isRefusal(saying: "Zeppelin"), unknown.summary)
    }
}
