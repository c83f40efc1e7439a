import Testing

@testable import Mailbox

@Suite struct MultistatusReaderTests {
    private func read(_ text: String, most: Int = 100) -> [String]? {
        MultistatusReader.references(in: Array(text.utf8), most: most)
    }

    @Test("the lists of Apache, nginx and Nextcloud are read") func servers() {
        let apache = """
            <?xml version="1.0" encoding="utf-8"?>
            <D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:">
            <D:response xmlns:lp1="DAV:"><D:href>/dav/a/</D:href><D:propstat><D:prop>
            <lp1:resourcetype><D:collection/></lp1:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status>
            </D:propstat></D:response>
            <D:response><D:href>/dav/a/b%20c</D:href></D:response></D:multistatus>
            """
        #expect(read(apache) == ["/dav/a/", "/dav/a/b%20c"])
        let nextcloud =
            #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" a='>'><d:response><d:href>/r/&amp;x</d:href>"#
            + "<!-- <d:href> --></d:response></d:multistatus>\n"
        #expect(read(nextcloud) == ["/r/&amp;x"])
        #expect(read("<multistatus><response><href><![CDATA[/x]]>\n</href></response></multistatus>") == ["/x"])
        #expect(read("<multistatus/>") == nil)
        #expect(read("<multistatus></multistatus>") == [])
    }

    @Test("what a quota leaves is read") func quota() {
        func free(_ text: String) -> Int64? {
            MultistatusReader.freeBytes(
                in: Array(
                    ("<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>9</d:href><d:propstat><d:prop>" + text
                        + "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>")
                        .utf8))
        }
        #expect(free("<d:quota-available-bytes>123456789012</d:quota-available-bytes>") == 123_456_789_012)
        #expect(free("<d:quota-available-bytes>-3</d:quota-available-bytes>") == -3)
        for text in [
            "<d:quota-available-bytes/>", "", "<d:quota-used-bytes>5</d:quota-used-bytes>",
            "<d:quota-available-bytes>much</d:quota-available-bytes>",
        ] { #expect(free(text) == nil) }
    }

    @Test("what is no list, or has a document type, is refused") func refused() {
        let bomb =
            #"<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><multistatus><response><href>&b;</href></response>"#
            + "</multistatus>"
        for text in [
            "", "x", "<", "<>", "</>", "<multistatus", "<multistatus>", "<multistatus></href>", "<html></html>",
            "<multistatus><!ELEMENT x></multistatus>", "<multistatus><![CDATA[", "<multistatus><!-- ",
            "<multistatus><?",
            "<multistatus></multistatus><multistatus></multistatus>", bomb, "<multistatus><a b='></a></multistatus>",
        ] { #expect(read(text) == nil, "\(text)") }
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(read("<multistatus>" + deep) == nil)
        let many = String(repeating: "<response><href>/a</href></response>", count: 200)
        #expect(read("<multistatus>\(many)</multistatus>")?.count == 100)
    }

    @Test("only the href of a response itself is read, by any prefix of its namespace") func places() {
        for prefix in ["", "D:", "a:", "very-long.prefix_1:"] {
            let list =
                "<\(prefix)multistatus xmlns:x='DAV:'><\(prefix)response>\n "
                + "<\(prefix)href >\n/a/b\n</\(prefix)href\n>"
            let properties =
                "<x:propstat><x:prop><x:lockroot><x:href>/lock</x:href></x:lockroot>"
                + "<x:owner><x:href>/noah</x:href></x:owner>"
                + "<x:displayname>b &lt; c</x:displayname><x:hrefs>/no</x:hrefs></x:prop></x:propstat>"
            let end = "</\(prefix)response></\(prefix)multistatus>"
            #expect(read(list + properties + end) == ["/a/b"], "\(prefix)")
        }
        // An end by another prefix, or of another name, is not that of this element.
        #expect(read("<multistatus><response><a:href>/a</a:hre></response></multistatus>") == nil)
        #expect(read("<multistatus><response><href>/a</response></href></multistatus>") == nil)
        #expect(read("<multistatus><href>/a</href></multistatus>") == [])
        #expect(read("<x:multistatus><x:multistatus><href>/a</href></x:multistatus></x:multistatus>") == [])
    }

    @Test("entities stay as they are, and a tag in quotes or in a comment is none") func literal() {
        func list(_ text: String) -> [String]? {
            read("<multistatus><response><href>\(text)</href></response></multistatus>")
        }
        for text in ["&amp;amp;", "&#x2f;a", "&#47;", "&a;&b;", "%2e%2e/%61", "http://other.example/a", "//other/a"] {
            #expect(list(text) == [text])
        }
        #expect(list("/a<!-- </href><href>/b -->c") == ["/ac"])
        #expect(list("/a<![CDATA[</href>]]>") == ["/a</href>"])
        #expect(list("/a<?x </href> ?>") == ["/a"])
        #expect(read("<multistatus a='</multistatus>' b=\"'>\"><response/></multistatus>") == [])
        #expect(read("<multistatus a='\">'></multistatus>") == [])
        #expect(read("<multistatus/a></multistatus/a>") == nil)
    }

    @Test("every cut and every changed byte of a list ends") func damaged() {
        let text = Array(
            "<?xml?><d:multistatus a=\"b\"><!-- c --><response><d:href>/x<![CDATA[y]]></d:href><e/></response></d:multistatus>"
                .utf8)
        #expect(MultistatusReader.references(in: text, most: 9) == ["/xy"])
        for cut in 0..<text.count { #expect(MultistatusReader.references(in: Array(text.prefix(cut)), most: 9) == nil) }
        for place in text.indices {
            for byte in [0, 60, 62, 33, 47, 34, 255] as [UInt8] {
                var changed = text
                changed[place] = byte
                _ = MultistatusReader.references(in: changed, most: 9)
            }
        }
    }
}
