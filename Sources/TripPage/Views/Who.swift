import TripModel
import TripService

extension TripPage {
    /// What a guest is asked first: who they are. Faces of this host's earlier guests, who come back by one tap, or a new
    /// name.
    package static func whoView(_ state: PageState) -> HTML {
        let known = earlierGuests(state)
        return tag(.section, .class("view", "who"), .aria(.labelledby, "who-title")) {
            tag(.p, .class("place")) {
                isolated(state.host)
                "’s trip “"
                isolated(title(of: state.trip))
                "”"
            }
            tag(.h2, .id("who-title")) { "Who are you?" }
            if !known.isEmpty {
                tag(.form, .class("known-faces"), .plain(.method, "post"), .action(whoPath(state))) {
                    for guest in known { face(guest) }
                }
                tag(.p, .class("hint")) { "Not among them?" }
            }
            tag(.form, .class("new-name"), .plain(.method, "post"), .action(whoPath(state))) {
                tag(.label, .plain(.for, "who-name")) { "Your name" }
                tag(
                    .input, .id("who-name"), .plain(.name, "name"), .plain(.type, "text"),
                    .plain(.autocomplete, "given-name"), .plain(.enterkeyhint, "go"), .plain(.dir, "auto"),
                    .flag(.required))
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Join" }
            }
            tag(.p, .class("hint")) { "Your friends see this name next to what you add and your votes." }
            tag(.p, .class("note", "warning")) { guestWarning }
        }
    }

    private static func whoPath(_ state: PageState) -> PagePath { PagePath(["t", state.tripID, "who"]) }

    private static func face(_ guest: MemberView) -> HTML? {
        ParticipantID(guest.id).map { id in
            tag(
                .button, .class("face"), .plain(.type, "submit"), .plain(.name, "again"), .plain(.value, guest.id),
                .aria(.label, "I am \(guest.name)")
            ) {
                avatar(id, name: guest.name, isDecoration: true)
                tag(.span, .plain(.dir, "auto")) { guest.name }
            }
        }
    }

    /// The host's own guests only: a guest of another host cannot enter here.
    private static func earlierGuests(_ state: PageState) -> [MemberView] {
        guard let host = state.members.people.first(where: \.isYou) else { return [] }
        return state.members.people.filter { $0.isGuest && $0.sponsor == host.name && $0.removal == nil }
    }

    static func title(of trip: TripView) -> String { trip.title?.value.displayed() ?? "Untitled trip" }
}
