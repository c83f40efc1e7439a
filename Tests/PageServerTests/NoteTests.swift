import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripPage
import TripService

/// Notes that several people write at once, over HTTP.
struct NoteTests {
    /// What a page with script is answered.
    private struct Reply: Decodable {
        struct Splice: Decodable {
            let at: Int
            let out: Int
            let text: String
            let length: Int
        }

        let reading: Int64
        let mark: String
        let splice: Splice?
        let text: String?
    }

    private func reply(_ answer: Answer) throws -> Reply {
        try JSONDecoder().decode(Reply.self, from: Data(answer.body.utf8))
    }

    private func piece(
        of mark: String, at: Int, out: Int = 0, _ text: String, item: String? = nil, action: String = UUID().uuidString
    ) -> [(String, String)] {
        var form = [
            ("stream", "x"), ("caret", "0"), ("action", action), ("base", mark), ("at", String(at)),
            ("out", String(out)), ("added", text),
        ]
        if let item { form.append(("item", item)) }
        return form
    }

    private func note(_ house: PageHouse) async throws -> String? {
        try await house.view().items.first?.fields[.note]?.value
    }

    private func phone(_ house: PageHouse, name: String) async throws -> Browser {
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        var phone = Browser(port: port)
        try #require(try await phone.enter(door.link).status == 303)
        try #require(try await phone.post("/t/\(house.trip)/who", [("name", name)]).status == 303)
        return phone
    }

    @Test("pieces of two pages that were made to the same text are both in the note, and each page is told the other's")
    func pieces() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio", fields: [.note: "roof terrace"])])[0]
        let (page, address) = ("/t/\(house.trip)/?open=\(id)", "/t/\(house.trip)/note")
        let mark = NoteText(.trip, "roof terrace").mark
        let isShown = try await eventually { try await browser.get(page).body.contains("data-shown=\"\(mark)\"") }
        #expect(isShown)
        let first = try reply(try await browser.post(address, piece(of: mark, at: 12, " 🏡", item: id)))
        #expect(first.splice?.text == "" && first.splice?.out == 0 && first.splice?.length == 15)
        #expect(first.mark == NoteText(.trip, "roof terrace 🏡").mark)
        let second = try reply(try await browser.post(address, piece(of: mark, at: 0, out: 1, "Large r", item: id)))
        #expect(second.splice?.text == " 🏡" && second.splice?.at == 18 && second.reading > first.reading)
        #expect(try await note(house) == "Large roof terrace 🏡")
        // A page that goes on with what it was answered needs no other text.
        let third = try reply(try await browser.post(address, piece(of: second.mark, at: 0, "A ", item: id)))
        #expect(third.splice?.text == "")
        #expect(try await note(house) == "A Large roof terrace 🏡")
        await house.close()
    }

    @Test("the same piece sent again is written once, and of a text that nobody knows the whole is told")
    func again() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let address = "/t/\(house.trip)/note"
        _ = try await browser.get("/t/\(house.trip)/?view=notes")
        let form = piece(of: NoteText(.trip, "").mark, at: 0, "Flight at nine")
        let first = try reply(try await browser.post(address, form))
        #expect(try reply(try await browser.post(address, form)).reading == first.reading)
        #expect(try await house.view().note?.value == "Flight at nine")
        let unknown = try await browser.post(address, piece(of: "0123456789abcdef", at: 0, "x"))
        #expect(unknown.status == 409)
        #expect(try reply(unknown).text == "Flight at nine")
        let outside = try await browser.post(address, piece(of: first.mark, at: 99, "x"))
        #expect(outside.status == 409)
        for form in [
            [], [("stream", "x")], [("base", first.mark), ("at", "-"), ("out", "0"), ("added", "")], [("caret", "-1")],
        ] {
            #expect(try await browser.post(address, form).status == 400)
        }
        #expect(try await browser.get(address).status == 405)
        #expect(try await house.view().note?.value == "Flight at nine")
        await house.close()
    }

    @Test("what a note can't hold is refused in a line, as is a note of what is removed")
    func refused() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let address = "/t/\(house.trip)/note"
        _ = try await browser.get("/t/\(house.trip)/?open=\(id)")
        let empty = NoteText(.trip, "").mark
        let control = try await browser.post(address, piece(of: empty, at: 0, "a\u{7}b", item: id))
        #expect(control.status == 422 && control.body.contains("control character"))
        _ = try await house.service.answer(.act(.remove, on: [.typed(id)]))
        let isRemoved = try await eventually {
            try await browser.post(address, piece(of: empty, at: 0, "a", item: id)).status == 422
        }
        #expect(isRemoved)
        #expect(try await browser.post(address, piece(of: empty, at: 0, "a", item: "abcdefabcdef")).status == 422)
        await house.close()
    }

    @Test("without script a note is a form of the whole text and of what was shown, and of 100,000 characters too")
    func form() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio", fields: [.note: "one\ntwo"])])[0]
        _ = try await house.service.answer(
            .act(.edit([.note: "zero\none\ntwo"], shown: [.note: ["one\ntwo"]]), on: [.typed(id)]))
        let answer = try await browser.post(
            "/t/\(house.trip)/note",
            [("item", id), ("back", "open=\(id)"), ("note", "one\r\ntwo!"), ("shown", "one\r\ntwo")])
        #expect(answer.status == 303 && answer.headers["location"] == "/t/\(house.trip)/?open=\(id)")
        #expect(try await note(house) == "zero\none\ntwo!")
        #expect(try await browser.get("/t/\(house.trip)/?open=\(id)").body.contains("Saved the note"))
        let long = String(repeating: "0123456789 abcdéfg\n", count: 5_200).dropLast()
        let saved = try await browser.post(
            "/t/\(house.trip)/note", [("note", String(long)), ("shown", "")])
        #expect(saved.status == 303, "\(saved.body)")
        #expect(try await house.view().note?.value == String(long))
        let longer = try await browser.post(
            "/t/\(house.trip)/note", [("note", String(repeating: "x", count: 100_001)), ("shown", "")])
        #expect(longer.status == 422 && longer.body.contains("100000"))
        await house.close()
    }

    @Test("a guest writes in notes of items and of the trip as themselves, and host and guest see each other write")
    func guest() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let (browser, mia) = (try await house.browser(), try await phone(house, name: "Mia"))
        let (page, address) = ("/t/\(house.trip)/?open=\(id)", "/t/\(house.trip)/note")
        #expect(try await mia.get(page).body.contains("name=\"note\""))
        let stream = try await RawConnection(port: mia.port)
        try await stream.send(mia.head("GET", "/t/\(house.trip)/stream?open=\(id)"))
        let hello = try await stream.received { $0.contains("event: patch") }
        let key = try #require(hello.range(of: "{\"stream\":\"").map { String(hello[$0.upperBound...].prefix(32)) })
        let form = piece(of: NoteText(.trip, "").mark, at: 0, "The key is at the bar", item: id)
        let sent = form.map { ["stream": ("stream", key), "caret": ("caret", "4")][$0.0] ?? $0 }
        let answer = try await mia.post(address, sent)
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try await note(house) == "The key is at the bar")
        let author = try await house.view().items.first?.fields[.note]?.shown.authorName
        #expect(author?.contains("Mia") == true)
        // Beside the note, for its host and not for herself.
        let isSeen = try await eventually { try await browser.get(page).body.contains("</span> is writing</span>") }
        #expect(isSeen)
        #expect(try await browser.get(page).body.contains("<p data-at=\"4\">"))
        let (old, new) = ("The key is at the bar", "Ring. The key is at the bar")
        _ = try await house.service.answer(.act(.edit([.note: new], shown: [.note: [old]]), on: [.typed(id)]))
        let moves = try await eventually { try await browser.get(page).body.contains("<p data-at=\"10\">") }
        #expect(moves, "her caret stays before her word")
        #expect(try await !mia.get(page).body.contains("is writing"))
        #expect(try await mia.post(address, [("item", id), ("stream", key), ("caret", "gone")]).status == 204)
        let isGone = try await eventually { try await !browser.get(page).body.contains("is writing") }
        #expect(isGone)
        // Nobody sits on another's stream.
        let theirs = [("item", id), ("stream", key), ("base", NoteText(.trip, "").mark), ("caret", "0")]
        #expect(try await browser.post(address, theirs).status == 204)
        #expect(try await !mia.get(page).body.contains("is writing"))
        _ = try await mia.get("/t/\(house.trip)/?view=notes")
        #expect(
            try await mia.post(address, piece(of: NoteText(.trip, "").mark, at: 0, "Flight at nine")).status == 200)
        #expect(try await house.view().note?.value == "Flight at nine")
        await stream.close()
        await house.close()
    }

    @Test("a stream tells a page of a note what changed in it alone")
    func stream() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let text = String(repeating: "a line of a long note\n", count: 1_000) + "end"
        let id = try await house.add([NewItem(title: "Casa do Rio", fields: [.note: "short"])])[0]
        _ = try await house.service.answer(.act(.edit([.note: text], shown: [:]), on: [.typed(id)]))
        let stream = try await house.stream(browser, query: "open=\(id)")
        _ = try await stream.received { $0.contains("end</textarea>") }
        _ = try await house.service.answer(
            .act(.edit([.note: text + " of all"], shown: [.note: [text]]), on: [.typed(id)]))
        let received = try await stream.received { $0.contains("\" of all\"") }
        let last = received.components(separatedBy: "event: patch\ndata: ").last { $0.contains("\" of all\"") }
        let patch = try #require(last)
        #expect(patch.contains("\"notes\":[{\"id\":\"note-\(id)\"") && patch.contains("\"reading\":"))
        #expect(patch.utf8.count < 8_000, "\(patch.utf8.count) bytes")
        await house.close()
    }
}
