import CaravanNode
import Testing
import TripPage
import TripService

@testable import PageServer

/// What people see who get nothing else.
struct RefusalTests {
    private let reader = ["Accept": "text/html,application/xhtml+xml"]

    @Test("a person reads a refusal as a page with a way on, and the script as a line")
    func pages() async throws {
        let house = try await PageHouse()
        let (browser, stranger) = (try await house.browser(), Browser(port: house.port))
        for (path, status, way) in [("/nowhere", 404, "href=\"/\""), ("/t/\(house.trip)/act", 405, "href=\"/\"")] {
            let page = try await browser.get(path, reader)
            #expect(page.status == status && page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.body.contains("<h1") && page.body.contains("page.css") && page.body.contains(way))
            #expect(!page.body.contains("go to /"))
            let line = try await browser.get(path, ["Accept": "*/*"])
            #expect(line.status == status && line.headers["content-type"] == "text/plain; charset=utf-8")
        }
        #expect(try await browser.get("/t/\(house.trip)/act", reader).headers["allow"] == "POST")
        let refused = try await stranger.get("/", reader).body
        #expect(refused.contains("This browser has no access.") && refused.contains("Open the link that"))
        #expect(!refused.contains("Go to "))
        // Who has no access reads no title.
        let taken = try await stranger.post("/enter/aaaaaaaaaa", [], reader)
        #expect(taken.status == 405 && taken.body.contains(">Go to the trip</a>") && !taken.body.contains("Lisbon"))
        let door = try await house.server.openDoor(toTrip: house.trip, minutes: 10)
        let port = try #require(door.link.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        let code = try await Browser(port: port).get("/enter/aaaaaaaaaa", reader)
        #expect(code.status == 403 && code.body.contains("This code has expired.</h1>"))
        #expect(code.body.contains("Scan the one that your host shows now."))
        await house.close()
    }

    @Test("the page of a trip that doesn't run says why, and names the trip to which its button leads")
    func stoppedTrip() async throws {
        let house = try await PageHouse()
        let other = try await house.node.create(title: "Porto", name: "Jie")
        let browser = try await house.browser()
        func refusal(_ trip: String, _ words: String) async throws {
            let page = try await browser.get("/t/\(trip)/", reader)
            #expect(page.status == (trip == other ? 409 : 404) && page.body.contains(words + "</h1>"), "\(page.body)")
            #expect(page.body.contains("href=\"/t/\(trip)/\">Try again</a>") == (trip == other))
            #expect(page.body.contains(">Go to “Lisbon in June”</a>") && !page.body.contains("Porto"))
            #expect(page.body.contains("<kbd>caravan up</kbd>") == (trip == other))
        }
        await house.node.release(other)
        try await refusal(other, "This trip is not running.")
        try await house.node.run(other)
        try await house.node.setPassphrase(Array("four words are better".utf8), old: nil, trip: other)
        await house.node.release(other)
        try await refusal(other, "This trip waits for its passphrase.")
        try await house.node.open([other])
        let page = try await browser.get("/t/\(other)/", reader).body
        #expect(
            page.contains("The last start failed: trip \(other.prefix(6)) has a passphrase; set CARAVAN_PASSPHRASE_"),
            "\(page)")
        for unknown in ["0000", "%2E%2E", "%2E"] { try await refusal(unknown, "No such trip is running here.") }
        await house.close()
    }

    @Test("a phone finds what its home screen needs, signed in or not, and each file is there")
    func homeScreen() async throws {
        let house = try await PageHouse()
        let (browser, stranger) = (try await house.browser(), Browser(port: house.port))
        let page = try await browser.get("/t/\(house.trip)/").body
        #expect(page.contains("rel=\"apple-touch-icon\"") && page.contains("name=\"theme-color\""))
        let manifest = try await stranger.get("/page.webmanifest")
        #expect(manifest.status == 200 && manifest.headers["content-type"] == "application/manifest+json")
        #expect(page.contains("/page.webmanifest?v="))
        let icons = manifest.body.matches(of: #/"src":"([^"]+)"/#).map { String($0.1) }
        #expect(icons.count == 2)
        for icon in icons {
            let connection = try await RawConnection(port: house.port)
            try await connection.send(stranger.head("HEAD", icon))
            try await connection.receives("Content-Type: image/png")
            await connection.close()
        }
        let policy = try await browser.get("/t/\(house.trip)/").headers["content-security-policy"]
        #expect(policy?.contains("manifest-src 'self'") == true)
        await house.close()
    }
}
