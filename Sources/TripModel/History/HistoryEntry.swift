/// What one change did, for people to read.
package struct HistoryEntry: Codable, Hashable, Sendable {
    package let participant: ParticipantID
    package let stamp: LamportTimestamp
    /// Milliseconds since 1970 by the author's clock.
    package let wallTime: Int64
    /// In the order of its operations; never empty.
    package let events: [HistoryEvent]

    package init(participant: ParticipantID, stamp: LamportTimestamp, wallTime: Int64, events: [HistoryEvent]) {
        self.participant = participant
        self.stamp = stamp
        self.wallTime = wallTime
        self.events = events
    }

    /// The items that the change did something to, in its order, each once.
    package var items: [ItemID] {
        var seen: Set<ItemID> = []
        return events.compactMap { event in
            guard case .item(let id, _, _, _) = event, seen.insert(id).inserted else { return nil }
            return id
        }
    }

    /// The lists that the change did something to, in its order.
    package var lists: [ListID] {
        events.compactMap { event in
            if case .list(let id, _, _) = event { id } else { nil }
        }
    }
}

/// One thing that a change did.
package enum HistoryEvent: Codable, Hashable, Sendable {
    // Of the trip's content: the fold says these.

    /// Named the trip, in place of what it was called, and beside what somebody else called it at the same time. Of many such titles some
    /// are left out, as in `FieldEdit`.
    case titled(title: String, insteadOf: [String], siblings: [String], omitted: Int? = nil)
    /// Named themselves, in place of an earlier name.
    case named(name: String, insteadOf: String?)
    /// Did something to an item, with the title that it had then. It was brought back where it was removed before, and
    /// this made it exist again; what is restored is not marked so.
    case item(id: ItemID, title: String, event: ItemEvent, broughtBack: Bool)
    /// Wrote in the trip's note: what came and what went, no longer than `Limits.noteTold` each.
    case noted(added: String, removed: String)
    /// Did something to a list, with the title that it had then.
    case list(id: ListID, title: String, event: ListEvent)
    /// Took back what an earlier change of theirs had done: the other events of the entry say how.
    case undid

    // Of who is in: the log says these, with names as they were given at the door, before any rule looked at them.

    /// Began the trip.
    case founded
    /// Let somebody in.
    case letIn(participant: ParticipantID, name: String, as: Admittance)
    case left
    case tookOut(participant: ParticipantID, name: String)
    /// Ended another device of their own.
    case endedDevice(name: String)
    /// Made an invite: for so many people, or for a further device of their own.
    case invited(uses: Int, forOwnDevice: Bool)
    case closedInvite
}

extension HistoryEvent {
    /// This event and the next one as one, where a change attached several photos to one item, or took several away.
    func joined(with next: HistoryEvent) -> HistoryEvent? {
        guard case .item(let id, let title, let event, let broughtBack) = self,
            case .item(id, _, let nextEvent, false) = next, let joined = event.joined(with: nextEvent)
        else { return nil }
        return .item(id: id, title: title, event: joined, broughtBack: broughtBack)
    }
}

/// As what somebody was let in.
package enum Admittance: String, Codable, Hashable, Sendable {
    case participant
    /// A further device of somebody who is in.
    case device
    case guest
}

/// What was done to an item.
package enum ItemEvent: Codable, Hashable, Sendable {
    /// - Parameter list: the title of the list that it was put into.
    /// - Parameter asks: whether it is a question.
    case added(quantity: Int64?, to: String? = nil, cost: String? = nil, asks: Bool = false)
    case edited(fields: [FieldEdit])
    /// Somebody may uphold it, whose operation the remover had not seen: then it stays.
    case removed(upheldBy: [Upholder])
    case restored
    case voted(vote: Vote)
    case unvoted
    case counted(by: Int64)
    /// Brings so many.
    case claimed(count: Int64)
    case unclaimed
    /// Said whether they are going; or took that back.
    case answered(Attendance)
    case unanswered
    case commented(text: String)
    /// Took a comment of their own away; or brought it back.
    case uncommented(text: String)
    case recommented(text: String)
    case amenitiesChanged(added: [String], removed: [String])
    /// Answered a question (`Question.text`); or took that back.
    case replied(to: String, Answer?)
    /// Answered a hidden question; or revealed that (`Question.text`).
    case sealedReply
    case revealed(to: String, Answer)
    case optionsChanged(added: [String], removed: [String])
    /// Closed a question; or opened it again.
    case closed
    case reopened
    /// Put it somewhere, in a list of this title or in none. It was in that list before, if `isWithin` is true.
    case moved(to: String?, isWithin: Bool? = nil)
    /// Wrote in its note: what came and what went, no longer than `Limits.noteTold` each.
    case noted(added: String, removed: String)
    /// So many photos came to it, or went.
    case attached(photos: Int)
    case detached(photos: Int)

    /// This event and the next one of the same item as one, where both say the same of photos.
    func joined(with next: ItemEvent) -> ItemEvent? {
        switch (self, next) {
        case (.attached(let some), .attached(let others)): .attached(photos: some + others)
        case (.detached(let some), .detached(let others)): .detached(photos: some + others)
        default: nil
        }
    }
}

/// What was done to a list.
package enum ListEvent: Codable, Hashable, Sendable {
    case added
    case edited(fields: [FieldEdit])
    /// It stays where somebody put something into it at the same moment.
    case removed(stays: Bool)
    case restored
}

/// Somebody whose operation holds an item up beside its removal.
package struct Upholder: Codable, Hashable, Sendable {
    package let participant: ParticipantID
    /// How they voted, where that is what they did.
    package let vote: Vote?

    package init(participant: ParticipantID, vote: Vote?) {
        self.participant = participant
        self.vote = vote
    }
}

/// A field that was written, or cleared where the value is nil.
package struct FieldEdit: Codable, Hashable, Sendable {
    package let field: Field
    package let value: String?
    /// What this replaced. What somebody else had replaced already is not among it.
    package let insteadOf: [String]
    /// What others wrote at the same time, which stays beside it.
    package let siblings: [String]
    /// Who wrote `siblings`, each once.
    package let siblingAuthors: [ParticipantID]
    /// How many writes are left out of both: tiny writes beside many long values would else tell all of these each. Nil if none is.
    package let omitted: Int?

    package init(
        field: Field, value: String?, insteadOf: [String], siblings: [String], by siblingAuthors: [ParticipantID] = [],
        omitted: Int? = nil
    ) {
        self.field = field
        self.value = value
        self.insteadOf = insteadOf
        self.siblings = siblings
        self.siblingAuthors = siblingAuthors
        self.omitted = omitted
    }
}

extension FieldEdit {
    /// Who is named in it.
    package var people: [ParticipantID] {
        let values = [value].compactMap(\.self) + insteadOf + siblings
        return switch field.kind {
        case .person: siblingAuthors + values.compactMap { ParticipantID($0) }
        case .cost: siblingAuthors + values.compactMap { Cost($0) }.flatMap { ($0.payers + $0.shares).map(\.person) }
        default: siblingAuthors
        }
    }

    /// How its values are told: of a cost also who paid and who shares it, where another value of it has the same words.
    package func words(
        in year: Int? = nil, _ name: @escaping (ParticipantID) -> String
    ) -> (String) -> String {
        let words = { (value: String) in field.words(of: value, in: year, name) }
        // Where a value was withdrawn, the first of those that stay is told in its place.
        let others = insteadOf + siblings.dropFirst(value == nil ? 1 : 0)
        guard field.kind == .cost, let told = (value ?? siblings.first).map(words), others.map(words).contains(told)
        else { return words }
        return { Cost($0)?.told(naming: name) ?? $0 }
    }

    /// The edits that gave an item to a person, with a due date or without, and did nothing else. Nil for other edits.
    package static func task(in edits: [FieldEdit]) -> (assignee: FieldEdit, due: FieldEdit?)? {
        guard let last = edits.last, last.field == .assignee, last.value != nil else { return nil }
        if edits.count == 1 { return (last, nil) }
        guard edits.count == 2, edits[0].field == .due, edits[0].value != nil else { return nil }
        return (last, edits[0])
    }

    /// The day among edits that planned an item: they chose it and gave it a day, and did nothing else. Nil for other edits.
    package static func plan(in edits: [FieldEdit]) -> FieldEdit? {
        guard edits.map(\.field) == [.dates, .chosen], edits.allSatisfy({ $0.value != nil }) else { return nil }
        return edits.first
    }

    /// The day among edits that took an item off it, and did nothing else. Nil for other edits.
    package static func unplan(in edits: [FieldEdit]) -> FieldEdit? {
        guard edits.count == 1, let edit = edits.first, edit.field == .dates, edit.value == nil, !edit.isWithdrawal
        else { return nil }
        return edit
    }

    /// Whether it cleared a field that still has what others wrote at the same time: it withdrew one of several values.
    package var isWithdrawal: Bool { value == nil && !siblings.isEmpty }

    /// The edit that withdrew one of several values, where nothing else was edited. Nil for other edits.
    package static func withdrawal(in edits: [FieldEdit]) -> FieldEdit? {
        guard edits.count == 1, let edit = edits.first, edit.isWithdrawal else { return nil }
        return edit
    }
}
