package import TripModel

// Questions as people read them in a terminal.
extension TerminalText {
    /// The text of `caravan questions`: those that are open first, each with its options, the best first.
    ///
    ///      3  Where to?
    ///         choose one, by 3 June 2026
    ///         2  Lisbon  Ana, Noah
    ///         1  Porto   Mia
    ///         no answer yet: Jie
    package static func questions(_ view: TripView, style: TextStyle = TextStyle()) -> String {
        let questions = view.questions
        guard !questions.isEmpty else { return "No questions yet. Ask one with `caravan ask QUESTION OPTION…`.\n" }
        let group = view.group
        let width = max(2, questions.map { String($0.number).utf8.count }.max() ?? 0)
        var lines: [String] = []
        for item in questions.filter({ !$0.isDone }) + questions.filter(\.isDone) {
            if !lines.isEmpty { lines.append("") }
            let number = String(item.number)
            let head = String(repeating: " ", count: 1 + width - number.utf8.count) + number + "  "
            let title = style.wrap(plain(item.title), beside: width + 3)
            lines.append(head + style.bold(title[0]))
            let indent = String(repeating: " ", count: width + 3)
            lines += title.dropFirst().map { indent + style.bold($0) }
            lines += question(item, of: group, style).flatMap { style.wrap($0, beside: width + 3) }.map { indent + $0 }
        }
        return text(lines)
    }

    /// What a question shows below its title; nothing for another item.
    static func question(_ item: ItemView, of group: Group, _ style: TextStyle) -> [String] {
        guard let view = QuestionView(item, in: group) else { return [] }
        var lines = [instruction(view.question, of: item, style)]
        lines += standings(view, of: item)
        if view.standings.isEmpty {
            lines.append("no options yet: add one with `caravan options \(item.number) --add TEXT`")
        }
        lines += remarks(view, of: item)
        return lines
    }

    /// "choose one, by 3 June 2026"; "closed by Ana".
    private static func instruction(_ question: Question, of item: ItemView, _ style: TextStyle) -> String {
        let threshold = question.threshold.map { ", \($0)% have to agree" } ?? ""
        if let closing = item.fields[.done] {
            return "closed by \(plain(closing.shown.authorName)): \(question.instruction)" + threshold
        }
        let due = item.due.map { style.isOverdue(item) ? ", was due \($0.words)" : ", by \($0.words)" } ?? ""
        let hidden = question.isHidden ? ", hidden until \(plain(item.addedByName)) closes it" : ""
        return question.instruction + threshold + due + hidden
    }

    /// A line for each option: its score, itself, and who named it.
    private static func standings(_ view: QuestionView, of item: ItemView) -> [String] {
        let labels = view.standings.map { plain(view.question.words(of: $0.option)) }
        if view.question.isHidden, !item.isDone { return labels.map { "–  " + $0 } }
        let scores = view.standings.map { score($0, view.question) }
        let label = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let width = scores.map { $0.utf8.count }.max() ?? 0
        return view.standings.indices.map { place in
            let standing = view.standings[place]
            let names = standing.people.compactMap { person -> String? in
                guard let given = item.sayings.answers.first(where: { $0.participant == person }) else { return nil }
                return plain(given.name) + (detail(given.word.counted?[standing.option], view.question))
            }.joined(separator: ", ")
            let head = String(repeating: " ", count: width - scores[place].utf8.count) + scores[place] + "  "
            return names.isEmpty
                ? head + labels[place] : head + DisplayWidth.fit(labels[place], to: label) + "  " + names
        }
    }

    /// "2", "2+1" with those who said "OK if need be"; in a ranking the place.
    private static func score(_ standing: QuestionView.Standing, _ question: Question) -> String {
        switch question.method {
        case .ranked: "\(standing.place)."
        case .dates where standing.ifNeedBe > 0: "\(standing.score)+\(standing.ifNeedBe)"
        case .one, .several, .points, .dates: "\(standing.score)"
        }
    }

    /// What somebody gave an option, where that says more than that they named it.
    private static func detail(_ number: Int?, _ question: Question) -> String {
        switch (question.method, number) {
        case (.points, let number?): " \(number)"
        case (.ranked, let number?): " \(number)."
        case (.dates, Answer.ifNeedBe?): " (OK if need be)"
        default: ""
        }
    }

    private static func remarks(_ view: QuestionView, of item: ItemView) -> [String] {
        var lines: [String] = []
        let none = item.sayings.answers.filter { !$0.isOut && $0.word.counted?.choices.isEmpty ?? false }
        if !none.isEmpty { lines.append("none of these: \(none.map { plain($0.name) }.joined(separator: ", "))") }
        for given in item.sayings.answers {
            guard let late = given.word.lateChange else { continue }
            lines.append("too late: \(plain(given.name)) says \(plain(view.question.words(of: late)))")
        }
        lines += sealed(view, of: item)
        if let agreed = view.agreed, let threshold = view.question.threshold {
            let options = agreed.map { plain(view.question.words(of: $0.option)) }.joined(separator: ", ")
            lines.append(
                agreed.isEmpty
                    ? "not enough agree yet: \(threshold)% have to"
                    : "enough agree on \(options): \(threshold)% have to")
        }
        if let preferences = view.preferences, view.answerCount > 0 {
            lines += table(preferences, view.standings.map { plain($0.option) })
        }
        if item.isDone {
            // Nobody is waited for.
        } else if view.waiting.isEmpty {
            lines.append("everybody has answered")
        } else {
            lines.append("no answer yet: \(view.waiting.map { plain($0.displayName) }.joined(separator: ", "))")
        }
        return lines
    }

    /// Who answered a hidden question, as far as their answers are not shown.
    private static func sealed(_ view: QuestionView, of item: ItemView) -> [String] {
        let names = { (people: [ParticipantID]) in
            item.sayings.answers.filter { people.contains($0.participant) }.map { plain($0.name) }.joined(
                separator: ", ")
        }
        var lines: [String] = []
        for given in item.sayings.answers {
            guard let known = given.word.known else { continue }
            lines.append("\(plain(given.name)): \(plain(view.question.words(of: known))) (others can’t see this)")
        }
        if !view.sealed.isEmpty {
            lines.append((item.isDone ? "not revealed yet: " : "answered: ") + names(view.sealed))
        }
        if !view.sealedLate.isEmpty { lines.append("too late: " + names(view.sealedLate)) }
        return lines
    }

    /// How many prefer the option of a row over that of a column, both in the order in which they are shown. Columns have no numbers,
    /// because these would look like the options' places, which equal options share.
    private static func table(_ preferences: [[Int]], _ options: [String]) -> [String] {
        guard preferences.count > 1 else { return [] }
        let width = preferences.joined().map { String($0).utf8.count }.max() ?? 1
        let label = options.map { DisplayWidth.of($0) }.max() ?? 0
        let rows = preferences.indices.map { one in
            let cells = preferences.indices.map { one == $0 ? "·" : String(preferences[one][$0]) }
            return "  " + DisplayWidth.fit(options[one], to: label) + "  "
                + cells.map { String(repeating: " ", count: max(0, width - $0.count)) + $0 }.joined(separator: "  ")
        }
        return ["how many prefer the option of the row over that of the column, in the same order:"] + rows
    }
}
