import CaravanNode
import Foundation
import PageServer
import Testing
import TripModel

/// Who gets in, and what is refused before it is looked at.
struct EnteringTests {
    @Test("a link lets one browser in, once")
    func linkIsUsedOnce() async throws {
        let house = try await PageHouse()
        let link = await house.server.link()
        var jie = Browser(port: house.port)
        #expect(try await jie.enter(link).status == 303)
        #expect(try await jie.get("/t/\(house.trip)/").status == 200)
        var other = Browser(port: house.port)
        #expect(try await other.enter(link).status == 403)
        #expect(other.cookie == nil)
        // A browser that is in may open it again.
        #expect(try await jie.get(String(link.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })).status == 303)
        await house.close()
    }

    @Test("a token that was never made lets nobody in, and nor does one of another length")
    func wrongTokens() async throws {
        let house = try await PageHouse()
        _ = await house.server.link()
        let browser = Browser(port: house.port)
        for token in ["0123456789abcdef0123456789abcdef", "", "x", String(repeating: "a", count: 4_000)] {
            #expect(try await browser.get("/enter/" + token).status == 403)
        }
        await house.close()
    }

    @Test("of more than 16 links the oldest ends")
    func linksAreBounded() async throws {
        let house = try await PageHouse()
        let first = await house.server.link()
        let second = await house.server.link()
        for _ in 0..<15 { _ = await house.server.link() }
        var browser = Browser(port: house.port)
        #expect(try await browser.enter(first).status == 403)
        #expect(try await browser.enter(second).status == 303)
        await house.close()
    }

    @Test("a browser without a cookie reads nothing and does nothing")
    func noCookie() async throws {
        let house = try await PageHouse()
        var browser = Browser(port: house.port)
        for path in ["/", "/t/\(house.trip)/", "/t/\(house.trip)/stream", "/components"] {
            #expect(try await browser.get(path).status == 403)
        }
        #expect(try await browser.post("/t/\(house.trip)/act", [("do", "add"), ("title", "x")]).status == 403)
        browser.cookie = "caravan-00000000=0123456789abcdef0123456789abcdef"
        #expect(try await browser.get("/t/\(house.trip)/").status == 403)
        #expect(try await house.view().items.isEmpty)
        await house.close()
    }

    @Test("a cookie of the same name that somebody else planted locks nobody out, and lets nobody in")
    func plantedCookie() async throws {
        let house = try await PageHouse()
        var browser = try await house.browser()
        let own = try #require(browser.cookie)
        let name = own.prefix { $0 != "=" }
        let planted = ["\(name)=x", "\(name)=0123456789abcdef0123456789abcdef"]
        for order in [planted + [own], [own] + planted] {
            browser.cookie = order.joined(separator: "; ")
            #expect(try await browser.get("/t/\(house.trip)/").status == 200)
        }
        browser.cookie = planted.joined(separator: "; ")
        #expect(try await browser.get("/t/\(house.trip)/").status == 403)
        // Of more than 16 the rest is not looked at.
        browser.cookie = ([String](repeating: planted[1], count: 16) + [own]).joined(separator: "; ")
        #expect(try await browser.get("/t/\(house.trip)/").status == 403)
        await house.close()
    }

    @Test("a page that goes by a foreign name is refused, as DNS rebinding would have it")
    func foreignHost() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        for host in [
            "evil.test", "evil.test:\(house.port)", "127.0.0.1", "127.0.0.1:1", "localhost.evil.test:\(house.port)",
        ] {
            #expect(try await browser.get("/t/\(house.trip)/", ["Host": host]).status == 421)
            let link = await house.server.link()
            let path = String(link.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
            #expect(try await browser.get(path, ["Host": host]).status == 421)
        }
        #expect(try await browser.get("/t/\(house.trip)/", ["Host": "localhost:\(house.port)"]).status == 200)
        await house.close()
    }

    @Test("a form from elsewhere is refused, and so is one that says nothing of where it comes from")
    func foreignOrigin() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        let act = "/t/\(house.trip)/act"
        let body = Browser.encoded([("do", "add"), ("title", "Planted")])
        let elsewhere: [[String: String]] = [
            ["Origin": "http://evil.test"], ["Origin": "null"], ["Origin": "https://127.0.0.1:\(house.port)"],
            ["Origin": "http://127.0.0.1"], [:], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Referer": "http://127.0.0.1:\(house.port)/"],
            ["Origin": "http://evil.test", "Sec-Fetch-Site": "same-origin"],
        ]
        for headers in elsewhere {
            #expect(try await browser.ask("POST", act, headers: headers, body: body).status == 403, "\(headers)")
        }
        #expect(try await house.view().items.isEmpty)
        #expect(
            try await browser.ask("POST", act, headers: ["Sec-Fetch-Site": "same-origin"], body: body).status == 303)
        #expect(try await house.view().items.map(\.title) == ["Planted"])
        await house.close()
    }

    /// A home that ran and does no more, and a browser that was let in.
    private func ranBefore() async throws -> (PageHouse.Place, Browser, port: UInt16) {
        let house = try await PageHouse()
        let browser = try await house.browser()
        await house.close()
        return (house.place, browser, house.port)
    }

    @Test("a node that runs again knows its browsers and its port")
    func restart() async throws {
        let (place, browser, port) = try await ranBefore()
        let house = try await PageHouse(place)
        #expect(house.port == port)
        #expect(try await browser.get("/t/\(house.trip)/").status == 200)
        let mode = try FileManager.default.attributesOfItem(atPath: house.place.home.folder + "/page")[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
        await house.close()
    }

    @Test("browsers sign in again after a file that cannot be read")
    func brokenFile() async throws {
        let (place, browser, _) = try await ranBefore()
        try Data("{".utf8).write(to: URL(fileURLWithPath: place.home.folder + "/page"))
        let house = try await PageHouse(place)
        var again = Browser(port: house.port)
        again.cookie = browser.cookie
        #expect(try await again.get("/").status == 403)
        #expect(try await again.enter(await house.server.link()).status == 303)
        await house.close()
    }

    @Test("every answer keeps the page to itself")
    func safetyHeaders() async throws {
        let house = try await PageHouse()
        let browser = try await house.browser()
        for path in ["/t/\(house.trip)/", "/nowhere", "/style/page.css", "/enter/x", "/"] {
            let answer = try await browser.get(path)
            #expect(
                answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
            #expect(answer.headers["referrer-policy"] == "same-origin")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
            #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
            #expect(answer.headers["access-control-allow-origin"] == nil)
            #expect(answer.headers["cache-control"] == (path.hasPrefix("/style") ? "no-cache" : "no-store"))
        }
        let options = try await browser.ask("OPTIONS", "/t/\(house.trip)/", headers: ["Origin": "http://evil.test"])
        #expect(options.status == 405)
        var other = Browser(port: house.port)
        let set = try #require(try await other.enter(await house.server.link()).headers["set-cookie"])
        #expect(set.contains("; HttpOnly") && set.contains("; SameSite=Strict") && set.contains("; Path=/"))
        await house.close()
    }
}
