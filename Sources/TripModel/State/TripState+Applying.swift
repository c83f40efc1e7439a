import DeltaCRDT

extension TripState {
    /// Does what the acts of a change say, act by act, at the places that they touch. The change's past is here.
    ///
    /// An act replaces only what stands at the place that it names, whatever dots its author listed: so nobody's list
    /// reaches another field, and no list reaches a vote. An act on what was never an item does nothing. Either is the
    /// same on every replica, for the past decides it.
    /// - Parameter events: takes what was done, as people hear of it; nil where nobody listens.
    mutating func apply(_ acts: [Act], of change: TripChange, telling events: inout [HistoryEvent]?) {
        var offset: UInt32 = 0
        for act in acts {
            if events == nil {
                apply(act, of: change, from: offset)
            } else if let event = witness(
                act, of: change.cause, from: offset, { $0.apply(act, of: change, from: offset) })
            {
                events?.append(event)
            }
            offset += UInt32(act.operationCount)
        }
    }

    /// Takes the numbers of a change that was applied, and knows its author.
    mutating func note(_ change: TripChange) {
        let first = change.first
        context.insert(
            replica: first.replica, counters: first.counter...first.counter + UInt64(change.operationCount) - 1)
        meet(change.cause)
    }

    /// - Parameter offset: how many operations of the change come before the act's first.
    private mutating func apply(_ act: Act, of change: TripChange, from offset: UInt32) {
        let cause = change.cause
        switch act {
        case .setTitle(let text, let superseded):
            let superseded = change.superseded(superseded, among: title.entries.map(\.dot))
            title.replace(superseded, with: cause.dot(of: offset), Written(cause: cause, text: Text(text)))
        case .setName(let text):
            let name = Name(Text(text), by: cause, offset: offset)
            names[cause.participant, default: name].merge(name)
        case .add(let values, let quantity):
            let dot = cause.dot(of: offset)
            items.make(ItemID(dot: dot)) { item in
                item.origin = cause
                item.existence = DotFun(dot, cause)
                item.reserveFields(values.count)
                for (index, entry) in values.enumerated() {
                    let written = Written(cause: cause, text: Text(entry.value))
                    let dot = cause.dot(of: offset + 1 + UInt32(index))
                    item.update(entry.field) { $0 = DotFun(dot, written) }
                }
                if quantity > 0 { item.count { _ = $0.add(quantity, by: dot.replica) } }
            }
        case .item(let id, let superseded, let act):
            items.update(id) { item in
                let superseded = change.superseded(superseded, among: item.existence.entries.map(\.dot))
                if act == .remove {
                    item.existence.forget(superseded)
                } else {
                    item.existence.replace(superseded, with: cause.dot(of: offset), cause)
                }
                item.apply(act, of: change, from: offset)
            }
        }
    }
}

extension ItemState {
    fileprivate mutating func apply(_ act: ItemAct, of change: TripChange, from offset: UInt32) {
        let cause = change.cause
        switch act {
        case .remove, .restore: break
        case .vote(let vote): votes.raise(Ballot.Entry(vote, by: cause, offset: offset))
        // The branch's new total: what it had counted before, and this step.
        case .changeQuantity(let step): count { _ = $0.add(step, by: cause.first.replica) }
        case .edit(let writes):
            for (index, entry) in writes.enumerated() {
                update(entry.field) { writes in
                    let superseded = change.superseded(entry.superseding, among: writes.entries.map(\.dot))
                    if let value = entry.value {
                        writes.replace(
                            superseded, with: cause.dot(of: offset + 1 + UInt32(index)),
                            Written(cause: cause, text: Text(value)))
                    } else {
                        writes.forget(superseded)
                    }
                }
            }
        }
    }
}
