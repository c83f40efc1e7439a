import Convergence
import DeltaCRDT
import TripModel
import TripRules

// What people do with questions.
extension TripRun {
    /// Asks a question, answers the oldest that is known, changes its options, or closes or opens it. All do
    /// it with the same one, and often again, so that answers and closings cross.
    func question(_ number: Int, on id: World.NodeID) -> (TripAction, TripSpecification.Meaning) {
        // Every sixth time it is about one that is hidden; a mutant is looked for where all are of its kind.
        let isHidden =
            switch conditions.mutation {
            case .lateSealCounts: true
            case let mutation?: !mutation.isOfQuestions && number % 6 == 5
            case nil: number % 6 == 5
            }
        let known = people[id].items.filter {
            specification.questions.contains($0.name) && specification.hiddenQuestions.contains($0.name) == isHidden
        }
        // A hidden question is closed for ever, so now and then somebody asks another one.
        let asked = isHidden ? known.max { $0.name < $1.name } : known.min { $0.name < $1.name }
        guard let (name, item) = asked, !isHidden || number % 64 != 63 else {
            let draft = ItemDraft(
                title: "Where \(number)?", fields: [.question: isHidden ? "several hidden" : "several"])
            return (.add([draft]), .add(fields: draft.fields, quantity: 0))
        }
        let seen = people[id].seen
        if isHidden { return answerInSecret(name, item, number / 6, on: id) }
        switch number % 8 {
        case 0, 1:
            let isOpen = specification.values(.done, of: name, seen).isEmpty
            return (
                .mark([item], .done, isOpen), .edit(item: name, fields: [.done: isOpen ? Field.setValue : nil])
            )
        case 2...4:
            // Most of what is added and taken away at the same time is the same.
            let option = number / 8 % 4 == 0 ? "Faro" : "Lisbon"
            let isThere = specification.options(of: name, seen).contains(option)
            let (added, removed) = isThere ? ([], [option]) : ([option], [])
            return (
                .act(.changeOptions(added: added, removed: removed), on: [item]),
                .options(item: name, added: added, removed: removed)
            )
        default:
            let last = specification.lastAnswer(of: people[id].participant, to: name, seen)
            let answers = Self.answers.filter { $0 != last }
            let answer = answers[number / 8 % answers.count]
            return (.act(.answer(answer), on: [item]), .answer(item: name, answer))
        }
    }

    /// Seals an answer to a hidden question, takes it back, closes the question, or reveals what one sealed.
    private func answerInSecret(
        _ name: TripSpecification.Name, _ item: ItemID, _ number: Int, on id: World.NodeID
    ) -> (TripAction, TripSpecification.Meaning) {
        let (me, seen) = (ParticipantID(people[id].participant), people[id].seen)
        // One nonce each, so that its author finds it again.
        let nonce = (0..<RevealedAnswer.nonceSize).map { byte in
            UInt8(truncatingIfNeeded: SplitMix64.mixed(me.low ^ UInt64(byte)))
        }
        let answers = Self.answers.compactMap(\.self).compactMap { RevealedAnswer(nonce: nonce, answer: $0) }
        if let due = people[id].shown.replica.unrevealed(of: me).first(where: { $0.item == item })?.commitment,
            let revealed = answers.first(where: { $0.commitment(to: item, by: me) == due })
        {
            return (.reveal(item, revealed), .reveal(item: name, due))
        }
        let isOpen = specification.closings(of: name, seen).isEmpty
        if isOpen, number % 4 == 1, specification.author(of: name) == people[id].participant {
            return (.mark([item], .done, true), .close(item: name))
        }
        let revealed = answers[number / 4 % answers.count]
        let commitment = revealed.commitment(to: item, by: me)
        guard number % 8 > 0, let sealed = SealedAnswer(commitment: commitment, note: revealed.note(beside: [])) else {
            return (.act(.answer(nil), on: [item]), .answer(item: name, nil))
        }
        return (.seal(item, sealed), .seal(item: name, commitment, revealed.answer))
    }

    private static var answers: [Answer?] {
        [
            nil, Answer([]), Answer([.init("Lisbon")]), Answer([.init("Faro")]),
            Answer([.init("Lisbon"), .init("Porto")]),
        ]
    }
}
