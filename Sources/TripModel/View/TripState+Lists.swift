import DeltaCRDT

// Lists as people see them.
extension TripState {
    /// All lists, in the order in which they were made. Complexity: O(n log n) in all that was ever put into one.
    func lists(_ names: DisplayNames) -> [ListView] {
        let sequences = order.sequences
        return lists.values.sorted { $0.origin < $1.origin }.map { list in
            ListView(list, items: shown(sequences[list.id] ?? []), names: names)
        }
    }

    /// One list; nil where it was never made. Complexity: O(n log n) in all that was ever put into one.
    func list(_ id: OperationID, _ names: DisplayNames) -> ListView? {
        lists[id].map { ListView($0, items: shown(order.sequence(of: id, unplaced: [])), names: names) }
    }

    /// What is in no list, in its order; nil where nobody changed that.
    var unlistedOrder: [ItemID]? {
        order.reordersUnlisted ? shown(order.sequence(of: nil, unplaced: items.all)) : nil
    }

    /// The items of nodes that are there, and stand there now.
    private func shown(_ nodes: [ListOrder.Node]) -> [ItemID] {
        nodes.compactMap { node in
            guard let item = items[node.item], item.existence.isEnabled,
                (item.extras.value?.placement?.id.operation ?? item.id.operation) == node.operation
            else { return nil }
            return node.item
        }
    }
}
