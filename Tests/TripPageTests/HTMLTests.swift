import Testing
import TripPage

@Suite struct HTMLTests {
    @Test("text and attributes are escaped, between tags and in values")
    func escaping() {
        let html = tag(.p, .plain(.title, "\"><script>")) { "<b>&'\u{0}" }
        #expect(html.rendered == "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;&#39;\u{FFFD}</p>")
    }
}
