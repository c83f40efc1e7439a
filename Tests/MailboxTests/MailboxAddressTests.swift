import Testing

@testable import Mailbox

@Suite struct MailboxAddressTests {
    @Test("addresses are read, and shown without their passwords") func read() throws {
        let addresses: [(String, MailboxAddress.Kind, String)] = [
            ("/srv/Nextcloud/trip", .folder, "/srv/Nextcloud/trip"),
            ("/srv//Nextcloud/trip/", .folder, "/srv/Nextcloud/trip"),
            ("/", .folder, "/"),
            (
                "https://noah:a%40b@cloud.example.org/remote.php/dav/files/noah/trip/", .webDAV,
                "https://noah@cloud.example.org/remote.php/dav/files/noah/trip"
            ),
            ("https://cloud.example.org:8443", .webDAV, "https://cloud.example.org:8443"),
            ("nats://noah:secret@localhost:4222", .nats, "nats://noah@localhost:4222"),
            ("tls://trip:secret@box.example.org", .nats, "tls://trip@box.example.org"),
            // A user without a password is a secret: a token, or a public share.
            ("nats://secret@localhost:4222", .nats, "nats://localhost:4222"),
            ("tls://secret@a,b", .nats, "tls://a,b"),
            ("https://secret:@cloud.example.org/public.php", .webDAV, "https://cloud.example.org/public.php"),
            ("http://noah:secret@127.0.0.1:80/a", .webDAV, "http://noah@127.0.0.1:80/a"),
        ]
        for (text, kind, shown) in addresses {
            let address = try MailboxAddress(text)
            #expect(address.kind == kind && address.shown == shown)
        }
        #expect(try MailboxAddress(addresses[3].0).servers.first?.password == "a@b")
    }

    @Test("the servers of a cluster share a user, and each has a port") func cluster() throws {
        let address = try MailboxAddress("tls://noah:a%2Cb,c@box1.example.org,box2:4223,[::1]:4224")
        #expect(address.kind == .nats)
        #expect(address.shown == "tls://noah@box1.example.org,box2:4223,[::1]:4224")
        #expect(address.servers.map(\.host) == ["box1.example.org", "box2", "[::1]"])
        #expect(address.servers.map(\.port) == [nil, "4223", "4224"])
        #expect(address.servers.allSatisfy { $0.user == "noah" && $0.password == "a,b,c" && $0.scheme == "tls" })
        for text in [
            "tls://a,,b", "tls://a,", "nats://noah:secret@127.0.0.1,box", "https://a,b/c", "tls://a,b,c,d,e,f",
            "tls://a,noah:secret@b,c:x",
        ] {
            let error = #expect(throws: MailboxError.self) { try MailboxAddress(text) }
            #expect(error?.code == .refused && error?.message.contains("secret") == false, "\(text)")
        }
        let error = #expect(throws: MailboxError.self) { try MailboxAddress("ftp://a") }
        #expect(error?.message.hasSuffix("or tls://HOST") == true, "the scheme that sends nothing in the clear")
        // A comma in a folder or in a path is one.
        #expect(try MailboxAddress("https://a/b,c").shown == "https://a/b,c")
        #expect(try MailboxAddress("/a,b").kind == .folder)
    }

    @Test("a password goes in the clear to this machine alone, and not to a name that looks like it") func clear()
        throws
    {
        #expect(throws: MailboxError.self) { try MailboxAddress("http://noah:secret@127.example.org/a") }
        #expect(throws: MailboxError.self) { try MailboxAddress("http://noah:secret@box/a") }
        #expect(try MailboxAddress("http://noah:secret@127.0.0.1/a").kind == .webDAV)
        #expect(try MailboxAddress("http://noah:secret@example.onion/a").kind == .webDAV)
    }

    @Test("an address of the machine itself is known in all its forms") func thisMachine() throws {
        for host in [
            "localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.1", "0", "0.0.0.0", "2130706433", "0x7f.1",
            "[::1]",
            "[::]", "[0:0::1]", "[::ffff:127.0.0.1]", "box,127.0.0.1",
        ] { #expect(try MailboxAddress("nats://\(host)").isThisMachine, "\(host)") }
        for host in [
            "box", "128.0.0.1", "192.168.1.5", "[::2]", "[fe80::1]", "localhost.example.org", "127.example.org",
        ] {
            #expect(try !MailboxAddress("nats://\(host)").isThisMachine, "\(host)")
        }
        #expect(try !MailboxAddress("/localhost").isThisMachine)
    }

    @Test("a percent sign and two digits are a byte, and nothing else is") func decoding() throws {
        for (text, expected) in [("%61%62", "ab"), ("%c3%BC", "ü"), ("%2541", "%41"), ("a+b", "a+b"), ("", "")] {
            #expect(try MailboxAddress("https://noah:\(text)@a").servers.first?.password == expected)
        }
        for text in ["%", "%4", "%+5", "%-1", "%4g", "%g4", "%%41", "%ff", "%c3"] {
            #expect(throws: MailboxError.self) { try MailboxAddress("https://noah:\(text)@a") }
        }
        // Only the first colon and the last at sign are borders.
        let url = try MailboxURL("https://noah:a:b@c@host:8443/d@e:f/")
        #expect(url.password == "a:b@c" && url.host == "host" && url.port == "8443" && url.path == "/d@e:f")
        #expect(try MailboxURL("https://[2001:db8::1]/a").port == nil)
        for text in ["https://a:0", "https://a:65536", "https://a:+80", "https://a:8 0", "https://[::1", "https://a]b"]
        {
            #expect(throws: MailboxError.self) { try MailboxURL(text) }
        }
    }

    @Test("what is no address is refused, and no message has the password") func refused() {
        for text in [
            "", "trip", "ftp://noah:secret@example.org/", "https://", "https:///a", "http://noah:secret@example.org/",
            "nats://noah:secret@example.org", "https://noah:secret@example.org/?a", "https://noah:secret@exa mple.org",
            "/a\nb", "https://noah:secret@example.org/#" + String(repeating: "a", count: 3_000),
        ] {
            let error = #expect(throws: MailboxError.self) { try MailboxAddress(text) }
            #expect(error?.code == .refused && error?.message.contains("secret") == false, "\(text)")
        }
        for (text, proxy) in [("/a", "socks5://[::1]:9050"), ("https://a.org", "ftp://b"), ("https://a.org", "b")] {
            #expect(throws: MailboxError.self) { try MailboxAddress(text, proxy: proxy) }
        }
    }
}
