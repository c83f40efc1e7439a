import Foundation
import Synchronization
import Testing
import TripModel
import TripPage
import TripService

@testable import PageServer

/// What people do on the page happens once, and is said.
struct ActingTests {
    @Test("a form without script is done, leads back to the same view, and is told once")
    func withoutScript() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let answer = try await browser.post(
            "/t/\(house.trip)/act", [("do", "add"), ("title", "Casa do Rio"), ("back", "view=ranking&find=casa%20d")])
        #expect(answer.status == 303)
        #expect(answer.headers["location"] == "/t/\(house.trip)/?view=ranking&find=casa%20d")
        #expect(try await house.view().items.map(\.title) == ["Casa do Rio"])
        #expect(try await browser.get("/t/\(house.trip)/").body.contains("Added"))
        #expect(try await !browser.get("/t/\(house.trip)/").body.contains("Added"))
        // Where it leads is the page's own, whatever the form says.
        let elsewhere = try await browser.post(
            "/t/\(house.trip)/act", [("do", "add"), ("title", "x"), ("back", "//evil.test/\r\nX: y")])
        #expect(elsewhere.headers["location"] == "/t/\(house.trip)/")
        #expect(elsewhere.headers["x"] == nil)
        await house.close()
    }

    @Test("a form that was refused is there again without script, with what was typed and what its fields showed")
    func refusedWithoutScript() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio", fields: [.price: "€90"])])[0]
        func page(after form: [(String, String)]) async throws -> String {
            let answer = try await browser.post("/t/\(house.trip)/act", form)
            try #require(answer.status == 303)
            return try await browser.get(try #require(answer.headers["location"])).body
        }
        let card = try await page(after: [
            ("do", "edit"), ("item", id), ("fields", "title,price,beds,dates"), ("title", "Casa alta"),
            ("price", "€80"), ("shown-price", "€85"), ("beds", "three"), ("dates-from", "2026-06-12"),
            ("dates-to", "2026-06-15"),
            ("back", "open=\(id)"),
        ])
        for value in ["Casa alta", "€80", "€85", "three", "2026-06-12", "2026-06-15"] {
            #expect(card.contains("value=\"\(value)\""), "\(value)")
        }
        #expect(card.contains("dir=\"auto\">Beds must be a number, such as 3</p>") && !card.contains("value=\"€90\""))
        let question = try await page(after: [
            ("do", "ask"), ("title", "Where?"), ("options", String(repeating: "a", count: 130)), ("method", "ranked"),
            ("points", "10"), ("threshold", ""), ("due", ""), ("back", "view=questions"),
        ])
        #expect(question.contains("value=\"Where?\"") && question.contains(String(repeating: "a", count: 130)))
        #expect(question.contains("<option value=\"ranked\" selected>"))
        let box = try await page(after: [("do", "add"), ("what", String(repeating: "b", count: 300))])
        #expect(box.contains("value=\"\(String(repeating: "b", count: 300))\""))
        let hike = try await house.add([
            NewItem(title: "Which hike?", fields: [.question: "points 10"], options: ["Coast", "Hills"])
        ])[0]
        let points = try await page(after: [
            ("do", "answer"), ("item", hike), ("option", "Coast"), ("number", "9"), ("option", "Hills"),
            ("number", "5"), ("back", "view=questions"),
        ])
        #expect(points.contains("value=\"9\" aria-label=\"Your points for Coast\""))
        #expect(points.contains("value=\"5\" aria-label=\"Your points for Hills\""))
        let long = String(repeating: "c", count: 130)
        let option = try await page(after: [
            ("do", "options"), ("item", hike), ("added", long), ("back", "view=questions"),
        ])
        #expect(option.contains("value=\"\(long)\""))
        let words = String(repeating: "d", count: Limits.commentCharacters + 1)
        let comment = try await page(after: [
            ("do", "comment"), ("item", id), ("text", words), ("back", "open=\(id)"),
        ])
        #expect(comment.contains("value=\"\(words)\""))
        // What is done leaves nothing.
        #expect(try await !browser.get("/t/\(house.trip)/").body.contains("bbb"))
        await house.close()
    }

    @Test("an item that the trip already has by its link or name is added, and its toast says so")
    func known() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        _ = try await house.add([
            NewItem(title: "Casa do Rio", fields: [.link: "https://a.example/rooms/1", .place: "38.7,-9.1"])
        ])
        let said = { (what: String) async throws -> Bool in
            let answer = try await browser.post(
                "/t/\(house.trip)/act", [("do", "add"), ("what", what), ("stream", "x")])
            let patch = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8))
            return patch.put["toast"]?.contains("The trip already had it as “Casa do Rio”.") == true
        }
        #expect(try await !said("https://a.example/rooms/2"))
        #expect(try await said("http://www.a.example/rooms/1/#photos"))
        #expect(try await !said("Casa do Tejo"))
        #expect(try await said("casa do rio "))
        #expect(try await house.view().items.count == 5)
        await house.close()
    }

    @Test("of items that are added at once, those that the trip already has are named, at most three")
    func knownOfMany() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        _ = try await house.add(["towels", "Tent", "Rope", "Lamp"].map { NewItem(title: $0) })
        let answer = { (lines: String) async throws -> String? in
            let answer = try await browser.post(
                "/t/\(house.trip)/act", [("do", "add"), ("lines", lines), ("stream", "x")])
            return try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8)).put["toast"]
        }
        let two = try await answer("Towels\nHammock")
        #expect(two?.contains("Added 2 items. The trip already had “towels”.<") == true, "\(two ?? "")")
        let all = try await answer("Lamp\nRope\nTent\nSoap\ntowels")
        #expect(all?.contains("The trip already had “") == true, "\(all ?? "")")
        #expect(all?.contains("” and 1 more.<") == true, "\(all ?? "")")
        let none = try await answer("Stove\nKettle")
        #expect(none?.contains("already had") == false)
        await house.close()
    }

    @Test("the toast of a comment deletes it, and that of a deleted one brings it back")
    func comments() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        let browser = try await house.browser()
        let isRead = try await eventually { try await browser.get("/t/\(house.trip)/").body.contains("Casa do Rio") }
        #expect(isRead)
        let act = { (form: [(String, String)]) async throws -> String in
            let answer = try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
            return try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8)).put["toast"] ?? answer.body
        }
        let comments = { try await house.view().items[0].sayings.comments }
        _ = try await act([("do", "comment"), ("item", id), ("text", "By the sea")])
        let said = try await act([("do", "comment"), ("item", id), ("text", "And cheap")])
        let last = try #require(try await comments().last)
        #expect(last.text == "And cheap" && said.contains(last.id.digits) && said.contains("Undo"), "\(said)")
        let deleted = try await act([("do", "uncomment"), ("item", id), ("comment", last.id.digits)])
        #expect(try await comments().map(\.text) == ["By the sea"])
        #expect(deleted.contains("value=\"undo\"") && deleted.contains("Undo"), "\(deleted)")
        #expect(try await act([("do", "undo")]).contains("Undid your last change"))
        #expect(try await comments().map(\.text) == ["By the sea", "And cheap"])
        await house.close()
    }

    @Test("a form that cannot be done says why, and changes nothing")
    func refused() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        for form in [
            [("do", "vote"), ("item", "abcdefabcdef"), ("vote", "for")], [("do", "fly")], [],
            [("do", "add"), ("title", "")],
            [("do", "add"), ("title", String(repeating: "x", count: 5_000))],
        ] {
            let answer = try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
            #expect(answer.status == 422)
            let patch = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8))
            #expect(patch.put["toast"]?.contains("role=\"alert\"") == true)
        }
        let text = try await browser.ask(
            "POST", "/t/\(house.trip)/act",
            headers: ["Content-Type": "text/plain", "Origin": "http://127.0.0.1:\(house.port)"], body: "do=add&title=x")
        #expect(text.status == 400)
        #expect(try await house.view().items.isEmpty)
        await house.close()
    }

    @Test("the code of an open invite is made where it is shown, and by nothing else that is drawn")
    func codes() async throws {
        let made = Mutex(0)
        let house = try await PageHouse {
            $0.qrCode = { _ in
                made.withLock { $0 += 1 }
                return CodePicture(rows: [[true]])
            }
        }
        let browser = try await house.browser()
        let page = "/t/\(house.trip)/"
        _ = try await browser.post(page + "act", [("do", "invite"), ("stream", "x")])
        let isShown = try await eventually {
            try await browser.get(page + "?view=members").body.contains("The invite as a QR code")
        }
        #expect(isShown)
        let before = made.withLock { $0 }
        #expect(before > 0)
        for view in ["", "?view=ranking", "?view=history"] { _ = try await browser.get(page + view) }
        _ = try await browser.post(page + "act", [("do", "add"), ("title", "Casa"), ("stream", "x")])
        let isAdded = try await eventually { try await browser.get(page).body.contains("Casa") }
        #expect(isAdded)
        #expect(made.withLock { $0 } == before)
        await house.close()
    }

    @Test("a deadline that has passed is refused in a line, and one of today isn't; undo may bring one back")
    func pastDeadline() async throws {
        let house = try await PageHouse()
        let id = try await house.add([NewItem(title: "Book", fields: [.due: "2020-01-02"])])[0]
        let browser = try await house.browser()
        let act = { (form: [(String, String)]) in
            try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
        }
        let ask = { (due: String) in
            [("do", "ask"), ("title", "Where?"), ("options", "Lisbon"), ("method", "one"), ("due", due)]
        }
        let late = try await act(ask("2020-01-03"))
        #expect(late.status == 422 && late.body.contains("3 January 2020 has passed"), "\(late.body)")
        #expect(try await house.view().items.count == 1)
        let now = WallTime.now
        let today = CivilTime(milliseconds: now.milliseconds, offset: now.secondsFromUTC).toTheMinute.prefix(10)
        #expect(try await act(ask(String(today))).status == 200)
        let edit = { (due: String, shown: String) in
            [("do", "edit"), ("item", id), ("fields", "due"), ("due", due), ("shown-due", shown)]
        }
        let refused = try await act(edit("2020-01-05", "2020-01-02"))
        #expect(refused.status == 422 && refused.body.contains("f-\(id)-due-fault"), "\(refused.body)")
        #expect(try await act(edit("2099-01-05", "2020-01-02")).status == 200)
        let undo = [
            ("do", "edit"), ("item", id), ("write", "due"), ("due", "2020-01-02"), ("saw", "due"),
            ("shown-due", "2099-01-05"),
        ]
        #expect(try await act(undo).status == 200)
        await house.close()
    }

    @Test("a rank beyond the number of options is refused in a line; equal ranks and gaps are not")
    func ranks() async throws {
        let house = try await PageHouse()
        let hikes = ["Coast", "Hills", "River"]
        let id = try await house.add([
            NewItem(title: "Which hike?", fields: [.question: "ranked"], options: hikes)
        ])[0]
        let browser = try await house.browser()
        let rank = { (numbers: [String]) in
            var form = [("do", "answer"), ("item", id), ("stream", "x")]
            for (hike, number) in zip(hikes, numbers) { form += [("option", hike), ("number", number)] }
            return try await browser.post("/t/\(house.trip)/act", form)
        }
        let refused = try await rank(["1", "4", ""])
        let fault = "has 3 options; give ranks from 1 to 3"
        #expect(refused.status == 422 && refused.body.contains(fault), "\(refused.body)")
        #expect(try await house.view().questions.first?.sayings.answers.isEmpty == true)
        let blank = try await rank(["", "", ""])
        #expect(blank.status == 422 && blank.body.contains("Rank at least one option"), "\(blank.body)")
        #expect(try await house.view().questions.first?.sayings.answers.isEmpty == true)
        #expect(try await rank(["1", "3", "1"]).status == 200)
        #expect(try await house.view().questions.first?.sayings.answers.count == 1)
        await house.close()
    }

    @Test("the history undoes what its reader did last, and then what they did before that")
    func undoing() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        _ = try await house.service.answer(.act(.vote(.for), on: [.typed(id)]))
        #expect(try await browser.get("/t/\(house.trip)/?view=history").body.contains("Undo your last change"))
        let undo = {
            let answer = try await browser.post("/t/\(house.trip)/act", [("do", "undo"), ("stream", "x")])
            return try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8)).put["toast"] ?? answer.body
        }
        let vote = try await undo()
        #expect(vote.contains("Undid your last change. Jie withdrew their vote on Casa do Rio<"), "\(vote)")
        #expect(try await house.view().items.first?.votes.isEmpty == true)
        let added = try await undo()
        #expect(added.contains("Undid your last change. Jie removed Casa do Rio<"), "\(added)")
        #expect(try await house.view().items.isEmpty)
        await house.close()
    }

    @Test("a tick and a choice are confirmed in their own words")
    func ticks() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let id = try await house.add([NewItem(title: "Casa do Rio")])[0]
        for (field, value, words) in [
            ("done", "true", "Done: “Casa do Rio”"), ("done", "", "Not done: “Casa do Rio”"),
            ("chosen", "true", "Chosen: “Casa do Rio”"), ("chosen", "", "No longer chosen: “Casa do Rio”"),
        ] {
            let form = [("do", "edit"), ("item", id), ("write", field), (field, value), ("stream", "x")]
            let answer = try await browser.post("/t/\(house.trip)/act", form)
            let patch = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8))
            #expect(patch.put["toast"]?.contains(words) == true)
        }
        await house.close()
    }

    @Test("a form that is sent again, as after a lost answer, is done once")
    func retries() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let form = [("do", "add"), ("title", "Casa do Rio"), ("action", "one"), ("stream", "x")]
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { try await browser.post("/t/\(house.trip)/act", form).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 5))
        #expect(try await house.view().items.count == 1)
        // Another sending of it is another act, and so is another browser's.
        _ = try await browser.post("/t/\(house.trip)/act", form.map { $0.0 == "action" ? ("action", "two") : $0 })
        _ = try await house.browser().post("/t/\(house.trip)/act", form)
        #expect(try await house.view().items.count == 3)
        await house.close()
    }

    @Test("a browser that posts more often than people do is told to wait")
    func rates() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        var statuses: Set<Int> = []
        // Many at once: a busy machine answers one after the other more slowly than the limit grows.
        for _ in 0..<8 where !statuses.contains(429) {
            let some = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 { group.addTask { try await browser.post("/t/\(house.trip)/look", []).status } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            statuses.formUnion(some)
        }
        #expect(statuses == [400, 429])
        // Another browser goes on.
        #expect(try await house.browser().post("/t/\(house.trip)/look", []).status == 400)
        await house.close()
    }

    @Test("script in every text that people write is shown as text", arguments: Field.texts.filter { $0 != .done })
    func scriptIsText(field: Field) async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let script = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
        let value = field == .link ? "https://x.test/" + script.filter { $0 != " " } : script
        let form = [
            ("do", "add"), ("title", field == .title ? value : "T"), (field == .title ? "note" : field.name, value),
        ]
        let id = try await house.add([NewItem(title: "Old")])[0]
        _ = try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
        _ = try await browser.post(
            "/t/\(house.trip)/act",
            [("do", "edit"), ("item", id), ("write", field.name), (field.name, value), ("stream", "x")])
        for query in [
            "", "?view=ranking", "?find=" + Browser.encoded([("", script)]).dropFirst(), "?open=\(id)",
            "?open=\(id)&edit=1",
        ] {
            let page = try await browser.get("/t/\(house.trip)/" + query).body
            #expect(!page.contains("<script>") && !page.contains("<img src=x"), "\(query)")
        }
        let stream = try await house.stream(browser)
        let text = try await stream.received { $0.contains("event: patch") && $0.hasSuffix("\n\n") }
        #expect(!text.contains("<script>") && !text.contains("<img src=x"))
        await house.close()
    }
}
