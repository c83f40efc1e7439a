import DeltaCRDT
import TripFixtures

@testable import TripModel

/// What an omniscient observer says the trip shows, from the happened-before relation alone: no dots, no contexts, no
/// merging, and no belief in the lists of superseded dots that changes carry.
struct Specification {
    private struct Write {
        let entry: Int
        let value: String?
    }

    private struct Item {
        let maker: Int
        var touches: [Int] = []
        var removes: [Int] = []
        var writes: [Field: [Write]] = [:]
        var votes: [ParticipantID: [(entry: Int, vote: Vote?)]] = [:]
        var quantity: Int64?
    }

    private let log: [World.Entry]
    private var items: [ItemID: Item] = [:]
    private var titles: [Write] = []
    private var names: [ParticipantID: [Write]] = [:]

    /// - Parameter held: the places in the log of the changes to speak of; by default all.
    init(log: [World.Entry], held: Set<Int>? = nil) throws {
        self.log = log
        for (index, entry) in log.enumerated() where held?.contains(index) ?? true { try read(index, entry.change) }
    }

    private mutating func read(_ index: Int, _ change: TripChange) throws {
        var next = change.first.counter
        for act in try TripPayload.decode(
            change.payload, operationCount: change.operationCount, resolve: change.resolve)
        {
            let id = ItemID(dot: Dot(replica: change.first.replica, counter: next))
            next += UInt64(act.operationCount)
            switch act {
            case .setTitle(let title, _): titles.append(Write(entry: index, value: title))
            case .setName(let name): names[change.participant, default: []].append(Write(entry: index, value: name))
            case .add(let fields, let quantity):
                var item = Item(maker: index, touches: [index], quantity: quantity > 0 ? quantity : nil)
                for entry in fields { item.writes[entry.field] = [Write(entry: index, value: entry.value)] }
                items[id] = item
            case .item(let item, _, let act): apply(act, to: item, index, by: change.participant)
            }
        }
    }

    private mutating func apply(_ act: ItemAct, to item: ItemID, _ index: Int, by author: ParticipantID) {
        guard act != .remove else {
            items[item]?.removes.append(index)
            return
        }
        items[item]?.touches.append(index)
        switch act {
        case .remove, .restore: break
        case .vote(let vote): items[item]?.votes[author, default: []].append((index, vote))
        case .changeQuantity(let step):
            let before = items[item]?.quantity ?? 0
            items[item]?.quantity = before + step
        case .edit(let writes):
            for entry in writes {
                items[item]?.writes[entry.field, default: []].append(Write(entry: index, value: entry.value))
            }
        }
    }

    /// The whole trip as text, to compare with `describe(_:)` of a view.
    var description: [String] {
        var lines = ["title \(shown(titles))"]
        for id in names.keys.sorted() {
            let last = (names[id] ?? []).max { log[$0.entry].change.stamp < log[$1.entry].change.stamp }
            lines.append("name \(id.low) \(last?.value ?? "")")
        }
        let ordered = items.sorted {
            (log[$0.value.maker].change.stamp, $0.key) < (log[$1.value.maker].change.stamp, $1.key)
        }
        for (id, item) in ordered {
            let exists = item.touches.contains { touch in
                !item.removes.contains { log[$0].past.contains(touch) }
            }
            var line = "\(exists ? "item" : "removed") \(id.dot)"
            for field in Field.allCases { line += " \(field.name)=\(shown(item.writes[field] ?? []))" }
            for participant in item.votes.keys.sorted() {
                let last = (item.votes[participant] ?? []).max {
                    log[$0.entry].change.stamp < log[$1.entry].change.stamp
                }
                if let vote = last?.vote { line += " \(participant.low):\(vote.name)" }
            }
            lines.append(line + " ×\(item.quantity.map(String.init) ?? "-")")
        }
        return lines
    }

    /// The values that no write with them in its past has replaced, highest first, each once.
    private func shown(_ writes: [Write]) -> [String] {
        let alive = writes.filter { write in !writes.contains { log[$0.entry].past.contains(write.entry) } }
        let ordered = alive.sorted { log[$1.entry].change.stamp < log[$0.entry].change.stamp }.compactMap(\.value)
        return ordered.enumerated().filter { index, value in !ordered[..<index].contains(value) }.map(\.element)
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
            var line = "\(item.isRemoved ? "removed" : "item") \(item.id.dot)"
            for field in Field.allCases { line += " \(field.name)=\(values(item.fields[field]))" }
            for vote in item.votes.sorted(by: { $0.participant < $1.participant }) {
                line += " \(vote.participant.low):\(vote.vote.name)"
            }
            lines.append(line + " ×\(item.quantity.map(String.init) ?? "-")")
        }
        return lines
    }
}
