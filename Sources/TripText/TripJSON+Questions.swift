package import TripModel

extension TripJSON {
    /// The array of `caravan recent --json`: each as `item` has it.
    package static func items(_ items: [ItemView], of group: Group) -> JSONValue {
        .array(items.map { item($0, of: group) })
    }

    /// The array of `caravan questions --json`: each as `item` has it.
    package static func questions(_ view: TripView) -> JSONValue {
        let group = view.group
        return .array(view.questions.map { item($0, of: group) })
    }

    /// The object at `question` of an item.
    ///
    /// | key | what it is |
    /// |---|---|
    /// | `answer_with` | how it is answered: "one", "several", "ranked", "points 10", "dates"; perhaps "threshold 80" behind it, and "hidden" |
    /// | `options` | the best first, each with its `option`; its `score`: how many are for it, its points, or in a ranking how many others it beats; `if_need_be`, how many said that; `people`, names of those who named it; its `place`, which equal options share |
    /// | `answers` | `name`, and `answer`: of each option its `option` and its `number`; `late`, the same, said after the closing; `hidden`, true where others can't see it; `too_late`, true where it is hidden for ever; `out`, true |
    /// | `not_answered` | names of those who are in and gave no answer |
    /// | `closed_by` | who closed it; left out while it is open |
    /// | `threshold_reached` | true or false, where there is a threshold |
    /// | `agreed` | the options that reach the threshold, where there is one |
    /// | `preferred_over` | in a ranking, a row for each option, in their order: how many prefer it over each |
    static func question(_ view: QuestionView, of item: ItemView) -> JSONValue {
        let names = Dictionary(item.sayings.answers.map { ($0.participant, $0.name) }) { first, _ in first }
        return .object([
            "answer_with": .string(view.question.text),
            "options": .array(
                view.standings.map { standing in
                    .object([
                        "option": .string(standing.option), "score": .integer(Int64(standing.score)),
                        "if_need_be": standing.ifNeedBe == 0 ? nil : .integer(Int64(standing.ifNeedBe)),
                        "people": .array(standing.people.map { .string(names[$0] ?? "") }),
                        "place": .integer(Int64(standing.place)),
                    ])
                }),
            "answers": .array(
                item.sayings.answers.map { given in
                    .object([
                        "name": .string(given.name),
                        "answer": given.word.counted.map { answer($0) },
                        "late": given.word.late.map { answer($0) },
                        "hidden": given.word.seal == .whole ? .bool(true) : JSONValue?.none,
                        "too_late": given.word.seal == .late ? .bool(true) : JSONValue?.none,
                        "out": given.isOut ? .bool(true) : JSONValue?.none,
                    ])
                }),
            "not_answered": .array(view.waiting.map { .string($0.displayName) }),
            "closed_by": item.fields[.done].map { .string($0.shown.authorName) },
            "threshold_reached": view.agreed.map { .bool(!$0.isEmpty) },
            "agreed": view.agreed.map { .array($0.map { .string($0.option) }) },
            "preferred_over": view.preferences.map { rows in
                .array(rows.map { .array($0.map { .integer(Int64($0)) }) })
            },
        ])
    }

    static func answer(_ answer: Answer) -> JSONValue {
        .array(
            answer.byNumber.map {
                .object(["option": .string($0.option), "number": .integer(Int64($0.number))])
            })
    }
}
