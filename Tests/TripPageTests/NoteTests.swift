import Testing
import TripModel
import TripService

@testable import TripPage

/// The boxes that everybody writes notes in.
struct NoteTests {
    private typealias Sample = SampleTrip

    private func card(_ item: ItemView, _ change: (inout PageState) -> Void = { _ in }) -> String {
        let state = Sample.state {
            $0.trip = Sample.trip([item])
            $0.query.open = item.shortID
            change(&$0)
        }
        return TripPage.expandedCard(item, id: "c-" + item.shortID, state: state).html.rendered
    }

    @Test("an open card has its note in a box, with what was shown for pages without script")
    func box() {
        let (id, mark) = ("note-\(Sample.casaDoRio.shortID)", NoteText(Sample.casaDoRio).mark)
        let card = card(Sample.casaDoRio)
        #expect(card.contains("<label for=\"\(id)\">Note</label>"))
        #expect(card.contains("<textarea id=\"\(id)\" name=\"note\""))
        #expect(card.contains("data-shown=\"\(mark)\""))
        #expect(!card.contains("maxlength"), "browsers cut what is pasted, silently")
        #expect(
            card.contains(
                "<input type=\"hidden\" name=\"shown\" value=\"Roof terrace, 8 minutes to the tram.\nBreakfast until eleven.\">"
            ))
        #expect(card.contains("action=\"/t/\(Sample.state().tripID)/note#c-") && !card.contains("<dt>Note</dt>"))
    }

    @Test("guests write in notes, and people who can do nothing read them")
    func readers() {
        let item = Sample.casaDoRio
        let guest = card(item) { $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true) }
        #expect(guest.contains("name=\"note\""))
        let nobody = card(item) { $0.viewer = Viewer(participant: nil) }
        #expect(!nobody.contains("name=\"note\"") && nobody.contains("<dt>Note</dt>"))
        #expect(!card(Sample.removedHostel).contains("name=\"note\""))
        let edited = card(item) { $0.query.isEditing = true }
        #expect(edited.split(separator: "name=\"note\"").count == 2 && !edited.contains("shown-note"))
    }

    @Test("the content of a page names the notes that it has boxes of")
    func content() {
        var state = Sample.state()
        #expect(TripPage.content(state).notes.isEmpty)
        state.query.open = Sample.casaDoRio.shortID
        #expect(TripPage.content(state).notes == [NoteText(Sample.casaDoRio)])
        state.query = PageQuery()
        state.query.view = .notes
        #expect(TripPage.content(state).notes == [NoteText(.trip, "")])
        state.viewer = Viewer(participant: nil)
        #expect(TripPage.content(state).notes.isEmpty)
    }

    @Test("who else writes stands beside a note, with the line that isn't read aloud; one's own other page doesn't")
    func writers() {
        let name = NoteName.item(Sample.casaDoRio.shortID)
        let card = card(Sample.casaDoRio) {
            $0.writers = [
                NoteWriter(note: name, participant: Sample.jie.id, offset: 1),
                NoteWriter(note: name, participant: Sample.mia.id, offset: 37),
                NoteWriter(note: .trip, participant: Sample.noah.id, offset: nil),
            ]
        }
        #expect(card.contains("<span dir=\"auto\">Mia</span> is writing</span>"))
        #expect(card.contains("<span class=\"facts\" aria-hidden=\"true\">line 2</span>"))
        #expect(card.contains("<p data-at=\"37\">") && !card.contains("line 1<") && !card.contains("line 3<"))
        #expect(card.split(separator: "is writing").count == 2)
    }

    @Test("the links in a note stand beneath its box, each once")
    func links() {
        let text = "see https://a.example/1, https://a.example/1 and mail ana@example.org"
        let links = TripPage.links(in: text).map(\.rendered)
        #expect(links.count == 2 && links[0].contains(">https://a.example/1</a>"))
        #expect(links[1].contains("href=\"mailto:ana@example.org\""))
        let many = (0..<50).map { "https://a.example/\($0)" }.joined(separator: " ")
        #expect(TripPage.links(in: many).count == 20)
        #expect(TripPage.links(in: "nothing").isEmpty)
    }

    @Test("the note of the trip has a view, and its beginning stands above the cards; guests always find the way to it")
    func ofTheTrip() {
        let note = Sample.value("Flight at nine\nTrain at ten")
        let view = TripPage.notesView(Sample.state { $0.trip = $0.trip.replacing(note: note) }).rendered
        #expect(view.contains("id=\"trip-note\"") && view.contains(">Flight at nine\nTrain at ten</textarea>"))
        #expect(TripPage.notesBar(Sample.state()) == nil)
        let bar = TripPage.notesBar(Sample.state { $0.trip = $0.trip.replacing(note: note) })?.rendered ?? ""
        #expect(bar.contains("Flight at nine") && bar.contains("?view=notes"))
        let guest = TripPage.notesBar(
            Sample.state { $0.viewer = Viewer(participant: Sample.lea.id, isGuest: true) })
        #expect(guest?.rendered.contains("?view=notes") == true)
        let archived = TripPage.notesView(Sample.state { $0.viewer = Viewer(participant: nil) }).rendered
        #expect(!archived.contains("<textarea") && archived.contains("Nobody has written anything here."))
    }

    @Test("a mark tells texts apart by their bytes, and is the same everywhere")
    func marks() {
        #expect(NoteText(.trip, "é").mark != NoteText(.trip, "e\u{301}").mark)
        #expect(NoteText(.trip, "a").mark == NoteText(.item("b4e7"), "a").mark)
        #expect(NoteText(.trip, "").mark == "cbf29ce484222325")
    }
}
