import TripModel
import TripService

extension TripPage {
    /// The view of questions: a form to ask one, those that are open, and those that are closed.
    static func questionsView(_ state: PageState, _ questions: [ItemView]) -> HTML {
        let group = state.trip.group
        let sorted = questions.filter { !$0.isDone } + questions.filter(\.isDone)
        return tag(.div, .class("questions")) {
            if state.mayEdit { askForm(state, isOpen: questions.isEmpty) }
            if questions.isEmpty {
                tag(.p, .class("hint")) {
                    "No questions yet. Ask one with options, and see at a glance what the group wants."
                }
            }
            sorted.prefix(questionsMax).compactMap { item in
                QuestionView(item, in: group).map { question($0, item, state) }
            }
            if sorted.count > questionsMax {
                tag(.p, .class("hint")) {
                    "\(sorted.count - questionsMax) more: "
                    tag(.kbd) { "caravan questions" }
                }
            }
        }
    }

    /// What stands above the cards while questions wait for the viewer's answer.
    static func questionsBar(_ questions: [ItemView], _ state: PageState) -> HTML? {
        guard state.mayVote, let you = state.viewer.participant else { return nil }
        let open = questions.filter {
            !$0.isDone && $0.answer(of: you) == nil && !$0.sayings.options.isEmpty
                && !(state.viewer.isGuest && $0.question?.isHidden ?? false)
        }
        guard let first = open.first else { return nil }
        return tag(.div, .class("news-bar")) {
            tag(.p, .class("hint"), .plain(.dir, "auto")) {
                open.count == 1
                    ? "\(first.title.displayed(limit: 80).quoted) waits for your answer."
                    : "\(open.count) questions wait for your answer."
            }
            tag(.a, .class("text"), .href(address(.questions, state: state))) { "Answer" }
        }
    }

    /// Questions that the view shows.
    private static let questionsMax = 100

    // MARK: - One question

    private static func question(_ view: QuestionView, _ item: ItemView, _ state: PageState) -> HTML {
        let id = "q-" + item.shortID
        let state = state.within(id)
        return tag(.section, .id(id), .class("view", "question"), .aria(.labelledby, id + "-heading")) {
            tag(.h2, .id(id + "-heading"), .plain(.dir, "auto")) { item.title.displayed(limit: 200) }
            tag(.p, .class("facts")) { facts(view, item, state) }
            if let answer = item.fields[.note] {
                tag(.p, .class("prose"), .plain(.dir, "auto")) { prose(answer.value) }
            }
            if item.isDone || !state.mayVote || view.question.isHidden && state.viewer.isGuest {
                tag(.ul, .class("options")) { view.standings.map { option($0, view, item, state) { HTML.none } } }
            } else {
                answerControls(view, item, state)
            }
            // A guest's host could read what a guest seals.
            if !item.isDone, view.question.isHidden, state.viewer.isGuest {
                tag(.p, .class("facts")) {
                    "Guests can’t answer this one, because their host’s computer could read the answer."
                }
            }
            remarks(view, item, state)
            if let preferences = view.preferences, view.answerCount > 0 { pairs(preferences, view) }
            if view.question.method == .dates, view.answerCount > 0 { grid(view, item, state) }
            if state.mayEdit { questionActs(view, item, state) }
        }
    }

    /// "Choose one, by 3 June 2026. Asked by Ana."
    private static func facts(_ view: QuestionView, _ item: ItemView, _ state: PageState) -> String {
        let asked = "Asked by \(name(item.addedBy, state))."
        if let closing = item.fields[.done] {
            let best = view.best.map { view.question.words(of: $0.option, in: state.year).quoted }
            let none = view.sealed.isEmpty ? "Nobody answered." : "No answer is revealed yet."
            let outcome = best.isEmpty ? none : "\(joined(best)) \(best.count == 1 ? "is" : "are") first."
            return "Closed by \(name(closing.shown.author, state)). \(outcome) \(asked)"
        }
        let how = view.question.instruction
        let due = item.due.map { ", by \($0.words(in: state.year))" } ?? ""
        let threshold = view.question.threshold.map { ", \($0)% have to agree" } ?? ""
        let closer = item.addedBy == state.viewer.participant ? "you close" : "\(name(item.addedBy, state)) closes"
        let hidden = view.question.isHidden ? " Nobody sees an answer before \(closer) this." : ""
        return how.prefix(1).uppercased() + how.dropFirst() + threshold + due + "." + hidden + " " + asked
    }

    /// An option: its bar, its score, who named it, and a control.
    private static func option(
        _ standing: QuestionView.Standing, _ view: QuestionView, _ item: ItemView, _ state: PageState,
        control: () -> HTML
    ) -> HTML {
        // Who could if need be is half a bar.
        let most = 2 * max(1, view.standings.map { $0.score + $0.ifNeedBe }.max() ?? 1)
        let number = { (person: ParticipantID) in item.answer(of: person)?.counted?[standing.option] }
        let isReserved = { (person: ParticipantID) in
            view.question.method == .dates && number(person) == Answer.ifNeedBe
        }
        let names = standing.people.filter { !isReserved($0) }.map { person in
            name(person, state) + (detail(number(person), view.question).map { " (\($0))" } ?? "")
        }
        let reserved = standing.people.filter(isReserved).map { name($0, state) }
        let said =
            (names.isEmpty ? [] : [joined(names)]) + (reserved.isEmpty ? [] : ["OK if need be: " + joined(reserved)])
        // By its name what somebody presses stays with its option when the answers put these in another order.
        let id = "o-\(item.shortID)-\(FNV1a.digits(FNV1a.hash(standing.option.utf8)))"
        let isShown = !view.question.isHidden || item.isDone
        // Before an answer, all share the first place: the number would seem to be the reader's.
        let hasScore = isShown && (view.question.method != .ranked || view.answerCount > 0)
        let isBest = standing.place == 1 && !standing.people.isEmpty
        return tag(.li, .id(id), .class(isBest ? "option best" : "option")) {
            tag(.span, .class("what"), .plain(.dir, "auto")) {
                view.question.words(of: standing.option, in: state.year)
            }
            if hasScore { tag(.strong) { score(standing, view.question) } }
            control()
            if isShown {
                tag(
                    .svg, .class("balance-bar"), .plain(.viewBox, "0 0 100 8"), .plain(.preserveAspectRatio, "none"),
                    .aria(.hidden, "true")
                ) {
                    tag(
                        .rect, .plain(.width, (2 * standing.score + standing.ifNeedBe) * 100 / most),
                        .plain(.height, 8),
                        .plain(.rx, 1))
                }
            }
            if !said.isEmpty { tag(.span, .class("hint"), .plain(.dir, "auto")) { said.joined(separator: "; ") } }
        }
    }

    private static func score(_ standing: QuestionView.Standing, _ question: Question) -> String {
        switch question.method {
        case .ranked: ordinal(standing.place)
        case .points: standing.score == 1 ? "1 point" : "\(standing.score) points"
        case .dates where standing.ifNeedBe > 0: "\(standing.score) + \(standing.ifNeedBe)"
        case .one, .several, .dates: "\(standing.score)"
        }
    }

    /// "1st": "1." would read as a part of the box beside it.
    private static func ordinal(_ rank: Int) -> String {
        let endings = (11...13).contains(rank % 100) ? [:] : [1: "st", 2: "nd", 3: "rd"]
        return "\(rank)\(endings[rank % 10] ?? "th")"
    }

    private static func detail(_ number: Int?, _ question: Question) -> String? {
        switch (question.method, number) {
        case (.points, let number?): "\(number)"
        case (.ranked, let number?): ordinal(number)
        default: nil
        }
    }

    private static func remarks(_ view: QuestionView, _ item: ItemView, _ state: PageState) -> HTML {
        let none = item.sayings.answers.filter { !$0.isOut && $0.word.counted?.choices.isEmpty ?? false }
        let late = item.sayings.answers.compactMap { given in given.word.lateChange.map { (given.participant, $0) } }
        let waiting = waiting(view, state)
        let names = { (people: [ParticipantID]) in joined(people.map { name($0, state) }) }
        return .group([
            view.sealed.isEmpty
                ? .none
                : tag(.p, .class("facts")) {
                    item.isDone
                        ? "Not revealed yet: \(names(view.sealed)). Their device does that once it is here."
                        : "Answered: \(names(view.sealed))."
                },
            view.sealedLate.isEmpty ? .none : tag(.p, .class("facts")) { "Too late: \(names(view.sealedLate))." },
            none.isEmpty
                ? .none
                : tag(.p, .class("facts")) { "None of these: \(joined(none.map { name($0.participant, state) }))." },
            .group(
                late.map { person, answer in
                    tag(.p, .class("facts")) {
                        "Too late: \(name(person, state)) said \(view.question.words(of: answer, in: state.year).displayed(limit: 200))."
                    }
                }),
            view.agreed.map { agreement($0, view, item, state) } ?? .none,
            item.isDone
                ? .none
                : tag(.p, .class("facts")) {
                    waiting.isEmpty
                        ? "Everybody has answered."
                        : "No answer yet: \(joined(waiting.map { name($0, state) }))."
                },
        ])
    }

    private static func agreement(
        _ agreed: [QuestionView.Standing], _ view: QuestionView, _ item: ItemView, _ state: PageState
    ) -> HTML {
        let agree = item.isDone ? "agreed" : "agree"
        let options = joined(agreed.map { view.question.words(of: $0.option, in: state.year).quoted })
        return tag(.p, .class("facts"), .plain(.dir, "auto")) {
            (agreed.isEmpty ? "Not enough \(agree)\(item.isDone ? "" : " yet"): " : "Enough \(agree) on \(options): ")
                + "it takes \(view.question.threshold ?? 0)% of the group."
        }
    }

    /// Who has not answered and can: guests can't answer a hidden question.
    private static func waiting(_ view: QuestionView, _ state: PageState) -> [ParticipantID] {
        let guests =
            view.question.isHidden
            ? Set(state.members.people.filter(\.isGuest).compactMap { ParticipantID($0.id) }) : []
        return view.waiting.map(\.id).filter { !guests.contains($0) }
    }

    /// The pairwise table of a ranking.
    private static func pairs(_ preferences: [[Int]], _ view: QuestionView) -> HTML {
        let options = view.standings.map { $0.option.displayed(limit: 40) }
        return tag(.details, .class("more")) {
            tag(.summary) { "How many prefer what" }
            tag(.div, .class("scroll")) {
                tag(.table, .class("pairs")) {
                    tag(.caption, .class("hint")) { "How many rank the option of the row before that of the column." }
                    tag(.tr) {
                        tag(.td) {}
                        options.map { option in tag(.th, .plain(.scope, "col"), .plain(.dir, "auto")) { option } }
                    }
                    options.indices.map { one in
                        tag(.tr) {
                            tag(.th, .plain(.scope, "row"), .plain(.dir, "auto")) { options[one] }
                            options.indices.map { other in
                                tag(.td) { one == other ? "" : String(preferences[one][other]) }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Who can when: a row for each person who answered, a column for each date, in the order of the dates.
    private static func grid(_ view: QuestionView, _ item: ItemView, _ state: PageState) -> HTML {
        let dates = view.standings.sorted { $0.option < $1.option }
        let answers = item.sayings.answers.filter { !$0.isOut && $0.word.counted != nil }
        return tag(.div, .class("scroll")) {
            tag(.table, .class("pairs")) {
                tag(.caption, .class("hint")) { "✓ suits, (✓) is OK if need be." }
                tag(.tr) {
                    tag(.td) {}
                    dates.map { date in
                        tag(.th, .plain(.scope, "col")) { view.question.words(of: date.option, in: state.year) }
                    }
                }
                answers.map { given in
                    tag(.tr) {
                        tag(.th, .plain(.scope, "row"), .plain(.dir, "auto")) { name(given.participant, state) }
                        dates.map { date in tag(.td) { sign(given.word.counted?[date.option]) } }
                    }
                }
                tag(.tr) {
                    tag(.th, .plain(.scope, "row")) { "in all" }
                    dates.map { date in tag(.td) { score(date, view.question) } }
                }
            }
        }
    }

    private static func sign(_ number: Int?) -> String {
        switch number {
        case nil: "–"
        case Answer.ifNeedBe?: "(✓)"
        default: "✓"
        }
    }

    private static func name(_ person: ParticipantID, _ state: PageState) -> String {
        person == state.viewer.participant ? "you" : state.trip.displayName(of: person)
    }

    // MARK: - Answering

    /// The options, each with what answers for it. What is pressed again is taken back.
    private static func answerControls(_ view: QuestionView, _ item: ItemView, _ state: PageState) -> HTML {
        let own = state.viewer.participant.flatMap { item.lastAnswer(of: $0) }
        switch view.question.method {
        case .one, .several, .dates:
            return tag(.ul, .class("options")) {
                view.standings.map { standing in
                    option(standing, view, item, state) {
                        answerButtons(standing.option, own, view.question, item, state)
                    }
                }
            }
        case .ranked, .points:
            guard !view.standings.isEmpty else { return .none }
            let blank = own != nil ? "withdraws" : view.question.method == .ranked ? "ranks" : "points"
            return actionForm(
                [("do", "answer"), ("item", item.shortID), ("blank", blank)], PageTarget(state), class: "answer-form"
            ) {
                tag(.ul, .class("options")) {
                    view.standings.map { standing in
                        option(standing, view, item, state) {
                            numberControl(standing.option, number(of: standing.option, own, item, state), view.question)
                        }
                    }
                }
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) {
                    view.question.method == .ranked ? "Save my ranking" : "Save my points"
                }
            }
        }
    }

    private static func answerButtons(
        _ option: String, _ own: Answer?, _ question: Question, _ item: ItemView, _ state: PageState
    ) -> HTML {
        let numbers = question.method == .dates ? [1, Answer.ifNeedBe] : [1]
        let others = question.method == .one ? [] : (own?.choices ?? []).filter { $0.option != option }
        return tag(.div, .class("answers")) {
            for number in numbers {
                let isPressed = own?[option] == number
                let choices = others + (isPressed ? [] : [Answer.Choice(option, number)])
                let answer = choices.isEmpty && isPressed ? nil : Answer(choices)
                let label =
                    question.method == .dates ? number == 1 ? "Yes" : "OK if need be" : isPressed ? "Chosen" : "Choose"
                actionForm(PageAction.act(.answer(answer), on: [item.shortID]), state: state) {
                    tag(
                        .button, .class("button"), .plain(.type, "submit"),
                        .aria(.pressed, isPressed ? "true" : "false"),
                        .aria(.label, "\(label): \(question.words(of: option, in: state.year).displayed(limit: 80))")
                    ) { label }
                }
            }
        }
    }

    /// What the box of an option holds: the number of the reader's answer, or what was typed there and refused.
    private static func number(of option: String, _ own: Answer?, _ item: ItemView, _ state: PageState) -> String {
        guard let typed = state.typed(in: "answer", of: item.shortID) else { return own?[option].map { "\($0)" } ?? "" }
        return zip(typed["option"] ?? [], typed["number"] ?? []).first { $0.0 == option }?.1 ?? ""
    }

    private static func numberControl(_ option: String, _ number: String, _ question: Question) -> HTML {
        let isRanked = question.method == .ranked
        return .group([
            hidden("option", option),
            tag(
                .input, .class("number"), .plain(.name, "number"), .plain(.type, "number"),
                .plain(.min, isRanked ? 1 : 0),
                .plain(.max, isRanked ? Limits.optionsMax : Limits.pointsMax), .plain(.inputmode, "numeric"),
                .plain(.value, number),
                .aria(.label, "\(isRanked ? "Your rank of" : "Your points for") \(option.displayed(limit: 80))")),
        ])
    }

    // MARK: - Asking

    /// A further option, the closing, the removal.
    private static func questionActs(_ view: QuestionView, _ item: ItemView, _ state: PageState) -> HTML {
        let id = "add-" + item.shortID
        return tag(.div, .class("question-acts")) {
            if !item.isDone {
                // By its id the script takes no other form for it: what is typed stays a draft of this one.
                actionForm(
                    [("do", "options"), ("item", item.shortID)], PageTarget(state), class: "act add-option",
                    id: id + "-form"
                ) {
                    tag(.label, .class("unseen"), .plain(.for, id)) { "Another option" }
                    tag(
                        .input, .id(id), .plain(.name, "added"), .plain(.type, "text"), .flag(.required),
                        state.typed(in: "options", of: item.shortID)?["added"].map { .plain(.value, $0[0]) },
                        .plain(.dir, "auto"),
                        .plain(.placeholder, view.question.method == .dates ? "2026-06-12 14:30" : "Another option"))
                    tag(.button, .class("button"), .plain(.type, "submit")) { "Add" }
                }
            }
            // The person who asked a hidden question alone closes it, once and for all.
            if !view.question.isHidden || !item.isDone && item.addedBy == state.viewer.participant {
                let close = view.question.isHidden ? "Close for good and show the answers" : "Close"
                let label = item.isDone ? "Open again" : close
                actionButton(
                    .act(.mark(.done, !item.isDone), on: [item.shortID]), state: state, label: label,
                    description: "\(label): \(item.title.displayed(limit: 80))", class: "text")
            }
            actionButton(
                .act(.remove, on: [item.shortID]), state: state, label: "Remove",
                description: "Remove \(item.title.displayed(limit: 80))", class: "text")
        }
    }
}
