import Attachments
import ChangeLog
import Convergence
import DeltaCRDT
import TripModel

// What is shown, as lines: by what people did, and by a view.
extension TripSpecification {
    /// A line for the trip, for each name, for each item and each list: to those who hold some changes.
    func lines(held: EventSet, upheld: EventSet = EventSet(), as version: Version = .newer) -> [String] {
        var held = held
        held.formUnion(upheld)
        held = known(held, to: version)
        let order = SpecifiedOrder(self, held, upheld: upheld)
        var lines = [
            "title \(values(.title, of: nil, held, as: version))", "note \(note(of: nil, held, upheld: upheld))",
        ]
        for (participant, name) in names(held) { lines.append("name \(participant.words.1) \(name)") }
        for item in items.filter({ held.contains($0.change) }).sorted() {
            lines.append(line(of: item, order, version))
        }
        for list in lists.filter({ held.contains($0.change) }).sorted() {
            let there = there(order.sequence(of: list), order)
            let fields = fields { version.knows($0) ? values($0, of: list, held, as: version) : [] }
            lines.append("\(exists(list, order) ? "list" : "removed list") \(list)\(fields): \(there)")
        }
        lines.append("in no list: \(there(order.sequence(of: nil), order))")
        return lines
    }

    /// The items that are there, and stand there now.
    private func there(_ nodes: [SpecifiedOrder.Node], _ order: SpecifiedOrder) -> [Name] {
        nodes.filter { order.isLast($0) && exists($0.item, order) }.map(\.item)
    }

    private func fields(_ values: (Field) -> [String]) -> String {
        Field.allCases.map { field in
            let values = values(field)
            return values.isEmpty ? "" : " \(field.name)=\(values)"
        }.joined()
    }

    private func line(of item: Name, _ order: SpecifiedOrder, _ version: Version) -> String {
        let held = order.held
        var line = "\(exists(item, order) ? "item" : "removed") \(item)"
        line += fields { field in
            if field == .note { return note(of: item, held, upheld: order.upheld) }
            return version.knows(field) ? values(field, of: item, held, as: version) : []
        }
        var tally = 0
        for (participant, last) in votes(on: item, held).sorted(by: { $0.key < $1.key }) {
            guard let vote = last.word else { continue }
            line += " \(participant.words.1):\(vote.name)"
            // If need be is a vote, and counts neither for nor against.
            tally += vote == .for ? 1 : vote == .against ? -1 : 0
        }
        line += " tally \(tally)"
        if let quantity = quantity(of: item, held) { line += " ×\(quantity)" }
        if let list = order.last(of: item)?.position.list, exists(list, order) { line += " in \(list)" }
        for (participant, last) in claims(of: item, held).sorted(by: { $0.key < $1.key }) {
            if let count = last.word { line += " \(participant.words.1) brings \(count)" }
        }
        for (participant, last) in attendance(of: item, held).sorted(by: { $0.key < $1.key }) {
            if let answer = last.word { line += " \(participant.words.1) answers \(answer.name)" }
        }
        for word in amenities(of: item, held).sorted() { line += " has \(word)" }
        if version == .newer {
            line += Self.words(
                optionsAsAdded(to: item, held), answers(to: item, held).map { ($0.participant.words.1, $0.answer) })
        }
        for comment in comments(of: item).flatMap({ deeds(ofChange: $0.change) }).sorted(by: { $1.isHigher(than: $0) })
        {
            guard case .makeComment(let name, item, let text) = comment.kind, held.contains(name.change),
                existsComment(name, held)
            else { continue }
            line += " said \(text)"
        }
        var photos: [Int] = []
        for photo in self.photos(of: item, held).map(\.photo) where !photos.contains(photo) { photos.append(photo) }
        return line + photos.map { " photo \($0)" }.joined()
    }

    /// A view in the same form.
    /// - Parameter name: finds what made an item or a list; nil for what nobody is known to have made.
    static func lines(of view: TripView, name: (ItemID) -> Name?) -> [String] {
        func named(_ id: ItemID) -> Name { name(id) ?? Name(change: -1) }
        func values(_ field: FieldView?) -> [String] {
            field.map { [$0.value] + $0.alternatives.map(\.value) } ?? []
        }
        func fields(_ fields: [Field: FieldView]) -> String {
            Field.allCases.map { field in
                let values = values(fields[field])
                return values.isEmpty ? "" : " \(field.name)=\(values)"
            }.joined()
        }
        var lines = ["title \(values(view.title))", "note \(values(view.note))"]
        for person in view.participants.sorted(by: { $0.id < $1.id }) {
            if let name = person.name { lines.append("name \(person.id.low) \(name)") }
        }
        let items = (view.items + view.removedItems).map { (name: named($0.id), item: $0) }
        for (name, item) in items.sorted(by: { $0.name < $1.name }) {
            var line = "\(item.isRemoved ? "removed" : "item") \(name)" + fields(item.fields)
            for vote in item.votes.sorted(by: { $0.participant < $1.participant }) {
                line += " \(vote.participant.low):\(vote.word.name)"
            }
            line += " tally \(item.tally)"
            if let quantity = item.quantity { line += " ×\(quantity)" }
            if let list = item.sayings.list { line += " in \(named(list.id))" }
            for claim in item.sayings.claims.sorted(by: { $0.participant < $1.participant }) {
                line += " \(claim.participant.low) brings \(claim.word)"
            }
            for answer in item.sayings.attendance.sorted(by: { $0.participant < $1.participant }) {
                line += " \(answer.participant.low) answers \(answer.word.name)"
            }
            line += item.sayings.amenities.map { " has \($0)" }.joined()
            line += words(
                item.sayings.options,
                item.sayings.answers.sorted { $0.participant < $1.participant }.map { ($0.participant.low, $0.word) })
            line += item.sayings.comments.map { " said \($0.text)" }.joined()
            lines.append(line + item.photos.map { " photo \($0.manifest.sharp.width)" }.joined())
        }
        let lists = (view.lists + view.removedLists).map { (name: named($0.id), list: $0) }
        for (name, list) in lists.sorted(by: { $0.name < $1.name }) {
            lines.append(
                "\(list.isRemoved ? "removed list" : "list") \(name)\(fields(list.fields)): \(list.items.map(named))")
        }
        let placed = Set((view.lists + view.removedLists).flatMap(\.items))
        let unlisted = view.unlistedOrder ?? view.items.map(\.id).filter { !placed.contains($0) }
        lines.append("in no list: \(unlisted.map(named))")
        return lines
    }
}
