import Testing
import TripModel

@testable import TripPage

/// What a price says on a card, and which is the lowest.
@Suite struct PriceTests {
    private func collapsed(_ item: ItemView, _ change: (inout PageState) -> Void = { _ in }) -> String {
        let card = CollapsedCard(item: item, frame: CardFrame(SampleTrip.state(change)), notice: nil)
        return TripPage.card(card).html.rendered
    }

    @Test("a price for a night is worked out for the nights and for each person")
    func each() {
        let item = SampleTrip.item(
            30,
            [
                .title: SampleTrip.value("Casa"), .price: SampleTrip.value("€120 a night"),
                .dates: SampleTrip.value("2026-06-12/2026-06-15"),
            ])
        let people = CardFrame(SampleTrip.state()).people.count
        let card = collapsed(item)
        #expect(card.contains("3 nights: €360") && card.contains("each for \(people)"), "\(card)")
        // For one person, what each pays is the price.
        let whole = SampleTrip.item(31, [.title: SampleTrip.value("Boat"), .price: SampleTrip.value("€110 total")])
        let alone = { (item: ItemView) in
            collapsed(item) {
                $0.trip = TripView(
                    title: $0.trip.title, participants: [$0.trip.participants[0]], items: [item], removedItems: [])
            }
        }
        #expect(alone(item).contains("3 nights: €360</span>") && !alone(whole).contains("class=\"each\""))
    }

    @Test("the lowest price is marked where all prices are of one unit")
    func best() {
        #expect(TripPage.bestPrices(["€90", "€70", nil]) == [1])
        #expect(TripPage.bestPrices(["€70", "€70", "€90"]) == [0, 1])
        #expect(TripPage.bestPrices(["€90", "$70"]).isEmpty)
        #expect(TripPage.bestPrices(["€90", "ask"]).isEmpty)
        #expect(TripPage.bestPrices(["€90", "€90"]).isEmpty)
    }
}
