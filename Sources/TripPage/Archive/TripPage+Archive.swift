import TripService

extension TripPage {
    /// Says that a trip is archived, and reopens it for its owner.
    static func archivedNotice(_ state: PageState) -> HTML {
        tag(.div, .class("note")) {
            tag(.p) { "This trip is archived. You can read everything, and change nothing." }
            if !state.viewer.isGuest { actionButton(.archive(false), state: state, label: "Reopen", class: "button") }
        }
    }

    /// Offers a trip as a file to keep, and to make it read-only, and says how it is left and deleted.
    static func archiveView(_ state: PageState) -> HTML {
        tag(.details, .id("archive")) {
            tag(.summary) { "Is the trip over?" }
            tag(.p, .class("hint")) {
                "Keep it as one file, with photos, days and costs. Every browser opens it, without Caravan and without a network."
            }
            tag(.div, .class("actions")) {
                tag(
                    .a, .class("button"), .href(.page(PagePath(["t", state.tripID, "export", "trip.html"]))),
                    .plain(.type, "text/html"), .plain(.download, "trip.html")
                ) { "Download the trip" }
                if state.mayEdit {
                    actionButton(.archive(true), state: state, label: "Archive it here", class: "button quiet")
                }
            }
            if state.mayEdit {
                tag(.p, .class("hint")) {
                    "An archived trip is read-only on this computer. Others can still change theirs."
                }
            }
            tag(.p, .class("hint")) {
                if state.status.removal == nil {
                    "To leave the trip for good, with all your devices, run "
                    tag(.kbd) { "caravan leave --trip \(state.tripID)" }
                    " in a terminal. "
                }
                "To delete the copy on this computer, run "
                tag(.kbd) { "caravan delete \(state.tripID)" }
                " in a terminal. It stays in the trash for 30 days."
            }
        }
    }
}
