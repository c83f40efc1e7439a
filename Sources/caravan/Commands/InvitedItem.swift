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

    init(_ reference: String, in home: Home) async throws(ServiceError) {
        guard try !home.tripIDs().isEmpty else {
            throw ServiceError(
                "\(reference.quoted) is not an invite link; paste the whole link, which starts with caravan:")
        }
        let id = try await home.tripID(named: TripOptions.fromEnvironment, passphrases: .ofKeysUnlessTyped)
        let trip = TripAccess(home: home, id: id, passphrases: .ofKeys)
        guard case .item(let item, _) = try await trip.answer(.show(item: .typed(reference), isLook: false)),
            case .status(let status) = try await trip.answer(.status)
        else { throw TripOptions.otherAnswer }
        guard let link = item.fields[.note].flatMap({ InviteText.link(in: $0.value) }) else {
            throw ServiceError("“\(item.title.displayed())” holds no invite link; paste the whole link")
        }
        (self.link, you) = (link, status.you)
    }
}
