import Foundation
import Testing

/// What an import keeps, what it says that it left out, and how it is undone.
struct ImportLossTests {
    private func home(_ scratch: ScratchFolder) async throws -> Product {
        let caravan = Product(home: scratch.path + "/home")
        try await caravan.done("new", "Fjords", "--as", "Jie")
        return caravan
    }

    private func file(_ scratch: ScratchFolder, _ name: String, _ text: String) throws -> String {
        let path = scratch.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func calendar(_ events: [[String]]) -> String {
        let all = events.enumerated().flatMap {
            ["BEGIN:VEVENT", "SUMMARY:E\($0.offset)"] + $0.element + ["END:VEVENT"]
        }
        return (["BEGIN:VCALENDAR", "VERSION:2.0"] + all + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    @Test("a calendar's times keep their time zones, and a flight the two of its ends")
    func zones() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let path = try file(
            scratch, "a.ics",
            calendar([
                ["DTSTART;TZID=Europe/Oslo:20270612T080000", "DTEND;TZID=Europe/Oslo:20270612T093000"],
                ["DTSTART;TZID=Europe/Oslo:20270612T230000", "DTEND;TZID=\"Europe/Lisbon\":20270613T020000"],
                ["DTSTART;TZID=/example.org/Europe/Oslo:20270614T080000", "DURATION:PT1H"],
            ]))
        #expect(try await caravan.done("import", path) == "Added 3 items\n")
        let dates = try await ["E0", "E1", "E2"].asyncMap { try await caravan.json("show", $0)["dates"].text }
        #expect(
            dates == [
                "2027-06-12T08:00+02:00[Europe/Oslo]/PT1H30M", "2027-06-12T23:00+02:00[Europe/Oslo]/PT4H",
                "2027-06-14T08:00+02:00[Europe/Oslo]/PT1H",
            ])
    }

    @Test("an import of a calendar counts what it leaves out: repetitions, times of long events, unknown time zones")
    func calendarLosses() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let path = try file(
            scratch, "b.ics",
            calendar([
                ["DTSTART:20270612T080000", "RRULE:FREQ=DAILY;COUNT=5"],
                ["DTSTART;VALUE=DATE:20270612", "RDATE;VALUE=DATE:20270613"],
                ["DTSTART:20270612T150000", "DTEND:20270615T110000"],
                ["DTSTART;TZID=Fjord Time:20270612T080000"],
            ]))
        let expected =
            "; took only the first day of 2 repeating events; left out the times of 1 event longer than a day; "
            + "left out 1 unknown time zone (“Fjord Time”)\n"
        #expect(try await caravan.done("import", path, "--dry-run").hasSuffix("Would add 4 items" + expected))
        let answer = try await caravan.json("import", path)
        #expect(
            answer["repeating"] == .number(2) && answer["times_left_out"] == .number(1)
                && answer["zones_left_out"] == .number(1))
        #expect(try await caravan.json("show", "E3")["dates"].text == "2027-06-12T08:00")
    }

    @Test("columns and members that no item keeps are named")
    func columns() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let table = try file(scratch, "a.csv", "title,where,cost,empty,rating\nX9,Bergen,50 EUR,,5\n")
        #expect(
            try await caravan.done("import", table, "--dry-run")
                == "X9\nWould add 1 item; ignored columns: where, cost, rating\n")
        let json = try await caravan.json("import", table)
        #expect(json["ignored_columns"].elements.map(\.text) == ["where", "cost", "rating"])
        let objects = try file(scratch, "a.json", "[{\"title\": \"Y\", \"stars\": 5, \"tags\": [], \"none\": null}]")
        #expect(try await caravan.done("import", objects) == "Added 1 item; ignored columns: stars\n")
        // What we write ourselves is no surprise.
        try await caravan.done("vote", "Y")
        let own = try file(scratch, "own.json", try await caravan.run("list", "--json").output)
        #expect(
            try await caravan.done("import", own)
                == "Nothing changed: added 0 items from “Fjords”; skipped 2 duplicates\n")
    }

    @Test(
        "beds, telephone numbers, what is done and assignees come back from every form, and what is none is counted")
    func values() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Hut", "--beds", "4", "--rooms", "2", "--assignee", "Jie", "--phone", "+1 555")
        try await caravan.done("edit", "Hut", "--done")
        for form in ["csv", "md", "json", "url"] {
            let path = scratch.path + "/kept." + form
            try await caravan.done("export", path)
            #expect(try await caravan.done("import", "--all", path).hasPrefix("Added 1 item"))
            let copy = try #require(try await caravan.json("list", "--sort", "order")["items"].elements.last)
            #expect(copy["beds"].text == "4" && copy["rooms"].text == "2" && copy["assignee"].text == "Jie", "\(form)")
            #expect(copy["done"] == .flag(true) && copy["phone"].text == "+1 555", "\(form)")
            try await caravan.done("undo")
        }
        let table = try file(scratch, "v.csv", "title,beds,done,assignee\nA,two,maybe,Zoe\n")
        #expect(
            try await caravan.done("import", table, "--dry-run").hasSuffix(
                "; left out 2 invalid values (done, beds); left out 1 assignee who is not in this trip\n"))
        let answer = try await caravan.json("import", table)
        #expect(answer["values_left_out"] == .number(2) && answer["assignees_left_out"] == .number(1))
    }

    @Test("an export says in one line what the form leaves out")
    func leftOut() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Hut")
        #expect(try await caravan.run("export", "--as", "csv").errors == "")
        try await caravan.done("comment", "Hut", "Bring wood")
        try await caravan.done("cost", "add", "Boat", "20 EUR")
        try await caravan.done("cost", "add", "Cab", "20 EUR")
        #expect(
            try await caravan.run("export", "--as", "json").errors
                == "Left out 2 costs; `caravan cost export` writes costs.\n")
        try await caravan.done("ask", "Where to?", "Lisbon", "Porto")
        #expect(
            try await caravan.run("export", "--as", "csv").errors
                == "Left out 1 question, 2 costs and 1 comment; JSON can hold questions; `caravan cost export` "
                + "writes costs.\n")
    }

    @Test("a place in words is an address, in a table as in `caravan add --place`")
    func placeInWords() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let table = try file(
            scratch, "a.csv",
            "title,place,location,address\nA,Hotel Union,,\nB,,Café Mir,\nC,\"62.47, 6.15\",,\nD,Hotel Union,,Quay 4\n")
        #expect(try await caravan.done("import", table) == "Added 4 items\n")
        #expect(try await caravan.json("show", "A")["address"].text == "Hotel Union")
        #expect(try await caravan.json("show", "B")["address"].text == "Café Mir")
        #expect(try await caravan.json("show", "C")["place"].text == "62.47,6.15")
        let both = try await caravan.json("show", "D")
        #expect(both["address"].text == "Hotel Union, Quay 4")
        let objects = try file(scratch, "a.json", "[{\"title\": \"Y\", \"place\": \"Hotel Union\"}]")
        try await caravan.done("import", objects)
        #expect(try await caravan.json("show", "Y")["address"].text == "Hotel Union")
    }

    @Test("one undo takes back a whole import, and the next one what came before")
    func undo() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Before")
        let table = try file(scratch, "u.csv", "title,list\nA,L1\nB,\nC,L2\nD,\n")
        try await caravan.done("import", table)
        let undone = try await caravan.done("undo")
        #expect(undone.hasPrefix("Undid your last import:\n"))
        #expect(try await caravan.json("list")["items"].elements.map { $0["title"].text } == ["Before"])
        #expect(try await caravan.json("lists").elements.allSatisfy { $0["removed"] == .flag(true) })
        try await caravan.done("undo")
        #expect(try await caravan.json("list")["items"].elements.isEmpty)
    }

    @Test("a title is found in both of its Unicode forms, and two that look alike are told apart by number")
    func forms() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        let (composed, decomposed) = ("Caf\u{E9} Mir", "Cafe\u{301} Mir")
        try await caravan.done("add", composed)
        #expect(try await caravan.run("show", decomposed).status == 0)
        #expect(try await caravan.run("vote", decomposed.lowercased()).status == 0)
        try await caravan.done("add", "Fjorda\u{308}")
        #expect(try await caravan.run("show", "Fjord\u{E4}").status == 0)
        try await caravan.done("add", decomposed)
        for name in [composed, decomposed] {
            let outcome = try await caravan.run("show", name)
            #expect(outcome.isRefusal(saying: "could be"), outcome.summary)
        }
    }

    @Test("steps don't take a quantity beyond its bound")
    func quantity() async throws {
        let scratch = try ScratchFolder()
        let caravan = try await home(scratch)
        try await caravan.done("add", "Nails", "--quantity", "1")
        try await caravan.done("quantity", "Nails", "+999999")
        let outcome = try await caravan.run("quantity", "Nails", "+1")
        #expect(outcome.isRefusal(saying: "1000000"), outcome.summary)
        #expect(try await caravan.json("show", "Nails")["quantity"] == .number(1_000_000))
        // What is beyond it by others' steps goes down.
        try await caravan.done("quantity", "Nails", "-1")
    }
}

extension Sequence {
    fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
        var all: [Result] = []
        for element in self { all.append(try await body(element)) }
        return all
    }
}
