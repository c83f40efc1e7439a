import DeltaCRDT

// Lists, and what stands where in them.
extension TripReplica {
    func addList(_ title: String, _ kind: ItemKind?, _ drafts: [ItemDraft]) throws(TripError) -> [Operation] {
        let fields = try Self.checked(
            [.title: title, .itemKind: kind?.rawValue].compactMapValues(\.self), of: "the list")
        let list = Operation.addList(fields: fields)
        guard !drafts.isEmpty else { return [list] }
        return [list] + (try add(drafts, to: Position(list: .here(0), anchor: nil, side: .behind), from: 1))
    }

    func editList(_ list: ListID, _ values: [Field: String?]) throws(TripError) -> Operation {
        let state = try presentList(list)
        let writes = try writes(values, over: state.fields)
        guard !writes.isEmpty else {
            throw TripError(.nothingChanged, "the list \(state.title.quoted) is already like that")
        }
        return .item(.there(list.operation), .edit(writes))
    }

    func remove(lists: [ListID]) throws(TripError) -> [Operation] {
        try lists.map { list throws(TripError) in
            _ = try presentList(list)
            return .item(.there(list.operation), .remove)
        }
    }

    func restore(lists: [ListID]) throws(TripError) -> [Operation] {
        try lists.map { list throws(TripError) in
            guard let known = state.lists[list.operation] else { throw Self.unknownList }
            guard !known.existence.isEnabled else {
                throw TripError(.itemNotRemoved, "the list \(known.title.quoted) is not removed; nothing to restore")
            }
            return .item(.there(list.operation), .restore)
        }
    }

    func move(_ items: [ItemID], _ destination: Destination) throws(TripError) -> [Operation] {
        var items = try unique(items, after: requirePresent)
        if case .end(of: nil) = destination {
            // What is in no list stays where it stands.
            items = items.filter { state.items[$0]?.extras.value?.placement?.list != nil }
            guard !items.isEmpty else { throw TripError(.nothingChanged, "this is not in a list; nothing to do") }
        }
        var position = try position(destination, for: items)
        return items.enumerated().map { index, item in
            defer { position = Position(list: position.list, anchor: .here(OperationIndex(index)), side: .behind) }
            return .item(.there(item.operation), .place(position))
        }
    }

    /// The end of a list.
    func place(inList list: ListID) throws(TripError) -> Position {
        _ = try presentList(list)
        return end(of: list)
    }

    private func position(_ destination: Destination, for items: [ItemID]) throws(TripError) -> Position {
        switch destination {
        case .end(nil): return end(of: nil)
        case .end(let list?): return try place(inList: list)
        case .before(let other): return try position(.before, of: other, for: items)
        case .behind(let other): return try position(.behind, of: other, for: items)
        }
    }

    private func position(
        _ side: Position.Side, of other: ItemID, for items: [ItemID]
    ) throws(TripError) -> Position {
        try requirePresent(other)
        guard let item = state.items[other], !items.contains(other) else {
            throw TripError(.nothingNamed, "cannot move \(label(other)) next to itself; give another item")
        }
        let list = state.list(of: item)?.id
        // What was in a list that is gone stands nowhere in what is in none: it goes to its end.
        let sequence = sequence(of: list)
        guard let place = sequence.firstIndex(where: { $0.item == other && isCurrent($0) }) else { return end(of: nil) }
        return ListOrder.position(side, of: place, in: sequence, list: list.map { .there($0) })
    }

    private func end(of list: ListID?) -> Position {
        let sequence = sequence(of: list?.operation)
        return Position(
            list: (list?.operation).map { .there($0) }, anchor: (sequence.last?.operation).map { .there($0) },
            side: .behind)
    }

    private func sequence(of list: OperationID?) -> [ListOrder.Node] {
        state.order.sequence(of: list, unplaced: state.items.all)
    }

    /// Whether a node is where its item stands now.
    private func isCurrent(_ node: ListOrder.Node) -> Bool {
        (state.items[node.item]?.extras.value?.placement?.id.operation ?? node.item.operation) == node.operation
    }

    private func presentList(_ list: ListID) throws(TripError) -> ListState {
        guard let state = state.lists[list.operation] else { throw Self.unknownList }
        guard state.existence.isEnabled else {
            throw TripError(.itemRemoved, "the list \(state.title.quoted) is removed; restore it first")
        }
        return state
    }

    private static let unknownList = TripError(
        .unknownItem, "there is no such list in this trip; see `caravan lists`")
}
