import CaravanNode
import TripModel
import TripPage
import TripService
import TripText

/// An item of a trip here whose note holds an invite link to another trip.
struct InvitedItem {
    let link: String
    /// The name of this home's person in the trip of the item.
    let you: String
    private let item: ItemView

    /// Whether a text is a link, or meant as one.
    static func isLink(_ text: String) -> Bool { text.lowercased().hasPrefix("caravan:") }

    /// The item that a person means: one of the trip that they named; else one of the current trip, or else of any trip here.
    /// - Parameter name: the item's title, its beginning, or the beginning of its id.
    static func named(_ name: String, in home: Home) async throws(ServiceError) -> InvitedItem {
        let appearance = name.appearance
        if !appearance.isEmpty, try !home.tripIDs().isEmpty {
            let isTripNamed = TripOptions.fromEnvironment != nil
            let first =
                try await isTripNamed
                ? home.tripID(named: TripOptions.fromEnvironment, passphrases: .ofKeysUnlessTyped)
                : home.tripInUse()
            if let first, let item = try choice(name, of: try await all(in: first, home, passphrases: .ofKeys)) {
                return item
            }
            var others: [InvitedItem] = []
            for id in isTripNamed ? [] : try home.tripIDs() where id != first {
                // One that can't be read is no reason to join none.
                others += (try? await all(in: id, home, passphrases: .ofKeysUnlessTyped)) ?? []
            }
            if let item = try choice(name, of: others) { return item }
        }
        throw ServiceError(
            "\(name.quoted) is not an invite link, and no item with this title holds one; paste the whole link")
    }

    private static func all(
        in id: String, _ home: Home, passphrases: PassphraseSource
    ) async throws(ServiceError) -> [InvitedItem] {
        let trip = TripAccess(home: home, id: id, passphrases: passphrases)
        guard case .trip(let view) = try await trip.answer(.view),
            case .status(let status) = try await trip.answer(.status)
        else { throw TripOptions.otherAnswer }
        return view.items.compactMap { item in
            item.fields[.note].flatMap { InviteText.link(in: $0.value) }.map {
                InvitedItem(link: $0, you: status.you, item: item)
            }
        }
    }

    /// Throws where several are meant; nil where none is.
    private static func choice(_ name: String, of invited: [InvitedItem]) throws(ServiceError) -> InvitedItem? {
        let appearance = name.appearance
        let tests: [(ItemView) -> Bool] = [
            { $0.title.appearance == appearance }, { $0.title.appearance.hasPrefix(appearance) },
            { appearance.utf8.count >= 4 && $0.id.digits.hasPrefix(appearance) },
        ]
        let found = tests.lazy.map { test in invited.filter { test($0.item) } }.first { !$0.isEmpty } ?? []
        // Two items with one link lead to one trip.
        guard found.allSatisfy({ $0.link == found[0].link }) else {
            let names = found.prefix(4).map { "\($0.item.title.quoted) (\($0.item.shortID))" }.joined(separator: " or ")
            throw ServiceError("\(name.quoted) could be \(names); give an id")
        }
        return found.first
    }
}

extension TripView {
    /// What to know of what is written of this trip, if an invite link is in it.
    /// - Parameter text: what is written; nil if all notes are in it.
    func inviteLinkNote(on text: String? = nil) -> String? {
        func isLinked(_ note: FieldView?) -> Bool { note.flatMap { InviteText.link(in: $0.value) } != nil }
        let titles = items.filter { isLinked($0.fields[.note]) }.map(\.title.quoted)
        let places = titles.prefix(3) + (isLinked(note) ? ["the trip"] : [])
        guard !places.isEmpty, text.map(Self.hasInviteLink) ?? true else { return nil }
        return "An invite link is in it, from the note of \(TerminalText.joined(Array(places))). "
            + "Anyone who gets the link can join with it until the invite is revoked."
    }

    /// Calendars fold lines, and list links encode blanks and colons.
    private static func hasInviteLink(_ text: String) -> Bool {
        let whole = text.replacing("\r\n ", with: "").replacing("%20", with: " ").replacing("%3A", with: ":")
        return InviteText.link(in: whole) != nil
    }
}
