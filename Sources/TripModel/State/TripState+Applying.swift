import DeltaCRDT

extension TripState {
    /// Does what a change says, operation by operation, at the places that they touch. The change's past is here.
    ///
    /// An operation replaces what stands at the place that it names and lies in its past, and nothing else. One on what is
    /// no item in its past does nothing. Either is the same on every replica, for the past decides it.
    /// - Parameters:
    ///   - act: the first of the operations.
    ///   - events: takes what was done, as people hear of it; nil where nobody listens.
    mutating func apply(
        _ operations: [Operation], from act: FoldedOperation, telling events: inout [HistoryEvent]?
    ) {
        var act = act
        act.repetitions = Repetitions.find(in: operations, by: act, self)
        var told = ToldOperations()
        for (offset, operation) in operations.enumerated() where !act.isUpheld || operation.hasEffectWhereUpheld {
            act.index = OperationIndex(offset)
            if events == nil || !told.insert(operation) {
                apply(operation, by: act)
            } else if let event = witness(operation, by: act) {
                let joined = events?.last?.joined(with: event)
                if joined != nil { events?.removeLast() }
                events?.append(joined ?? event)
            }
        }
    }

    mutating func apply(_ operation: Operation, by act: FoldedOperation) {
        switch operation {
        case .setTitle(let write): title.write(write, by: act)
        case .setName(let text): names.say(text, by: act.authored)
        case .add(let fields, let quantity, let position):
            var item = ItemState(madeBy: act)
            let made = fields.filter { $0.isFor(act.author) }
            item.fields.write(made, by: act)
            if item.isHiddenQuestion {
                // It begins open, whatever was made.
                item.fields = Registers()
                item.fields.write(made.filter { $0.field != .done }, by: act)
            }
            if quantity != 0 { item.count(quantity) }
            if let position, let node = node(of: position, for: item.id, by: act) {
                take(node, by: act)
                item.put(Placement(id: act.id, list: node.list))
            }
            items.insert(item)
        case .addList(let fields):
            var list = ListState(madeBy: act)
            if !act.isUpheld { list.existence.enable(by: act) }
            list.fields.write(fields, by: act)
            lists[list.id] = list
        case .item(let reference, let deed): apply(deed, to: act.operation(reference), by: act)
        case .editNote(let edit): note.apply(edit, by: act)
        case .undo, .own, .ineffective: break
        }
    }

    /// What is done to an item, a list or a comment: to whichever has the name.
    private mutating func apply(_ deed: ItemOperation, to name: OperationID, by act: FoldedOperation) {
        if case .place(let position) = deed {
            return place(ItemID(operation: name), position, by: act)
        }
        let id = ItemID(operation: name)
        let isMade = items.update(id) { item in
            guard act.hasSeen(item.origin) else { return false }
            item.apply(deed, by: act)
            return true
        }
        if let isMade {
            if case .comment = deed, isMade { comments[act.id.operation] = CommentPlace(item: id, id: act.id) }
        } else if lists[name] != nil {
            lists[name]?.apply(deed, by: act)
        } else if let comment = comments[name] {
            _ = items.update(comment.item) { item in
                item.extras.update(ItemExtras()) { extras in
                    extras.updateComment(comment.id) { $0.apply(deed, by: act) }
                }
            }
        }
    }

    private mutating func place(_ id: ItemID, _ position: Position, by act: FoldedOperation) {
        guard let item = items[id], act.hasSeen(item.origin),
            let node = node(of: position, for: id, by: act)
        else { return }
        take(node, by: act)
        _ = items.update(id) { item in
            item.uphold(by: act)
            item.put(Placement(id: act.id, list: node.list))
        }
    }

    /// Keeps a node, and the list that something was put into: so it stays beside its removal.
    private mutating func take(_ node: ListOrder.Node, by act: FoldedOperation) {
        order.insert(node)
        if let list = node.list, act.changesListToken { lists[list]?.existence.enable(by: act) }
    }

    /// The node that an operation makes; nil where it names a list which its author cannot have seen. A neighbour that is none
    /// here counts as none: what made it may not be known to this version, or not be effective.
    private func node(of position: Position, for item: ItemID, by act: FoldedOperation) -> ListOrder.Node? {
        let list = position.list.map(act.operation)
        if let list { guard let found = lists[list], act.hasSeen(found.origin) else { return nil } }
        let anchor = position.anchor.map(act.operation).flatMap { isNode($0, of: list, before: act) ? $0 : nil }
        return ListOrder.Node(id: act.id, item: item, list: list, anchor: anchor, side: position.side)
    }

    /// Whether an operation that a change's author had seen put something into a list, or made what is in none.
    private func isNode(_ operation: OperationID, of list: OperationID?, before act: FoldedOperation) -> Bool {
        if let node = order[operation] { return node.list == list && act.hasSeen(node.id) }
        guard list == nil, let item = items[ItemID(operation: operation)] else { return false }
        return act.hasSeen(item.origin)
    }
}

/// Which operations of a change people are told of: of those at one place, so many. No honest change has more, but for photos, which are
/// told together.
private struct ToldOperations {
    private var counts: [OperationID?: Int] = [:]
    private var removed: Set<OperationID> = []

    private static let most = 256

    /// Whether one more operation is told.
    mutating func insert(_ operation: Operation) -> Bool {
        switch operation {
        case .item(_, .attach), .item(_, .detach): return true
        // Who holds something up is told with its removal.
        case .item(.there(let name), .remove): return removed.insert(name).inserted
        case .item(.there(let name), _): return count(name)
        case .setTitle: return count(nil)
        default: return true
        }
    }

    private mutating func count(_ name: OperationID?) -> Bool {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        return count <= Self.most
    }
}

extension ItemState {
    /// Does what is done to an item that the change's author had seen.
    fileprivate mutating func apply(_ operation: ItemOperation, by act: FoldedOperation) {
        if operation == .remove {
            if mayHold(act), act.changesToken { remove(by: act) }
            return
        }
        if operation.holdsUp, !act.isUpheld { uphold(by: act) }
        switch operation {
        case .remove, .restore, .place: break
        case .vote(let vote): votes.say(vote, by: act.authored)
        case .changeQuantity(let step): count(step, isUndo: act.isUndo)
        // A payment is written once, and nothing else becomes one.
        case .edit where isPayment, .editNote where isPayment: break
        case .edit(let writes):
            let closes = fields.contains(.question) && writes.contains { $0.field == .done }
            let isHidden = closes && isHiddenQuestion
            for write in writes where write.field.isEditable && !(isHidden && write.field == .done) {
                if write.field != .note { fields.write(write, by: act) }
            }
            // An operation gives its characters numbers once: of several notes the last counts.
            if let write = writes.last(where: { $0.field == .note && $0.value != .unknown }) {
                updateNote { $0.write(write, by: act) }
            }
            if closes { keepStandingClosings() }
        case .comment(let text):
            var comment = Comment(id: act.id, text: text)
            comment.existence.enable(by: act)
            extras.update(ItemExtras()) { $0.insert(comment) }
        case .claim(let claim): extras.update(ItemExtras()) { $0.claims.say(claim, by: act.authored) }
        case .attend(let attendance): extras.update(ItemExtras()) { $0.attendance.say(attendance, by: act.authored) }
        case .attach(let photo): extras.update(ItemExtras()) { $0.attach(photo, by: act) }
        case .detach(let photo): extras.update(ItemExtras()) { $0.detach(act.operation(photo), by: act) }
        case .amenities(let added, let removed):
            let (come, gone) = (lasting(added, by: act), lasting(removed, by: act))
            extras.update(ItemExtras()) { $0.amenities.change(come, gone, by: act) }
        case .answer(let answer):
            guard fields.contains(.question) else { return }
            if isHiddenQuestion {
                // What is said openly counts for nothing there.
                if answer == nil { extras.update(ItemExtras()) { $0.sealed.give(nil, by: act) } }
                return
            }
            guard act.repetitions?.lastsAnswer(at: act.index) ?? true else { return }
            let closings = closings
            extras.update(ItemExtras()) { $0.answers.give(answer, by: act, closings: closings) }
        case .seal(let answer):
            guard isHiddenQuestion else { return }
            extras.update(ItemExtras()) { $0.sealed.give(answer.commitment, by: act) }
        case .close(let counted):
            // The person who asked closes it, once and for all.
            guard isHiddenQuestion, act.author == origin.author else { return }
            extras.update(ItemExtras()) { $0.sealed.close(counting: counted) }
            let write = FieldWrite(field: .done, value: .text(Text(Field.setValue)), siblings: [])
            fields.write(write, by: act)
        case .reveal(let revealed, _):
            guard isHiddenQuestion else { return }
            let commitment = revealed.commitment(to: id, by: act.author)
            extras.update(ItemExtras()) { $0.sealed.reveal(revealed.answer, of: commitment, by: act) }
        case .options(let added, let removed):
            guard fields.contains(.question) else { return }
            let (come, gone) = (
                lasting(added, isOption: true, by: act), lasting(removed, isOption: true, by: act)
            )
            extras.update(ItemExtras()) { $0.options.change(come, gone, by: act) }
        case .editNote(let edit): updateNote { $0.apply(edit, by: act) }
        }
    }

    /// The words that no later operation of the change names.
    private func lasting(_ words: [Text], isOption: Bool = false, by act: FoldedOperation) -> [Text] {
        guard let repetitions = act.repetitions else { return words }
        return words.filter { repetitions.lasts($0, isOption: isOption, of: id.operation, at: act.index) }
    }

    /// Changes the note, which begins with what the item was made with.
    private mutating func updateNote(_ body: (inout Note) -> Void) {
        let first = fields.removeWrites(at: .note).first
        extras.update(ItemExtras()) { extras in
            if let first { extras.note.begin(with: first) }
            body(&extras.note)
        }
    }

    /// Has the answers forget closings that something replaced.
    private mutating func keepStandingClosings() {
        guard extras.value != nil else { return }
        let standing = Set(closings.map(\.operation))
        extras.update(ItemExtras()) { $0.answers.keep(standing) }
    }

    /// Leaves a token, unless the item is somebody else's payment.
    fileprivate mutating func uphold(by act: FoldedOperation) {
        if mayHold(act) { hold(by: act) }
    }

    /// Takes a placement if it stands above the last.
    fileprivate mutating func put(_ placement: Placement) {
        extras.update(ItemExtras()) { extras in
            if let last = extras.placement, placement.id < last.id { return }
            extras.placement = placement
        }
    }
}

extension ListState {
    /// Edits, removals and restorations; all else does nothing to a list.
    fileprivate mutating func apply(_ operation: ItemOperation, by act: FoldedOperation) {
        guard act.hasSeen(origin) else { return }
        switch operation {
        case .remove: if act.changesListToken { existence.disable(by: act) }
        case .restore: if act.changesListToken { existence.enable(by: act) }
        case .edit(let writes):
            if act.changesListToken { existence.enable(by: act) }
            for write in writes { fields.write(write, by: act) }
        case .vote, .changeQuantity, .place, .comment, .claim, .attend, .amenities, .attach, .detach, .answer, .options,
            .seal,
            .close, .reveal, .editNote:
            break
        }
    }
}

extension Comment {
    /// Removals and restorations by whoever wrote it; all else does nothing to a comment.
    fileprivate mutating func apply(_ operation: ItemOperation, by act: FoldedOperation) {
        guard act.hasSeen(id), act.author == id.author, act.changesToken else { return }
        switch operation {
        case .remove: existence.disable(by: act)
        case .restore: existence.enable(by: act)
        default: break
        }
    }
}

extension Registers {
    /// Writes the fields of something new.
    fileprivate mutating func write(_ fields: [FieldValue], by act: FoldedOperation) {
        reserveCapacity(fields.count)
        for entry in fields { write(entry.value, at: entry.field, by: act) { _ in entry.value == nil } }
    }
}

extension FieldValue {
    /// Whether somebody may make an item with it: a payment is written by either of its two people.
    fileprivate func isFor(_ participant: ParticipantID) -> Bool {
        guard field == .payment else { return true }
        guard let payment = value.flatMap({ Cost($0.string) })?.payment else { return false }
        return payment.from == participant || payment.to == participant
    }
}
