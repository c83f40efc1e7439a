extension TripReplica {
    /// The operations of an action, checked against the rules and against what is here.
    func operations(for action: TripAction, by participant: ParticipantID) throws(TripError) -> [Operation] {
        switch action {
        case .setTitle(let title): [try setTitle(title)]
        case .setName(let name): [try setName(name, of: participant)]
        case .add(let drafts): try add(drafts)
        case .edit(let item, let values, let shown): [try edit(item, values, shown: shown)]
        case .remove(let items):
            try operations(.remove, on: items) { item throws(TripError) in
                guard state.holds(item) else {
                    throw TripError(.itemRemoved, "\(label(item)) is removed already: nothing to do")
                }
            }
        case .restore(let items):
            try operations(.restore, on: items) { item throws(TripError) in
                guard !state.holds(item) else {
                    throw TripError(.itemNotRemoved, "\(label(item)) is not removed: nothing to restore")
                }
            }
        case .vote(let items, let vote): try self.vote(items, vote, by: participant)
        case .changeQuantity(let item, let step): [try changeQuantity(of: item, by: step)]
        }
    }

    private func setTitle(_ text: String) throws(TripError) -> Operation {
        let title = TextRule.tripTitle.normalized(text)
        try TextRule.tripTitle.check(title)
        guard state.title.shown(.title).distinct().map(\.text) != [Text(title)] else {
            throw TripError(.nothingChanged, "the trip is called \(title.quoted) already: nothing to do")
        }
        return .setTitle(
            FieldWrite(field: .title, value: .text(Text(title)), beside: beside(state.title[.title], shown: nil)))
    }

    /// A participant's name as it is kept.
    /// - Throws: where nobody may be called so.
    package static func checkedName(_ text: String) throws(TripError) -> String {
        let name = TextRule.name.normalized(text)
        try TextRule.name.check(name)
        return name
    }

    private func setName(_ text: String, of participant: ParticipantID) throws(TripError) -> Operation {
        let name = try Self.checkedName(text)
        guard state.names[participant]?.text != Text(name) else {
            throw TripError(.nothingChanged, "you are called \(name.quoted) already: nothing to do")
        }
        return .setName(Text(name))
    }

    private func add(_ drafts: [ItemDraft]) throws(TripError) -> [Operation] {
        guard !drafts.isEmpty else { throw TripError(.nothingNamed, "there is nothing to add: name an item") }
        guard drafts.count <= Limits.operationsPerChange else {
            throw TripError(.tooMuchAtOnce, "this is more than fits one change: do it in several smaller steps")
        }
        var operations: [Operation] = []
        for draft in drafts {
            var fields: [FieldValue] = []
            for field in Field.allCases {
                guard let text = draft.fields[field] else { continue }
                let value = field.normalized(text)
                if value.isEmpty, field != .title { continue }
                try field.check(value)
                fields.append(FieldValue(field: field, value: Text(value)))
            }
            guard fields.first?.field == .title else {
                throw TripError(.emptyText, "the item has no title: give it one")
            }
            if let quantity = draft.quantity, quantity < 0 || !Limits.isStep(quantity) {
                throw TripError(.outOfRange, "the quantity is not between 1 and \(Limits.quantityStep): give another")
            }
            operations.append(.add(fields: fields, quantity: draft.quantity ?? 0))
        }
        return operations
    }

    /// Writes the fields that differ from what they show alone.
    private func edit(
        _ item: ItemID, _ values: [Field: String?], shown: [Field: [String]]
    ) throws(TripError) -> Operation {
        try requirePresent(item)
        var writes: [FieldWrite] = []
        for field in Field.allCases {
            guard let given = values[field] else { continue }
            let text = field.normalized(given ?? "")
            let value = text.isEmpty && field != .title ? nil : text
            if let value { try field.check(value) }
            let standing = state.items[item]?.fields[field] ?? []
            let texts = standing.filter { $0.text != nil }.distinct().map(\.text)
            if texts == (value.map { [Text($0)] } ?? []) { continue }
            let seen = shown[field].map { shown in Set(shown.map { Text(field.normalized($0)) }) }
            // Whoever clears what somebody else has replaced by now clears nothing.
            if value == nil, let seen, !standing.contains(where: { $0.text.map(seen.contains) ?? false }) { continue }
            writes.append(
                FieldWrite(
                    field: field, value: value.map { .text(Text($0)) } ?? .cleared,
                    beside: beside(standing, shown: seen)))
        }
        guard !writes.isEmpty else {
            throw TripError(.nothingChanged, "\(label(item)) is like that already: nothing to do")
        }
        return .item(.there(item.operation), .edit(writes))
    }

    /// Of the writes that stand at a place, those that its writer was not shown: what this version cannot show, and what
    /// came after the form was opened. Where more stand than one write may name, which no honest group brings about, the
    /// highest stay.
    /// - Parameter shown: the texts that the writer was shown; nil where all that can be was.
    private func beside(_ standing: ArraySlice<Written>, shown: Set<Text>?) -> [OperationReference] {
        let unseen = standing.filter { write in
            guard let text = write.text else { return true }
            return shown.map { !$0.contains(text) } ?? false
        }
        return unseen.prefix(Limits.besidePerWrite).map { .there($0.operation) }
    }

    /// Votes on the items on which the participant's vote is another one.
    private func vote(
        _ items: [ItemID], _ vote: Vote?, by participant: ParticipantID
    ) throws(TripError) -> [Operation] {
        let items = try unique(items, after: requirePresent)
        let new = items.filter { state.items[$0]?.votes[participant]?.vote != vote }
        guard new.isEmpty else { return new.map { .item(.there($0.operation), .vote(vote)) } }
        let what = items.count == 1 ? label(items[0]) : "each of these"
        throw TripError(
            .nothingChanged,
            vote.map { "you had voted \($0.name) \(what) already" }
                ?? (items.count == 1
                    ? "you have no vote on \(what): nothing to take back"
                    : "you have no vote on any of these: nothing to take back"))
    }

    private func changeQuantity(of item: ItemID, by step: Int64) throws(TripError) -> Operation {
        try requirePresent(item)
        guard Limits.isStep(step) else {
            throw TripError(
                .outOfRange, "a quantity changes by 1 to \(Limits.quantityStep), up or down: give another number")
        }
        let value = state.items[item]?.quantity ?? 0
        guard step > 0 || value >= -step else {
            throw TripError(.outOfRange, tooFew(value, of: label(item), toTake: -step))
        }
        return .item(.there(item.operation), .changeQuantity(by: step))
    }

    /// Why so many cannot be taken away. It can be less than none: two may each have taken the last one.
    private func tooFew(_ count: Int64, of item: String, toTake step: Int64) -> String {
        switch count {
        case ..<0: "\(item) is short by \(count.magnitude) already: nothing is left to take away"
        case 0: "there is nothing left of \(item): you cannot take \(step) away"
        case 1: "there is 1 of \(item): you cannot take \(step) away"
        default: "there are \(count) of \(item): you cannot take \(step) away"
        }
    }

    /// The same operation on each item, once each, in the order given; all of them, or an error.
    private func operations(
        _ operation: ItemOperation, on items: [ItemID], after check: (ItemID) throws(TripError) -> Void
    ) throws(TripError) -> [Operation] {
        try unique(items, after: check).map { .item(.there($0.operation), operation) }
    }

    /// The items, once each, in the order given; all of them, or an error.
    private func unique(
        _ items: [ItemID], after check: (ItemID) throws(TripError) -> Void
    ) throws(TripError) -> [ItemID] {
        guard !items.isEmpty else { throw TripError(.nothingNamed, "no item is named: name one") }
        var seen: Set<ItemID> = []
        let items = items.filter { seen.insert($0).inserted }
        for item in items {
            guard state.knows(item) else { throw Self.unknown }
            try check(item)
        }
        return items
    }

    private func requirePresent(_ item: ItemID) throws(TripError) {
        guard state.knows(item) else { throw Self.unknown }
        guard state.holds(item) else {
            throw TripError(.itemRemoved, "\(label(item)) was removed; restore it first")
        }
    }

    /// The item's title, for messages.
    private func label(_ item: ItemID) -> String {
        (state.items[item]?.title ?? "the item").quoted
    }

    private static let unknown = TripError(
        .unknownItem, "no such item is in this trip: look at `caravan list`")
}
