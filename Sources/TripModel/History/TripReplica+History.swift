import DeltaCRDT

extension TripReplica {
    /// What the changes did, oldest first in the one order that extends causality: the same on every node that holds
    /// them. Complexity: O(n log n) in their number, and linear in their bytes.
    /// - Throws: `TripError` when a payload is invalid.
    package static func history(of changes: some Sequence<TripChange>) throws(TripError) -> [HistoryEntry] {
        var reader = HistoryReader()
        var entries: [HistoryEntry] = []
        for change in changes.sorted(by: { ($0.stamp, $0.first) < ($1.stamp, $1.first) }) {
            let acts = try TripPayload.decode(
                change.payload, operationCount: change.operationCount, resolve: change.resolve)
            let events = reader.read(acts, of: change)
            guard !events.isEmpty else { continue }
            entries.append(
                HistoryEntry(
                    participant: change.participant, stamp: change.stamp, wallTime: change.wallTime, events: events))
        }
        return entries
    }
}

/// One field of one item.
private struct FieldKey: Hashable {
    let item: ItemID
    let field: Field
}

/// Remembers what was written where, so that an entry can say what it was written in place of.
private struct HistoryReader {
    private var tripTitles: [Dot: String] = [:]
    private var values: [FieldKey: [Dot: String]] = [:]
    private var names: [ParticipantID: String] = [:]
    /// The title that each item was last given.
    private var titles: [ItemID: String] = [:]

    mutating func read(_ acts: [Act], of change: TripChange) -> [HistoryEvent] {
        var next = change.first.counter
        var events: [HistoryEvent] = []
        for act in acts {
            let dot = Dot(replica: change.first.replica, counter: next)
            next += UInt64(act.operationCount)
            switch act {
            case .setTitle(let title, let superseded):
                events.append(
                    .titled(
                        title, insteadOf: superseded.compactMap { tripTitles[$0] }.filter { Text($0) != Text(title) }))
                tripTitles[dot] = title
            case .setName(let name):
                events.append(.named(name, insteadOf: names.updateValue(name, forKey: change.participant)))
            case .add(let fields, let quantity):
                let item = ItemID(dot: dot)
                for (offset, entry) in fields.enumerated() {
                    write(entry.value, at: entry.field, of: item, dot: Self.dot(dot, plus: offset + 1))
                }
                events.append(event(item, .added(quantity: quantity > 0 ? quantity : nil)))
            case .item(let item, _, let act):
                guard titles[item] != nil else { continue }
                events.append(read(act, on: item, dot: dot))
            }
        }
        return events
    }

    private mutating func read(_ act: ItemAct, on item: ItemID, dot: Dot) -> HistoryEvent {
        switch act {
        case .remove: return event(item, .removed)
        case .restore: return event(item, .restored)
        case .vote(let vote): return event(item, vote.map(ItemEvent.voted) ?? .unvoted)
        case .changeQuantity(let step): return event(item, .counted(by: step))
        case .edit(let writes):
            let titleBefore = titles[item] ?? ""
            var edits: [FieldEdit] = []
            for (offset, entry) in writes.enumerated() {
                let before = values[FieldKey(item: item, field: entry.field)] ?? [:]
                let old = entry.superseding.compactMap { before[$0] }.filter { Text($0) != entry.value.map(Text.init) }
                edits.append(FieldEdit(field: entry.field, value: entry.value, insteadOf: Self.distinct(old)))
                if let value = entry.value {
                    write(value, at: entry.field, of: item, dot: Self.dot(dot, plus: offset + 1))
                }
            }
            return .item(item, title: titleBefore, .edited(edits))
        }
    }

    private mutating func write(_ value: String, at field: Field, of item: ItemID, dot: Dot) {
        values[FieldKey(item: item, field: field), default: [:]][dot] = value
        if field == .title { titles[item] = value }
    }

    private func event(_ item: ItemID, _ event: ItemEvent) -> HistoryEvent {
        .item(item, title: titles[item] ?? "", event)
    }

    private static func dot(_ dot: Dot, plus offset: Int) -> Dot {
        Dot(replica: dot.replica, counter: dot.counter + UInt64(offset))
    }

    private static func distinct(_ values: [String]) -> [String] {
        var seen: Set<Text> = []
        return values.filter { seen.insert(Text($0)).inserted }
    }
}
