import Testing
import TripModel

@testable import TripPage

/// Where a page without script leads from a card.
@Suite struct CardPlaceTests {
    @Test("without script, forms and links of a card lead back to it, open if it was")
    func place() {
        let item = SampleTrip.hostel
        let content = { (change: (inout PageState) -> Void) in
            let page = TripPage.content(SampleTrip.state(change))
            return page.lists.flatMap(\.fragments).first { $0.id.hasSuffix(item.shortID) }?.html.rendered ?? ""
        }
        for (view, mark) in [(PageQuery.View.cards, "c"), (.ranking, "r"), (.bring, "b")] {
            let item = view == .bring ? SampleTrip.stove : item
            let page = TripPage.content(SampleTrip.state { $0.query.view = view })
            let list = page.lists.first { $0.id == view.rawValue }
            let card = list?.fragments.first { $0.id == "\(mark)-\(item.shortID)" }?.html.rendered ?? ""
            #expect(card.contains("/act#\(mark)-\(item.shortID)\""), "\(view)")
            #expect(card.contains("open=\(item.shortID)#\(view == .bring ? "b" : "c")-\(item.shortID)\""), "\(view)")
        }
        let open = content { $0.query.open = item.shortID }
        let forms = open.split(separator: "<form ").dropFirst()
        for form in forms {
            #expect(form.prefix { $0 != ">" }.contains("#c-\(item.shortID)\""), "\(form.prefix(200))")
            #expect(form.contains(#"name="back" value="open=\#(item.shortID)""#), "\(form.prefix(200))")
        }
        #expect(forms.count > 5 && open.contains("/#c-\(item.shortID)\" data-key=\"Enter\""))
    }
}
