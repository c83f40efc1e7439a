import CaravanNode
import TripModel
import TripPage
import TripService

/// An item of the current trip whose note holds an invite link to another trip.
struct InvitedItem {
    let link: String
    /// The name of this home's person in the current trip.
    let you: String

    /// Whether a text is a link, or meant as one.
    static func isLink(_ text: String) -> Bool { text.lowercased().hasPrefix("caravan:") }

    /// - Parameter title: the item's title, or its beginning.
    init(_ title: String, in home: Home) async throws(ServiceError) {
        let wrong = ServiceError(
            "\(title.quoted) is not an invite link, and no item with this title holds one; paste the whole link")
        guard try !home.tripIDs().isEmpty else { throw wrong }
        let id = try await home.tripID(named: TripOptions.fromEnvironment, passphrases: .ofKeysUnlessTyped)
        let trip = TripAccess(home: home, id: id, passphrases: .ofKeys)
        guard case .trip(let view) = try await trip.answer(.view),
            case .status(let status) = try await trip.answer(.status)
        else { throw TripOptions.otherAnswer }
        let named = view.items.filter { $0.title.appearance.hasPrefix(title.appearance) }
        let links = named.compactMap { item in
            item.fields[.note].flatMap { InviteText.link(in: $0.value) }.map {
                (title: item.title.appearance, link: $0)
            }
        }
        guard let found = links.first(where: { $0.title == title.appearance }) ?? links.first else { throw wrong }
        (link, you) = (found.link, status.you)
    }
}
