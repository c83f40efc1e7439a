// What people do with questions.
extension TripReplica {
    /// - Parameter answer: nil takes the participant's answer back.
    func answer(
        _ item: ItemID, _ answer: Answer?, by participant: ParticipantID
    ) throws(TripError) -> Operation {
        let question = try requireQuestion(item)
        if let answer {
            for choice in answer.choices { try TextRule.option.check(choice.option) }
            guard question.accepts(answer) else {
                throw TripError(.malformedValue, "this doesn’t answer \(label(item)): \(question.instruction)")
            }
        }
        let last = state.items[item]?.extras.value?.answers.last(of: participant)
        guard last != answer else {
            throw TripError(
                .nothingChanged,
                answer == nil
                    ? "you have no answer to \(label(item)); nothing to withdraw"
                    : "you already answered \(label(item)) like that")
        }
        return .item(.there(item.operation), .answer(answer))
    }

    func changeOptions(of item: ItemID, _ added: [String], _ removed: [String]) throws(TripError) -> Operation {
        let question = try requireQuestion(item)
        let extras = state.items[item]?.extras.value ?? ItemExtras()
        let (added, removed) = (
            try Self.checkedOptions(added, of: question), try Self.checkedOptions(removed, of: question)
        )
        if let word = added.first(where: removed.contains) {
            throw TripError(.malformedValue, "cannot add and remove \(word.string.quoted) at once; choose one")
        }
        let new = added.filter { !extras.options.contains($0) }
        let gone = removed.filter(extras.options.contains)
        guard !new.isEmpty || !gone.isEmpty else {
            let gone = removed.first.map { "\(label(item)) has no option \($0.string.quoted)" }
            throw TripError(.nothingChanged, gone ?? "\(label(item)) already has these options")
        }
        guard extras.options.words.count - gone.count + new.count <= Limits.optionsMax else {
            throw TripError(.outOfRange, "a question has at most \(Limits.optionsMax) options; remove some first")
        }
        return .item(.there(item.operation), .options(added: new, removed: gone))
    }

    /// Each option in its one form, once.
    static func checkedOptions(_ given: [String], of question: Question) throws(TripError) -> [Text] {
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

    /// The closings that stand.
    var closings: [Written] { fields.shown(.done) }
}
