// What an operation did, read from what stood at its place before and after it.
extension TripState {
    /// Does an operation, and says what it did; nil where nobody can see that it did anything.
    mutating func witness(_ operation: Operation, at index: OperationIndex, of change: FoldedChange) -> HistoryEvent? {
        let before = (title: title, name: names[change.cause.participant])
        switch operation {
        case .setTitle(let write):
            apply(operation, at: index, of: change)
            guard case .text(let text) = write.value else { return nil }
            let (gone, beside) = Registers.difference(of: before.title, title, at: .title, around: text)
            return .titled(title: text.string, insteadOf: gone, beside: beside)
        case .setName(let text):
            apply(operation, at: index, of: change)
            // Two devices of one person may each give a name: the lower one was never seen here.
            guard let name = names[change.cause.participant], name.cause == change.cause, name.index == index else {
                return nil
            }
            return .named(name: text.string, insteadOf: before.name?.text.string)
        case .add(let fields, let quantity):
            apply(operation, at: index, of: change)
            return .item(
                id: ItemID(operation: change.cause.operation(index)),
                title: fields.first { $0.field == .title }?.value?.string ?? "",
                event: .added(quantity: quantity != 0 ? quantity : nil), broughtBack: false)
        case .item(let reference, let deed):
            let id = ItemID(operation: change.operation(reference))
            guard let before = items[id], change.hasSeen(before.place) else { return nil }
            apply(operation, at: index, of: change)
            return items[id].flatMap { event(of: deed, on: before, now: $0) }
        case .ineffective: return nil
        }
    }

    /// Nil for an edit of which nothing can be shown, and which brought nothing back.
    private func event(of operation: ItemOperation, on before: ItemState, now after: ItemState) -> HistoryEvent? {
        let isBack = before.existence.isEmpty && !after.existence.isEmpty && operation != .restore
        let event: ItemEvent
        switch operation {
        case .remove: event = .removed(upheldBy: after.upholders)
        case .restore: event = .restored
        case .vote(let vote): event = vote.map { .voted(vote: $0) } ?? .unvoted
        case .changeQuantity(let step): event = .counted(by: step)
        case .edit(let writes):
            let fields = writes.compactMap { $0.event(from: before.fields, to: after.fields) }
            if fields.isEmpty, !isBack { return nil }
            event = .edited(fields: fields)
        }
        return .item(id: before.id, title: before.title, event: event, broughtBack: isBack)
    }
}

extension FieldWrite {
    /// Nil for what this version cannot show.
    fileprivate func event(from before: Registers, to after: Registers) -> FieldEdit? {
        let text: Text?
        switch value {
        case .text(let new): text = new
        case .cleared: text = nil
        case .unknown: return nil
        }
        let (gone, beside) = Registers.difference(of: before, after, at: field, around: text)
        return FieldEdit(field: field, value: text?.string, insteadOf: gone, beside: beside)
    }
}

extension Registers {
    /// The values that are there no more, and those that stand beside a new one, highest first.
    fileprivate static func difference(
        of before: Registers, _ after: Registers, at field: Field, around new: Text?
    ) -> (gone: [String], beside: [String]) {
        let beside = after.shown(field).distinct().compactMap(\.text).filter { $0 != new }
        let gone = before.shown(field).distinct().compactMap(\.text).filter { $0 != new && !beside.contains($0) }
        return (gone.map(\.string), beside.map(\.string))
    }
}

extension ItemState {
    /// Who did something that holds the item up, each once, the highest first.
    fileprivate var upholders: [Upholder] {
        var seen: Set<ParticipantID> = []
        var upholders: [Upholder] = []
        for token in existence.tokens where seen.insert(token.cause.participant).inserted {
            let last = votes[token.cause.participant]
            let isVote = last?.cause == token.cause && last?.index == token.index
            upholders.append(Upholder(participant: token.cause.participant, vote: isVote ? last?.vote : nil))
        }
        return upholders
    }
}
