import LibC
import TestTiers
import Testing

@testable import Desktop

/// What is fetched, and from where not. The server is on loopback, which the rules of these tests allow.
struct FetchTests {
    /// The rules that ship, but for loopback and its ports.
    private static let loopback = FetchRules(
        isAllowed: { $0.bytes.first == 127 || $0 == NetworkAddress("::1") || $0.isPublic }, ports: Set(0...UInt16.max))

    private func message(_ address: String, _ rules: FetchRules = loopback) async -> String? {
        await #expect(throws: DesktopError.self) { try await Desktop.fetch(address, rules: rules) }?.message
    }

    /// A site with a page and the redirects that people and attackers make.
    private static func site() throws -> WebSite {
        try WebSite { path, port in
            let to = { (address: String) in WebSite.answer("302 Found", ["Location: \(address)"]) }
            return switch path {
            case "/page": WebSite.answer("200 OK", ["Content-Type: text/html; charset=utf-8"], "<title>é</title>")
            case "/1": to("/2")
            case "/2": to("http://localhost:\(port)/page")
            case "/loop": to("/loop")
            case "/file": to("file:///etc/passwd")
            case "/gopher": to("gopher://127.0.0.1:\(port)/_GET")
            case "/cloud": to("http://169.254.169.254/latest/meta-data/")
            case "/private": to("http://10.0.0.1/")
            case "/user": to("http://me:secret@127.0.0.1:\(port)/page")
            case "/empty": WebSite.answer("302 Found")
            case "/gone": WebSite.answer("404 Not Found", [], "<title>no</title>")
            case "/forbidden": WebSite.answer("403 Forbidden")
            case "/other": AnySequence([Array("SSH-2.0-OpenSSH_9.2\r\n".utf8)])
            case "/endless":
                AnySequence(
                    sequence(first: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) { _ in
                        [UInt8](repeating: 0x61, count: 65_536)
                    })
            case "/heads":
                AnySequence(sequence(first: Array("HTTP/1.1 200 OK\r\n".utf8)) { _ in Array("A: \(path)\r\n".utf8) })
            case "/long": WebSite.answer("200 OK", ["Content-Length: 99999999"], "<title>")
            default: nil
            }
        }
    }

    @Test("a page comes with its type and its last address, after redirects by a path and by another name")
    func page() async throws {
        let site = try Self.site()
        let page = try await Desktop.fetch(site.link("/page#part"), rules: Self.loopback)
        #expect(page.bytes == Array("<title>é</title>".utf8) && page.contentType == "text/html; charset=utf-8")
        #expect(page.address == site.link("/page"))
        let moved = try await Desktop.fetch(site.link("/1"), rules: Self.loopback)
        #expect(moved.bytes == page.bytes && moved.address == site.link("/page", host: "localhost"))
        let fields = site.requests[0].split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" } }
        #expect(Set(fields) == ["Host", "User-Agent", "Accept", "Accept-Encoding"], "the site learns more: \(fields)")
    }

    @Test(
        "a redirect to this machine's files, to private addresses or to a user's name is not followed",
        arguments: [
            ("/file", "only addresses of http and https are fetched"),
            ("/gopher", "only addresses of http and https are fetched"),
            ("/cloud", "169.254.169.254 is not on the public internet; only pages there are fetched"),
            ("/private", "10.0.0.1 is not on the public internet; only pages there are fetched"),
            ("/user", "an address with a user name or a password is not fetched"),
            ("/empty", "only addresses of http and https are fetched"),
            ("/loop", "127.0.0.1 leads to more than 5 other addresses"), ("/gone", "127.0.0.1 has no such page"),
            ("/forbidden", "127.0.0.1 does not let programs read this page"),
            ("/other", "127.0.0.1 does not answer as web servers do"),
        ])
    func redirects(path: String, refusal: String) async throws {
        let site = try Self.site()
        #expect(await message(site.link(path)) == refusal)
        #expect(site.requests.count <= 6)
    }

    @Test(
        "by the rules that ship, nothing of this machine and of private networks is asked",
        arguments: [
            "127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "192.168.1.1", "[fe80::1]", "[fc00::1]",
            "0.0.0.0",
            "[::ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]", "224.0.0.251", "255.255.255.255",
        ])
    func inside(host: String) async throws {
        #expect(await message("http://\(host)/", .internet)?.contains("not on the public internet") == true)
    }

    @Test("the ports of web pages alone are asked, and nobody came to another one")
    func ports() async throws {
        let site = try Self.site()
        let refusal = await message(site.link("/page"), FetchRules(isAllowed: { _ in true }, ports: [80, 443]))
        #expect(refusal == "port \(site.port) of 127.0.0.1 is not one of web pages; nothing was fetched")
        #expect(site.requests.isEmpty)
    }

    @Test("a body without an end, header fields without an end, and a length that is a lie end in a line")
    func endless() async throws {
        let site = try Self.site()
        let tooLarge = "what 127.0.0.1 sends is larger than 5 MB; nothing was taken of it"
        #expect(await message(site.link("/endless")) == tooLarge)
        #expect(await message(site.link("/long")) == tooLarge)
        #expect(await message(site.link("/heads")) == "127.0.0.1 does not answer as web servers do")
    }

    @Test("a site that says nothing is left after 10 s", .tags(.slow))
    func silence() async throws {
        let site = try WebSite { _, _ in
            sleep(30)
            return nil
        }
        let start = ContinuousClock.now
        #expect(await message(site.link("/")) == "127.0.0.1 did not answer within 10 s; try again later")
        #expect(ContinuousClock.now - start < .seconds(13))
    }

    @Test("nobody at a port, and a name that nobody knows")
    func nobody() async throws {
        #expect(await message("http://127.0.0.1:1/") == "cannot connect to 127.0.0.1; check that you are online")
        let unknown = "cannot find no-such-name.invalid; check that you are online and that the link is right"
        #expect(await message("http://no-such-name.invalid/") == unknown)
    }

    @Test("within the walls there are programs and certificates: no home, no settings, no environment, no resolver")
    func walls() async throws {
        let script = "for place in /*; do echo $place; done; ls -A /etc /tmp; cat /etc/nsswitch.conf; env"
        let outcome = try await Sandbox.run(
            try #require(Program("bash")), ["-c", script], environment: ["LC_ALL=C"],
            Child.Limits(seconds: 5, mebibytes: 1_024, outputBytesMax: 64 << 10), openings: Desktop.client)
        let words = Set(
            String(decoding: try #require(outcome).output, as: UTF8.self).split(separator: "\n").map(String.init))
        let known = Set(
            ["/etc", "/lib", "/lib64", "/tmp", "/usr", "/etc:", "/tmp:", "ld.so.cache", "nsswitch.conf", "ssl", "pki"]
                + [
                    "ca-certificates", "hosts: files", "LC_ALL=C", "PWD=/tmp", "SHLVL=0", "SHLVL=1", "OLDPWD=/tmp",
                    "_=/usr/bin/env",
                ])
        #expect(
            words.isSuperset(of: ["/usr", "hosts: files", "LC_ALL=C"]) && words.isSubset(of: known),
            "\(words.subtracting(known))")
    }
}
