import DeltaCRDT

extension TripState {
    /// The delta that a change makes, computed by a state that holds the change's past.
    ///
    /// An act supersedes only what stands at the place that it names, whatever dots its author listed: so nobody's list
    /// reaches another field, and no list reaches a vote. An act on what was never an item does nothing. Either is the
    /// same on every replica, for the past decides it.
    func delta(of acts: [Act], in change: TripChange) -> TripState {
        var writer = DeltaWriter(state: self, change: change)
        for act in acts { writer.write(act) }
        return writer.delta
    }
}

private struct DeltaWriter {
    let state: TripState
    let cause: Cause
    var delta = TripState()
    /// How many operations came before the next one.
    private var next: UInt32 = 0

    init(state: TripState, change: TripChange) {
        self.state = state
        cause = change.cause
        delta.context.insert(
            replica: cause.first.replica,
            counters: cause.first.counter...cause.first.counter + UInt64(change.operationCount) - 1)
        delta.meet(cause)
    }

    private mutating func takeOffset() -> UInt32 {
        defer { next += 1 }
        return next
    }

    private mutating func takeDot() -> Dot { cause.dot(of: takeOffset()) }

    private func written(_ text: String) -> Written { Written(cause: cause, text: Text(text)) }

    mutating func write(_ act: Act) {
        switch act {
        case .setTitle(let title, let superseded):
            for dot in superseded where state.title[dot] != nil { delta.context.insert(dot) }
            delta.title = DotFun(takeDot(), written(title))
        case .setName(let name):
            delta.names[cause.participant] = Name(Text(name), by: cause, offset: takeOffset())
        case .add(let fields, let quantity):
            let dot = takeDot()
            var item = ItemState()
            item.existence = DotFun(dot, cause)
            item.origin = cause
            for entry in fields {
                let dot = takeDot()
                item.update(entry.field) { $0 = DotFun(dot, written(entry.value)) }
            }
            if quantity > 0 { item.count { _ = $0.add(quantity, by: cause.first.replica) } }
            delta.items.make(ItemID(dot: dot)) { $0 = item }
        case .item(let id, let superseded, let act):
            guard let known = state.items[id] else {
                next += UInt32(act.operationCount)
                return
            }
            for dot in superseded where known.existence.contains(dot) { delta.context.insert(dot) }
            var item = delta.items[id] ?? ItemState()
            write(act, on: &item, known)
            delta.items.make(id) { $0 = item }
        }
    }

    private mutating func write(_ act: ItemAct, on item: inout ItemState, _ known: ItemState) {
        let offset = takeOffset()
        if act != .remove { item.existence[cause.dot(of: offset)] = cause }
        switch act {
        case .remove, .restore: break
        case .vote(let vote): item.votes.raise(Ballot.Entry(vote, by: cause, offset: offset))
        case .changeQuantity(let step):
            // The branch's new total: what it had counted before, and this step.
            var counter = known.quantity ?? PNCounter()
            if let counted = item.quantity { counter.merge(counted) }
            let more = counter.add(step, by: cause.first.replica)
            item.count { _ = $0.merge(more) }
        case .edit(let writes):
            for entry in writes {
                for dot in entry.superseding where known[entry.field].contains(dot) { delta.context.insert(dot) }
                let dot = takeDot()
                guard let value = entry.value else { continue }
                item.update(entry.field) { $0[dot] = written(value) }
            }
        }
    }
}
