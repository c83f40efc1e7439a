import DeltaCRDT

// What people do with questions.
extension TripReplica {
    /// - Parameter answer: nil takes the participant's answer back.
    func answer(
        _ item: ItemID, _ answer: Answer?, by participant: ParticipantID
    ) throws(TripError) -> Operation {
        let question = try requireQuestion(item)
        let extras = state.items[item]?.extras.value ?? ItemExtras()
        if question.isHidden { try requireOpen(item) }
        if let answer {
            try check(answer, to: item)
            guard !question.isHidden else {
                throw TripError(.malformedValue, "the answers to \(label(item)) are hidden; seal this one")
            }
        }
        let isNews =
            question.isHidden
            ? extras.sealed.last(of: participant) != nil : extras.answers.last(of: participant) != answer
        guard isNews else {
            throw TripError(
                .nothingChanged,
                answer == nil
                    ? "you have no answer to \(label(item)); nothing to withdraw"
                    : "you already answered \(label(item)) like that")
        }
        return .item(.there(item.operation), .answer(answer))
    }

    /// - Throws: unless it is an answer to that question.
    package func check(_ answer: Answer, to item: ItemID) throws(TripError) {
        let question = try requireQuestion(item)
        for choice in answer.choices { try TextRule.option.check(choice.option) }
        let sum = answer.choices.reduce(0) { $0 + $1.number }
        if case .points(let most) = question.method, sum > most {
            throw TripError(.malformedValue, "you gave \(sum) points; share out at most \(most)")
        }
        guard question.accepts(answer) else {
            throw TripError(.malformedValue, "this doesn’t answer \(label(item)): \(question.instruction)")
        }
    }

    func seal(
        _ item: ItemID, _ answer: SealedAnswer, by participant: ParticipantID
    ) throws(TripError) -> Operation {
        guard try requireQuestion(item).isHidden else {
            throw TripError(.malformedValue, "the answers to \(label(item)) are not hidden; answer it openly")
        }
        try requireOpen(item)
        let count = state.items[item]?.extras.value?.sealed.entries[participant]?.count ?? 0
        guard count < SealedAnswers.countMax else {
            throw TripError(.outOfRange, "you answered \(label(item)) \(count) times; a hidden question takes no more")
        }
        return .item(.there(item.operation), .seal(answer))
    }

    func reveal(
        _ item: ItemID, _ revealed: RevealedAnswer, by participant: ParticipantID
    ) throws(TripError) -> Operation {
        try requirePresent(item)
        let sealed = state.items[item]?.extras.value?.sealed.unrevealed(of: participant)
        guard sealed?.commitment == revealed.commitment(to: item, by: participant),
            let closing = state.items[item]?.closings.first
        else { throw TripError(.nothingChanged, "you have no answer to \(label(item)) to reveal") }
        return .item(.there(item.operation), .reveal(revealed, closing: .there(closing.operation)))
    }

    /// The commitments of somebody that can be revealed now. O(n) in the items.
    package func unrevealed(of participant: ParticipantID) -> [(item: ItemID, commitment: [UInt8])] {
        state.items.all.compactMap { item in
            guard item.isHiddenQuestion, state.holds(item.id) else { return nil }
            return item.extras.value?.sealed.unrevealed(of: participant)?.commitment.map { (item.id, $0) }
        }
    }

    func requireNotHidden(_ item: ItemID) throws(TripError) {
        guard let known = state.items[item], known.isHiddenQuestion else { return }
        throw TripError(.malformedValue, "\(label(item)) is a hidden question; close it with `caravan close`")
    }

    /// Closes a hidden question, counting what is known of here; nil for what is none.
    func close(_ item: ItemID, _ isClosing: Bool, by participant: ParticipantID) throws(TripError) -> Operation? {
        guard let known = state.items[item], known.isHiddenQuestion else { return nil }
        let sealed = known.extras.value?.sealed ?? SealedAnswers()
        guard isClosing else {
            throw TripError(
                .malformedValue, "the answers to \(label(item)) are shown, so it stays closed; ask another one")
        }
        guard known.origin.author == participant else {
            throw TripError(
                .malformedValue,
                "only the person who asked \(label(item)) can close it, and show the answers; if they are out, ask it again"
            )
        }
        guard !sealed.isClosed else { throw TripError(.nothingChanged, "\(label(item)) is closed already") }
        let counted = sealed.latest.sorted { $0.key < $1.key }.prefix(Limits.answersCounted)
        return .item(
            .there(item.operation),
            .close(counting: Dictionary(uniqueKeysWithValues: counted.map { ($0.key, $0.value) })))
    }

    private func requireOpen(_ item: ItemID) throws(TripError) {
        guard state.items[item]?.extras.value?.sealed.isClosed != true else {
            throw TripError(.malformedValue, "\(label(item)) is closed, and its answers are shown; ask another one")
        }
    }

    func changeOptions(of item: ItemID, _ added: [String], _ removed: [String]) throws(TripError) -> Operation {
        let question = try requireQuestion(item)
        let extras = state.items[item]?.extras.value ?? ItemExtras()
        let (added, removed) = (
            try Self.newOptions(added, of: question), try Self.checkedOptions(removed, of: question)
        )
        if let word = added.first(where: removed.contains) {
            throw TripError(.malformedValue, "cannot add and remove \(word.string.quoted) at once; choose one")
        }
        let kept = extras.options.elements.filter { !removed.contains($0) }.map(\.string.foldedASCII)
        let new = added.filter { !kept.contains($0.string.foldedASCII) }
        let gone = removed.filter(extras.options.contains)
        guard !new.isEmpty || !gone.isEmpty else {
            let answers = extras.answers.given(standing: []).compactMap(\.answer.counted)
            let gone = removed.first.map { option in
                answers.contains { $0[option.string] != nil }
                    ? "\(question.words(of: option.string).quoted) stays while somebody’s answer has it"
                    : "\(label(item)) has no option \(option.string.quoted)"
            }
            throw TripError(.nothingChanged, gone ?? "\(label(item)) already has these options")
        }
        guard extras.options.elements.count - gone.count + new.count <= Limits.optionsMax else {
            throw TripError(.outOfRange, "a question has at most \(Limits.optionsMax) options; remove some first")
        }
        return .item(.there(item.operation), .options(added: new, removed: gone))
    }

    /// Options to add, each in its one form, and once in upper or lower case: an answer names them in either.
    static func newOptions(_ given: [String], of question: Question) throws(TripError) -> [Text] {
        var folded: Set<String> = []
        return try checkedOptions(given, of: question).filter { folded.insert($0.string.foldedASCII).inserted }
    }

    /// Each option in its one form, once.
    private static func checkedOptions(_ given: [String], of question: Question) throws(TripError) -> [Text] {
        guard given.count <= Limits.optionsMax else {
            throw TripError(.outOfRange, "a question has at most \(Limits.optionsMax) options; give fewer")
        }
        var options: [Text] = []
        for text in given {
            let option = Text(try question.checkedOption(text))
            if !options.contains(option) { options.append(option) }
        }
        return options
    }

    private func requireQuestion(_ item: ItemID) throws(TripError) -> Question {
        try requirePresent(item)
        guard let question = state.items[item]?.question else {
            throw TripError(.malformedValue, "\(label(item)) is not a question; see `caravan questions`")
        }
        return question
    }
}

extension ItemState {
    /// How it is answered; nil for an item that is no question.
    var question: Question? { fields.shown(.question).first?.text.flatMap { Question($0.string) } }

    var isHiddenQuestion: Bool { fields.contains(.question) && question?.isHidden ?? false }

    /// The closings that stand.
    var closings: [Written] { fields.shown(.done) }
}
