import Testing
import TripModel
import TripService

@testable import TripPage

/// The forms of the view of questions, and what they ask of the trip.
@Suite struct QuestionFormTests {
    private func action(_ fields: KeyValuePairs<String, String>) throws -> PageAction {
        try PageAction(fields: fields.map { ($0.key, $0.value) })
    }

    @Test("a question is asked with its options, a line each")
    func ask() throws {
        let asked = try action([
            "do": "ask", "title": " Where? ", "options": "Lisbon\r\n\r\n Porto \n", "method": "points", "points": "5",
            "due": "2026-06-03",
        ])
        #expect(
            asked
                == .add([
                    NewItem(
                        title: "Where?", fields: [.question: "points 5", .due: "2026-06-03"],
                        options: ["Lisbon", "Porto"])
                ]))
        let several = try action([
            "do": "ask", "title": "Where?", "options": "A", "method": "several", "threshold": "80",
        ])
        #expect(
            several == .add([NewItem(title: "Where?", fields: [.question: "several threshold 80"], options: ["A"])]))
        for wrong: KeyValuePairs<String, String> in [
            ["do": "ask", "title": "Where?", "method": "ranked", "threshold": "80"],
            ["do": "ask", "title": " ", "method": "one"], ["do": "ask", "title": "Where?", "method": "loud"],
            ["do": "ask", "title": "Where?", "method": "points", "points": "0"],
            ["do": "ask", "title": "Where?", "method": "one", "threshold": "101"],
        ] { #expect(throws: PageFormError.self) { try action(wrong) } }
        let error = #expect(throws: PageFormError.self) {
            try action(["do": "ask", "title": "Where?", "method": "points", "points": "5", "threshold": "80"])
        }
        #expect(error?.message.contains("percentage that has to agree") == true, "in the words of its label")
    }

    @Test("an answer names options and numbers; what has no number isn't chosen")
    func answer() throws {
        let ranked = try action([
            "do": "answer", "item": "b4e701c0ffee", "option": "Coast", "number": "2", "option": "Hills", "number": "",
            "option": "River", "number": "1",
        ])
        #expect(
            ranked == .act(.answer(Answer([.init("Coast", 2), .init("River", 1)])), on: ["b4e701c0ffee"]))
        #expect(
            try action(["do": "answer", "item": "b4e701c0ffee"]) == .act(.answer(Answer([])), on: ["b4e701c0ffee"]))
        #expect(
            try action(["do": "answer", "item": "b4e701c0ffee", "withdraw": "yes"])
                == .act(.answer(nil), on: ["b4e701c0ffee"]))
        #expect(
            try action(["do": "answer", "item": "b4e701c0ffee", "option": "A", "number": "", "blank": "withdraws"])
                == .act(.answer(nil), on: ["b4e701c0ffee"]))
        for wrong: KeyValuePairs<String, String> in [
            ["do": "answer", "item": "b4e701c0ffee", "option": "Coast"],
            ["do": "answer", "item": "b4e701c0ffee", "option": "Coast", "number": "", "blank": "ranks"],
            ["do": "answer", "item": "b4e701c0ffee", "option": "Coast", "number": "0", "blank": "points"],
            ["do": "answer", "item": "b4e701c0ffee", "option": "Coast", "number": "many"],
            ["do": "answer", "item": "b4e701c0ffee", "option": "A", "number": "1", "option": "A", "number": "1"],
        ] { #expect(throws: PageFormError.self) { try action(wrong) } }
    }

    @Test("before anybody ranked an option, none has a place beside its empty box")
    func noPlaces() {
        var asked = SampleTrip.item(
            87, [.title: SampleTrip.value("Which hike?"), .question: SampleTrip.value("ranked")])
        asked.sayings.options = ["Coast", "Hills"]
        let shown = TripPage.questionsView(SampleTrip.state(), [asked]).rendered
        #expect(shown.contains("Your rank of Coast") && shown.contains("name=\"blank\" value=\"ranks\""))
        #expect(!shown.contains("<strong>"))
    }

    @Test("a hidden question waits for no guest, and tells guests why they can't answer it")
    func hiddenForGuests() throws {
        func question(_ number: Int, _ way: String) -> ItemView {
            var item = SampleTrip.item(
                number, [.title: SampleTrip.value("Which present?"), .question: SampleTrip.value(way)])
            item.sayings.options = ["Wine"]
            return item
        }
        let (hidden, open) = (question(85, "several hidden"), question(86, "several"))
        let member = SampleTrip.state()
        let guest = SampleTrip.state { $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true) }
        let words = "Guests can’t answer this one"
        #expect(TripPage.questionsView(member, [open]).rendered.contains("Lea"))
        let shown = TripPage.questionsView(member, [hidden]).rendered
        #expect(shown.contains("No answer yet: ") && shown.contains("Noah"))
        #expect(!shown.contains("Lea") && !shown.contains("Max") && !shown.contains(words))
        let told = TripPage.questionsView(guest, [hidden]).rendered
        #expect(told.contains(words) && told.contains("Noah") && !told.contains("Max") && !told.contains("you."))
        #expect(!TripPage.questionsView(guest, [open]).rendered.contains(words))
        // What waits for an answer counts none that a guest can't give.
        #expect(TripPage.questionsBar([hidden], guest) == nil && TripPage.questionsBar([hidden], member) != nil)
    }

    @Test("a question without options waits for nobody, and a closed one says what was agreed")
    func optionsAndOutcome() {
        let state = SampleTrip.state()
        var item = SampleTrip.item(
            85, [.title: SampleTrip.value("Where?"), .question: SampleTrip.value("one threshold 80")])
        #expect(TripPage.questionsBar([item], state) == nil)
        item.sayings.options = ["Lisbon"]
        #expect(TripPage.questionsBar([item], state) != nil)
        #expect(
            TripPage.questionsView(state, [item]).rendered
                .contains("Not enough agree yet: it takes 80% of the group."))
        let closed = SampleTrip.item(
            86,
            [
                .title: SampleTrip.value("Where?"), .question: SampleTrip.value("one threshold 80"),
                .done: SampleTrip.value(Field.setValue),
            ])
        #expect(
            TripPage.questionsView(state, [closed]).rendered.contains("Not enough agreed: it takes 80% of the group."))
    }

    @Test("what a form sends is what is read, of answers and of options")
    func roundTrip() throws {
        for asked: ItemAction in [
            .answer(nil), .answer(Answer([])), .answer(Answer([.init("Lisbon", 3), .init("Porto", 1)])),
            .changeOptions(added: ["Faro"], removed: ["Porto"]),
        ] {
            let action = PageAction.act(asked, on: ["b4e701c0ffee"])
            #expect(try PageAction(fields: action.fields) == action)
        }
    }
}
