import DeltaCRDT

/// Finds the operations that take back those of a change: each writes again what stood at its place before.
struct Inverter {
    private(set) var operations: [Operation] = []
    private(set) var obstacles: [Undoing.Obstacle] = []
    private let change: Cause
    private let before: TripState
    private let now: TripState
    /// Handed back once all is inverted, with what it learned.
    private(set) var log: UndoLog

    /// Whether the change did something that undo can take back as long as it stands. The first name of a participant or of
    /// the trip replaced none, and stays.
    private(set) var isOfReplaceable = false

    /// What can't be taken back, and why: "closing “Who cooks?” can't be undone, because its answers are shown". Nil where nothing is
    /// to be said of it.
    private(set) var lasting: String?

    private var me: ParticipantID { change.participant }

    /// - Parameters:
    ///   - now: what is to be changed.
    ///   - log: where both come from.
    init(_ change: TripChange, now: TripState, log: UndoLog) {
        self.change = change.cause
        self.now = now
        self.log = log
        before = self.log.state(before: change)
    }

    mutating func invert(_ operation: Operation, at index: OperationIndex) {
        let own = change.operation(index)
        isOfReplaceable = isOfReplaceable || isReplaceable(operation)
        switch operation {
        case .setTitle(let write):
            let place = Place(what: "the trip's title") {
                $0.title
            } isPlace: { operation in
                if case .setTitle = operation { true } else { false }
            }
            let writes = writesBack(write, own, before.title, now.title, of: place)
            operations += writes.map { .setTitle($0) }
        case .setName:
            guard let previous = before.names[me]?.word else { return }
            operations.append(.setName(previous))
        case .add:
            let id = ItemID(operation: own)
            guard let item = now.items[id], now.holds(id) else { return }
            hinder(item.title.quoted, by: lastOther(in: item))
            operations.append(.item(.there(own), .remove))
        case .addList:
            guard let list = now.lists[own], now.holds(list: own) else { return }
            hinder("the list \(list.title.quoted)", by: list.existence.lastOther(than: me))
            operations.append(.item(.there(own), .remove))
        case .editNote(let edit):
            operations += undo(edit, own, before: before.note, now: now.note).map { .editNote($0) }
        // What is made by the same change goes with that.
        case .item(.here, _), .undo, .own, .ineffective: break
        case .item(.there(let name), let deed):
            if let item = now.items[ItemID(operation: name)] {
                invert(deed, on: item, own)
            } else if let list = now.lists[name] {
                invert(deed, on: list, own)
            } else if case .remove = deed {
                operations.append(.item(.there(name), .restore))
            } else if case .restore = deed {
                operations.append(.item(.there(name), .remove))
            }
        }
    }

    private func isReplaceable(_ operation: Operation) -> Bool {
        switch operation {
        case .setTitle: !before.title.shown(.title).isEmpty
        case .setName: before.names[me] != nil
        case .undo, .own, .ineffective, .item(_, .reveal): false
        case .add, .addList, .item, .editNote: true
        }
    }

    // MARK: - Items and lists

    private mutating func invert(_ deed: ItemOperation, on item: ItemState, _ own: OperationID) {
        let id = item.id
        let old = before.items[id]
        let title = item.title.quoted
        var inverse: [ItemOperation] = []
        // What somebody took away is not brought back by the way.
        if deed != .remove, !now.holds(id) { return }
        switch deed {
        // A payment is written once.
        case .edit where item.isPayment: break
        case .edit(let writes):
            for write in writes where write.field != .done || !item.isHiddenQuestion {
                if write.field == .note {
                    undoNote(written: write, on: item, own)
                    continue
                }
                let standing = old?.fields ?? Registers()
                let place = Place(what: "the \(write.field.name) of \(title)") {
                    $0.items[id]?.fields
                } isPlace: {
                    $0.subject == id.operation
                }
                for write in writesBack(write, own, standing, item.fields, of: place) {
                    operations.append(.item(.there(id.operation), .edit([write])))
                }
            }
        case .remove: if !now.holds(id) { inverse = [.restore] }
        case .restore:
            guard now.holds(id), !before.holds(id) else { break }
            hinder(title, by: item.existence.lastOther(than: me))
            inverse = [.remove]
        case .vote:
            inverse = [.vote(old?.votes[me]?.word)]
        case .changeQuantity(let step): inverse = [.changeQuantity(by: -step)]
        case .claim:
            inverse = [.claim(old?.extras.value?.claims[me]?.word)]
        case .attend:
            inverse = [.attend(old?.extras.value?.attendance[me]?.word)]
        case .comment: operations.append(.item(.there(own), .remove))
        case .place:
            let last = item.extras.value?.placement.flatMap { log.origin(of: $0, of: id) }
            if let last, last.id.operation != own { hinder("the position of \(title)", by: last.id.author) }
            let previous = old?.extras.value?.placement
            let anchor = previous?.id.operation ?? id.operation
            // An item that was in no list, and is not there by an operation of its own, is a node by its making.
            let isKnown = now.order[anchor].map { $0.list == previous?.list } ?? (previous == nil)
            inverse = [
                .place(
                    Position(
                        list: (previous?.list).map { .there($0) }, anchor: isKnown ? .there(anchor) : nil,
                        side: .behind))
            ]
        case .attach:
            if item.photos.elements.contains(where: { $0.id.operation == own }) { inverse = [.detach(.there(own))] }
        case .detach(.there(let name)):
            let photo = old?.photos.elements.first { $0.id.operation == name }?.manifest
            guard let photo, !item.photos.elements.contains(where: { $0.manifest == photo }) else { break }
            let back = Operation.item(.there(id.operation), .attach(photo))
            // However often it was attached, once is enough.
            if !operations.contains(back) { operations.append(back) }
        // It took away what the same change had attached.
        case .detach(.here): break
        case .amenities(let added, let removed):
            let words = WordSet.undoing(
                added, removed, before: old?.extras.value?.amenities, now: item.extras.value?.amenities)
            if let words { inverse = [.amenities(added: words.added, removed: words.removed)] }
        case .answer where item.question == nil: break
        case .answer, .seal:
            let extras = old?.extras.value
            if item.isHiddenQuestion {
                // Once it is closed, others have revealed theirs.
                if item.extras.value?.sealed.isClosed ?? false { break }
                let previous = extras?.sealed.last(of: me)?.commitment.flatMap(log.sealed)
                inverse = [previous.map { .seal($0) } ?? .answer(nil)]
            } else {
                inverse = [.answer(extras?.answers.last(of: me))]
            }
        // What was said is said.
        case .close:
            if item.isHiddenQuestion { lasting = "closing \(title) can't be undone, because its answers are shown" }
        case .reveal: break
        case .editNote(let edit):
            inverse = undo(edit, own, before: old?.sharedNote ?? Note(), now: item.sharedNote).map { .editNote($0) }
        case .options(let added, let removed):
            let words = WordSet.undoing(
                added, removed, before: old?.extras.value?.options, now: item.extras.value?.options)
            if let words { inverse = [.options(added: words.added, removed: words.removed)] }
        }
        operations += inverse.map { .item(.there(id.operation), $0) }
    }

    /// What removes the characters that an edit inserted, and writes again those that it removed and that are not there; nothing where
    /// nothing of it is left.
    private mutating func undo(_ edit: NoteEdit, _ own: OperationID, before: Note, now: Note) -> [NoteEdit] {
        let now = now.arranged
        var undos = [NoteEdit(insertions: [], removals: [])]
        if edit.count > 0 {
            let written = log.writings(of: .init(operation: .there(own), numbers: 0..<edit.count))
            undos[0].removals = written.filter { !now.words($0).isEmpty }
        }
        for removal in edit.removals.flatMap(now.stretches) {
            guard let last = removal.numbers.last else { continue }
            let words = before.words(removal)
            let isBack = log.writings(of: removal).contains { !now.words($0).isEmpty }
            guard !words.isEmpty, !isBack,
                let insertion = now.insertion(of: words, after: .init(operation: removal.operation, number: last))
            else { continue }
            if undos[undos.count - 1].insertions.count == Limits.insertionsPerEdit {
                undos.append(NoteEdit(insertions: [], removals: []))
            }
            undos[undos.count - 1].rewrite(removal, by: insertion)
        }
        return undos.filter { !$0.isEmpty }
    }

    /// Earlier versions wrote a note as other fields are written. What it said goes, and what it replaced is written again.
    private mutating func undoNote(written write: FieldWrite, on item: ItemState, _ own: OperationID) {
        guard write.value != .unknown else { return }
        let (old, now) = (before.items[item.id]?.sharedNote.shown ?? "", item.sharedNote)
        var undo = NoteEdit(insertions: [], removals: [])
        if case .text(let text) = write.value {
            undo.removals = [.init(operation: .there(own), numbers: 0..<UInt32(text.string.unicodeScalars.count))]
        }
        if !old.isEmpty, !(now.shown ?? "").contains(old) {
            undo.insertions = [.init(place: .beginning, text: Text(old))]
        }
        if !undo.isEmpty { operations.append(.item(.there(item.id.operation), .editNote(undo))) }
    }

    private mutating func invert(_ deed: ItemOperation, on list: ListState, _ own: OperationID) {
        let old = before.lists[list.id]
        switch deed {
        case .edit(let writes):
            for write in writes {
                let place = Place(what: "the \(write.field.name) of the list \(list.title.quoted)") {
                    $0.lists[list.id]?.fields
                } isPlace: {
                    $0.subject == list.id
                }
                for write in writesBack(write, own, old?.fields ?? Registers(), list.fields, of: place) {
                    operations.append(.item(.there(list.id), .edit([write])))
                }
            }
        case .remove: if !now.holds(list: list.id) { operations.append(.item(.there(list.id), .restore)) }
        case .restore:
            guard now.holds(list: list.id), !before.holds(list: list.id) else { return }
            hinder("the list \(list.title.quoted)", by: list.existence.lastOther(than: me))
            operations.append(.item(.there(list.id), .remove))
        default: break
        }
    }

    /// Somebody else who had a part in an item; nil where nobody had.
    private mutating func lastOther(in item: ItemState) -> ParticipantID? {
        if let other = item.existence.lastOther(than: me) ?? item.votes.firstOther(than: me) { return other }
        if let extras = item.extras.value {
            let answerer = extras.answers.all.compactMap { $0.firstOther(than: me) }.min()
            let comment = extras.comments.first { $0.id.author != me && $0.existence.isEnabled }
            let photoAuthor = extras.photos.elements.map { extras.author(of: $0) }.first { $0 != me }
            let other =
                extras.claims.firstOther(than: me) ?? extras.attendance.firstOther(than: me) ?? answerer
                ?? comment?.id.author ?? photoAuthor
            if let other { return other }
        }
        for write in item.fields.writes {
            let origin = log.origin(of: write) { $0.items[item.id]?.fields }
            if origin.author != me { return origin.author }
        }
        return nil
    }

    // MARK: - Fields

    /// Where a field is written.
    private struct Place {
        /// "the price of “Casa do Rio”".
        let what: String
        let registers: (TripState) -> Registers?
        let isPlace: (Operation) -> Bool
    }

    /// The writes, each an operation of its own, that bring back what one replaced. What somebody else wrote at the same
    /// time stays, and what they replaced by that does not come back.
    private mutating func writesBack(
        _ write: FieldWrite, _ own: OperationID, _ old: Registers, _ new: Registers, of place: Place
    ) -> [FieldWrite] {
        guard write.value != .unknown else { return [] }
        var standing: [(write: Written, origin: Written)] = []
        for write in new[write.field] { standing.append((write, log.origin(of: write, in: place.registers))) }
        var replaced: Set<OperationID> = []
        for write in old[write.field] { replaced.insert(log.origin(of: write, in: place.registers).operation) }
        let isStanding = standing.contains { $0.origin.operation == own }
        let newer = standing.first { standing in
            let origin = standing.origin
            return origin.text != nil && origin.author != me && !replaced.contains(origin.operation)
        }
        if write.value == .cleared {
            hinder(place.what, by: newer?.origin.author)
        } else if !isStanding {
            hinder(
                place.what,
                by: newer?.origin.author
                    ?? log.clearer(of: write.field, after: own.change, otherThan: me, where: place.isPlace))
        }
        let others = standing.filter { $0.origin.operation != own && $0.write.text != nil }
        let earlier = old.shown(write.field)
        var returning: [Written] = []
        for write in earlier {
            let isReplaced = isStanding && others.contains { log.hasReplaced(write, by: $0.origin) }
            if !isReplaced { returning.append(write) }
        }
        let back = returning.distinct().compactMap(\.text)
        let texts = back.filter { text in !others.contains { $0.write.text == text } }
        // If its own write was replaced, the undo replaces the replacement, for a person who wants that all the same. A write that
        // cleared has no value of its own: the values that it left beside it stay.
        let kept =
            write.value == .cleared
            ? standing.filter { replaced.contains($0.origin.operation) }
            : isStanding ? standing.filter { $0.origin.operation != own } : []
        let siblings = kept.map { OperationReference.there($0.write.operation) }
        guard !texts.isEmpty else {
            if write.value == .cleared { return [] }
            // What it replaced stands already, and its own write is gone.
            if !earlier.isEmpty, !isStanding { return [] }
            // An item has a title, and so has a trip that had one, and an expense has a cost, whatever somebody else takes back at
            // the same moment: one that stands is written again, in place of both.
            if write.field == .title || write.field == .cost && !earlier.isEmpty {
                guard let text = back.first ?? (isStanding ? others.first?.write.text : nil) else { return [] }
                let kept = kept.filter { $0.write.text != text }.map { OperationReference.there($0.write.operation) }
                return [FieldWrite(field: write.field, value: .text(text), siblings: kept)]
            }
            return [FieldWrite(field: write.field, value: .cleared, siblings: siblings)]
        }
        // One operation says that it takes back; those before it are these.
        let first = operations.count + 1
        // What is written last stands highest.
        return texts.reversed().enumerated().map { place, text in
            let before = (0..<place).map { OperationReference.here(OperationIndex(first + $0)) }
            return FieldWrite(field: write.field, value: .text(text), siblings: siblings + before)
        }
    }

    /// Notes what stands in the way. One's own changes never do: those that came later were taken back before, or stand.
    private mutating func hinder(_ what: String, by participant: ParticipantID?) {
        guard let participant, participant != me else { return }
        obstacles.append(Undoing.Obstacle(what: what, by: participant))
    }
}

extension LoggedBallot where ID == AuthoredOperation {
    /// The first who said something, other than one; nil where nobody did.
    fileprivate func firstOther(than me: ParticipantID) -> ParticipantID? {
        entries.first { $0.id.author != me && $0.word != nil }?.id.author
    }
}

extension Existence {
    /// The participant of the last deed that is not of one; nil where all are.
    fileprivate func lastOther(than me: ParticipantID) -> ParticipantID? {
        enablings.first { $0.author != me }?.author
    }
}
