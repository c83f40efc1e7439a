import ChangeLog
import Convergence
import DeltaCRDT
import TripModel

// What people answer to questions.
extension TripSpecification {
    func options(of item: Name, _ held: EventSet) -> Set<String> {
        words(of: item, held) { if case .options(_, let added, let removed) = $0 { (added, removed) } else { nil } }
    }

    /// What somebody said last, whether in time or not.
    func lastAnswer(of participant: Bytes32, to item: Name, _ held: EventSet) -> Answer? {
        last(of: item, held) { if case .answer(_, let answer) = $0 { .some(answer) } else { nil } }[participant]?.word
            ?? nil
    }

    /// What each participant answered. What they said when they knew of a closing that stands is late.
    func answers(to item: Name, _ held: EventSet) -> [(participant: Bytes32, answer: GivenAnswer)] {
        let closings = standing(.done, of: item, held).map(\.deed)
        var said: [Bytes32: [(deed: Deed, answer: Answer?)]] = [:]
        for deed in deeds(of: item, held) {
            if case .answer(_, let answer) = deed.kind {
                said[deed.act.participant, default: []].append((deed, answer))
            }
        }
        return said.sorted { $0.key < $1.key }.compactMap { participant, all in
            let all = all.sorted { $1.deed.isHigher(than: $0.deed) }
            let counted = all.last { said in !closings.contains { said.deed.follows($0) } }
            let late = all.last?.deed.id == counted?.deed.id ? nil : all.last?.answer
            guard counted?.answer != nil || late != nil else { return nil }
            return (participant, GivenAnswer(counted: counted?.answer, late: late))
        }
    }

    /// Answers and options as a part of an item's line.
    static func words(_ options: some Sequence<String>, _ answers: [(participant: UInt64, answer: GivenAnswer)])
        -> String
    {
        options.map { " option \($0)" }.joined()
            + answers.map { participant, given in
                (given.counted.map { " \(participant) answers \(words($0))" } ?? "")
                    + (given.late.map { " \(participant) is late with \(words($0))" } ?? "")
            }.joined()
    }

    private static func words(_ answer: Answer) -> String {
        "\(answer.choices.map { "\($0.option) \($0.number)" })"
    }
}
