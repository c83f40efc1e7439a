import DeltaCRDT

// What an act did, read from what stood at its place before and after it.
extension TripState {
    /// Does an act, and says what it did; nil where nobody can see that it did anything.
    mutating func witness(
        _ act: Act, of cause: Cause, from offset: UInt32, _ apply: (inout TripState) -> Void
    ) -> HistoryEvent? {
        switch act {
        case .setTitle(let text, _):
            let before = title
            apply(&self)
            let (gone, beside) = Self.difference(of: before, title, around: text)
            return .titled(title: text, insteadOf: gone, beside: beside)
        case .setName(let text):
            let before = names[cause.participant]
            apply(&self)
            // Two devices of one person may each give a name: the lower one was never seen here.
            guard names[cause.participant]?.cause == cause else { return nil }
            return .named(name: text, insteadOf: before?.text.string)
        case .add(let fields, let quantity):
            apply(&self)
            return .item(
                id: ItemID(dot: cause.dot(of: offset)), title: fields.first?.value ?? "",
                event: .added(quantity: quantity > 0 ? quantity : nil), broughtBack: false)
        case .item(let id, _, let act):
            return witness(act, on: id, apply)
        }
    }

    private mutating func witness(
        _ act: ItemAct, on id: ItemID, _ apply: (inout TripState) -> Void
    ) -> HistoryEvent? {
        guard let before = items[id] else {
            apply(&self)
            return nil
        }
        let wasGone = before.existence.isEmpty
        let title = before.title
        let values = Self.values(before, where: act)
        apply(&self)
        guard let after = items[id] else { return nil }
        let event: ItemEvent
        switch act {
        case .remove: event = .removed(upheldBy: after.upholders)
        case .restore: event = .restored
        case .vote(let vote): event = vote.map { .voted(vote: $0) } ?? .unvoted
        case .changeQuantity(let step): event = .counted(by: step)
        case .edit(let writes):
            event = .edited(
                fields: zip(writes, values).map { write, before in
                    let (gone, beside) = Self.difference(of: before, after[write.field], around: write.value)
                    return FieldEdit(field: write.field, value: write.value, insteadOf: gone, beside: beside)
                })
        }
        let isBack = wasGone && !after.existence.isEmpty && act != .restore
        return .item(id: id, title: title, event: event, broughtBack: isBack)
    }

    /// What stands at the fields that an edit writes.
    private static func values(_ item: ItemState, where act: ItemAct) -> [DotFun<Written>] {
        guard case .edit(let writes) = act else { return [] }
        return writes.map { item[$0.field] }
    }

    /// The values that are there no more, and those that stand beside a new one, highest first.
    private static func difference(
        of before: DotFun<Written>, _ after: DotFun<Written>, around value: String?
    ) -> (gone: [String], beside: [String]) {
        let new = value.map { Text($0) }
        let beside = after.entries.map(\.value).sortedHighestFirst().distinct().map(\.text).filter { $0 != new }
        let gone = before.entries.map(\.value).sortedHighestFirst().distinct().map(\.text).filter {
            $0 != new && !beside.contains($0)
        }
        return (gone.map(\.string), beside.map(\.string))
    }
}

extension ItemState {
    /// The title that stands highest.
    var title: String { self[.title].entries.map(\.value).sortedHighestFirst().first?.text.string ?? "" }

    /// Who did something that holds the item up, each once, in the order of their operations' dots.
    fileprivate var upholders: [Upholder] {
        var seen: Set<ParticipantID> = []
        var upholders: [Upholder] = []
        for entry in existence.entries where seen.insert(entry.value.participant).inserted {
            let last = votes[entry.value.participant]
            upholders.append(
                Upholder(participant: entry.value.participant, vote: last?.dot == entry.dot ? last?.vote : nil))
        }
        return upholders
    }
}
