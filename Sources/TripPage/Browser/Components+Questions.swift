import TripModel

#if DEBUG
extension TripPage {
    /// The view of questions, with and without any.
    static var questionComponents: [ComponentState] {
        let state = SampleTrip.state { $0.query.view = .questions }
        return [
            ComponentState("questions", "none yet") { questionsView(state, []) },
            ComponentState("questions", "one option, a ranking, dates and points", isWide: true) {
                questionsView(state, sampleQuestions)
            },
            ComponentState("questions", "hidden answers, before the closing and after it", isWide: true) {
                questionsView(state, hiddenQuestions)
            },
            ComponentState("questions", "waiting for an answer") {
                questionsBar(sampleQuestions, state) ?? .none
            },
        ]
    }

    private static var sampleQuestions: [ItemView] {
        typealias Given = SampleTrip.Given
        let (jie, noah, mia) = (SampleTrip.jie, SampleTrip.noah, SampleTrip.mia)
        return [
            SampleTrip.question(
                81, "Where do we go?", "one threshold 60", ["Lisbon", "Porto <b>", "Faro"],
                [
                    Given(jie, [.init("Lisbon")]), Given(noah, [.init("Porto <b>")]),
                    Given(mia, nil, late: [.init("Lisbon")]),
                ]),
            SampleTrip.question(
                82, "Which hike?", "ranked", ["Coast", "Hills", "River"],
                [
                    Given(jie, [.init("Coast", 1), .init("River", 2)]),
                    Given(noah, [.init("River", 1), .init("Coast", 2)]),
                    Given(mia, [.init("River", 1)]),
                ]),
            SampleTrip.question(
                83, "When do we meet?", "dates", ["2026-06-12T14:30", "2026-06-13"],
                [Given(noah, [.init("2026-06-12T14:30"), .init("2026-06-13", Answer.ifNeedBe)]), Given(mia, [])]),
            SampleTrip.question(
                84, "Which dishes?", "points 10", ["Mussels", "Rice"],
                [
                    Given(noah, [.init("Mussels", 7), .init("Rice", 3)]), Given(jie, nil, late: [.init("Rice", 10)]),
                ], closedBy: noah),
        ]
    }
}

extension TripPage {
    private static var hiddenQuestions: [ItemView] {
        typealias Given = SampleTrip.Given
        let (jie, noah, mia) = (SampleTrip.jie, SampleTrip.noah, SampleTrip.mia)
        return [
            SampleTrip.question(
                85, "Who cooks?", "several hidden", ["Jie", "Mia"],
                [Given(jie, seal: .whole, known: [.init("Mia")]), Given(noah, seal: .whole)]),
            SampleTrip.question(
                86, "Which present?", "one hidden", ["Wine", "A book"],
                [Given(jie, [.init("A book")]), Given(noah, seal: .whole), Given(mia, seal: .late)], closedBy: jie),
        ]
    }
}

extension SampleTrip {
    /// What somebody answered: nil for nothing in time.
    fileprivate struct Given {
        let person: Person
        let answer: GivenAnswer

        init(_ person: Person, _ choices: [Answer.Choice]?, late: [Answer.Choice]? = nil) {
            self.person = person
            answer = GivenAnswer(counted: choices.flatMap { Answer($0) }, late: late.flatMap { Answer($0) })
        }

        init(_ person: Person, seal: GivenAnswer.Seal, known: [Answer.Choice]? = nil) {
            self.person = person
            answer = GivenAnswer(counted: nil, seal: seal, known: known.flatMap { Answer($0) })
        }
    }

    fileprivate static func question(
        _ number: Int, _ title: String, _ question: String, _ options: [String], _ given: [Given],
        closedBy closer: Person? = nil
    ) -> ItemView {
        var fields: [Field: FieldView] = [.title: value(title), .question: value(question)]
        if number == 81 { fields[.due] = value("2026-06-03") }
        if let closer { fields[.done] = value(Field.setValue, by: closer) }
        var item = item(number, fields)
        item.sayings.options = options
        item.sayings.answers = given.map {
            LastWord(participant: $0.person.id, name: $0.person.name, word: $0.answer, isOut: false)
        }
        return item
    }
}
#endif
