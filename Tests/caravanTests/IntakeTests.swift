import Foundation
import Testing

/// What `caravan import` accepts and refuses, and what of a trip survives an export and an import.
struct IntakeTests {
    private func home(_ scratch: ScratchFolder, _ title: String = "Lisbon") async throws -> Product {
        let caravan = Product(home: scratch.path + "/" + title)
        try await caravan.done("new", title, "--as", "Jie")
        return caravan
    }

    private func file(_ scratch: ScratchFolder, _ name: String, _ bytes: [UInt8]) throws -> String {
        let path = scratch.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("what is not a list is refused in one line that names what can be read, and nothing is added")
    func notALists() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let users = "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
        let page = "<!DOCTYPE HTML>\n<html lang=\"en\">\n<head>\n<title>Directory listing for /</title>\n</head>\n"
        for (name, bytes) in [
            ("binary", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0]), ("passwd", Array(users.utf8)),
            ("index", Array(page.utf8)), ("page.html", Array("<html><body>Casa</body></html>".utf8)),
            ("feed.xml", Array("<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel/></rss>\n".utf8)),
            ("card", Array("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Jie\r\nEND:VCARD\r\n".utf8)),
            ("pack.kmz", [0x50, 0x4B, 3, 4, 20, 0, 0, 0]), ("env", Array("PATH=/usr/bin\nHOME=/home/jie\n".utf8)),
        ] as [(String, [UInt8])] {
            let outcome = try await caravan.run("import", try file(scratch, name, bytes))
            #expect(outcome.isRefusal(saying: "CSV, JSON, iCalendar, GPX, KML"), "\(name): \(outcome.summary)")
        }
        #expect(try await caravan.json("list")["items"].elements.isEmpty)
    }

    @Test("a directory listing is no feed")
    func directoryListing() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let page = "<!DOCTYPE HTML>\n<html><body><ul>\n<li><a href=\"a.txt\">a.txt</a></li>\n</ul></body></html>\n"
        let outcome = try await caravan.run("feeds", "add", try file(scratch, "listing", Array(page.utf8)))
        #expect(outcome.isRefusal(saying: "CSV, JSON, iCalendar, GPX, KML"), outcome.summary)
    }

    @Test(
        "lists come back from every form that holds them", arguments: ["md", "csv", "json", "ics", "gpx", "kml", "url"])
    func lists(_ form: String) async throws {
        let scratch = try ScratchFolder()
        let here = try await home(scratch)
        try await here.done("lists", "new", "Packing", "3 towels", "Soap")
        try await here.done("lists", "new", "Food")
        try await here.done("add", "Loose", "--place", "38.7,-9.1")
        for title in ["Bread", "Cheese"] { try await here.done("add", title, "--list", "Food", "--place", "38.8,-9.2") }
        for title in ["towels", "Soap"] { try await here.done("edit", title, "--place", "38.9,-9.3") }
        let path = scratch.path + "/trip." + form
        try await here.done("export", path)
        let there = try await home(scratch, "Porto")
        #expect(try await there.done("import", path).contains("5 items"))
        let lists = try await there.json("list")["lists"].elements
        #expect(lists.map { $0["title"].text } == ["Packing", "Food"], "\(form)")
        #expect(lists.map { $0["items"].elements.count } == [2, 2], "\(form)")
        // Once more, nothing is new.
        #expect(try await there.done("import", path).contains("0 items"))
        #expect(try await there.json("list")["items"].elements.count == 5)
    }

    @Test("a heading of a pasted list makes that list, and --list puts all of it into another")
    func headings() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let path = try file(scratch, "a.txt", Array("# Packing\n- [ ] 3 towels\n- Soap\n".utf8))
        try await caravan.done("import", path)
        let packing = try await caravan.json("list")["lists"].elements
        #expect(packing.map { $0["title"].text } == ["Packing"])
        #expect(packing.first?["items"].elements.count == 2)
        try await caravan.done("lists", "new", "Food")
        let food = try file(scratch, "b.txt", Array("# Packing\nBread\n".utf8))
        try await caravan.done("import", food, "--list", "Food")
        #expect(try await caravan.json("list")["lists"].elements.map { $0["items"].elements.count } == [2, 1])
        let unknown = try await caravan.run(
            "import", try file(scratch, "c.txt", Array("Cheese\n".utf8)), "--list", "Fod")
        #expect(unknown.isRefusal(saying: "Fod"), unknown.summary)
        for options in [[], ["--dry-run"]] {
            let known = try await caravan.run(["import", food, "--list", "Fod"] + options)
            #expect(known.isRefusal(saying: "there is no list “Fod”; did you mean “Food”?"), known.summary)
        }
    }

    @Test("a file's name says its form, or --as does; an ending that is not known is refused, and makes no file")
    func endings() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa")
        for name in ["1", "x.foo", "x.xml", "x.pdf", "x.d/trip"] {
            let outcome = try await caravan.run("export", scratch.path + "/" + name)
            #expect(outcome.isRefusal(saying: ".md, .txt, .csv, .ics, .gpx, .kml, .json or .url"), outcome.summary)
        }
        #expect(scratch.contents().filter { !$0.hasPrefix("Lisbon") } == [])
        for (name, beginning) in [
            ("x.url", "caravan:list?"), ("x.txt", "Lisbon\n======\n"), ("X.CSV", "title,"),
            ("x.md", "Lisbon\n======\n"),
        ] {
            try await caravan.done("export", scratch.path + "/" + name)
            let data = try #require(FileManager.default.contents(atPath: scratch.path + "/" + name))
            #expect(String(decoding: data, as: UTF8.self).hasPrefix(beginning), "\(name)")
        }
        try await caravan.done("export", scratch.path + "/1", "--as", "csv")
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/1"))
    }

    @Test("a picture is of the form that its file's name ends in")
    func pictures() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa")
        try await caravan.done("share", "-o", scratch.path + "/p.svg")
        let drawing = try #require(FileManager.default.contents(atPath: scratch.path + "/p.svg"))
        #expect(drawing.starts(with: Data("<svg".utf8)) || drawing.starts(with: Data("<?xml".utf8)))
        for name in ["p.jpg", "p"] {
            let outcome = try await caravan.run("share", "-o", scratch.path + "/" + name)
            #expect(outcome.isRefusal(saying: ".png or .svg"), outcome.summary)
        }
    }

    @Test("quantities beyond what an item may begin with are adjusted and counted, and the file is imported")
    func quantities() async throws {
        let scratch = try ScratchFolder()
        let here = try await home(scratch)
        try await here.done("add", "Tent", "--quantity", "1000000")
        for form in ["csv", "json", "url", "md", "ics"] {
            let path = scratch.path + "/trip." + form
            try await here.done("export", path)
            // One person's steps end there, and two people's at the same moment don't.
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try Data(text.replacingOccurrences(of: "1000000", with: "1000004").utf8).write(
                to: URL(fileURLWithPath: path))
            let there = try await home(scratch, "Porto \(form)")
            let said = try await there.done("import", path)
            #expect(said.contains("adjusted 1 quantity"), "\(form): \(said)")
            #expect(try await there.json("show", "Tent")["quantity"] == .number(1_000_000), "\(form)")
        }
        let short = try file(scratch, "short.csv", Array("title,quantity\nSoap,-2\nMap,0\nRope,3\n".utf8))
        let said = try await here.done("import", short)
        #expect(said.contains("3 items") && said.contains("adjusted 2 quantities"), "\(said)")
    }

    @Test("a link with no scheme is completed")
    func link() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Casa", "--link", "example.org/casa")
        #expect(try await caravan.json("show", "Casa")["link"].text == "https://example.org/casa")
        for wrong in ["ftp://a.b", "javascript:alert(1)", "no link", "n/a", "a@b.org"] {
            let outcome = try await caravan.run("add", "Loft", "--link", wrong)
            #expect(outcome.isRefusal(saying: "the link is not a web address"), outcome.summary)
        }
    }
}
