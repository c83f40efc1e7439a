import Attachments

@testable import TripModel

extension Specification {
    /// A view in the same form.
    static func describe(_ view: TripView) -> [String] {
        let values = { (field: FieldView?) in
            field.map { [$0.value] + $0.alternatives.map(\.value) } ?? []
        }
        var lines = ["title \(values(view.title))", "note \(values(view.note))"]
        for person in view.participants.sorted(by: { $0.id < $1.id }) {
            if let name = person.name { lines.append("name \(person.id.low) \(name)") }
        }
        for item in (view.items + view.removedItems).sorted(by: { $0.number < $1.number }) {
            var line = "\(item.isRemoved ? "removed" : "item") \(item.id)"
            for field in Field.allCases { line += " \(field.name)=\(values(item.fields[field]))" }
            for vote in item.votes.sorted(by: { $0.participant < $1.participant }) {
                line += " \(vote.participant.low):\(vote.word.name)"
            }
            line += " ×\(item.quantity.map(String.init) ?? "-")"
            if let list = item.sayings.list { line += " in \(list.title)" }
            for claim in item.sayings.claims.sorted(by: { $0.participant < $1.participant }) {
                line += " \(claim.participant.low) brings \(claim.word)"
            }
            for answer in item.sayings.attendance.sorted(by: { $0.participant < $1.participant }) {
                line += " \(answer.participant.low) \(answer.word.name)"
            }
            for word in item.sayings.amenities { line += " has \(word)" }
            for option in item.sayings.options { line += " option \(option)" }
            for answer in item.sayings.answers.sorted(by: { $0.participant < $1.participant }) {
                line += words(answer.participant, answer.word.counted, answer.word.late)
                if let seal = answer.word.seal { line += " \(answer.participant.low) sealed \(seal)" }
            }
            for comment in item.sayings.comments { line += " said \(comment.text)" }
            for photo in item.photos { line += " " + photo.manifest.digits }
            lines.append(line)
        }
        for list in view.lists + view.removedLists {
            lines.append("\(list.isRemoved ? "removed list" : "list") \(values(list.fields[.title])) \(list.items)")
        }
        let placed = Set((view.lists + view.removedLists).flatMap(\.items))
        let unlisted = view.unlistedOrder ?? view.items.map(\.id).filter { !placed.contains($0) }
        lines.append("unlisted \(unlisted)")
        return lines
    }

    /// What somebody answers, in this form.
    static func words(_ participant: ParticipantID, _ counted: Answer?, _ late: Answer?) -> String {
        func words(_ answer: Answer) -> String { "\(answer.choices.map { "\($0.option) \($0.number)" })" }
        return (counted.map { " \(participant.low) answers \(words($0))" } ?? "")
            + (late.map { " \(participant.low) says late \(words($0))" } ?? "")
    }
}
