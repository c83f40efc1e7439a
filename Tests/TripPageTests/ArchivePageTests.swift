import Attachments
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
        for word in ["Casa do Rio", "Everything proposed", "Members", "History", "A copy of Wed 10 June 2026, 12:00"] {
            #expect(document.contains(word), "\(word)")
        }
        let body = document.split(separator: "</head>").last ?? ""
        for forbidden in [
            "<script", "<form", "<button", "<input", "<link", "data-", "href=\"/", "src=\"/", "srcset", "<img",
        ] {
            #expect(!body.contains(forbidden), "\(forbidden)")
        }
        #expect(document.contains("<style>") && document.hasPrefix("<!DOCTYPE html>"))
        let ids = document.split(separator: " id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(Set(ids).count == ids.count, "\(ids.sorted())")
    }

    @Test("each photo is there in the largest size that was given, and none leads elsewhere")
    func photos() throws {
        let manifest = try PhotoManifest(
            bytes: (0..<3).flatMap { _ in [1, 2, 3, 5] + [UInt8](repeating: 0, count: 32) })
        let photo = PhotoView(
            id: PhotoID(operation: SampleTrip.boat.id.operation), manifest: manifest, author: SampleTrip.mia.id,
            authorName: "Mia")
        let trip = SampleTrip.trip([SampleTrip.item(24, [.title: SampleTrip.value("Boat trip")], photos: [photo])])
        #expect(ArchivePage.photos(of: trip).map { $0.paths.map(\.size) } == [[.thumbnail, .card, .sharp]])
        func sources(_ sizes: Set<PhotoManifest.Size>) -> [String] {
            let document = document(
                { $0.trip = trip }, source: { sizes.contains($0.size) ? "data:\($0.size.rawValue)" : nil })
            #expect(!document.contains("src=\"/") && !document.contains("href=\"/"))
            return document.split(separator: " src=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
        }
        // Beside the title it is small.
        #expect(sources([.thumbnail, .sharp]) == ["data:thumbnail", "data:sharp"])
        #expect(sources([.thumbnail]) == ["data:thumbnail", "data:thumbnail"] && sources([]).isEmpty)
    }

    @Test("questions, quantities and receipts are kept too")
    func rest() throws {
        let manifest = try PhotoManifest(
            bytes: (0..<3).flatMap { _ in [1, 2, 3, 5] + [UInt8](repeating: 0, count: 32) })
        let receipt = PhotoView(
            id: PhotoID(operation: SampleTrip.boat.id.operation), manifest: manifest, author: SampleTrip.mia.id,
            authorName: "Mia")
        let trip = SampleTrip.trip([
            SampleTrip.item(1, [.title: SampleTrip.value("Towels")], quantity: 3),
            SampleTrip.item(2, [.title: SampleTrip.value("Where to?"), .question: SampleTrip.value("one")]),
            SampleTrip.item(
                3, [.title: SampleTrip.value("Dinner"), .itemKind: SampleTrip.value(ItemView.expenseKind)],
                photos: [receipt]),
        ])
        #expect(ArchivePage.photos(of: trip).count == 1)
        let document = document { $0.trip = trip }
        #expect(document.contains("<span>×3</span>"))
        #expect(document.contains("<h2>Questions</h2>") && document.contains("Where to?"))
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
