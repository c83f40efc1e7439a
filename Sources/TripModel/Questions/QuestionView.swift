/// A question as people see it: options, answers and what follows from them. A pure function of the item and of who is in.
package struct QuestionView: Hashable, Sendable {
    /// An option, with what the answers that count say of it.
    package struct Standing: Hashable, Sendable {
        package let option: String
        /// How many are for it; the points that it has; in a ranking, how many other options it beats in a pair.
        package let score: Int
        /// How many said that it is OK if need be.
        package let ifNeedBe: Int
        /// Who named it, in the order of the names.
        package let people: [ParticipantID]
        /// From 1; equal options share a place.
        package let place: Int
    }

    package let question: Question
    /// The best first; equal ones as they were asked, or by their dates.
    package let standings: [Standing]
    /// How many ranked the option of the row before that of the column, both in the order of `standings`; nil where nothing is ranked.
    package let preferences: [[Int]]?
    /// Who is in and has not answered, in the trip's order.
    package let waiting: [ParticipantView]
    /// How many answers count.
    package let answerCount: Int
    /// Whose answers are sealed, in the order of the names: those that count, and those that are late.
    package let sealed: [ParticipantID]
    package let sealedLate: [ParticipantID]
    /// How many people are in.
    package let memberCount: Int

    /// The options that share the first place; none before anybody named one.
    package var best: [Standing] {
        answerCount == 0 ? [] : standings.filter { $0.place == 1 && !$0.people.isEmpty }
    }

    /// The options that reach the threshold, the best first; nil where there is none.
    package var agreed: [Standing]? {
        question.threshold.map { threshold in
            standings.filter { memberCount > 0 && $0.people.count * 100 >= threshold * memberCount }
        }
    }

    /// Nil for an item that is no question.
    package init?(_ item: ItemView, in group: Group) {
        guard let question = item.question else { return nil }
        let answers = item.sayings.answers.filter { !$0.isOut }
            .compactMap { given -> (participant: ParticipantID, answer: Answer)? in
                given.word.counted.flatMap { question.accepts($0) ? (given.participant, $0) : nil }
            }
        let options = Self.options(item, question, answers.map(\.answer))
        self.question = question
        answerCount = answers.count
        memberCount = group.members.count
        let present = item.sayings.answers.filter { !$0.isOut }
        sealed = present.filter { $0.word.seal == .whole }.map(\.participant)
        sealedLate = present.filter { $0.word.seal == .late }.map(\.participant)
        let answered = Set(answers.map(\.participant) + sealed)
        waiting = group.members.filter { !answered.contains($0.id) }
        let schulze =
            question.method == .ranked
            ? Schulze(answers.map { Self.ranks($0.answer, options) }, options: options.count) : nil
        let unplaced = options.indices.map { place -> Standing in
            let named = answers.compactMap { answer in answer.answer[options[place]].map { (answer.participant, $0) } }
            let firm = question.method == .dates ? named.filter { $0.1 != Answer.ifNeedBe } : named
            let score =
                switch question.method {
                case .one, .several, .dates: firm.count
                case .points: named.reduce(0) { $0 + $1.1 }
                case .ranked:
                    options.indices.count { other in
                        (schulze?.preferences[place][other] ?? 0) > (schulze?.preferences[other][place] ?? 0)
                    }
                }
            return Standing(
                option: options[place], score: score, ifNeedBe: named.count - firm.count, people: named.map(\.0),
                place: 0)
        }
        let groups = schulze?.ranking ?? Self.groups(unplaced)
        var standings: [Standing] = []
        for group in groups {
            let first = standings.count + 1
            for place in group { standings.append(unplaced[place].placed(first)) }
        }
        self.standings = standings
        preferences = schulze.map { schulze in
            let order = groups.flatMap(\.self)
            return order.map { one in order.map { schulze.preferences[one][$0] } }
        }
    }

    /// What is among the options: what was added, as it was added, and what people named in their answers, whatever was taken away. At
    /// most `Limits.optionsMax`: what nobody named goes first.
    private static func options(_ item: ItemView, _ question: Question, _ answers: [Answer]) -> [String] {
        let named = Set(answers.flatMap { $0.choices.map(\.text) })
        let added = item.sayings.options.map { Text($0) }.filter { question.allows($0.string) }
        var room = max(0, Limits.optionsMax - named.count)
        var options = added.filter { option in
            if named.contains(option) { return true }
            room -= 1
            return room >= 0
        }
        options += named.subtracting(options).sorted()
        if question.method == .dates { options.sort() }
        return options.prefix(Limits.optionsMax).map(\.string)
    }

    private static func ranks(_ answer: Answer, _ options: [String]) -> [Int: Int] {
        var ranks: [Int: Int] = [:]
        for (place, option) in options.enumerated() { ranks[place] = answer[option] }
        return ranks
    }

    /// Options by their scores, and then by what would do.
    private static func groups(_ standings: [Standing]) -> [[Int]] {
        let keyed = Dictionary(grouping: standings.indices) { [standings[$0].score, standings[$0].ifNeedBe] }
        return keyed.sorted { $1.key.lexicographicallyPrecedes($0.key) }.map { $0.value.sorted() }
    }
}

extension QuestionView.Standing {
    fileprivate func placed(_ place: Int) -> QuestionView.Standing {
        QuestionView.Standing(option: option, score: score, ifNeedBe: ifNeedBe, people: people, place: place)
    }
}

extension ItemView {
    /// How it is answered; nil for an item that is no question.
    package var question: Question? { fields[.question].flatMap { Question($0.value) } }

    /// What somebody answered last, as far as it is known here.
    package func lastAnswer(of participant: ParticipantID) -> Answer? {
        answer(of: participant).flatMap { $0.late ?? $0.counted ?? $0.known }
    }

    /// What somebody answered, in time or late.
    package func answer(of participant: ParticipantID) -> GivenAnswer? {
        sayings.answers.first { $0.participant == participant }?.word
    }
}

extension TripView {
    /// The questions that are there, as they were asked. O(n) in the items.
    package var questions: [ItemView] { items.filter { $0.question != nil } }
}
