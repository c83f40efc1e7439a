import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripPage
import TripService

/// A trip that is started in the browser.
struct StartTests {
    @Test(
        "a home with no trip asks what to begin with, says what is wrong with it, and shows the trip that was started")
    func starts() async throws {
        let home = Home(folder: NSTemporaryDirectory() + "caravan-start-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(atPath: home.folder) }
        let node = try HomeNode(home: home, network: nil)
        try await node.open([])
        let server = PageServer(home: node, options: PageOptions(folder: home.folder, addresses: { ["127.0.0.1"] }))
        try await server.start()
        var browser = Browser(port: try #require(await UInt16(server.address.split(separator: ":").last ?? "")))
        let entered = try await browser.enter(await server.link())
        #expect(entered.headers["location"] == "/")
        #expect(try await browser.get("/").headers["location"] == "/start")
        let page = try await browser.get("/start").body
        #expect(page.contains("Start a trip") && page.contains("Join a friend’s trip") && !page.contains("<script"))

        for form in [
            [("do", "new"), ("title", " "), ("name", "Jie")], [("do", "new"), ("title", "Lisbon"), ("name", "")],
        ] {
            let refused = try await browser.post("/start", form)
            #expect(refused.status == 422 && refused.body.contains("role=\"alert\""), "\(refused.body)")
        }
        #expect(try await browser.post("/start", [("do", "fly")]).status == 400)
        #expect(await node.trips().isEmpty)

        let started = try await browser.post("/start", [("do", "new"), ("title", "Lisbon in June"), ("name", "Jie")])
        let trip = try #require(await node.trips().first)
        #expect(started.status == 303 && started.headers["location"] == "/t/\(trip.id)/" && trip.isInUse)
        #expect(try await browser.get("/t/\(trip.id)/").body.contains("Lisbon in June</span> starts here"))

        // The same form again, by a double click, starts no second trip.
        let again = try await browser.post("/start", [("do", "new"), ("title", "Lisbon in June"), ("name", "Jie")])
        #expect(again.headers["location"] == "/t/\(trip.id)/")
        #expect(await node.trips().count == 1)

        // A link that is no link is told on the page, which keeps it, so that nobody pastes it again.
        #expect(
            try await browser.post("/start", [("do", "join"), ("link", "caravan:x"), ("name", "Jie")]).status == 303)
        var told = ""
        _ = try await eventually {
            told = try await browser.get("/start").body
            return told.contains("role=\"alert\"")
        }
        #expect(told.contains("value=\"caravan:x\"") && told.contains("value=\"Jie\""), "\(told)")
        // A link is pasted with what stood around it.
        #expect(
            StartForm { ["do": "join", "link": " caravan:x\n", "name": "Jie"][$0] }
                == .join(link: "caravan:x", name: "Jie"))
        let link = "caravan:" + String(repeating: "ab27", count: 20)
        for text in ["join my trip \(link) see you", "Come along:\n\(link).\nMia", "(\(link))"] {
            #expect(
                StartForm { ["do": "device", "link": text, "name": "Jie"][$0] } == .device(link: link, name: "Jie"),
                "\(text)")
        }
        // A label names one thing.
        let ids = told.matches(of: /id="([^"]+)"/).map { String($0.1) }
        #expect(Set(ids).count == ids.count, "\(ids)")
        await server.stop()
        await node.close()
    }

    @Test("the trip and its person are renamed on the page, and that can be taken back")
    func renames() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let members = try await browser.get("/t/\(house.trip)/?view=members").body
        #expect(members.contains("value=\"rename-trip\"") && members.contains("value=\"rename-self\""))
        for form in [[("do", "rename-trip"), ("title", "Porto")], [("do", "rename-self"), ("name", "Jie W")]] {
            let answer = try await browser.post("/t/\(house.trip)/act", form + [("stream", "x")])
            #expect(answer.status == 200 && answer.body.contains("Renamed to"), "\(answer.body)")
        }
        #expect(try await house.view().title?.value == "Porto")
        // The toast takes back the renaming, and not what was done last.
        let renamed = try await browser.post(
            "/t/\(house.trip)/act", [("do", "rename-trip"), ("title", "Faro"), ("stream", "x")])
        #expect(renamed.body.contains("rename-trip") && renamed.body.contains("Porto"), "\(renamed.body)")
        let empty = try await browser.post(
            "/t/\(house.trip)/act", [("do", "rename-trip"), ("title", " "), ("stream", "x")])
        #expect(empty.status == 422)
        await house.close()
    }

    @Test("an archived trip has no controls, and its file holds the photos")
    func archives() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        try await house.add([NewItem(title: "Casa do Rio")])
        let file = try await browser.get("/t/\(house.trip)/export/trip.html")
        #expect(file.status == 200 && file.body.contains("Casa do Rio") && !file.body.contains("<form"))
        _ = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let archived = try await browser.post("/t/\(house.trip)/act", [("do", "archive"), ("stream", "x")])
        #expect(archived.status == 200 && archived.body.contains("Archived"), "\(archived.body)")
        let page = try await browser.get("/t/\(house.trip)/").body
        #expect(page.contains("This trip is archived") && !page.contains("value=\"vote\""))
        #expect(!page.contains("Open to guests"), "the page for guests is still open")
        let refused = try await browser.post(
            "/t/\(house.trip)/act", [("do", "add"), ("what", "Tent"), ("stream", "x")])
        #expect(refused.status == 422 && refused.body.contains("archived"))
        await #expect(throws: ServiceError.self) {
            try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        }
        #expect(try await browser.post("/t/\(house.trip)/act", [("do", "reopen"), ("stream", "x")]).status == 200)
        #expect(try await browser.get("/t/\(house.trip)/").body.contains("value=\"vote\""))
        await house.close()
    }

    @Test("no phone joins a trip that was archived in a terminal while its page was open to guests")
    func archivesElsewhere() async throws {
        let house = try await PageHouse()
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        _ = try await house.service.answer(.archive(true))
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        #expect(try await Browser(port: port).get("/enter/\(door.link.suffix(10))").status == 503)
        await house.close()
    }
}
