import TripFixtures

@testable import TripModel

/// What an omniscient observer says the trip shows, from the happened-before relation alone: no places, no branches, no
/// folding. It reads contents as the model does, and nothing else of it.
struct Specification {
    /// An operation: where its change stands in the log, how many come before it in that, and how many writes in it.
    private struct Moment: Hashable {
        let entry: Int
        let index: OperationIndex
        var write = 0
    }

    private struct Write {
        let moment: Moment
        let value: FieldWrite.Value
        var beside: Set<OperationID> = []
    }

    private struct Item {
        let maker: Moment
        var touches: [Moment] = []
        var removes: [Moment] = []
        var writes: [Field: [Write]] = [:]
        var votes: [ParticipantID: [(moment: Moment, vote: Vote?)]] = [:]
        var quantity: Int64?
    }

    private let log: [World.Entry]
    private var items: [ItemID: Item] = [:]
    private var titles: [Write] = []
    private var names: [ParticipantID: [(moment: Moment, name: String)]] = [:]

    /// - Parameter held: the places in the log of the changes to speak of; by default all.
    init(log: [World.Entry], held: Set<Int>? = nil, vocabulary: Vocabulary = .current) {
        self.log = log
        for (entry, written) in log.enumerated() where held?.contains(entry) ?? true {
            for (index, operation) in TripContent(written.content, vocabulary: vocabulary).operations.enumerated() {
                read(operation, Moment(entry: entry, index: OperationIndex(index)))
            }
        }
    }

    private func hasSeen(_ earlier: Moment, _ later: Moment) -> Bool {
        earlier.entry == later.entry
            ? (earlier.index, earlier.write) < (later.index, later.write)
            : log[later.entry].past.contains(earlier.entry)
    }

    private func operation(_ reference: OperationReference, at moment: Moment) -> OperationID {
        switch reference {
        case .here(let index): log[moment.entry].operation(index)
        case .there(let operation): operation
        }
    }

    private func write(_ write: FieldWrite, _ moment: Moment) -> Write {
        Write(moment: moment, value: write.value, beside: Set(write.beside.map { operation($0, at: moment) }))
    }

    private mutating func read(_ operation: Operation, _ moment: Moment) {
        let author = log[moment.entry].participant
        switch operation {
        case .setTitle(let title): titles.append(write(title, moment))
        case .setName(let name): names[author, default: []].append((moment, name.string))
        case .add(let fields, let quantity):
            var item = Item(maker: moment, touches: [moment], quantity: quantity != 0 ? quantity : nil)
            for entry in fields {
                item.writes[entry.field] = [Write(moment: moment, value: entry.value.map { .text($0) } ?? .unknown)]
            }
            items[ItemID(operation: log[moment.entry].operation(moment.index))] = item
        case .item(let reference, let deed):
            let id = ItemID(operation: self.operation(reference, at: moment))
            if let item = items[id], hasSeen(item.maker, moment) { read(deed, on: id, moment, by: author) }
        case .ineffective: break
        }
    }

    private mutating func read(_ deed: ItemOperation, on item: ItemID, _ moment: Moment, by author: ParticipantID) {
        guard deed != .remove else {
            items[item]?.removes.append(moment)
            return
        }
        items[item]?.touches.append(moment)
        switch deed {
        case .remove, .restore: break
        case .vote(let vote): items[item]?.votes[author, default: []].append((moment, vote))
        case .changeQuantity(let step):
            let before = items[item]?.quantity ?? 0
            items[item]?.quantity = before + step
        case .edit(let writes):
            for (number, entry) in writes.enumerated() {
                let write = write(entry, Moment(entry: moment.entry, index: moment.index, write: number))
                items[item]?.writes[entry.field, default: []].append(write)
            }
        }
    }

    /// The whole trip as text, to compare with `describe(_:)` of a view.
    var description: [String] {
        var lines = ["title \(shown(titles))"]
        for id in names.keys.sorted() {
            let last = (names[id] ?? []).max { isLower($0.moment, $1.moment) }
            lines.append("name \(id.low) \(last?.name ?? "")")
        }
        for (id, item) in items.sorted(by: { isLower($0.value.maker, $1.value.maker) }) {
            let exists = item.touches.contains { touch in !item.removes.contains { hasSeen(touch, $0) } }
            var line = "\(exists ? "item" : "removed") \(id)"
            for field in Field.allCases { line += " \(field.name)=\(shown(item.writes[field] ?? []))" }
            for participant in item.votes.keys.sorted() {
                let last = (item.votes[participant] ?? []).max { isLower($0.moment, $1.moment) }
                if let vote = last?.vote { line += " \(participant.low):\(vote.name)" }
            }
            lines.append(line + " ×\(item.quantity.map(String.init) ?? "-")")
        }
        return lines
    }

    private func isLower(_ left: Moment, _ right: Moment) -> Bool {
        (log[left.entry].stamp, left.index, left.write) < (log[right.entry].stamp, right.index, right.write)
    }

    /// The values that no write with them in its past has replaced, highest first, each once.
    private func shown(_ writes: [Write]) -> [String] {
        let alive = writes.filter { write in
            !writes.contains { other in
                hasSeen(write.moment, other.moment)
                    && !other.beside.contains(log[write.moment.entry].operation(write.moment.index))
                    && (other.value != .unknown || write.value == .unknown)
            }
        }
        let texts = alive.sorted { isLower($1.moment, $0.moment) }.compactMap { write -> Text? in
            if case .text(let text) = write.value { text } else { nil }
        }
        return texts.enumerated().filter { index, text in !texts[..<index].contains(text) }.map(\.element.string)
    }

    /// A view in the same form.
    static func describe(_ view: TripView) -> [String] {
        let values = { (field: FieldView?) in
            field.map { [$0.value] + $0.alternatives.map(\.value) } ?? []
        }
        var lines = ["title \(values(view.title))"]
        for person in view.participants.sorted(by: { $0.id < $1.id }) {
            if let name = person.name { lines.append("name \(person.id.low) \(name)") }
        }
        for item in (view.items + view.removedItems).sorted(by: { $0.number < $1.number }) {
            var line = "\(item.isRemoved ? "removed" : "item") \(item.id)"
            for field in Field.allCases { line += " \(field.name)=\(values(item.fields[field]))" }
            for vote in item.votes.sorted(by: { $0.participant < $1.participant }) {
                line += " \(vote.participant.low):\(vote.vote.name)"
            }
            lines.append(line + " ×\(item.quantity.map(String.init) ?? "-")")
        }
        return lines
    }
}
