import Testing

@testable import Mailbox

@Suite struct MailboxAddressTests {
    @Test("addresses are read, and shown without their passwords") func read() throws {
        let addresses: [(String, MailboxAddress.Kind, String)] = [
            ("/srv/Nextcloud/trip", .folder, "/srv/Nextcloud/trip"),
            (
                "https://noah:a%40b@cloud.example.org/remote.php/dav/files/noah/trip/", .webDAV,
                "https://noah@cloud.example.org/remote.php/dav/files/noah/trip"
            ),
            ("https://cloud.example.org:8443", .webDAV, "https://cloud.example.org:8443"),
            ("nats://noah:secret@localhost:4222", .nats, "nats://noah@localhost:4222"),
            ("tls://trip:secret@box.example.org", .nats, "tls://trip@box.example.org"),
            ("http://noah:secret@127.0.0.1:80/a", .webDAV, "http://noah@127.0.0.1:80/a"),
        ]
        for (text, kind, shown) in addresses {
            let address = try MailboxAddress(text)
            #expect(address.kind == kind && address.shown == shown)
        }
        #expect(try MailboxAddress(addresses[1].0).url?.password == "a@b")
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
