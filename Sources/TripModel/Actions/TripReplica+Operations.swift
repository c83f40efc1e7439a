import DeltaCRDT

extension TripReplica {
    /// The operations of an action, checked against the rules and against what is here.
    func operations(for action: TripAction, by participant: ParticipantID) throws(TripError) -> [Operation] {
        switch action {
        case .setTitle(let title): [try setTitle(title)]
        case .editNote(let text, let shown):
            [.editNote(try edit(state.note, to: text, from: shown, "the note of the trip"))]
        case .setName(let name): [try setName(name, of: participant)]
        case .add(let drafts, let list):
            try add(
                try checkedPayments(drafts, by: participant),
                to: list.map { list throws(TripError) in try place(inList: list) })
        case .act(let action, let items): try operations(for: action, on: items, by: participant)
        case .seal(let item, let answer): [try seal(item, answer, by: participant)]
        case .reveal(let item, let revealed): [try reveal(item, revealed, by: participant)]
        case .removeContributions(let items, let photos):
            try removeContributions(items, photos, by: participant)
        case .removeComments(let comments): try removeComments(comments, by: participant)
        case .addList(let title, let kind, let items): try addList(title, kind, items)
        case .editList(let list, let values): [try editList(list, values)]
        case .removeLists(let lists): try remove(lists: lists)
        case .restoreLists(let lists): try restore(lists: lists)
        case .move(let items, let destination): try move(items, destination)
        }
    }

    /// The operations of an action on each item, once each, in the order given; all of them, or an error.
    private func operations(
        for action: ItemAction, on items: [ItemID], by participant: ParticipantID
    ) throws(TripError) -> [Operation] {
        switch action {
        case .edit(let values, let shown):
            try each(of: items) { item throws(TripError) in
                if values[.done] != nil { try requireNotHidden(item) }
                return try edit(item, values, shown: shown)
            }
        case .remove:
            try operations(.remove, on: items) { item throws(TripError) in
                guard state.holds(item) else { throw TripError(.itemRemoved, "\(label(item)) is already removed") }
                try requireOwnPayment(item, of: participant)
            }
        case .restore:
            try operations(.restore, on: items) { item throws(TripError) in
                guard !state.holds(item) else {
                    throw TripError(.itemNotRemoved, "\(label(item)) is not removed; nothing to restore")
                }
                try requireOwnPayment(item, of: participant)
            }
        case .vote(let vote): try self.vote(items, vote, by: participant)
        case .mark(let field, let isSet):
            try each(of: items) { item throws(TripError) in
                let closes = field == .done && state.items[item]?.question != nil
                if isSet, !closes { try requireOfPlan(item, "be marked as \(field.name)") }
                if closes, let closing = try close(item, isSet, by: participant) { return [closing] }
                return try edit(item, [field: isSet ? Field.setValue : nil], shown: [:])
            }
        case .plan(let text, let shown):
            try each(of: items) { item throws(TripError) in [try plan(item, text, shown: shown)] }
        case .changeQuantity(let step):
            try each(of: items) { item throws(TripError) in [try changeQuantity(of: item, by: step)] }
        case .setQuantity(let count):
            try each(of: items) { item throws(TripError) in [try setQuantity(of: item, to: count)] }
        case .claim(let count): try claim(items, count, by: participant)
        case .attend(let attendance): try attend(items, attendance, by: participant)
        case .changeAmenities(let added, let removed):
            try each(of: items) { item throws(TripError) in [try changeAmenities(of: item, added, removed)] }
        case .answer(let answer):
            try each(of: items) { item throws(TripError) in [try self.answer(item, answer, by: participant)] }
        case .changeOptions(let added, let removed):
            try each(of: items) { item throws(TripError) in [try changeOptions(of: item, added, removed)] }
        case .comment(let text): try each(of: items) { item throws(TripError) in [try comment(on: item, text)] }
        case .attach(let photos): try each(of: items) { item throws(TripError) in try attach(photos, to: item) }
        case .detach(let photos):
            try each(of: items, after: { _ in }) { item throws(TripError) in try detach(photos, from: item) }
        }
    }

    private func each(
        of items: [ItemID], after check: ((ItemID) throws(TripError) -> Void)? = nil,
        _ operations: (ItemID) throws(TripError) -> [Operation]
    ) throws(TripError) -> [Operation] {
        var all: [Operation] = []
        for item in try unique(items, after: check ?? requirePresent) { all += try operations(item) }
        return all
    }

    private func removeContributions(
        _ items: [ItemID], _ photos: [ItemID: [PhotoID]], by participant: ParticipantID
    ) throws(TripError) -> [Operation] {
        var operations = items.isEmpty ? [] : try self.operations(for: .remove(items), by: participant)
        for (item, photos) in photos.sorted(by: { $0.key < $1.key }) { operations += try detach(photos, from: item) }
        return operations
    }

    private func setTitle(_ text: String) throws(TripError) -> Operation {
        let title = TextRule.tripTitle.normalized(text)
        try TextRule.tripTitle.check(title)
        try TextRule.tripTitle.checkTyped(title)
        guard state.title.shown(.title).distinct().map(\.text) != [Text(title)] else {
            throw TripError(.nothingChanged, "the trip is already called \(title.quoted)")
        }
        return .setTitle(
            FieldWrite(field: .title, value: .text(Text(title)), siblings: siblings(state.title[.title], shown: nil)))
    }

    /// A participant's name as it is kept.
    /// - Throws: where nobody may be called so.
    package static func checkedName(_ text: String) throws(TripError) -> String {
        let name = TextRule.name.normalized(text)
        try TextRule.name.check(name)
        return name
    }

    /// A participant's name as it is kept, where somebody types it.
    /// - Throws: where nobody may be called so, or the name hides something.
    package static func typedName(_ text: String) throws(TripError) -> String {
        let name = try checkedName(text)
        try TextRule.name.checkTyped(name)
        return name
    }

    private func setName(_ text: String, of participant: ParticipantID) throws(TripError) -> Operation {
        let name = try Self.typedName(text)
        guard state.names[participant]?.word != Text(name) else {
            throw TripError(.nothingChanged, "you are already called \(name.quoted)")
        }
        return .setName(Text(name))
    }

    /// The operations that add items, one behind the other.
    /// - Parameters:
    ///   - first: where the first one goes; nil where they go nowhere in particular.
    ///   - index: how many operations of the change come before these.
    func add(_ drafts: [ItemDraft], to first: Position?, from index: Int = 0) throws(TripError) -> [Operation] {
        guard !drafts.isEmpty else { throw TripError(.nothingNamed, "there is nothing to add; give an item") }
        guard drafts.count <= Limits.operationsPerChange else { throw Self.tooMuchAtOnce }
        var operations: [Operation] = []
        var position = first
        for draft in drafts {
            if let quantity = draft.quantity, quantity < 0 || !Limits.isStep(quantity) {
                throw TripError(.outOfRange, "the quantity must be between 1 and \(Limits.quantityStep)")
            }
            let fields = try Self.checkedFields(of: draft, isAlone: drafts.count == 1)
            try Self.checkPhotoCount(draft.photos.count)
            let added = OperationReference.here(OperationIndex(index + operations.count))
            operations.append(.add(fields: fields, quantity: draft.quantity ?? 0, position: position))
            if position != nil { position = Position(list: first?.list, anchor: added, side: .behind) }
            if !draft.amenities.isEmpty {
                let words = try Self.checkedAmenities(draft.amenities)
                operations.append(.item(added, .amenities(added: words, removed: [])))
            }
            if !draft.options.isEmpty {
                guard let question = draft.fields[.question].flatMap({ Question($0) }) else {
                    throw TripError(.malformedValue, "only a question has options; see `caravan ask --help`")
                }
                let options = try Self.newOptions(draft.options, of: question)
                // One by one, because they are shown in the order in which they were written.
                operations += options.map { .item(added, .options(added: [$0], removed: [])) }
            }
            operations += draft.photos.map { .item(added, .attach($0)) }
            guard index + operations.count <= Limits.operationsPerChange else { throw Self.tooMuchAtOnce }
        }
        return operations
    }

    /// The fields of an item that somebody adds. An error names the item if it is one of several.
    private static func checkedFields(of draft: ItemDraft, isAlone: Bool) throws(TripError) -> [FieldValue] {
        do throws(TripError) {
            let fields = try checked(draft.fields, of: "the item")
            for (field, text) in draft.fields { try field.checkMeaning(field.normalized(text)) }
            return fields
        } catch {
            guard !isAlone, let title = draft.fields[.title], !title.isBlank else { throw error }
            throw TripError(error.code, "\(title.quoted): \(error.message)")
        }
    }

    static let tooMuchAtOnce = TripError(
        .tooMuchAtOnce, "this is too much for one change; do it in smaller steps")

    /// The fields of something new, each in its one form.
    static func checked(_ given: [Field: String], of subject: String) throws(TripError) -> [FieldValue] {
        var fields: [FieldValue] = []
        for field in Field.allCases {
            guard let text = given[field] else { continue }
            let value = field.normalized(text)
            if value.isEmpty, field != .title { continue }
            try field.check(value)
            fields.append(FieldValue(field: field, value: Text(value)))
        }
        guard fields.first?.field == .title else {
            throw TripError(.emptyText, "\(subject) has no title; give it one")
        }
        return fields
    }

    /// Writes the fields that differ from what they show alone.
    private func edit(
        _ item: ItemID, _ values: [Field: String?], shown: [Field: [String]]
    ) throws(TripError) -> [Operation] {
        try requirePresent(item)
        guard values[.payment] == nil, state.items[item]?.isPayment != true else { throw Self.paymentChanged }
        guard values[.question] == nil else {
            throw TripError(.malformedValue, "nobody can change how a question is answered; ask another one")
        }
        var values = values
        if values[.title] == nil, let dates = values[.dates] ?? nil, let title = titleFollowing(dates, of: item) {
            values[.title] = title
        }
        var operations: [Operation] = []
        if let given = values.removeValue(forKey: .note) {
            let note = state.items[item]?.sharedNote ?? Note()
            if let edit = try noteEdit(of: note, to: given ?? "", from: shown[.note].map { $0.first ?? "" }) {
                operations.append(.item(.there(item.operation), .editNote(edit)))
            }
        }
        let writes = try writes(values, over: state.items[item]?.fields ?? Registers(), shown: shown)
        if !writes.isEmpty { operations.insert(.item(.there(item.operation), .edit(writes)), at: 0) }
        guard !operations.isEmpty else {
            throw TripError(.nothingChanged, "\(label(item)) is already like that")
        }
        return operations
    }

    /// The words of new days, for an item whose title is the words of its days; nil where somebody gave it another one.
    private func titleFollowing(_ dates: String, of item: ItemID) -> String? {
        let fields = state.items[item]?.fields ?? Registers()
        let words = fields.shown(.dates).compactMap { $0.text.flatMap { DateSpan($0.string)?.words } }
        let titles = fields.shown(.title).compactMap { $0.text?.string }
        guard !titles.isEmpty, titles.allSatisfy({ words.contains($0) }) else { return nil }
        return DateSpan(Field.dates.normalized(dates))?.words
    }

    private func edit(
        _ note: Note, to text: String, from shown: String?, _ label: String
    ) throws(TripError) -> NoteEdit {
        guard let edit = try noteEdit(of: note, to: text, from: shown) else {
            throw TripError(.nothingChanged, "\(label) is already like that")
        }
        return edit
    }

    /// The edit that makes of a note what somebody made of what they were shown; nil where it is that already.
    private func noteEdit(of note: Note, to text: String, from shown: String?) throws(TripError) -> NoteEdit? {
        let new = TextRule.note.normalized(text)
        if !new.isEmpty { try TextRule.note.check(new) }
        return note.edit(to: new, from: shown.map(TextRule.note.normalized))
    }

    /// The writes that make fields show what they do not yet.
    func writes(
        _ values: [Field: String?], over registers: Registers, shown: [Field: [String]] = [:]
    ) throws(TripError) -> [FieldWrite] {
        var writes: [FieldWrite] = []
        for field in Field.allCases {
            guard let given = values[field] else { continue }
            let text = field.normalized(given ?? "")
            let value = text.isEmpty && field != .title ? nil : text
            if let value {
                try field.check(value)
                try field.checkMeaning(value)
            }
            let standing = registers[field]
            let texts = standing.filter { $0.text != nil }.distinct().map(\.text)
            if texts == (value.map { [Text($0)] } ?? []) { continue }
            let seen = shown[field].map { shown in Set(shown.map { Text(field.normalized($0)) }) }
            // If somebody else has replaced the shown value by now, there is nothing to clear.
            if value == nil, let seen, !standing.contains(where: { $0.text.map(seen.contains) ?? false }) { continue }
            writes.append(
                FieldWrite(
                    field: field, value: value.map { .text(Text($0)) } ?? .cleared,
                    siblings: siblings(standing, shown: seen)))
        }
        return writes
    }

    /// Of the writes that stand at a place, those that its writer was not shown: what this version cannot show, and what
    /// came after the form was opened. Where more stand than one write may name, which no honest group brings about, the
    /// highest stay.
    /// - Parameter shown: the texts that the writer was shown; nil where all that can be was.
    func siblings(_ standing: ArraySlice<Written>, shown: Set<Text>?) -> [OperationReference] {
        let unseen = standing.filter { write in
            guard let text = write.text else { return true }
            return shown.map { !$0.contains(text) } ?? false
        }
        return unseen.prefix(Limits.siblingsPerWrite).map { .there($0.operation) }
    }

    /// Votes on the items on which the participant's vote is another one.
    private func vote(
        _ items: [ItemID], _ vote: Vote?, by participant: ParticipantID
    ) throws(TripError) -> [Operation] {
        try say(vote, of: items, .vote(vote), last: { $0.votes[participant] }) { what in
            vote.map { "you already voted \($0.words) \(what)" }
                ?? "you have no vote on \(what); nothing to withdraw"
        }
    }

    private func changeQuantity(of item: ItemID, by step: Int64) throws(TripError) -> Operation {
        try requirePresent(item)
        guard Limits.isStep(step) else {
            throw TripError(
                .outOfRange, "a quantity can change by 1 to \(Limits.quantityStep); give another number")
        }
        let value = state.items[item]?.quantity ?? 0
        guard step > 0 || value >= -step else {
            throw TripError(.outOfRange, tooFew(value, of: label(item), toTake: -step))
        }
        return .item(.there(item.operation), .changeQuantity(by: step))
    }

    private func setQuantity(of item: ItemID, to count: Int64) throws(TripError) -> Operation {
        guard (0...Limits.quantityStep).contains(count) else {
            throw TripError(.outOfRange, "a quantity is a number from 0 to \(Limits.quantityStep); give another number")
        }
        let value = state.items[item]?.quantity ?? 0
        guard value != count else {
            throw TripError(.nothingChanged, "the quantity of \(label(item)) is already \(count)")
        }
        guard Limits.isStep(count - value) else {
            throw TripError(.outOfRange, "\(label(item)) is too far from \(count); change it by a smaller number first")
        }
        return .item(.there(item.operation), .changeQuantity(by: count - value))
    }

    /// Why so many cannot be taken away. It can be less than none: two may each have taken the last one.
    private func tooFew(_ count: Int64, of item: String, toTake step: Int64) -> String {
        switch count {
        case ..<0: "\(item) is already short by \(count.magnitude); cannot take \(step)"
        case 0: "none left of \(item); cannot take \(step)"
        case 1: "only 1 left of \(item); cannot take \(step)"
        default: "only \(count) left of \(item); cannot take \(step)"
        }
    }

    /// The same operation on each item, once each, in the order given; all of them, or an error.
    func operations(
        _ operation: ItemOperation, on items: [ItemID], after check: (ItemID) throws(TripError) -> Void
    ) throws(TripError) -> [Operation] {
        try unique(items, after: check).map { .item(.there($0.operation), operation) }
    }

    /// The items, once each, in the order given; all of them, or an error.
    func unique(
        _ items: [ItemID], after check: (ItemID) throws(TripError) -> Void
    ) throws(TripError) -> [ItemID] {
        guard !items.isEmpty else { throw TripError(.nothingNamed, "no item is given; name one") }
        var seen: Set<ItemID> = []
        let items = items.filter { seen.insert($0).inserted }
        for item in items {
            guard state.knows(item) else { throw Self.unknown }
            try check(item)
        }
        return items
    }

    func requirePresent(_ item: ItemID) throws(TripError) {
        guard state.knows(item) else { throw Self.unknown }
        guard state.holds(item) else {
            throw TripError(.itemRemoved, "\(label(item)) is removed; restore it first")
        }
    }

    /// The item's title, for messages.
    func label(_ item: ItemID) -> String {
        (state.items[item]?.title ?? "the item").quoted
    }

    static let unknown = TripError(
        .unknownItem, "there is no such item in this trip; see `caravan list`")
}
