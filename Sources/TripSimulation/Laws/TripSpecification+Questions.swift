import ChangeLog
import Convergence
import DeltaCRDT
import TripModel

// What people answer to questions.
extension TripSpecification {
    /// In the order in which they were added: by the lowest addition of each that nobody who knew of it added again.
    func optionsAsAdded(to item: Name, _ held: EventSet) -> [String] {
        let changes = deeds(of: item, held).compactMap { deed -> (deed: Deed, added: [String], removed: [String])? in
            if case .options(_, let added, let removed) = deed.kind { (deed, added, removed) } else { nil }
        }
        let first = options(of: item, held).compactMap { option -> (option: String, deed: Deed)? in
            let removing = changes.filter { $0.removed.contains(option) }.map(\.deed)
            let adding = changes.filter { $0.added.contains(option) }.map(\.deed)
                .filter { add in !removing.contains { $0.follows(add) } }
            let standing = adding.filter { one in !adding.contains { $0.follows(one) } }
            return standing.min { $1.isHigher(than: $0) }.map { (option, $0) }
        }
        return first.sorted { $1.deed.isHigher(than: $0.deed) || $0.deed.id == $1.deed.id && $0.option < $1.option }
            .map(\.option)
    }

    func options(of item: Name, _ held: EventSet) -> Set<String> {
        words(of: item, held) { if case .options(_, let added, let removed) = $0 { (added, removed) } else { nil } }
    }

    /// What somebody said last, whether in time or not.
    func lastAnswer(of participant: Bytes32, to item: Name, _ held: EventSet) -> Answer? {
        last(of: item, held) { if case .answer(_, let answer) = $0 { .some(answer) } else { nil } }[participant]?.word
            ?? nil
    }

    /// Whether it closes a hidden question: the person who asked does.
    func isClosing(_ deed: Deed) -> Bool {
        guard case .close(let name, _) = deed.kind else { return false }
        return hiddenQuestions.contains(name) && deed.act.participant == author(of: name)
    }

    /// What closed a hidden question.
    func closings(of item: Name, _ held: EventSet) -> [Deed] { deeds(of: item, held).filter(isClosing) }

    /// What somebody sealed last, to seal it again; nil where they took it back, or never did.
    func lastSeal(of participant: Bytes32, to item: Name, _ held: EventSet) -> Deed.Kind? {
        let last = seals(of: participant, to: item, held).last
        if case .seal = last?.kind { return last?.kind } else { return nil }
    }

    /// What a closing counts: everybody's last answer.
    func latestSeals(to item: Name, _ held: EventSet) -> [Bytes32: Deed.ID] {
        var latest: [Bytes32: Deed.ID] = [:]
        for participant in Set(deeds(of: item, held).map(\.act.participant)) {
            if let last = seals(of: participant, to: item, held).last, case .seal = last.kind {
                latest[participant] = last.id
            }
        }
        return latest
    }

    /// What somebody answered to a hidden question, and that they took it back, the lowest first: the first 64.
    private func seals(of participant: Bytes32, to item: Name, _ held: EventSet) -> ArraySlice<Deed> {
        deeds(of: item, held).filter { deed in
            guard deed.act.participant == participant else { return false }
            switch deed.kind {
            case .seal, .answer(_, nil): return true
            default: return false
            }
        }
        .sorted { $1.isHigher(than: $0) }.prefix(64)
    }

    /// What each participant answered to a hidden question: what all closings name counts, once it is revealed.
    private func hiddenAnswers(to item: Name, _ held: EventSet) -> [(participant: Bytes32, answer: GivenAnswer)] {
        let named = closings(of: item, held).compactMap {
            if case .close(_, let named) = $0.kind { named } else { nil }
        }
        let all = deeds(of: item, held)
        return Set(all.map(\.act.participant)).sorted().compactMap { participant in
            let seals = seals(of: participant, to: item, held)
            let standing =
                named.isEmpty
                ? seals.last : seals.first { seal in named.allSatisfy { $0[participant] == seal.id } }
            guard let standing, case .seal(_, let commitment, let answer) = standing.kind else {
                guard case .seal? = seals.last?.kind else { return nil }
                return (participant, GivenAnswer(counted: nil, seal: .late))
            }
            let isRevealed = all.contains { deed in
                guard case .reveal(_, commitment, _) = deed.kind else { return false }
                return deed.act.participant == participant && deed.follows(standing)
            }
            return !named.isEmpty && isRevealed
                ? (participant, GivenAnswer(counted: answer)) : (participant, GivenAnswer(counted: nil, seal: .whole))
        }
    }

    /// What each participant answered. What they said when they knew of a closing that stands is late.
    func answers(to item: Name, _ held: EventSet) -> [(participant: Bytes32, answer: GivenAnswer)] {
        if hiddenQuestions.contains(item) { return hiddenAnswers(to: item, held) }
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
                    + (given.seal.map { " \(participant) sealed \($0)" } ?? "")
            }.joined()
    }

    private static func words(_ answer: Answer) -> String {
        "\(answer.choices.map { "\($0.option) \($0.number)" })"
    }
}
