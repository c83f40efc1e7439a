import TripService

extension TripPage {
    /// The trips of this home.
    static func tripsView(_ state: PageState) -> HTML {
        tag(.section, .class("view", "trips"), .aria(.labelledby, "trips-title")) {
            tag(.h2, .id("trips-title")) { "Your trips" }
            tag(.ul, .class("trip-list")) {
                for trip in state.trips {
                    tripRow(trip, isShown: isShown(trip, in: state), among: state.trips)
                }
            }
            tag(.p) { tag(.a, .class("button"), .href(.page(startPath))) { "Start or join another trip" } }
            tag(.p, .class("hint")) {
                "To leave this trip or to delete its copy here, see "
                tag(.a, .href(address(.status, state: state, part: "archive"))) { "“Is the trip over?”" }
            }
        }
    }

    /// One of the two may be the beginning of the other.
    private static func isShown(_ trip: TripEntry, in state: PageState) -> Bool {
        trip.id.hasPrefix(state.tripID) || state.tripID.hasPrefix(trip.id)
    }

    /// - Parameter all: trips with the same title are told apart by the beginnings of their ids, as on the command line.
    static func tripRow(_ trip: TripEntry, isShown: Bool, among all: [TripEntry]) -> HTML {
        let title = trip.title.map { $0.isEmpty ? "Untitled trip" : $0 } ?? "A trip that can’t be read"
        return tag(.li, .class("trip-entry")) {
            if trip.isRunning, trip.problem == nil {
                tag(
                    .a, .href(.page(PagePath(["t", trip.id, ""]))), isShown ? .aria(.current, "page") : nil,
                    .plain(.dir, "auto")
                ) { title }
            } else {
                tag(.span, .plain(.dir, "auto")) { title }
            }
            if all.contains(where: { $0.title == trip.title && $0.id != trip.id }) {
                tag(.span, .class("facts")) { String(trip.id.prefix(6)) }
            }
            if isShown { tag(.span, .class("tag")) { "you are here" } }
            if trip.isOut { tag(.span, .class("tag")) { "no longer a member" } }
            if let problem = trip.problem {
                tag(.p, .class("hint"), .plain(.dir, "auto")) { problem }
            } else if !trip.isRunning {
                tag(.p, .class("hint")) { "not running: start it with caravan up" }
            }
        }
    }
}
