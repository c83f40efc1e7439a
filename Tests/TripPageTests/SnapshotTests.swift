import Foundation
import Testing

@testable import TripPage

/// Each state of each component, as HTML, against what was last looked at and kept. Set `CARAVAN_RECORD` to keep what is
/// drawn now, and look at the difference.
@Suite struct SnapshotTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots")

    @Test("a component in a state is drawn as its snapshot says", arguments: TripPage.components)
    func snapshot(_ state: ComponentState) throws {
        let file = Self.folder.appending(path: state.slug + ".html")
        let drawn = Self.tagPerLine(state.html.rendered)
        if ProcessInfo.processInfo.environment["CARAVAN_RECORD"] != nil {
            try Data(drawn.utf8).write(to: file)
        }
        let kept = try #require(try? String(contentsOf: file, encoding: .utf8), "there is no \(file.lastPathComponent)")
        #expect(drawn == kept)
    }

    @Test("no two states share a name, and no snapshot is of a state that is gone")
    func names() throws {
        let slugs = TripPage.components.map(\.slug)
        #expect(Set(slugs).count == slugs.count)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path()).filter {
            $0.hasSuffix(".html")
        }
        #expect(Set(files) == Set(slugs.map { $0 + ".html" }))
    }

    @Test("no two elements share an id, in a component or in the whole component browser")
    func ids() {
        for state in TripPage.components {
            let ids = state.html.values(of: .id)
            #expect(Set(ids).count == ids.count, "\(state.slug)")
        }
        let ids = TripPage.componentBrowser(dir: "ltr").matches(of: /\sid="([^"]*)"/).map(\.1)
        #expect(ids.count > TripPage.components.count && Set(ids).count == ids.count)
    }

    @Test("the component browser holds every state, in either writing direction, and links the page's own style alone")
    func browser() {
        let (plain, mirrored) = (TripPage.componentBrowser(dir: "ltr"), TripPage.componentBrowser(dir: "rtl"))
        for state in TripPage.components { #expect(plain.contains("id=\"\(state.slug)\"")) }
        #expect(plain.hasPrefix("<!doctype html>\n<html lang=\"en\" dir=\"ltr\">"))
        #expect(mirrored.hasPrefix("<!doctype html>\n<html lang=\"en\" dir=\"rtl\">"))
        #expect(
            TripPage.componentBrowser(dir: "\"><script>").hasPrefix("<!doctype html>\n<html lang=\"en\" dir=\"ltr\">"))
        #expect(!plain.contains("<style") && !plain.contains(" style=") && !plain.contains("alert(1)</script>"))
    }

    /// So that a difference is read by the line.
    private static func tagPerLine(_ markup: String) -> String {
        markup.replacingOccurrences(of: "><", with: ">\n<") + "\n"
    }
}

extension ComponentState: CustomTestStringConvertible {
    package var testDescription: String { slug }
}

extension HTML {
    /// What an attribute is set to, wherever it is.
    func values(of name: Attribute.Plain) -> [String] {
        switch self {
        case .text, .ready: []
        case .part(_, let html): html.values(of: name)
        case .group(let pieces): pieces.flatMap { $0.values(of: name) }
        case .element(_, let attributes, let content):
            attributes.compactMap { $0.name == .plain(name) ? $0.value : nil } + content.flatMap { $0.values(of: name) }
        }
    }
}
