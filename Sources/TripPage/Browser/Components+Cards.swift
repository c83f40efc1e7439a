import TripModel
import TripService

#if DEBUG
extension TripPage {
    static var cardComponents: [ComponentState] {
        voteComponents + collapsedComponents + expandedComponents + noteComponents
    }

    // MARK: - Votes

    private static var voteComponents: [ComponentState] {
        let frame = CardFrame(SampleTrip.state())
        let asMia = CardFrame(SampleTrip.state { $0.viewer = Viewer(participant: SampleTrip.mia.id) })
        let asNoah = CardFrame(SampleTrip.state { $0.viewer = Viewer(participant: SampleTrip.noah.id) })
        let out = CardFrame(
            SampleTrip.state { $0.status = SampleTrip.status([], removal: RemovalView(.removed, by: "Mia", at: 0)) })
        func attendance(_ state: String, _ item: ItemView, in frame: CardFrame) -> ComponentState {
            ComponentState("attendance", state) {
                tag(.h3) { item.title }
                self.attendance(of: item, in: frame, frame.target) ?? .none
            }
        }
        return [
            ComponentState("vote pill", "you have not voted") { votePill(SampleTrip.idea, in: frame) },
            ComponentState("vote pill", "you voted for") { votePill(SampleTrip.casaDoRio, in: frame) },
            ComponentState("vote pill", "you voted against") { votePill(SampleTrip.casaDoRio, in: asNoah) },
            ComponentState("vote pill", "below nothing") { votePill(SampleTrip.unwanted, in: frame) },
            ComponentState("vote pill", "you are out") { votePill(SampleTrip.casaDoRio, in: out) },
            ComponentState("faces", "nobody voted") { faces(of: SampleTrip.idea, in: frame) ?? .none },
            ComponentState("faces", "some voted, you first") { faces(of: SampleTrip.casaDoRio, in: asMia) ?? .none },
            ComponentState("faces", "many voted") { faces(of: SampleTrip.crowded, in: frame) ?? .none },
            ComponentState("ballot", "for, against, not yet") {
                tag(.h3) { SampleTrip.casaDoRio.title }
                ballot(of: SampleTrip.casaDoRio, in: frame)
            },
            attendance("nobody answered", SampleTrip.idea, in: frame),
            attendance("some answered, you first", SampleTrip.boat, in: asNoah),
            attendance("everybody answered", SampleTrip.picnic, in: frame),
            attendance("you are out", SampleTrip.boat, in: out),
        ]
    }

    // MARK: - Cards

    private static var collapsedComponents: [ComponentState] {
        let frame = CardFrame(SampleTrip.state())
        func collapsed(
            _ state: String, _ item: ItemView, in frame: CardFrame, notice: String? = nil, isNew: Bool = false
        ) -> ComponentState {
            ComponentState("card", state) {
                list("cards", [card(CollapsedCard(item: item, frame: frame, notice: notice, isNew: isNew))])
            }
        }
        return [
            collapsed("new", SampleTrip.idea, in: frame, isNew: true),
            collapsed("with everything", SampleTrip.casaDoRio, in: frame),
            collapsed("no price, no votes", SampleTrip.idea, in: frame),
            collapsed("long title and price", SampleTrip.longTitle, in: frame),
            collapsed("right to left", SampleTrip.rightToLeft, in: frame),
            collapsed("also proposed", SampleTrip.disputed, in: frame),
            collapsed("came back", SampleTrip.hostel, in: frame, notice: "restored: Noah voted for it"),
            collapsed("done", SampleTrip.done, in: frame),
            collapsed("unwanted", SampleTrip.unwanted, in: frame),
            collapsed("script in every field", SampleTrip.script, in: frame),
            collapsed(
                "for a guest who has not said who they are", SampleTrip.casaDoRio,
                in: CardFrame(SampleTrip.state { $0.viewer = Viewer(participant: nil, isGuest: true) })),
        ]
    }

    private static var expandedComponents: [ComponentState] {
        func expanded(
            _ component: String, _ state: String, _ item: ItemView, notice: String? = nil,
            _ change: (inout PageState) -> Void = { _ in }
        ) -> ComponentState {
            let page = SampleTrip.state {
                $0.trip = item.isRemoved ? SampleTrip.trip([], removed: [item]) : SampleTrip.trip([item])
                $0.query.open = item.shortID
                change(&$0)
            }
            return ComponentState(component, state) {
                list("cards", [expandedCard(item, id: "c-" + item.shortID, notice: notice, state: page)])
            }
        }
        return [
            expanded("open card", "with everything", SampleTrip.casaDoRio),
            expanded("open card", "a title alone", SampleTrip.idea),
            expanded("open card", "also proposed", SampleTrip.disputed),
            expanded("open card", "right to left", SampleTrip.rightToLeft),
            expanded("open card", "removed", SampleTrip.removedHostel),
            expanded("open card", "came back", SampleTrip.hostel, notice: "restored: Noah voted for it"),
            expanded("open card", "short by one", SampleTrip.short),
            expanded("open card", "script in every field", SampleTrip.script),
            expanded("open card", "for a guest", SampleTrip.casaDoRio) {
                $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
            },
            expanded("open card", "your task", task(for: SampleTrip.jie, "2026-06-03")),
            expanded("open card", "a task that somebody declined", task(for: SampleTrip.mia, nil, .notGoing)),
            expanded("open card", "a late task of somebody who is out", task(for: SampleTrip.tom, "2020-01-02")),
            expanded("card being edited", "a task", task(for: SampleTrip.mia, "2026-06-03")) {
                $0.query.isEditing = true
            },
            expanded("card being edited", "with everything", SampleTrip.casaDoRio) { $0.query.isEditing = true },
            expanded("card being edited", "also proposed", SampleTrip.disputed) { $0.query.isEditing = true },
        ]
    }

    private static var noteComponents: [ComponentState] {
        func notes(_ state: String, _ change: (inout PageState) -> Void) -> ComponentState {
            let page = SampleTrip.state {
                $0.query.view = .notes
                $0.trip = SampleTrip.trip.replacing(
                    note: SampleTrip.value("Flight at nine, see https://example.org/f\nDoor code <b>12</b>"))
                change(&$0)
            }
            return ComponentState("notes", state) { notesView(page) }
        }
        return [
            notes("two others write") {
                $0.writers = [
                    NoteWriter(note: .trip, participant: SampleTrip.mia.id, offset: 6),
                    NoteWriter(note: .trip, participant: SampleTrip.noah.id, offset: 52),
                ]
            },
            notes("nothing yet, for a guest") {
                $0.trip = SampleTrip.trip
                $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
            },
            notes("for somebody who can only read") { $0.viewer = Viewer(participant: nil) },
            ComponentState("notes", "bar above the cards") {
                notesBar(SampleTrip.state { $0.trip = $0.trip.replacing(note: SampleTrip.value("Flight at nine")) })
                    ?? .none
            },
        ]
    }

    private static func task(
        for person: SampleTrip.Person, _ due: String?, _ answer: Attendance? = nil
    ) -> ItemView {
        SampleTrip.item(
            40,
            [
                .title: SampleTrip.value("Tents"), .due: due.map { SampleTrip.value($0) },
                .assignee: SampleTrip.value(person.id.description),
            ].compactMapValues(\.self), attendance: answer.map { [(person, $0)] } ?? [])
    }

    /// Fragments as they stand in a list of the page.
    static func list(_ name: String, _ fragments: [Fragment]) -> HTML {
        tag(.div, .data(.list, name)) { fragments.map(\.html) }
    }
}
#endif
