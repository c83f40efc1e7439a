package import TripModel
package import TripService

/// What was fetched of a link: a card of its page, and the picture of it.
package struct LinkDetails: Hashable, Sendable {
    package let card: LinkCard
    /// Nil where the page names none, and where it could not be taken.
    package let photo: NewPhoto?
    /// Why the picture could not be taken, in one line.
    package let pictureProblem: String?

    package init(card: LinkCard, photo: NewPhoto?, pictureProblem: String? = nil) {
        self.card = card
        self.photo = photo
        self.pictureProblem = pictureProblem
    }

    /// What is asked of a trip so that an item has what it lacked: ordinary edits of the person who fetched. Nothing that somebody wrote is
    /// replaced, also by what they write meanwhile. Empty where the item lacks nothing of it.
    ///
    /// - Parameter mark: of no other act: one undo takes back all of it.
    package func requests(for item: ItemView, mark: UInt64) -> [TripRequest] {
        let fields = card.lacking(in: item)
        var requests: [TripRequest] = []
        if !fields.isEmpty {
            let shown = fields.mapValues { _ in [String]() }.merging(
                fields[.title] == nil ? [:] : [.title: item.titles]
            ) { $1 }
            requests.append(.act(.edit(fields.mapValues { $0 }, shown: shown), on: [.id(item.id)]))
        }
        if let photo, item.photos.isEmpty { requests.append(.attach(item: .id(item.id), photos: [photo])) }
        return requests.map { .step(of: mark, $0) }
    }

    /// Does it.
    ///
    /// - Parameter ask: asks the trip.
    /// - Returns: the last answer; nil where the item lacked nothing.
    package func fill(
        _ item: ItemView, mark: UInt64, _ ask: (TripRequest) async throws(ServiceError) -> TripAnswer
    ) async throws(ServiceError) -> TripAnswer? {
        var last: TripAnswer?
        for request in requests(for: item, mark: mark) { last = try await ask(request) }
        return last
    }
}

extension NewItem {
    /// The same with what it lacks of what was fetched of its link.
    package func completed(by details: LinkDetails) -> NewItem {
        var item = completed(by: details.card)
        if item.photos.isEmpty, let photo = details.photo { item.photos = [photo] }
        return item
    }
}
