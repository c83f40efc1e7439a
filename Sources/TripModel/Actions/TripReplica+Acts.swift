import DeltaCRDT

extension TripReplica {
    /// The acts of an action, checked against the rules and against what is here.
    func acts(for action: TripAction, by participant: ParticipantID) throws(TripError) -> [Act] {
        switch action {
        case .setTitle(let title): [try setTitle(title)]
        case .setName(let name): [try setName(name, of: participant)]
        case .add(let drafts): try add(drafts)
        case .edit(let item, let values, let shown): [try edit(item, values, shown: shown)]
        case .remove(let items):
            try act(.remove, on: items) { item throws(TripError) in
                guard state.holds(item) else {
                    throw TripError(.itemRemoved, "\(label(item)) is removed already: nothing to do")
                }
            }
        case .restore(let items):
            try act(.restore, on: items) { item throws(TripError) in
                guard !state.holds(item) else {
                    throw TripError(.itemNotRemoved, "\(label(item)) is not removed: nothing to restore")
                }
            }
        case .vote(let items, let vote): try self.vote(items, vote, by: participant)
        case .changeQuantity(let item, let step): [try changeQuantity(of: item, by: step)]
        }
    }

    private func setTitle(_ text: String) throws(TripError) -> Act {
        let title = TextRule.tripTitle.normalized(text)
        try TextRule.tripTitle.check(title)
        let writes = state.title.entries.map(\.value).distinct()
        guard writes.map(\.text) != [Text(title)] else {
            throw TripError(.nothingChanged, "the trip is called \(title.quoted) already: nothing to do")
        }
        return .setTitle(title, superseding: superseded(state.title.entries.map(\.dot)))
    }

    private func setName(_ text: String, of participant: ParticipantID) throws(TripError) -> Act {
        let name = TextRule.name.normalized(text)
        try TextRule.name.check(name)
        guard state.names[participant]?.text != Text(name) else {
            throw TripError(.nothingChanged, "you are called \(name.quoted) already: nothing to do")
        }
        return .setName(name)
    }

    private func add(_ drafts: [ItemDraft]) throws(TripError) -> [Act] {
        guard !drafts.isEmpty else { throw TripError(.nothingNamed, "there is nothing to add: name an item") }
        guard drafts.count <= Limits.operationsPerChange else {
            throw TripError(.tooMuchAtOnce, "this is more than fits one change: do it in several smaller steps")
        }
        var acts: [Act] = []
        for draft in drafts {
            var fields: [FieldValue] = []
            for field in Field.allCases {
                guard let text = draft.fields[field] else { continue }
                let value = field.normalized(text)
                if value.isEmpty, field != .title { continue }
                try field.check(value)
                fields.append(FieldValue(field: field, value: value))
            }
            guard fields.first?.field == .title else {
                throw TripError(.emptyText, "the item has no title: give it one")
            }
            if let quantity = draft.quantity, !(1...Limits.quantityStep).contains(quantity) {
                throw TripError(.outOfRange, "the quantity is not between 1 and \(Limits.quantityStep): give another")
            }
            acts.append(.add(fields: fields, quantity: draft.quantity ?? 0))
        }
        return acts
    }

    /// Writes the fields that differ from what they show alone.
    private func edit(
        _ item: ItemID, _ values: [Field: String?], shown: [Field: [String]]
    ) throws(TripError) -> Act {
        try requirePresent(item)
        var writes: [FieldWrite] = []
        for field in Field.allCases {
            guard let given = values[field] else { continue }
            let text = field.normalized(given ?? "")
            let value = text.isEmpty && field != .title ? nil : text
            if let value { try field.check(value) }
            let entries = state.items[item]?[field].entries ?? []
            let standing = entries.map(\.value).distinct().map(\.text)
            if standing == (value.map { [Text($0)] } ?? []) { continue }
            let seen = shown[field].map { shown in
                let texts = shown.map { Text(field.normalized($0)) }
                return entries.filter { texts.contains($0.value.text) }
            }
            // Whoever clears what somebody else has replaced by now clears nothing.
            if value == nil, let seen, seen.isEmpty { continue }
            writes.append(
                FieldWrite(field: field, value: value, superseding: superseded((seen ?? entries).map(\.dot))))
        }
        guard !writes.isEmpty else {
            throw TripError(.nothingChanged, "\(label(item)) is like that already: nothing to do")
        }
        return .item(item, superseding: existenceDots(of: item), .edit(writes))
    }

    /// Votes on the items on which the participant's vote is another one.
    private func vote(
        _ items: [ItemID], _ vote: Vote?, by participant: ParticipantID
    ) throws(TripError) -> [Act] {
        let acts = try act(.vote(vote), on: items, after: requirePresent)
        let new = acts.filter { act in
            guard case .item(let item, _, _) = act else { return false }
            return state.items[item]?.votes[participant]?.vote != vote
        }
        guard new.isEmpty else { return new }
        let what = acts.count == 1 ? label(items[0]) : "each of these"
        throw TripError(
            .nothingChanged,
            vote.map { "you had voted \($0.name) \(what) already" }
                ?? (acts.count == 1
                    ? "you have no vote on \(what): nothing to take back"
                    : "you have no vote on any of these: nothing to take back"))
    }

    private func changeQuantity(of item: ItemID, by step: Int64) throws(TripError) -> Act {
        try requirePresent(item)
        guard step != 0, (-Limits.quantityStep...Limits.quantityStep).contains(step) else {
            throw TripError(
                .outOfRange, "a quantity changes by 1 to \(Limits.quantityStep), up or down: give another number")
        }
        let value = state.items[item]?.quantity?.value ?? 0
        guard step > 0 || value >= -step else {
            throw TripError(.outOfRange, tooFew(value, of: label(item), toTake: -step))
        }
        return .item(item, superseding: existenceDots(of: item), .changeQuantity(by: step))
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

    /// The same act on each item, once each, in the order given; all of them, or an error.
    private func act(
        _ act: ItemAct, on items: [ItemID], after check: (ItemID) throws(TripError) -> Void
    ) throws(TripError) -> [Act] {
        guard !items.isEmpty else { throw TripError(.nothingNamed, "no item is named: name one") }
        var seen: Set<ItemID> = []
        var acts: [Act] = []
        for item in items where seen.insert(item).inserted {
            guard state.knows(item) else { throw Self.unknown }
            try check(item)
            acts.append(.item(item, superseding: existenceDots(of: item), act))
        }
        return acts
    }

    private func requirePresent(_ item: ItemID) throws(TripError) {
        guard state.knows(item) else { throw Self.unknown }
        guard state.holds(item) else {
            throw TripError(.itemRemoved, "\(label(item)) was removed; restore it first")
        }
    }

    private func existenceDots(of item: ItemID) -> [Dot] {
        superseded(state.items[item]?.existence.entries.map(\.dot) ?? [])
    }

    /// Where more dots stand than one operation may list, which no honest group brings about, the rest stay.
    private func superseded(_ dots: [Dot]) -> [Dot] {
        Array(dots.prefix(Limits.supersededPerOperation))
    }

    /// The item's title, for messages.
    private func label(_ item: ItemID) -> String {
        (state.items[item]?.title ?? "the item").quoted
    }

    private static let unknown = TripError(
        .unknownItem, "no such item is in this trip: look at `caravan list`")
}
