extension TripState {
    /// Does what a change says, operation by operation, at the places that they touch. The change's past is here.
    ///
    /// An operation replaces what stands at the place that it names and lies in its past, and nothing else. One on what is
    /// no item in its past does nothing. Either is the same on every replica, for the past decides it.
    /// - Parameter events: takes what was done, as people hear of it; nil where nobody listens.
    mutating func apply(_ operations: [Operation], of change: FoldedChange, telling events: inout [HistoryEvent]?) {
        for (offset, operation) in operations.enumerated() where !change.isUpheld || operation.hasEffectWhereUpheld {
            let index = OperationIndex(offset)
            if events == nil {
                apply(operation, at: index, of: change)
            } else if let event = witness(operation, at: index, of: change) {
                let joined = events?.last?.joined(with: event)
                if joined != nil { events?.removeLast() }
                events?.append(joined ?? event)
            }
        }
    }

    /// - Parameter index: how many operations of the change come before this one.
    mutating func apply(_ operation: Operation, at index: OperationIndex, of change: FoldedChange) {
        switch operation {
        case .setTitle(let write): title.write(write, at: index, of: change)
        case .setName(let text):
            let name = Name(text, by: change.cause, index: index)
            names[change.cause.participant, default: name].merge(name)
        case .add(let fields, let quantity, let position):
            var item = ItemState(madeBy: change, at: index)
            if !change.isUpheld { item.existence.uphold(by: change, at: index) }
            let made = fields.filter { $0.isFor(change.cause.participant) }
            item.fields.write(made, at: index, of: change)
            if item.isHiddenQuestion {
                // It begins open, whatever was made.
                item.fields = Registers()
                item.fields.write(made.filter { $0.field != .done }, at: index, of: change)
            }
            if quantity != 0 { item.count(quantity) }
            if let position, let node = node(of: position, for: item.id, at: index, of: change) {
                take(node, by: change)
                item.put(Placement(cause: change.cause, index: index, list: node.list))
            }
            items.insert(item)
        case .addList(let fields):
            var list = ListState(madeBy: change, at: index)
            if !change.isUpheld { list.existence.uphold(by: change, at: index) }
            list.fields.write(fields, at: index, of: change)
            lists[list.id] = list
        case .item(let reference, let deed): apply(deed, to: change.operation(reference), at: index, of: change)
        case .editNote(let edit): note.apply(edit, at: index, of: change)
        case .undo, .own, .ineffective: break
        }
    }

    /// What is done to an item, a list or a comment: to whichever has the name.
    private mutating func apply(
        _ deed: ItemOperation, to name: OperationID, at index: OperationIndex, of change: FoldedChange
    ) {
        if case .place(let position) = deed {
            return place(ItemID(operation: name), position, at: index, of: change)
        }
        let id = ItemID(operation: name)
        let isMade = items.update(id) { item in
            guard change.hasSeen(item.place) else { return false }
            item.apply(deed, at: index, of: change)
            return true
        }
        if let isMade {
            if case .comment = deed, isMade { itemsOfComments[change.cause.operation(index)] = id }
        } else if lists[name] != nil {
            lists[name]?.apply(deed, at: index, of: change)
        } else if let item = itemsOfComments[name] {
            _ = items.update(item) { item in
                item.extras.update(ItemExtras()) { extras in
                    extras.updateComment(name) { $0.apply(deed, at: index, of: change) }
                }
            }
        }
    }

    private mutating func place(
        _ id: ItemID, _ position: Position, at index: OperationIndex, of change: FoldedChange
    ) {
        guard let item = items[id], change.hasSeen(item.place),
            let node = node(of: position, for: id, at: index, of: change)
        else { return }
        take(node, by: change)
        _ = items.update(id) { item in
            item.uphold(by: change, at: index)
            item.put(Placement(cause: change.cause, index: index, list: node.list))
        }
    }

    /// Keeps a node, and the list that something was put into: so it stays beside its removal.
    private mutating func take(_ node: ListOrder.Node, by change: FoldedChange) {
        order.insert(node)
        if let list = node.list { lists[list]?.existence.uphold(by: change, at: node.index) }
    }

    /// The node that an operation makes; nil where it names a list which its author cannot have seen. A neighbour that is none
    /// here counts as none: what made it may not be known to this version, or not be effective.
    private func node(
        of position: Position, for item: ItemID, at index: OperationIndex, of change: FoldedChange
    ) -> ListOrder.Node? {
        let list = position.list.map(change.operation)
        if let list { guard let found = lists[list], change.hasSeen(found.place) else { return nil } }
        let anchor = position.anchor.map(change.operation).flatMap { isNode($0, of: list, before: change) ? $0 : nil }
        return ListOrder.Node(
            cause: change.cause, index: index, item: item, list: list, anchor: anchor, side: position.side,
            place: change.place)
    }

    /// Whether an operation that a change's author had seen put something into a list, or made what is in none.
    private func isNode(_ operation: OperationID, of list: OperationID?, before change: FoldedChange) -> Bool {
        if let node = order[operation] { return node.list == list && change.hasSeen(node.place) }
        guard list == nil, let item = items[ItemID(operation: operation)] else { return false }
        return change.hasSeen(item.place)
    }
}

extension ItemState {
    /// Does what is done to an item that the change's author had seen.
    fileprivate mutating func apply(_ operation: ItemOperation, at index: OperationIndex, of change: FoldedChange) {
        if operation == .remove {
            if mayHold(change) { existence.remove(by: change) }
            return
        }
        if operation.holdsUp, !change.isUpheld { uphold(by: change, at: index) }
        switch operation {
        case .remove, .restore, .place: break
        case .vote(let vote): votes.raise(Ballot.Entry(vote, by: change.cause, index: index))
        case .changeQuantity(let step): count(step, isUndo: change.isUndo)
        // A payment is written once, and nothing else becomes one.
        case .edit where isPayment, .editNote where isPayment: break
        case .edit(let writes):
            let closes = fields.hold(.question) && writes.contains { $0.field == .done }
            let isHidden = closes && isHiddenQuestion
            for write in writes where write.field.isEditable && !(isHidden && write.field == .done) {
                if write.field != .note { fields.write(write, at: index, of: change) }
            }
            // An operation gives its characters numbers once: of several notes the last counts.
            if let write = writes.last(where: { $0.field == .note && $0.value != .unknown }) {
                updateNote { $0.write(write, at: index, of: change) }
            }
            if closes { keepStandingClosings() }
        case .comment(let text):
            var comment = Comment(
                cause: change.cause, index: index, text: text, existence: Existence(), place: change.place)
            comment.existence.uphold(by: change, at: index)
            extras.update(ItemExtras()) { $0.insert(comment) }
        case .claim(let claim):
            extras.update(ItemExtras()) { $0.claims.raise(Ballot.Entry(claim, by: change.cause, index: index)) }
        case .attend(let attendance):
            extras.update(ItemExtras()) {
                $0.attendance.raise(Ballot.Entry(attendance, by: change.cause, index: index))
            }
        case .attach(let photo): extras.update(ItemExtras()) { $0.photos.attach(photo, by: change, at: index) }
        case .detach(let photo):
            extras.update(ItemExtras()) { $0.photos.detach(change.operation(photo), by: change) }
        case .amenities(let added, let removed):
            extras.update(ItemExtras()) { $0.amenities.change(added, removed, by: change, at: index) }
        case .answer(let answer):
            guard fields.hold(.question) else { return }
            if isHiddenQuestion {
                // What is said openly counts for nothing there.
                if answer == nil { extras.update(ItemExtras()) { $0.sealed.give(nil, by: change, at: index) } }
                return
            }
            let closings = closings
            extras.update(ItemExtras()) { $0.answers.give(answer, by: change, at: index, closings: closings) }
        case .seal(let answer):
            guard isHiddenQuestion else { return }
            extras.update(ItemExtras()) { $0.sealed.give(answer.commitment, by: change, at: index) }
        case .close(let counted):
            // The person who asked closes it, once and for all.
            guard isHiddenQuestion, change.cause.participant == origin.participant else { return }
            extras.update(ItemExtras()) { $0.sealed.close(counting: counted) }
            let write = FieldWrite(field: .done, value: .text(Text(Field.setValue)), beside: [])
            fields.write(write, at: index, of: change)
        case .reveal(let revealed, _):
            guard isHiddenQuestion else { return }
            let commitment = revealed.commitment(to: id, by: change.cause.participant)
            extras.update(ItemExtras()) { $0.sealed.reveal(revealed.answer, of: commitment, by: change) }
        case .options(let added, let removed):
            guard fields.hold(.question) else { return }
            extras.update(ItemExtras()) { $0.options.change(added, removed, by: change, at: index) }
        case .editNote(let edit): updateNote { $0.apply(edit, at: index, of: change) }
        }
    }

    /// Changes the note, which begins with what the item was made with.
    private mutating func updateNote(_ body: (inout Note) -> Void) {
        let first = fields.take(.note)
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
    fileprivate mutating func uphold(by change: FoldedChange, at index: OperationIndex) {
        if mayHold(change) { existence.uphold(by: change, at: index) }
    }

    /// Takes a placement if it stands above the last.
    fileprivate mutating func put(_ placement: Placement) {
        extras.update(ItemExtras()) { extras in
            if let last = extras.placement, !stands(placement.cause, placement.index, above: last.cause, last.index) {
                return
            }
            extras.placement = placement
        }
    }
}

extension ListState {
    /// Edits, removals and restorations; all else does nothing to a list.
    fileprivate mutating func apply(_ operation: ItemOperation, at index: OperationIndex, of change: FoldedChange) {
        guard change.hasSeen(place) else { return }
        switch operation {
        case .remove: existence.remove(by: change)
        case .restore: existence.uphold(by: change, at: index)
        case .edit(let writes):
            existence.uphold(by: change, at: index)
            for write in writes { fields.write(write, at: index, of: change) }
        case .vote, .changeQuantity, .place, .comment, .claim, .attend, .amenities, .attach, .detach, .answer, .options,
            .seal,
            .close, .reveal, .editNote:
            break
        }
    }
}

extension Comment {
    /// Removals and restorations by whoever wrote it; all else does nothing to a comment.
    fileprivate mutating func apply(_ operation: ItemOperation, at index: OperationIndex, of change: FoldedChange) {
        guard change.hasSeen(place), change.cause.participant == cause.participant else { return }
        switch operation {
        case .remove: existence.remove(by: change)
        case .restore: existence.uphold(by: change, at: index)
        default: break
        }
    }
}

extension Registers {
    /// Writes the fields of something new.
    fileprivate mutating func write(_ fields: [FieldValue], at index: OperationIndex, of change: FoldedChange) {
        reserveCapacity(fields.count)
        for entry in fields {
            let value = entry.value.map { FieldWrite.Value.text($0) } ?? .unknown
            write(FieldWrite(field: entry.field, value: value, beside: []), at: index, of: change)
        }
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
