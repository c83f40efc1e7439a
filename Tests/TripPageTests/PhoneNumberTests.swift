import Testing
import TripModel

@testable import TripPage

/// A telephone number on a card.
struct PhoneNumberTests {
    private func card(_ phone: String) -> String {
        let item = SampleTrip.item(5, [.title: SampleTrip.value("Hut"), .phone: SampleTrip.value(phone)])
        return TripPage.expandedCard(item, id: "c", state: SampleTrip.state()).html.rendered
    }

    @Test(
        "a number is a link that a phone calls, as it was written",
        arguments: [
            ("+351 21 342 0000", "+351213420000"), ("+44 (0)20 7946-0958", "+442079460958"),
            ("(021) 342.00/0", "021342000"), ("112", "112"),
        ])
    func number(typed: String, called: String) {
        #expect(card(typed).contains("<dt>Phone</dt>"))
        #expect(card(typed).contains(#"<a href="tel:\#(called)" dir="ltr">\#(typed)</a>"#))
    }

    @Test(
        "any other text is shown as it is",
        arguments: [
            "12", "1234567890123456", "+351 21 342 0000, Ana", "342 0000 ext 7", "34+2000", "javascript:1234",
            "ask at the bar",
        ])
    func text(typed: String) {
        #expect(PhoneNumber(typed) == nil && PhoneNumber("+") == nil)
        #expect(card(typed).contains(typed) && !card(typed).contains("tel:"))
    }
}
