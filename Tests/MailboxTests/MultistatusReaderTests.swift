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
        #expect(read("<multistatus><href><![CDATA[/x]]>\n</href></multistatus>") == ["/x"])
        #expect(read("<multistatus/>") == nil)
        #expect(read("<multistatus></multistatus>") == [])
    }

    @Test("what is no list, or has a document type, is refused") func refused() {
        let bomb = #"<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><multistatus><href>&b;</href></multistatus>"#
        for text in [
            "", "x", "<", "<>", "</>", "<multistatus", "<multistatus>", "<multistatus></href>", "<html></html>",
            "<multistatus><!ELEMENT x></multistatus>", "<multistatus><![CDATA[", "<multistatus><!-- ",
            "<multistatus><?",
            "<multistatus></multistatus><multistatus></multistatus>", bomb, "<multistatus><a b='></a></multistatus>",
        ] { #expect(read(text) == nil, "\(text)") }
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(read("<multistatus>" + deep) == nil)
        let many = String(repeating: "<href>/a</href>", count: 200)
        #expect(read("<multistatus>\(many)</multistatus>")?.count == 100)
    }

    @Test("every cut and every changed byte of a list ends") func damaged() {
        let text = Array(
            "<?xml?><d:multistatus a=\"b\"><!-- c --><d:href>/x<![CDATA[y]]></d:href><e/></d:multistatus>".utf8)
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
