import Convergence
import DeltaCRDT
import TripModel

// What people do with questions.
extension TripRun {
    /// Asks a question, answers the oldest that is known, changes its options, or closes or opens it. All do
    /// it with the same one, and often again, so that answers and closings cross.
    func question(_ number: Int, on id: World.NodeID) -> (TripAction, TripSpecification.Meaning) {
        let known = people[id].items.filter { specification.questions.contains($0.name) }
        guard let (name, item) = known.min(by: { $0.name < $1.name }) else {
            let draft = ItemDraft(title: "Where \(number)?", fields: [.question: "several"])
            return (.add([draft]), .add(fields: draft.fields, quantity: 0))
        }
        let seen = people[id].seen
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

    private static var answers: [Answer?] {
        [
            nil, Answer([]), Answer([.init("Lisbon")]), Answer([.init("Faro")]),
            Answer([.init("Lisbon"), .init("Porto")]),
        ]
    }
}
