import Foundation
import PageServer
import Testing
import TripModel
import TripPage

/// What comes over the wire is bounded in bytes and in time.
struct HTTPTests {
    @Test("requests on one connection are answered one after the other, also those sent at once")
    func keepAlive() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let connection = try await RawConnection(port: house.port)
        try await connection.send(String(repeating: browser.head("GET", "/style/page.css"), count: 50))
        let text = try await connection.received { $0.components(separatedBy: "HTTP/1.1 200 OK").count == 51 }
        #expect(!text.contains("HTTP/1.1 4"))
        try await connection.send(browser.head("GET", "/nowhere", headers: ["Connection": "close"]))
        _ = try await connection.received {
            $0.contains("HTTP/1.1 404") && $0.lowercased().contains("connection: close")
        }
        #expect(try await eventually { connection.isClosed })
        await house.close()
    }

    @Test("a style is sent again only where it changed")
    func entityTags() async throws {
        let house = try await PageHouse()
        let browser = Browser(port: house.port)
        let tag = try #require(try await browser.get("/style/page.css").headers["etag"])
        let again = try await browser.get("/style/page.css", ["If-None-Match": tag])
        #expect(again.status == 304 && again.body.isEmpty)
        #expect(try await browser.get("/style/page.css", ["If-None-Match": "\"0\""]).status == 200)
        // An address that says which style it means is that style for ever; any other is asked for again.
        for asset in [TripPage.style, TripPage.script] {
            let path = asset == TripPage.style ? "/style/page.css" : "/script/page.js"
            let named = try await browser.get("\(path)?v=\(asset.fingerprint)")
            #expect(named.status == 200 && named.headers["cache-control"] == "max-age=31536000, immutable")
            for other in ["", "?v=", "?v=0"] {
                #expect(try await browser.get(path + other).headers["cache-control"] == "no-cache")
            }
        }
        await house.close()
    }

    @Test("the head of a page is sent alone where it alone is asked for")
    func head() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let answer = try await browser.ask("HEAD", "/t/\(house.trip)/")
        #expect(answer.status == 200 && answer.body.isEmpty)
        // To ask for a link's head does not use it up.
        let link = await house.server.link()
        let path = String(link.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
        #expect(try await browser.ask("HEAD", path).status == 405)
        var other = Browser(port: house.port)
        #expect(try await other.enter(link).status == 303)
        await house.close()
    }

    @Test(
        "an address that is none gets a line that says so",
        arguments: [
            ("GET", "/nowhere", 404), ("GET", "/t/ffff/", 404), ("GET", "/%", 400), ("GET", "/%ff", 400),
            ("GET", "/../../etc/passwd", 404), ("GET", "/t/TRIP/?find=%", 400),
            ("POST", "/t/TRIP/", 405), ("DELETE", "/t/TRIP/", 405), ("GET", "/t/TRIP/act", 405),
            ("GET", "/t/TRIP/members", 404), ("GET", "/t/%0d%0aX:1", 400), ("GET", "/t/TRIP/%00", 400),
        ])
    func addresses(method: String, path: String, status: Int) async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let answer = try await browser.ask(
            method, path.replacingOccurrences(of: "TRIP", with: house.trip),
            headers: ["Origin": "http://127.0.0.1:\(house.port)"])
        #expect(answer.status == status)
        #expect(answer.body.hasSuffix("\n") && answer.body.filter { $0 == "\n" }.count == 1)
        await house.close()
    }

    @Test("a body above 64 kB is not read, whether or not it says how long it is")
    func longBody() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let body = "do=add&title=" + String(repeating: "x", count: 70_000)
        #expect(
            try await browser.post("/t/\(house.trip)/act", [("do", String(repeating: "x", count: 70_000))]).status
                == 413)
        let connection = try await RawConnection(port: house.port)
        let head = browser.head(
            "POST", "/t/\(house.trip)/act",
            headers: ["Transfer-Encoding": "chunked", "Origin": "http://127.0.0.1:\(house.port)"])
        try await connection.send(head + String(body.utf8.count, radix: 16) + "\r\n" + body + "\r\n0\r\n\r\n")
        _ = try await connection.received { $0.hasPrefix("HTTP/1.1 413") }
        #expect(try await eventually { connection.isClosed })
        #expect(try await house.view().items.isEmpty)
        await house.close()
    }

    @Test("a refusal is there for a browser that sends all before it reads")
    func refusedWhileSending() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let head = browser.head(
            "POST", "/t/\(house.trip)/act",
            headers: ["Content-Length": "9000000", "Origin": "http://127.0.0.1:\(house.port)"])
        for _ in 0..<5 {
            let connection = try await RawConnection(port: house.port, reads: false, staysOpen: true)
            try await connection.send(head + String(repeating: "x", count: 2_000_000))
            try await Task.sleep(for: .milliseconds(50))
            try await connection.read()
            _ = try await connection.received { $0.hasPrefix("HTTP/1.1 413") }
        }
        await house.close()
    }

    @Test("the rest of a refused request is not waited for, and not read without end", arguments: [0, 3_000_000])
    func lingering(bytes: Int) async throws {
        let house = try await PageHouse {
            $0.limits.bodyDeadline = bytes == 0 ? .milliseconds(300) : .seconds(3_600)
            $0.limits.uploadBytes = 1_000_000
        }
        let browser = try await house.browser()
        let connection = try await RawConnection(port: house.port, staysOpen: true)
        try await connection.send(
            browser.head(
                "POST", "/t/\(house.trip)/act",
                headers: ["Content-Length": "9000000", "Origin": "http://127.0.0.1:\(house.port)"]))
        _ = try await connection.received { $0.hasPrefix("HTTP/1.1 413") }
        try? await connection.send(String(repeating: "x", count: bytes))
        #expect(
            try await eventually {
                try? await connection.send("x")
                return connection.isClosed
            })
        await house.close()
    }

    @Test("a browser that goes while its body is refused ends nothing but its connection")
    func goneWhileRefused() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let head = browser.head(
            "POST", "/t/\(house.trip)/act",
            headers: ["Content-Length": "99999", "Origin": "http://127.0.0.1:\(house.port)"])
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    let connection = try await RawConnection(port: house.port)
                    try? await connection.send(head)
                    await connection.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await browser.get("/t/\(house.trip)/").status == 200)
        await house.close()
    }

    @Test("headers without end are cut")
    func headerBomb() async throws {
        let house = try await PageHouse()
        let bombs = [
            "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 10_000_000),
            "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 1_000_000),
            "GET /" + String(repeating: "x", count: 10_000_000),
            String(repeating: "\r\n", count: 5_000_000),
        ]
        for bomb in bombs {
            let connection = try await RawConnection(port: house.port)
            try? await connection.send(bomb)
            #expect(try await eventually { connection.isClosed })
        }
        #expect(try await house.browser().get("/t/\(house.trip)/").status == 200)
        await house.close()
    }

    @Test("a head or a body that comes drop by drop is not waited for")
    func slowRequests() async throws {
        let house = try await PageHouse {
            $0.limits.headDeadline = .milliseconds(400)
            $0.limits.bodyDeadline = .milliseconds(400)
            $0.limits.idleDeadline = .milliseconds(1_500)
        }
        let browser = try await house.browser()
        let silent = try await RawConnection(port: house.port)
        let slowHead = try await RawConnection(port: house.port)
        let slowBody = try await RawConnection(port: house.port)
        // On a busy machine it may have waited too long already.
        try? await slowBody.send(
            browser.head("POST", "/t/\(house.trip)/act", headers: ["Content-Length": "1000"], body: ""))
        let idle = try await RawConnection(port: house.port)
        try? await idle.send(browser.head("GET", "/nowhere"))
        let start = ContinuousClock.now
        var ended: [Duration] = []
        for drop in "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + String(repeating: "y", count: 400) {
            try? await slowHead.send(String(drop))
            try? await slowBody.send("x")
            if slowHead.isClosed, slowBody.isClosed, silent.isClosed { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        ended.append(ContinuousClock.now - start)
        #expect(slowHead.isClosed && slowBody.isClosed && silent.isClosed)
        #expect(ended[0] < .seconds(3))
        // One that was answered may think for longer, and not for ever.
        #expect(!idle.isClosed || ended[0] > .seconds(1))
        #expect(try await eventually { idle.isClosed })
        await house.close()
    }

    @Test("connections on which nobody showed a session give way to others, the oldest first; the owner's stay")
    func silentConnections() async throws {
        let house = try await PageHouse { $0.limits.connections = 20 }
        let browser = try await house.browser()
        let stream = try await house.stream(browser)
        try await stream.receives("event: hello")
        var silent: [RawConnection] = []
        for _ in 0..<40 {
            let connection = try await RawConnection(port: house.port)
            // Some are half a head, others were answered and wait.
            try? await connection.send(
                silent.count.isMultiple(of: 2) ? "GET / HTTP/1.1\r\nX: y" : Browser(port: house.port).head("GET", "/x"))
            silent.append(connection)
        }
        for _ in 0..<10 { #expect(try await browser.get("/t/\(house.trip)/").status == 200) }
        #expect(try await eventually { silent[0].isClosed })
        #expect(!stream.hasEnded)
        await house.close()
    }

    @Test("beyond the bound of connections nobody is served, and all others go on")
    func connectionBound() async throws {
        let house = try await PageHouse { $0.limits.connections = 20 }
        let browser = try await house.browser()
        var held: [RawConnection] = []
        // A place is free once the server has seen that who had it is gone.
        #expect(
            try await eventually {
                let one = try await RawConnection(port: house.port)
                try? await one.send(browser.head("GET", "/nowhere"))
                _ = try await eventually { one.isClosed || one.received.hasPrefix("HTTP/1.1 404") }
                if !one.isClosed { held.append(one) }
                return held.count == 20
            })
        let over = try await RawConnection(port: house.port)
        #expect(try await eventually { over.isClosed })
        try await held[0].send(browser.head("GET", "/t/\(house.trip)/"))
        _ = try await held[0].received { $0.contains("HTTP/1.1 200") }
        for connection in held { await connection.close() }
        #expect(try await eventually { (try? await browser.get("/t/\(house.trip)/").status) == 200 })
        await house.close()
    }
}
