import DeltaCRDT

extension TripState {
    /// Joins the delta of a change whose past is here, without making it: `merge(delta(of: acts, in: change))`, act by
    /// act, at the places that they touch.
    mutating func apply(_ acts: [Act], of change: TripChange) {
        var next = change.first
        for act in acts {
            apply(act, of: change, from: next)
            next = Dot(replica: next.replica, counter: next.counter + UInt64(act.operationCount))
        }
        context.insert(
            replica: change.first.replica,
            counters: change.first.counter...change.first.counter + UInt64(change.operationCount) - 1)
        if people[change.participant] == nil { people[change.participant] = Person(first: change.stamp) }
        if let first = people[change.participant]?.first, change.stamp < first {
            people[change.participant]?.first = change.stamp
        }
    }

    /// - Parameter first: the dot of the act's first operation.
    private mutating func apply(_ act: Act, of change: TripChange, from first: Dot) {
        switch act {
        case .setTitle(let text, let superseded):
            for dot in change.superseded(superseded, among: title.entries.map(\.dot)) { title[dot] = nil }
            title[first] = Written(text: Text(text), author: change.participant, stamp: change.stamp)
        case .setName(let name):
            people[change.participant, default: Person(first: change.stamp)]
                .merge(Person(first: change.stamp, name: Latest(Text(name), stamp: change.stamp, dot: first)))
        case .add(let values, let quantity):
            let item = ItemID(dot: first)
            existence[item] = DotFun(first, change.stamp)
            origins[item] = Origin(author: change.participant, stamp: change.stamp, wallTime: change.wallTime)
            var dot = first
            for entry in values {
                dot = Dot(replica: dot.replica, counter: dot.counter + 1)
                fields[FieldKey(item: item, field: entry.field)] = DotFun(dot, written(entry.value, by: change))
            }
            if quantity > 0 { count(quantity, of: item, by: first.replica) }
        case .item(let item, let superseded, let act):
            guard origins[item] != nil else { return }
            let superseded = change.superseded(superseded, among: existence[item].entries.map(\.dot))
            existence.replace(superseded, at: item, with: act == .remove ? nil : first, change.stamp, in: context)
            apply(act, on: item, of: change, from: first)
        }
    }

    private mutating func apply(_ act: ItemAct, on item: ItemID, of change: TripChange, from first: Dot) {
        switch act {
        case .remove, .restore: break
        case .vote(let vote):
            let entry = Latest(vote, stamp: change.stamp, dot: first)
            votes[item, default: [:]][change.participant, default: entry].merge(entry)
        case .changeQuantity(let step): count(step, of: item, by: first.replica)
        case .edit(let writes):
            var dot = first
            for entry in writes {
                dot = Dot(replica: dot.replica, counter: dot.counter + 1)
                let key = FieldKey(item: item, field: entry.field)
                let superseded = change.superseded(entry.superseding, among: fields[key].entries.map(\.dot))
                if let value = entry.value {
                    fields.replace(superseded, at: key, with: dot, written(value, by: change), in: context)
                } else {
                    fields.replace(superseded, at: key, with: nil, written("", by: change), in: context)
                }
            }
        }
    }

    private func written(_ text: String, by change: TripChange) -> Written {
        Written(text: Text(text), author: change.participant, stamp: change.stamp)
    }

    /// The branch's new total: what it had counted before, and this step.
    private mutating func count(_ step: Int64, of item: ItemID, by branch: ReplicaID) {
        _ = quantities[item, default: PNCounter()].add(step, by: branch)
    }
}

extension DotMap {
    /// As many writes as are rewritten rather than joined.
    private static var rewrittenMax: Int { 4 }

    /// Forgets writes of a key that a new one supersedes, and adds that, where there is one.
    /// - Parameter context: what was seen before.
    mutating func replace<Value>(
        _ superseded: [Dot], at key: Key, with dot: Dot?, _ value: Value, in context: CausalContext
    ) where Store == DotFun<Value> {
        var store = self[key]
        if store.count <= Self.rewrittenMax {
            for dot in superseded { store[dot] = nil }
            if let dot { store[dot] = value }
            self[key] = store
            return
        }
        var seen = CausalContext()
        for dot in superseded where store.contains(dot) { seen.insert(dot) }
        var delta = DotMap()
        if let dot {
            seen.insert(dot)
            delta = DotMap(key, DotFun(dot, value))
        }
        merge(delta, context: context, otherContext: seen)
    }
}
