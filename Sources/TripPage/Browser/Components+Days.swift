import TripModel

#if DEBUG
extension TripPage {
    /// The view of days, with and without anything in it, and as a guest has it.
    static var dayComponents: [ComponentState] {
        [
            ComponentState("days", "nothing planned") { daysView(days([])) },
            ComponentState("days", "a stay, times, two days of one item, not planned", isWide: true) {
                daysView(days(samplePlans))
            },
            ComponentState("days", "for a guest") {
                var state = days(samplePlans)
                state.viewer = Viewer(participant: SampleTrip.mia.id, isGuest: true)
                return daysView(state)
            },
        ]
    }

    private static func days(_ items: [ItemView]) -> PageState {
        SampleTrip.state {
            $0.query.view = .days
            $0.trip = TripView(
                title: $0.trip.title, participants: $0.trip.participants, items: items, removedItems: [])
        }
    }

    private static var samplePlans: [ItemView] {
        func plan(_ number: Int, _ title: String, _ dates: FieldView?) -> ItemView {
            var fields = [Field.title: SampleTrip.value(title), .chosen: SampleTrip.value(Field.setValue)]
            fields[.dates] = dates
            return SampleTrip.item(number, fields)
        }
        return [
            plan(41, "Casa do Rio", SampleTrip.value("2026-06-12/2026-06-15")),
            plan(42, "<script>alert(1)</script>", SampleTrip.value("2026-06-12T14:30+01:00[Europe/Lisbon]/PT1H30M")),
            plan(
                43, "Fado",
                SampleTrip.value("2026-06-12T21:00", beside: [("2026-06-13T21:00/PT2H", SampleTrip.noah)])),
            plan(44, "Market", SampleTrip.value("2026-06-13")), plan(45, "Museum", nil),
        ]
    }
}
#endif
