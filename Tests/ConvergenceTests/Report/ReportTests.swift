import Convergence
import Foundation
import FoundationXML
import Testing

struct ReportTests {
    @Test func aPageIsWellFormedAndWholeInItself() throws {
        for isBroken in [false, true] {
            let page = try Page(SampleReport.make(isBroken: isBroken).html)
            #expect(page.problem == nil)
            // Nothing is fetched, nothing runs, and nothing leads elsewhere.
            #expect(
                page.elements.isDisjoint(with: ["script", "link", "img", "iframe", "object", "embed", "a", "base"]))
            #expect(page.attributes.isDisjoint(with: ["src", "href", "xlink:href", "srcset", "onload", "onclick"]))
            #expect(!page.styles.contains("url(") && !page.styles.contains("@import"))
            #expect(page.addresses.allSatisfy { $0.hasPrefix("http://www.w3.org/") }, "\(page.addresses)")
            #expect(page.styles.contains("prefers-color-scheme: dark") && page.styles.contains("@media print"))
        }
    }

    @Test func aPageSaysEverythingThatTheReportHolds() throws {
        let report = SampleReport.make(isBroken: true)
        let page = try Page(report.html)
        let failing = try #require(report.failing)
        let said =
            [report.subject, report.command, "0123456789abcdef", failing.finding, failing.law.description]
            + failing.trace + report.panels.map(\.title) + report.faults.map(\.name)
            + report.headlines.map(\.name) + [
                "61,204,977", "4 min 12 s", try #require(failing.command), "Convergence is violated",
            ]
        for text in said { #expect(page.text.contains(text), "\(text)") }
        #expect(page.titles.contains { $0.hasPrefix("partition") || $0.contains("cut off") })
        #expect(page.titles.contains { $0.contains(" states") } && page.titles.contains { $0.contains(" changes") })
        #expect(try Page(SampleReport.make(isBroken: false).html).text.contains("No violation"))
    }

    /// Where nothing was checked, nothing is said to hold.
    @Test func whatWasOnlyMeasuredHasNoVerdict() throws {
        var report = SampleReport.make(isBroken: false)
        report.digest = nil
        let page = try Page(report.html)
        #expect(page.problem == nil && !page.text.contains("No violation") && !page.text.contains("digest"))
        #expect(report.text.hasPrefix("12 nodes in a hostile network: measured\n") && !report.text.contains("digest"))
    }

    /// What a run says is text, whatever it looks like.
    @Test func nothingThatARunSaysIsMarkup() throws {
        let nasty = "</pre><script>alert(\"1\")</script> & \u{1}\u{1B}[2J \u{202E}\u{FFFF} \" onload='x'"
        var report = SampleReport.make(isBroken: true)
        report.subject = nasty
        report.command = nasty
        report.failing?.trace = [nasty]
        report.failing?.finding = nasty
        report.failing?.command = nasty
        report.headlines = [.init(nasty, 1, nasty)]
        report.faults = [.init(name: nasty, meaning: nasty, count: 1)]
        report.panels = [
            Panel(
                title: nasty, caption: nasty,
                chart: .timeline(
                    Timeline(
                        time: .count(nasty), end: 9, value: .count(nasty), points: [.init(time: 0, value: 1)],
                        bands: [.init(.crash, from: 1, to: 2, nasty)],
                        lanes: [.init(name: nasty, bands: [.init(.other, from: 3, to: 4, nasty)])]))),
            Panel(
                title: nasty, caption: nasty,
                chart: .histogram(Histogram(unit: .count(nasty), noun: nasty, values: [1, 2, 2]))),
        ]
        let page = try Page(report.html)
        #expect(page.problem == nil)
        #expect(!page.elements.contains("script") && !page.attributes.contains("onload"))
        #expect(page.text.contains("<script>alert(\"1\")</script>"))
        #expect(!report.html.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{FFFF}" })
    }

    @Test func emptyAndEndlessRunsAreDrawnToo() throws {
        var report = SampleReport.make(isBroken: false)
        report.panels = [
            Measurements().divergencePanel(of: "seed 1"),
            Panel(title: "none", caption: "", chart: .histogram(Histogram(unit: .bytes, noun: "change", counts: [:]))),
        ]
        #expect(try Page(report.html).problem == nil)

        var long = Measurements()
        for time in 0..<100_000 {
            long.samples.append(
                .init(
                    time: UInt64(time), divergence: time % 64, changeCount: 0, runningNodes: 64, bytesUnderWay: 0,
                    bytesDelivered: 0))
        }
        long.intervals = (0..<1_000).map {
            .init(
                fault: "crash", trouble: .crash, start: UInt64($0 * 200), end: UInt64($0 * 200 + 50),
                nodes: Array(0..<64))
        }
        long.duration = .max
        report.panels = [long.divergencePanel(of: "seed 1")]
        #expect(report.html.utf8.count < 2_000_000)
        long.duration = 100_000
        report.panels = [long.divergencePanel(of: "seed 1")]
        let page = try Page(report.html)
        #expect(page.problem == nil)
        // The peaks are still there.
        #expect(page.titles.contains { $0.hasSuffix("63 states") })
    }

    @Test func aTerminalIsToldTheSame() throws {
        let report = SampleReport.make(isBroken: true)
        for text in try [
            "12 nodes in a hostile network: convergence is violated", "digest 0123456789abcdef", "seed 414",
            "step 3127", "this run again: caravan simulate --replay failure-414.json", "61,204,977  messages delivered",
            #require(report.failing).trace[0], "again: \(report.command)",
        ] {
            #expect(report.text.contains(text), "\(text)\n\(report.text)")
        }
        let widest = report.text.split(separator: "\n").map(\.count).max() ?? 0
        #expect(widest <= 120)
    }
}

/// What is on a page, as an XML parser sees it.
final class Page: NSObject, XMLParserDelegate {
    private(set) var elements: Set<String> = []
    private(set) var attributes: Set<String> = []
    private(set) var text = ""
    private(set) var styles = ""
    private(set) var titles: [String] = []
    private(set) var problem: String?
    /// All that looks like an address of the web.
    private(set) var addresses: [String] = []
    private var path: [String] = []

    init(_ source: String) throws {
        super.init()
        #expect(source.hasPrefix("<!DOCTYPE html>\n"))
        addresses = source.split { " \"'()<>".contains($0) }.map(String.init).filter { $0.contains("://") }
        let parser = XMLParser(data: Data(source.utf8))
        parser.delegate = self
        if !parser.parse() {
            problem = "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "?")"
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(name)
        elements.insert(name)
        self.attributes.formUnion(attributes.keys)
        if name == "title" { titles.append("") }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) { path.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        switch path.last {
        case "style": styles += characters
        case "title": titles[titles.count - 1] += characters
        default: text += characters
        }
    }
}
