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
        for wrong: KeyValuePairs<String, String> in [
            ["do": "answer", "item": "b4e701c0ffee", "option": "Coast"],
            ["do": "answer", "item": "b4e701c0ffee", "option": "Coast", "number": "many"],
            ["do": "answer", "item": "b4e701c0ffee", "option": "A", "number": "1", "option": "A", "number": "1"],
        ] { #expect(throws: PageFormError.self) { try action(wrong) } }
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
