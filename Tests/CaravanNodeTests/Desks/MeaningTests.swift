import Testing
import TripModel
import TripService

@testable import CaravanNode

/// Which items people mean, and what may be done with them.
struct MeaningTests {
    /// A trip with items of these titles.
    private func trip(_ drafts: ItemDraft...) throws -> LiveTrip {
        var writer = try LogWriter(founding: "Jie")
        try writer.write(nil, .add(drafts, to: nil))
        var shown = ShownTrip(cryptography: writer.cryptography)
        _ = shown.showAll(in: writer.node, seen: nil)
        return shown.trip
    }

    @Test("each item that is named is meant once, in the order in which they are named")
    func once() throws {
        var trip = try trip(ItemDraft(title: "Tent"), ItemDraft(title: "Kayak"))
        let kayak = try #require(trip.view.items.last)
        let references = [ItemReference.typed("kayak"), .typed("1"), .id(kayak.id), .typed("Tent")]
        let items = try trip.items(references, in: .present, ShownNumbers())
        #expect(items.map(\.title) == ["Kayak", "Tent"])
        #expect(throws: ServiceError.self) { try trip.items([.typed("Sauna")], in: .present, ShownNumbers()) }
    }

    @Test("a title is found however a keyboard composes its letters, and two titles that look alike ask for a number")
    func forms() throws {
        let (composed, decomposed) = ("G\u{EE}te", "Gi\u{302}te")
        var one = try trip(ItemDraft(title: composed), ItemDraft(title: "Tent"))
        #expect(try one.item(.typed(decomposed), in: .present, ShownNumbers()).number == 1)
        var both = try trip(ItemDraft(title: composed), ItemDraft(title: decomposed))
        let error = #expect(throws: ServiceError.self) {
            try both.item(.typed(composed), in: .present, ShownNumbers())
        }
        #expect(error?.message.contains("could be 1 ") == true && error?.message.contains(" or 2 ") == true)
    }

    @Test("an action that means nothing of an item is refused, and so is a step beyond the greatest quantity")
    func sense() throws {
        var trip = try trip(
            ItemDraft(title: "Tent", quantity: Limits.quantityStep - 1),
            ItemDraft(title: "When?", fields: [.question: "one"], options: ["May", "June"]))
        let tent = try trip.item(.typed("Tent"), in: .present, ShownNumbers())
        let question = try trip.item(.typed("When?"), in: .present, ShownNumbers())
        try ItemAction.changeQuantity(by: 1).requireSense(on: [tent])
        #expect(throws: ServiceError.self) { try ItemAction.changeQuantity(by: 2).requireSense(on: [tent]) }
        try ItemAction.vote(.for).requireSense(on: [tent])
        let error = #expect(throws: ServiceError.self) { try ItemAction.vote(.for).requireSense(on: [tent, question]) }
        #expect(error?.message.contains("a question") == true)
        try ItemAction.vote(nil).requireSense(on: [question])
    }
}
