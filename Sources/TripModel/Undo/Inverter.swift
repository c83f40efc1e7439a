/// Finds the operations that take back those of a change: each writes again what stood at its place before.
struct Inverter {
    private(set) var operations: [Operation] = []
    private(set) var obstacles: [Undoing.Obstacle] = []
    private let change: Cause
    private let before: TripState
    private let now: TripState

    private var me: ParticipantID { change.participant }

    /// - Parameters:
    ///   - before: what the change's author had seen.
    ///   - now: what is to be changed.
    init(_ change: TripChange, before: TripState, now: TripState) {
        self.change = change.cause
        self.before = before
        self.now = now
    }

    mutating func invert(_ operation: Operation, at index: OperationIndex) {
        let own = change.operation(index)
        switch operation {
        case .setTitle(let write):
            let writes = writesBack(write, own, before.title, now.title, of: "the trip's title")
            operations += writes.map { .setTitle($0) }
        case .setName:
            guard let previous = before.names[me], let name = now.names[me] else { return }
            if name.cause != change || name.index != index { hinder("your name", by: me) }
            operations.append(.setName(previous.text))
        case .add:
            let id = ItemID(operation: own)
            guard let item = now.items[id], now.holds(id) else { return }
            hinder("\(item.title.quoted)", by: item.lastOther(than: me))
            operations.append(.item(.there(own), .remove))
        case .addList:
            guard let list = now.lists[own], now.holds(list: own) else { return }
            hinder("the list \(list.title.quoted)", by: list.existence.lastOther(than: me))
            operations.append(.item(.there(own), .remove))
        // What is made by the same change goes with that.
        case .item(.here, _), .undo, .own, .ineffective: break
        case .item(.there(let name), let deed):
            if let item = now.items[ItemID(operation: name)] {
                invert(deed, on: item, own)
            } else if let list = now.lists[name] {
                invert(deed, on: list, own)
            } else if case .remove = deed {
                operations.append(.item(.there(name), .restore))
            } else if case .restore = deed {
                operations.append(.item(.there(name), .remove))
            }
        }
    }

    // MARK: - Items and lists

    private mutating func invert(_ deed: ItemOperation, on item: ItemState, _ own: OperationID) {
        let id = item.id
        let old = before.items[id]
        let title = item.title.quoted
        var inverse: [ItemOperation] = []
        // What somebody took away is not brought back by the way.
        if deed != .remove, !now.holds(id) { return }
        switch deed {
        case .edit(let writes):
            for write in writes {
                let standing = old?.fields ?? Registers()
                let what = "the \(write.field.name) of \(title)"
                for write in writesBack(write, own, standing, item.fields, of: what) {
                    operations.append(.item(.there(id.operation), .edit([write])))
                }
            }
        case .remove: if !now.holds(id) { inverse = [.restore] }
        case .restore:
            guard now.holds(id), !before.holds(id) else { break }
            hinder(title, by: item.existence.lastOther(than: me))
            inverse = [.remove]
        case .vote:
            if item.votes[me]?.operation != own { hinder("your vote on \(title)", by: me) }
            inverse = [.vote(old?.votes[me]?.word)]
        case .changeQuantity(let step): inverse = [.changeQuantity(by: -step)]
        case .claim:
            if item.extras.value?.claims[me]?.operation != own { hinder("what you bring of \(title)", by: me) }
            inverse = [.claim(old?.extras.value?.claims[me]?.word)]
        case .comment: operations.append(.item(.there(own), .remove))
        case .place:
            let last = item.extras.value?.placement
            if let last, last.operation != own { hinder("where \(title) stands", by: last.cause.participant) }
            let previous = old?.extras.value?.placement
            let anchor = previous?.operation ?? id.operation
            // An item that was in no list, and is not there by an operation of its own, is a node by its making.
            let isKnown = now.order[anchor].map { $0.list == previous?.list } ?? (previous == nil)
            inverse = [
                .place(
                    Position(
                        list: (previous?.list).map { .there($0) }, anchor: isKnown ? .there(anchor) : nil,
                        side: .behind))
            ]
        case .attach:
            if item.photos.entries.contains(where: { $0.id.operation == own }) { inverse = [.detach(.there(own))] }
        case .detach(.there(let name)):
            let photo = old?.photos.entries.first { $0.id.operation == name }?.manifest
            guard let photo, !item.photos.entries.contains(where: { $0.manifest == photo }) else { break }
            let back = Operation.item(.there(id.operation), .attach(photo))
            // However often it was attached, once is enough.
            if !operations.contains(back) { operations.append(back) }
        // It took away what the same change had attached.
        case .detach(.here): break
        case .amenities(let added, let removed):
            let had = old?.extras.value?.amenities ?? WordSet()
            let has = item.extras.value?.amenities ?? WordSet()
            let back = removed.filter { had.contains($0) && !has.contains($0) }
            let gone = added.filter { !had.contains($0) && has.contains($0) }
            if !back.isEmpty || !gone.isEmpty { inverse = [.amenities(added: back, removed: gone)] }
        }
        operations += inverse.map { .item(.there(id.operation), $0) }
    }

    private mutating func invert(_ deed: ItemOperation, on list: ListState, _ own: OperationID) {
        let old = before.lists[list.id]
        switch deed {
        case .edit(let writes):
            for write in writes {
                let what = "the \(write.field.name) of the list \(list.title.quoted)"
                for write in writesBack(write, own, old?.fields ?? Registers(), list.fields, of: what) {
                    operations.append(.item(.there(list.id), .edit([write])))
                }
            }
        case .remove: if !now.holds(list: list.id) { operations.append(.item(.there(list.id), .restore)) }
        case .restore:
            guard now.holds(list: list.id), !before.holds(list: list.id) else { return }
            hinder("the list \(list.title.quoted)", by: list.existence.lastOther(than: me))
            operations.append(.item(.there(list.id), .remove))
        default: break
        }
    }

    // MARK: - Fields

    /// The writes, each an operation of its own, that bring back what one replaced. What somebody else wrote at the same
    /// time stays beside it.
    private mutating func writesBack(
        _ write: FieldWrite, _ own: OperationID, _ old: Registers, _ new: Registers, of what: String
    ) -> [FieldWrite] {
        let standing = new[write.field]
        let others = standing.filter { $0.operation != own && $0.text != nil }
        let isStanding = standing.contains { $0.operation == own }
        let newer = others.first { other in !old[write.field].contains { $0.operation == other.operation } }
        switch write.value {
        case .unknown: return []
        case .text: if !isStanding { hinder(what, by: newer?.author ?? me) }
        case .cleared: if let newer { hinder(what, by: newer.author) }
        }
        let texts = old.shown(write.field).distinct().compactMap(\.text).filter { text in
            !others.contains { $0.text == text }
        }
        // Where its own write is gone, what came in its place is replaced, for whoever wants that all the same. One that
        // cleared stands nowhere: what it left beside it stays.
        let kept: [Written] =
            switch write.value {
            case .cleared:
                standing.filter { kept in old[write.field].contains { $0.operation == kept.operation } }
            default: isStanding ? standing.filter { $0.operation != own } : []
            }
        let beside = kept.map { OperationReference.there($0.operation) }
        guard !texts.isEmpty else {
            // An item has a title, and so has a trip that had one.
            guard write.field != .title, write.value != .cleared else { return [] }
            return [FieldWrite(field: write.field, value: .cleared, beside: beside)]
        }
        // One operation says that it takes back; those before it are these.
        let first = operations.count + 1
        // What is written last stands highest.
        return texts.reversed().enumerated().map { place, text in
            let earlier = (0..<place).map { OperationReference.here(OperationIndex(first + $0)) }
            return FieldWrite(field: write.field, value: .text(text), beside: beside + earlier)
        }
    }

    private mutating func hinder(_ what: String, by participant: ParticipantID?) {
        guard let participant else { return }
        obstacles.append(Undoing.Obstacle(what: what, by: participant))
    }
}

extension Existence {
    /// The participant of the highest token that is not of one; nil where all are.
    fileprivate func lastOther(than me: ParticipantID) -> ParticipantID? {
        tokens.first { $0.cause.participant != me }?.cause.participant
    }
}

extension ItemState {
    /// Somebody else who had a part in the item; nil where nobody had.
    fileprivate func lastOther(than me: ParticipantID) -> ParticipantID? {
        existence.lastOther(than: me) ?? votes.entries.first { $0.voter != me && $0.word != nil }?.voter
            ?? fields.writes.first { $0.author != me }?.author
            ?? extras.value?.comments.first { $0.cause.participant != me && !$0.existence.isEmpty }?.cause.participant
            ?? photos.entries.first { $0.author != me }?.author
    }
}
