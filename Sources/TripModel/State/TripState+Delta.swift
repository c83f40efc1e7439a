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
    let change: TripChange
    var delta = TripState()
    /// The dot of the next operation.
    private var next: Dot

    init(state: TripState, change: TripChange) {
        self.state = state
        self.change = change
        next = change.first
        delta.context.insert(
            replica: change.first.replica,
            counters: change.first.counter...change.first.counter + UInt64(change.operationCount) - 1)
        delta.people[change.participant] = Person(first: change.stamp)
    }

    private mutating func takeDot() -> Dot {
        defer { next = Dot(replica: next.replica, counter: next.counter + 1) }
        return next
    }

    private func written(_ text: String) -> Written {
        Written(text: Text(text), author: change.participant, stamp: change.stamp)
    }

    mutating func write(_ act: Act) {
        switch act {
        case .setTitle(let title, let superseded):
            for dot in superseded where state.title[dot] != nil { delta.context.insert(dot) }
            delta.title = DotFun(takeDot(), written(title))
        case .setName(let name):
            let entry = Latest(Text(name), stamp: change.stamp, dot: takeDot())
            delta.people[change.participant]?.name = entry
        case .add(let fields, let quantity):
            let item = ItemID(dot: takeDot())
            delta.existence[item] = DotFun(item.dot, change.stamp)
            delta.origins[item] = Origin(author: change.participant, stamp: change.stamp, wallTime: change.wallTime)
            for entry in fields {
                delta.fields[FieldKey(item: item, field: entry.field)] = DotFun(takeDot(), written(entry.value))
            }
            if quantity > 0 { count(quantity, of: item) }
        case .item(let item, let superseded, let act):
            guard state.origins[item] != nil else {
                for _ in 0..<Act.item(item, superseding: superseded, act).operationCount { _ = takeDot() }
                return
            }
            for dot in superseded where state.existence.key(of: dot) == item { delta.context.insert(dot) }
            write(act, on: item)
        }
    }

    private mutating func write(_ act: ItemAct, on item: ItemID) {
        let dot = takeDot()
        if act != .remove {
            var touches = delta.existence[item]
            touches[dot] = change.stamp
            delta.existence[item] = touches
        }
        switch act {
        case .remove, .restore: break
        case .vote(let vote):
            let entry = Latest(vote, stamp: change.stamp, dot: dot)
            delta.votes[item, default: [:]][change.participant, default: entry].merge(entry)
        case .changeQuantity(let step): count(step, of: item)
        case .edit(let writes):
            for entry in writes {
                let key = FieldKey(item: item, field: entry.field)
                for dot in entry.superseding where state.fields.key(of: dot) == key { delta.context.insert(dot) }
                let dot = takeDot()
                guard let value = entry.value else { continue }
                var writes = delta.fields[key]
                writes[dot] = written(value)
                delta.fields[key] = writes
            }
        }
    }

    /// The branch's new totals: what it had counted before, and this step.
    private mutating func count(_ step: Int64, of item: ItemID) {
        var counter = state.quantities[item] ?? PNCounter()
        if let counted = delta.quantities[item] { counter.merge(counted) }
        let more = counter.add(step, by: change.first.replica)
        delta.quantities[item, default: PNCounter()].merge(more)
    }
}
