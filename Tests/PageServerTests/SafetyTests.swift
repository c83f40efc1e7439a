import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripPage
import TripService

/// Passphrases, backups and second devices, without a terminal.
struct SafetyTests {
    private let passphrase = "four words are better"

    private func act(_ browser: Browser, _ house: PageHouse, _ form: [(String, String)]) async throws -> String {
        let sent = try await browser.post("/t/\(house.trip)/act", form + [("back", "view=safety")])
        return try await browser.get(sent.headers["location"] ?? "/").body.lowercased()
    }

    @Test("a passphrase is set, changed and removed on the page; a wrong one changes nothing, and no page shows any")
    func passphrases() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let isSealed = { try await house.node.isUnderPassphrase(trip: house.trip) }
        #expect(try await browser.get("/t/\(house.trip)/?view=safety").body.contains("Set the passphrase"))

        func set(_ new: String, old: String = "", again: String? = nil) async throws -> String {
            let page = try await act(
                browser, house, [("do", "set-passphrase"), ("old", old), ("new", new), ("again", again ?? new)])
            #expect(!page.contains(new) && (old.isEmpty || !page.contains(old)))
            return page
        }
        #expect(try await set(passphrase, again: "four words").contains("the two passphrases differ"))
        #expect(try await set("few").contains("the passphrase is too short"))
        #expect(try await set(String(repeating: "\t", count: 8)).contains("the passphrase has only blanks"))
        #expect(try await !isSealed())
        let page = try await set(passphrase)
        #expect(page.contains("passphrase set.") && page.contains("a passphrase protects"))
        #expect(try await isSealed())

        #expect(try await set("another four words").contains("type the present passphrase"))
        #expect(try await set("another four words", old: "wrong words").contains("wrong"))
        #expect(try await set("another four words", old: passphrase).contains("passphrase changed."))
        let remove = { (old: String) in
            try await act(browser, house, [("do", "remove-passphrase"), ("old", old)])
        }
        #expect(try await remove(passphrase).contains("wrong passphrase; try again"), "the page names the trip")
        #expect(try await isSealed())
        #expect(try await remove("another four words").contains("passphrase removed."))
        #expect(try await !isSealed())
        // The node goes on with the secrets that it has.
        #expect(try await house.add([NewItem(title: "Casa do Rio")]).count == 1)
        await house.close()
    }

    @Test("a backup that is made on a page is restored in another home, which goes on as the same person")
    func backups() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        try await house.add([NewItem(title: "Casa do Rio")])
        let download = try await browser.post(
            "/t/\(house.trip)/backup", [("new", passphrase), ("again", passphrase)])
        #expect(download.status == 200 && download.headers["content-type"] == "application/octet-stream")
        #expect(
            download.headers["content-disposition"]
                == "attachment; filename=\"Lisbon in June.backup\"; filename*=UTF-8''Lisbon%20in%20June.backup")
        #expect(download.headers["cache-control"] == "no-store")
        for (new, again) in [("short", "short"), (passphrase, "another")] {
            let refused = try await browser.post("/t/\(house.trip)/backup", [("new", new), ("again", again)])
            #expect(refused.status == 303 && refused.headers["location"]?.contains("view=safety") == true)
        }
        let backup = try await house.node.backUp(trip: house.trip, under: Array(passphrase.utf8))
        let person = try #require(await (house.service.answer(.members)).you)
        await house.close()

        let home = Home(folder: NSTemporaryDirectory() + "caravan-restored-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(atPath: home.folder) }
        let node = try HomeNode(home: home, network: nil)
        try await node.open([])
        for (bytes, words) in [
            (backup, "wrong passphrase"), (Array(backup.dropLast()), passphrase), ([1, 2, 3], passphrase),
        ] {
            await #expect(throws: ServiceError.self) { try await node.restore(backup: bytes, under: Array(words.utf8)) }
        }
        #expect(await node.trips().isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: home.folder).allSatisfy { !$0.hasPrefix("backup.") })
        let restored = try await node.restore(backup: backup, under: Array(passphrase.utf8))
        #expect(restored == house.trip)
        let service = try #require(await node.trip(restored))
        #expect(try await service.answer(.members).you == person)
        guard case .trip(let view) = try await service.answer(.view) else { return #expect(Bool(false)) }
        #expect(view.items.map(\.title) == ["Casa do Rio"])
        await node.close()
    }

    @Test("the form that restores names what lacks and what is no backup, in a line on its page")
    func restoring() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        func send(_ file: String?) async throws -> Answer {
            let parts =
                (file.map { ["name=\"backup\"; filename=\"a\"\r\n\r\n\($0)"] } ?? []) + [
                    "name=\"passphrase\"\r\n\r\nwords"
                ]
            let body = parts.map { "--XX\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + "--XX--\r\n"
            return try await browser.ask(
                "POST", "/start/restore",
                headers: [
                    "Origin": "http://127.0.0.1:\(browser.port)", "Content-Type": "multipart/form-data; boundary=XX",
                ], body: body)
        }
        // The page has the address of the other forms, so that it can be loaded again.
        #expect(try await browser.get("/start/restore").headers["location"] == "/start")
        for (file, words) in [(nil, "Choose the backup’s file first"), ("no backup at all", "This file")] {
            let answer = try await send(file)
            #expect(answer.status == 303 && answer.headers["location"] == "/start", "\(answer.body)")
            let page = try await browser.get("/start").body
            #expect(page.contains(words) && page.contains("autofocus") && !page.contains(house.place.home.folder))
            #expect(try await !browser.get("/start").body.contains("role=\"alert\""), "it is told twice")
        }
        await house.close()
    }

    @Test("a link for a second device is made on the page, and is not a friend’s; guests see none of it")
    func devices() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        _ = try await act(browser, house, [("do", "add-device")])
        let page = try await browser.get("/t/\(house.trip)/?view=safety").body
        let start = try #require(page.range(of: "caravan:"))
        let link = String(page[start.lowerBound...].prefix { $0 != "\"" && $0 != "<" })
        #expect(house.node.isForDevice(link: link), "\(link)")
        #expect(!house.node.isForDevice(link: "caravan:x"))
        #expect(try await !browser.get("/t/\(house.trip)/?view=members").body.contains(link))
        let refused = try await browser.post("/start", [("do", "device"), ("link", "caravan:x"), ("name", "Laptop")])
        #expect(refused.status == 422 && refused.body.contains("isn’t for a device of yours"))
        let newcomer = try await browser.post("/start", [("do", "join"), ("link", link), ("name", "Paul")])
        #expect(newcomer.status == 422 && newcomer.body.contains("adds a device of a person who takes part"))
        // Its form is behind a line that is closed: the refusal names that line.
        #expect(newcomer.body.contains("press “\(TripPage.moreHeading)”, and paste it there"))

        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 30)
        var phone = Browser(port: try #require(UInt16(door.link.split(separator: "/")[1].split(separator: ":")[1])))
        _ = try await phone.enter(door.link)
        _ = try await phone.post("/t/\(house.trip)/who", [("name", "Noah")])
        #expect(try await !phone.get("/t/\(house.trip)/?view=safety").body.contains("Set the passphrase"))
        #expect(
            try await phone.post("/t/\(house.trip)/backup", [("new", passphrase), ("again", passphrase)]).status == 404)
        for deed in ["add-device", "set-passphrase"] {
            let answer = try await phone.post(
                "/t/\(house.trip)/act", [("do", deed), ("new", passphrase), ("again", passphrase)])
            #expect([303, 404, 422].contains(answer.status))
        }
        #expect(try await !house.node.isUnderPassphrase(trip: house.trip))
        guard case .invites(let invites) = try await house.service.answer(.invites) else { return }
        #expect(invites.filter(\.isForDevice).count == 1)
        await house.close()
    }
}

extension TripAnswer {
    /// The person here.
    fileprivate var you: String? {
        guard case .members(let view) = self else { return nil }
        return view.people.first(where: \.isYou)?.id
    }
}
