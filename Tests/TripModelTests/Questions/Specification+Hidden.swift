import TripFixtures

@testable import TripModel

extension Specification {
    /// What is said to a hidden question, or of it.
    mutating func readHidden(
        _ deed: ItemOperation, on item: ItemID, _ moment: Moment, by author: ParticipantID
    ) {
        switch deed {
        case .seal(let sealed): items[item]?.seals[author, default: []].append((moment, sealed.commitment))
        case .reveal(let revealed, _):
            let commitment = revealed.commitment(to: item, by: author)
            items[item]?.reveals[author, default: []].append((moment, commitment, revealed.answer))
        case .close(let counted):
            guard let maker = items[item]?.maker, log[maker.entry].participant == author else { break }
            items[item]?.closings.append(counted)
            items[item]?.writes[.done, default: []].append(Write(moment: moment, value: .text(Text("true"))))
        default: break
        }
    }

    /// Of each person the answer that all closings name, or the last one before somebody closed the question.
    func hiddenAnswers(_ item: Item) -> String {
        item.seals.keys.sorted().map { participant in
            let all = (item.seals[participant] ?? []).sorted { isLower($0.moment, $1.moment) }.prefix(64)
            let isLast = { (seal: Moment) in
                let name = log[seal.entry].operation(seal.index)
                return item.closings.allSatisfy { $0[participant] == name }
            }
            let counted = item.closings.isEmpty ? all.last : all.first { isLast($0.moment) }
            guard let counted, let commitment = counted.commitment else {
                return all.last?.commitment == nil ? "" : " \(participant.low) sealed late"
            }
            let revealed = (item.reveals[participant] ?? []).first { reveal in
                reveal.commitment == commitment && hasSeen(counted.moment, reveal.moment)
            }
            guard !item.closings.isEmpty, let revealed else { return " \(participant.low) sealed whole" }
            return Self.words(participant, revealed.answer, nil)
        }.joined()
    }
}
