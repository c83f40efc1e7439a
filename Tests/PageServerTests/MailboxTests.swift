import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel
import TripService

/// Mailboxes on the page.
struct MailboxTests {
    private static let secret = "hunter2hunter2"

    private func act(
        _ fields: [(String, String)], _ browser: Browser, _ house: PageHouse
    ) async throws -> (status: Int, toast: String) {
        let answer = try await browser.post("/t/\(house.trip)/act", fields + [("stream", "x")])
        let patch = try JSONDecoder().decode(Patch.self, from: Data(answer.body.utf8))
        return (answer.status, patch.put["toast"] ?? "")
    }

    @Test("a folder is added, shown with its code, tested and removed")
    func folder() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let folder = house.place.home.folder + "/mailbox"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let added = try await act([("do", "add-mailbox"), ("address", folder), ("code", "")], browser, house)
        #expect(added.status == 200 && added.toast.contains("Added mailbox \(folder). It works."), "\(added)")
        guard case .mailboxes(let mailboxes) = try await house.service.answer(.mailboxes(.list)) else { return }
        let code = try #require(mailboxes.first?.code)
        let page = try await browser.get("/t/\(house.trip)/?view=members").body
        #expect(page.contains("caravan mailbox add FOLDER --code \(code)") && page.contains(folder))
        let again = try await act([("do", "add-mailbox"), ("address", folder)], browser, house)
        #expect(again.status == 422 && again.toast.contains("This mailbox was already added"), "\(again)")
        let tested = try await act([("do", "test-mailboxes")], browser, house)
        #expect(tested.status == 200 && tested.toast.contains("works: written in"), "\(tested)")
        let removed = try await act([("do", "remove-mailbox"), ("mailbox", folder)], browser, house)
        #expect(removed.status == 200 && removed.toast.contains("Removed mailbox"), "\(removed)")
        #expect(try await !browser.get("/t/\(house.trip)/?view=members").body.contains(code))
        // Others have the code that was typed.
        let coded = try await act([("do", "add-mailbox"), ("address", folder), ("code", code)], browser, house)
        #expect(coded.toast.contains("Added mailbox \(folder). It works") && !coded.toast.contains("send its code"))
        await house.close()
    }

    @Test(
        "a proxy and certificates are taken, and refused in a line where they can't be used",
        arguments: [
            (["proxy": "socks5h://127.0.0.1:1"], "https://127.0.0.1:1/trip", "127.0.0.1"),
            (["proxy": "socks5h://127.0.0.1:1"], "/tmp", "Only a WebDAV mailbox can have a proxy"),
            (["proxy": "jie:\(secret)@127.0.0.1:1"], "https://127.0.0.1:1/trip", "The proxy is not an address of one"),
            (["certificates": "box.pem"], "https://127.0.0.1:1/trip", "That isn’t a file of certificates"),
            (["certificates": "/nowhere/box.pem", "proxy": " "], "https://127.0.0.1:1/trip", "127.0.0.1"),
        ])
    func advanced(_ fields: [String: String], _ address: String, _ expected: String) async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let form = [("do", "add-mailbox"), ("address", address)] + fields.map { ($0.key, $0.value) }
        let refused = try await act(form, browser, house)
        #expect(refused.status == 422 && refused.toast.contains(expected), "\(refused)")
        #expect(!refused.toast.contains(Self.secret))
        await house.close()
    }

    @Test(
        "what cannot be a mailbox is refused in a line, and no password that was typed comes back",
        arguments: [
            ("https://jie:\(secret)@127.0.0.1:1/trip", ""), ("http://jie:\(secret)@cloud.example.org/trip", ""),
            ("tls://jie:\(secret)@[bad/trip", ""), ("ftp://jie:\(secret)@cloud.example.org", ""),
            ("jie:\(secret)@cloud.example.org", ""), ("https://jie:\(secret)@127.0.0.1:1/trip", "xyz"),
        ])
    func refused(_ address: String, _ code: String) async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let form = [("do", "add-mailbox"), ("address", address), ("code", code)]
        let refused = try await act(form, browser, house)
        #expect(refused.status == 422 && refused.toast.contains("role=\"alert\""), "\(refused)")
        #expect(!refused.toast.contains(Self.secret))
        // Without script, the page says it.
        let plain = try await browser.post("/t/\(house.trip)/act", form + [("back", "view=members")])
        #expect(plain.headers["location"] == "/t/\(house.trip)/?view=members")
        let page = try await browser.get("/t/\(house.trip)/?view=members").body
        #expect(page.contains("role=\"alert\"") && !page.contains(Self.secret))
        await house.close()
    }
}
