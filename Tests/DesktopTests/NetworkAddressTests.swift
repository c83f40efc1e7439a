import Testing

@testable import Desktop

/// Which addresses are of the public internet, and which addresses of pages mean one host to everybody.
struct NetworkAddressTests {
    @Test(
        "each block of the registries of special purposes is refused: its first and its last address",
        arguments: [
            ("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255"), ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"), ("169.254.0.0", "169.254.255.255"), ("169.254.169.254", "169.254.170.2"),
            ("172.16.0.0", "172.31.255.255"), ("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"), ("192.168.0.0", "192.168.255.255"), ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"), ("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "239.255.255.255"),
            ("240.0.0.0", "255.255.255.255"), ("::", "::1"), ("::ffff:0:0", "::ffff:8.8.8.8"),
            ("::8.8.8.8", "::127.0.0.1"),
            ("64:ff9b::7f00:1", "64:ff9b::169.254.169.254"), ("64:ff9b::10.0.0.1", "64:ff9b::192.168.0.1"),
            ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:808:808"), ("100::", "100::ffff:ffff:ffff:ffff"),
            ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("2002::", "2002:7f00:1::"), ("2002:808:808::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"), ("5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
            ("fec0::", "feff::"), ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("4000::", "1fff::"),
        ])
    func special(first: String, last: String) throws {
        for text in [first, last] {
            #expect(try !#require(NetworkAddress(text)).isPublic, "\(text)")
        }
    }

    @Test(
        "the addresses beside these blocks are public",
        arguments: [
            "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2000::", "2001:200::", "2001:4860:4860::8888", "2001:db7:ffff::", "2001:db9::", "2003::",
            "2606:4700::1111",
            "3ffe:ffff::", "64:ff9b::8.8.8.8",
        ])
    func ordinary(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test(
        "what is no address in its usual form is none",
        arguments: [
            "", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.4.5", "1.2.3", " 1.2.3.4", "1.2.3.256",
            "fe80::1%lo",
            "[::1]", "::1::", "localhost",
        ])
    func malformed(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("an answer of the resolver counts whole, or not at all")
    func answers() {
        let both = "1.1.1.1         STREAM one.example\n1.1.1.1         DGRAM\n2606:4700::1111 STREAM\n"
        #expect(Desktop.addresses(in: both)?.map(\.hostText) == ["1.1.1.1", "[2606:4700::1111]"])
        for text in ["", "1.1.1.1 STREAM a\nfe80::1%eth0 STREAM\n", "one.example has address 1.1.1.1\n"] {
            #expect(Desktop.addresses(in: text) == nil)
        }
    }

    @Test("this machine's own addresses are near, and those of the internet are not")
    func near() throws {
        #expect(try #require(NetworkAddress("127.0.0.1")).isNear)
        #expect(try !#require(NetworkAddress("8.8.8.8")).isNear)
    }

    @Test(
        "an address of a page has one host, one port, and no user",
        arguments: [
            ("HTTP://Example.ORG", "http://example.org/", 80),
            ("https://example.org:443/a?b#c", "https://example.org/a?b", 443),
            ("https://example.org.:8443/x", "https://example.org:8443/x", 8443), ("http://[::1]/", "http://[::1]/", 80),
            ("http://1.2.3.4/a b\"<é>[1]{2}", "http://1.2.3.4/a%20b%22%3C%C3%A9%3E[1]%7B2%7D", 80),
            ("http://example.org\\@127.0.0.1/", "http://example.org/%5C@127.0.0.1/", 80),
            ("http://a.b?c=d", "http://a.b/?c=d", 80),
            ("http://a_b.example/%2e%2e/", "http://a_b.example/%2e%2e/", 80),
        ])
    func sites(text: String, read: String, port: Int) throws {
        let site = try SiteAddress(text)
        #expect(site.text == read && Int(site.port) == port)
    }

    @Test("a redirect goes from http to https, and never back")
    func downgrade() throws {
        let (open, secure) = (try SiteAddress("http://a.b/"), try SiteAddress("https://a.b/"))
        #expect(try open.leading(to: "https://c.d/") == SiteAddress("https://c.d/"))
        #expect(try open.leading(to: "http://c.d/") == SiteAddress("http://c.d/"))
        let error = #expect(throws: DesktopError.self) { try secure.leading(to: "http://a.b/") }
        #expect(error?.message == "a.b leads from https to http; nothing was fetched")
    }

    @Test(
        "other addresses are refused in a line",
        arguments: [
            "file:///etc/passwd", "gopher://example.org/", "ftp://example.org/", "example.org", "", "http://",
            "https:///a",
            "http://me@example.org/", "http://me:secret@example.org/", "http://example.org@127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.0.0.1/", "http://127.1/", "http://0177.0.0.1/", "http://example.0x7f/", "http://a.b:99999/",
            "http://a.b:8o/", "http://[::1/", "http://[::1]x/", "http://[fe80::1%25lo]/", "http://a..b/",
            "http://-a.b/",
            "http://a.b\u{E9}/", "http://a%2eb/", "http://a b/", "javascript://a.b/%0aalert(1)",
            "http://[127.0.0.1]/", "http://\(String(repeating: "a.", count: 200))b/",
            "http://a.b/\(String(repeating: "a", count: 4_000))",
        ])
    func refused(text: String) {
        let error = #expect(throws: DesktopError.self) { try SiteAddress(text) }
        #expect(error?.message.contains("\n") == false)
    }
}
