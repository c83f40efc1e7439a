import Testing
import TripModel
import TripService

@testable import TripPage

/// A trip as a document to keep.
struct ArchivePageTests {
    private func document(
        _ change: (inout PageState) -> Void = { _ in }, source: @escaping (PhotoPath) -> String? = { _ in nil }
    ) -> String {
        let state = SampleTrip.state {
            $0.viewer = Viewer(participant: nil)
            change(&$0)
        }
        return ArchivePage.document(state, now: SampleTrip.now, source: source)
    }

    @Test("it holds what people planned, and nothing that needs a node, a network or a script")
    func whole() {
        let document = document()
        for word in ["Casa do Rio", "Everything proposed", "Members", "History", "A copy of 10 Jun 2026, 12:00"] {
            #expect(document.contains(word), "\(word)")
        }
        for forbidden in [
            "<script", "<form", "<button", "<input", "<link", "data-", "href=\"/", "src=\"/", "srcset", "<img",
        ] {
            #expect(!document.contains(forbidden), "\(forbidden)")
        }
        #expect(document.contains("<style>") && document.hasPrefix("<!DOCTYPE html>"))
        let ids = document.split(separator: " id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(Set(ids).count == ids.count, "\(ids.sorted())")
    }

    @Test("each photo is there in the largest size that was given, and none leads elsewhere")
    func photos() {
        let photos = ArchivePage.photos(of: SampleTrip.state().trip)
        #expect(
            !photos.isEmpty
                && photos.allSatisfy { $0.paths == $0.paths.sorted { $0.size.chunksMax < $1.size.chunksMax } })
        let document = document { path in "data:image/jpeg;base64,\(path.size.rawValue)" }
        #expect(document.contains("src=\"data:image/jpeg;base64,sharp\""))
        #expect(!document.contains("src=\"/") && !document.contains("href=\"/"))
    }

    @Test("what somebody wrote stays text")
    func escapes() {
        let document = document { state in
            state.trip = SampleTrip.trip([
                SampleTrip.item(1, [.title: SampleTrip.value("</style><script>alert(1)</script>")])
            ])
        }
        #expect(!document.contains("<script") && document.contains("&lt;script&gt;"))
    }
}
