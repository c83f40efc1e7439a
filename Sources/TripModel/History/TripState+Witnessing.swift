import DeltaCRDT

// What an operation did, read from what stood at its place before and after it.
extension TripState {
    /// Does an operation, and says what it did; nil where nobody can see that it did anything.
    mutating func witness(_ operation: Operation, by act: FoldedOperation) -> HistoryEvent? {
        let before = (title: title, name: names[act.author])
        switch operation {
        case .setTitle(let write):
            apply(operation, by: act)
            guard case .text(let text) = write.value else { return nil }
            let (gone, siblings, _, omitted) = Registers.difference(of: before.title, title, at: .title, around: text)
            return .titled(title: text.string, insteadOf: gone, siblings: siblings, omitted: omitted)
        case .setName(let text):
            apply(operation, by: act)
            // Two devices of one person may each give a name: the lower one was never seen here.
            guard names[act.author]?.id == act.authored else { return nil }
            return .named(name: text.string, insteadOf: before.name?.word?.string)
        case .add(let fields, let quantity, _):
            apply(operation, by: act)
            let id = ItemID(operation: act.id.operation)
            return .item(
                id: id, title: fields.title,
                event: .added(
                    quantity: quantity != 0 ? quantity : nil, to: items[id].flatMap(list(of:))?.title,
                    cost: items[id].flatMap(\.cost), asks: items[id]?.question != nil),
                broughtBack: false)
        case .addList(let fields):
            apply(operation, by: act)
            return .list(
                id: ListID(operation: act.id.operation), title: fields.title, event: .added)
        case .item(let reference, let deed):
            return witness(deed, to: act.operation(reference), operation, by: act)
        case .editNote:
            // A copy that stays while an edit is made costs one of the whole note: one for each change.
            let old = note.isWritten(by: act) ? nil : note
            apply(operation, by: act)
            return old?.difference(to: note).map { .noted(added: $0.added, removed: $0.removed) }
        case .undo: return .undid
        case .own, .ineffective: return nil
        }
    }

    /// What is done to an item, a list or a comment: to whichever has the name.
    private mutating func witness(
        _ deed: ItemOperation, to name: OperationID, _ operation: Operation, by act: FoldedOperation
    ) -> HistoryEvent? {
        let place = comments[name]
        let id = place?.item ?? ItemID(operation: name)
        let list = lists[name]
        guard var item = items[id] else {
            apply(operation, by: act)
            return list.flatMap { before in lists[name].flatMap { before.event(of: deed, now: $0, by: act) } }
        }
        guard act.hasSeen(item.origin) else { return nil }
        // As above: no copy stays of what nothing is told from.
        let tellsNote = !(item.extras.value?.note.isWritten(by: act) ?? false)
        let comment = place.flatMap { item.extras.value?.comment($0.id) }
        let photoCount = item.photos.count
        // Nor of the tokens, of which there may be many.
        let wasRemoved = item.isRemoved
        let oldList: OperationID? = if case .place = deed { self.list(of: item)?.id } else { nil }
        item.forgetHolders()
        if place != nil || !deed.isToldFromExtras {
            item.extras = Sparse()
        } else if !tellsNote {
            item.extras.update(ItemExtras()) { $0.note = Note() }
        }
        apply(operation, by: act)
        guard let after = items[id] else { return nil }
        if let place {
            guard let event = after.extras.value?.comment(place.id)?.event(from: comment) else { return nil }
            return .item(id: id, title: item.title, event: event, broughtBack: false)
        }
        let isBack = wasRemoved && after.existence.isEnabled
        if case .detach = deed, after.photos.count == photoCount, !isBack { return nil }
        return event(
            of: deed, on: item, in: oldList, wasRemoved: wasRemoved, now: after, by: act, tellsNote: tellsNote)
    }

    /// Nil for an edit of which nothing can be shown, and which brought nothing back.
    /// - Parameters:
    ///   - before: of what few items have, it has only what the operation is told from, and no tokens.
    ///   - oldList: the list that the item was in before it was moved.
    ///   - tellsNote: whether it has the note, which the change didn't write before.
    private func event(
        of operation: ItemOperation, on before: ItemState, in oldList: OperationID?, wasRemoved: Bool,
        now after: ItemState, by act: FoldedOperation, tellsNote: Bool
    ) -> HistoryEvent? {
        let isBack = wasRemoved && after.existence.isEnabled && operation != .restore
        // Nobody removes or restores a payment that somebody else recorded.
        if operation == .remove || operation == .restore, !before.mayHold(act) { return nil }
        let event: ItemEvent
        switch operation {
        case .remove: event = .removed(upheldBy: after.upholders)
        case .restore: event = .restored
        case .vote(let vote): event = vote.map { .voted(vote: $0) } ?? .unvoted
        case .changeQuantity(let step): event = .counted(by: step)
        case .attach: event = .attached(photos: 1)
        case .detach: event = .detached(photos: 1)
        case .edit(let writes) where before.question != nil && writes.map(\.field) == [.done]:
            if before.fields == after.fields { return nil }
            // Somebody else closed it at the same time, so it stays closed.
            if let edit = writes[0].event(from: before.fields, to: after.fields), edit.isWithdrawal {
                event = .edited(fields: [edit])
                break
            }
            event = writes[0].value == .cleared ? .reopened : .closed
        case .editNote:
            guard tellsNote,
                let (added, removed) = before.sharedNote.difference(to: after.sharedNote)
            else {
                if !isBack { return nil }
                event = .edited(fields: [])
                break
            }
            event = .noted(added: added, removed: removed)
        case .edit(let writes):
            let fields =
                before.isPayment
                ? []
                : writes.filter(\.field.isEditable)
                    .compactMap { write -> FieldEdit? in
                        guard write.field == .note else {
                            let (old, new) = (before.fields, after.fields)
                            // An undo writes again what its change wrote, also where that was so before the change.
                            let texts = { (fields: Registers) in fields.shown(write.field).compactMap(\.text) }
                            if act.isUndo, texts(old) == texts(new) { return nil }
                            return write.event(from: old, to: new)
                        }
                        return tellsNote ? write.event(from: before.sharedNote, to: after.sharedNote) : nil
                    }
            if fields.isEmpty, !isBack { return nil }
            event = .edited(fields: fields)
        case .comment(let text): event = .commented(text: text.string)
        case .claim(let claim): event = claim.map { .claimed(count: Int64($0.count)) } ?? .unclaimed
        case .attend(let attendance): event = attendance.map { .answered($0) } ?? .unanswered
        case .amenities(let added, let removed):
            event = .amenitiesChanged(added: added.map(\.string), removed: removed.map(\.string))
        case .answer(let answer):
            guard let question = before.question, answer == nil || !question.isHidden else { return nil }
            event = .replied(to: question.text, answer)
        case .seal:
            guard before.isHiddenQuestion else { return nil }
            event = .sealedReply
        case .close:
            guard before.fields != after.fields else { return nil }
            event = .closed
        case .reveal(let revealed, _):
            let author = act.author
            guard let question = before.question, before.extras.value?.sealed.unrevealed(of: author) != nil,
                after.extras.value?.sealed.unrevealed(of: author) == nil
            else { return nil }
            event = .revealed(to: question.text, revealed.answer)
        case .options(let added, let removed):
            // Those that it was asked with are no change.
            guard before.question != nil, before.origin.changeIndex != act.changeIndex else { return nil }
            event = .optionsChanged(added: added.map(\.string), removed: removed.map(\.string))
        case .place:
            // It names a list or a neighbour that is not there, or something newer stands above it.
            guard after.extras.value?.placement?.id.operation == act.id.operation else { return nil }
            let newList = list(of: after)
            let isWithin = newList.map { $0.id == oldList } ?? false
            event = .moved(to: newList?.title, isWithin: isWithin ? true : nil)
        }
        return .item(id: before.id, title: before.title, event: event, broughtBack: isBack)
    }
}

extension [FieldValue] {
    fileprivate var title: String { first { $0.field == .title }?.value?.string ?? "" }
}

extension Comment {
    /// What was done to it; nil where it was nothing.
    fileprivate func event(from before: Comment?) -> ItemEvent? {
        guard let before, before.existence.isEnabled != existence.isEnabled else { return nil }
        return existence.isEnabled ? .recommented(text: text.string) : .uncommented(text: text.string)
    }
}

extension ItemOperation {
    /// Whether what it did is told from what few items have, as that was before.
    fileprivate var isToldFromExtras: Bool {
        switch self {
        case .edit, .editNote, .reveal: true
        case .remove, .restore, .vote, .changeQuantity, .attach, .detach, .place, .comment, .claim, .attend, .amenities,
            .answer,
            .options, .seal, .close:
            false
        }
    }
}

extension ListState {
    /// Nil where nobody can see that anything was done.
    fileprivate func event(of operation: ItemOperation, now after: ListState, by act: FoldedOperation) -> HistoryEvent?
    {
        guard act.hasSeen(origin) else { return nil }
        let event: ListEvent
        switch operation {
        case .remove: event = .removed(stays: after.existence.isEnabled)
        case .restore: event = .restored
        case .edit(let writes):
            let edits = writes.compactMap { $0.event(from: fields, to: after.fields) }
            guard !edits.isEmpty else { return nil }
            event = .edited(fields: edits)
        case .vote, .changeQuantity, .place, .comment, .claim, .attend, .amenities, .attach, .detach, .answer, .options,
            .seal,
            .close, .reveal, .editNote:
            return nil
        }
        return .list(id: ListID(operation: id), title: title, event: event)
    }
}

extension FieldWrite {
    /// The same of a note that was written as a field. Of what others wrote there too, no more than one may write so.
    fileprivate func event(from before: Note, to after: Note) -> FieldEdit? {
        guard before != after else { return nil }
        let told = { (note: Note) in
            note.shown.map { String($0.unicodeScalars.prefix(Limits.proseCharacters)) }
        }
        return FieldEdit(
            field: field, value: told(after), insteadOf: [told(before)].compactMap(\.self), siblings: [])
    }

    /// Nil for what this version cannot show.
    fileprivate func event(from before: Registers, to after: Registers) -> FieldEdit? {
        let text: Text?
        switch value {
        case .text(let new): text = new
        case .cleared: text = nil
        case .unknown: return nil
        }
        let (gone, siblings, authors, omitted) = Registers.difference(of: before, after, at: field, around: text)
        return FieldEdit(
            field: field, value: text?.string, insteadOf: gone, siblings: siblings, by: authors, omitted: omitted)
    }
}

extension Registers {
    /// The values that are there no more, and those that stand beside a new one, highest first, with their authors; how many are told of
    /// neither, nil if none.
    fileprivate static func difference(
        of before: Registers, _ after: Registers, at field: Field, around new: Text?
    ) -> (gone: [String], siblings: [String], authors: [ParticipantID], omitted: Int?) {
        let standing = after[field]
        var told = Set([new].compactMap(\.self))
        let siblings = standing.told(besides: &told)
        // Both have the greatest first.
        var place = standing.startIndex
        let gone = before[field].filter { write in
            while place < standing.endIndex, standing[place].id != write.id, write.id < standing[place].id {
                place += 1
            }
            guard place < standing.endIndex, standing[place].id == write.id else { return true }
            place += 1
            return false
        }.told(besides: &told)
        let omitted = siblings.omitted + gone.omitted
        var authors: [ParticipantID] = []
        for write in siblings.writes where !authors.contains(write.author) { authors.append(write.author) }
        let texts = { (writes: [Written]) in writes.compactMap { $0.text?.string } }
        return (texts(gone.writes), texts(siblings.writes), authors, omitted > 0 ? omitted : nil)
    }
}

extension Collection<Written> {
    /// The writes that are told, of each text one, and how many come after them.
    /// - Parameter told: the texts that are told already, and afterwards these too.
    fileprivate func told(besides told: inout Set<Text>) -> (writes: [Written], omitted: Int) {
        var (writes, characters) = ([Written](), 0)
        for (index, write) in zip(indices, self) {
            guard let text = write.text, !told.contains(text) else { continue }
            characters += text.string.unicodeScalars.count
            let fits = writes.count < Limits.valuesTold && characters <= Limits.proseCharacters
            guard writes.isEmpty || fits else { return (writes, self[index...].count { $0.text != nil }) }
            told.insert(text)
            writes.append(write)
        }
        return (writes, 0)
    }
}

extension ItemState {
    /// Who did something that holds the item up, each once, the highest first.
    fileprivate var upholders: [Upholder] {
        var seen: Set<ParticipantID> = []
        var upholders: [Upholder] = []
        for deed in existence.enablings where seen.insert(deed.author).inserted {
            let last = votes[deed.author]
            let isVote = last?.id.operation == deed.operation
            upholders.append(Upholder(participant: deed.author, vote: isVote ? last?.word : nil))
        }
        return upholders
    }
}
