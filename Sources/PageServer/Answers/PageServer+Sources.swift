import TripExchange
import TripModel
import TripPage
import TripService

// What the owner does with rows of their wish list and of their feeds. What a row says comes from here and not from the
// form, which names it alone.
extension PageServer {
    /// Makes an item of a row, unless the trip has one like it.
    func share(_ id: String, from source: PageQuery.Source, _ visit: Visit) async throws(ServiceError) -> Toast {
        let offer = try await offer(id, from: source, visit)
        if case .trip = KnownItems(try await visit.feed.service.view()).holder(of: offer.item) {
            return Toast("\(offer.item.title.quoted) is already in the trip")
        }
        var request = TripRequest.add([offer.item])
        if source == .wishes {
            guard let wish = await visit.feed.reference(toWish: id) else { throw Self.gone }
            request = .shareWishes([wish])
        }
        guard case .done(let receipt) = try await visit.feed.service.answer(request) else { throw Self.gone }
        return Toast(.add([offer.item]), receipt, before: [], viewer: visit.viewer.participant)
    }

    /// Puts a row on the owner's wish list.
    func keep(_ id: String, from source: PageQuery.Source, _ visit: Visit) async throws(ServiceError) -> Toast {
        let wish = Wish(try await offer(id, from: source, visit).item)
        _ = try await visit.feed.service.answer(.wish([wish]))
        return Toast(
            "\(wish.title.quoted) was saved to your wish list", undo: .unwish(offer: Offer(NewItem(wish)).id))
    }

    func unwish(_ id: String, _ visit: Visit) async throws(ServiceError) -> Toast {
        let offer = try await offer(id, from: .wishes, visit)
        guard let wish = await visit.feed.reference(toWish: id) else { throw Self.gone }
        _ = try await visit.feed.service.answer(.unwish([wish]))
        return Toast("\(offer.item.title.quoted) was removed from your wish list", undo: .wish([offer.item]))
    }

    private func offer(
        _ id: String, from source: PageQuery.Source, _ visit: Visit
    ) async throws(ServiceError) -> Offer {
        guard let offer = await visit.feed.offer(id, from: source) else { throw Self.gone }
        return offer
    }

    private static let gone = ServiceError("that is no longer there: reload the page")
}
