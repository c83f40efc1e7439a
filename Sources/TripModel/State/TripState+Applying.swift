extension TripState {
    /// Does what a change says, operation by operation, at the places that they touch. The change's past is here.
    ///
    /// An operation replaces what stands at the place that it names and lies in its past, and nothing else. One on what is
    /// no item in its past does nothing. Either is the same on every replica, for the past decides it.
    /// - Parameter events: takes what was done, as people hear of it; nil where nobody listens.
    mutating func apply(_ operations: [Operation], of change: FoldedChange, telling events: inout [HistoryEvent]?) {
        for (offset, operation) in operations.enumerated() {
            let index = OperationIndex(offset)
            if events == nil {
                apply(operation, at: index, of: change)
            } else if let event = witness(operation, at: index, of: change) {
                events?.append(event)
            }
        }
    }

    /// - Parameter index: how many operations of the change come before this one.
    mutating func apply(_ operation: Operation, at index: OperationIndex, of change: FoldedChange) {
        switch operation {
        case .setTitle(let write): title.write(write, at: index, of: change)
        case .setName(let text):
            let name = Name(text, by: change.cause, index: index)
            names[change.cause.participant, default: name].merge(name)
        case .add(let fields, let quantity):
            var item = ItemState(madeBy: change, at: index)
            item.existence.uphold(by: change, at: index)
            item.fields.reserveCapacity(fields.count)
            for entry in fields {
                let value = entry.value.map { FieldWrite.Value.text($0) } ?? .unknown
                item.fields.write(FieldWrite(field: entry.field, value: value, beside: []), at: index, of: change)
            }
            if quantity != 0 { item.count(quantity) }
            items.insert(item)
        case .item(let item, let operation):
            _ = items.update(ItemID(operation: change.operation(item))) { $0.apply(operation, at: index, of: change) }
        case .ineffective: break
        }
    }
}

extension ItemState {
    fileprivate mutating func apply(_ operation: ItemOperation, at index: OperationIndex, of change: FoldedChange) {
        guard change.hasSeen(place) else { return }
        if operation == .remove { return existence.remove(by: change) }
        existence.uphold(by: change, at: index)
        switch operation {
        case .remove, .restore: break
        case .vote(let vote): votes.raise(Ballot.Entry(vote, by: change.cause, index: index))
        case .changeQuantity(let step): count(step)
        case .edit(let writes): for write in writes { fields.write(write, at: index, of: change) }
        }
    }
}
