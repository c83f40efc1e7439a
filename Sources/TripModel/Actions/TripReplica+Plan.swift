import DeltaCRDT

// The trip's timeline.
extension TripReplica {
    /// Puts an item on a day, or takes its day away.
    func plan(_ item: ItemID, _ text: String?, shown: [String]?) throws(TripError) -> Operation {
        try requirePresent(item)
        let registers = state.items[item]?.fields ?? Registers()
        if registers.contains(.payment) || registers.contains(.cost) {
            throw TripError(.malformedValue, "\(label(item)) is a cost; give its day with `caravan cost edit --on`")
        }
        try requireOfPlan(item, "be put on a day")
        if registers.shown(.itemKind).first?.text == Text(ItemKind.dates.rawValue) {
            throw TripError(
                .malformedValue, "\(label(item)) are dates of the trip; decide on them with `caravan choose`")
        }
        var writes = try writes([.dates: text], over: registers, shown: shown.map { [.dates: $0] } ?? [:])
        let isChosen = !registers.shown(.chosen).isEmpty
        guard !writes.isEmpty || text != nil && !isChosen else {
            throw TripError(
                .nothingChanged, "\(label(item)) is \(text == nil ? "not planned" : "already planned like that")")
        }
        if text != nil {
            // Written even if it is chosen already, so that to plan it wins over unmarking it at the same moment.
            writes.append(
                FieldWrite(
                    field: .chosen, value: .text(Text(Field.setValue)),
                    siblings: siblings(registers[.chosen], shown: nil)))
        }
        return .item(.there(item.operation), .edit(writes))
    }
}
