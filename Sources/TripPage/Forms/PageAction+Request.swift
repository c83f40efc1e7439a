package import TripModel
package import TripService

extension PageAction {
    /// What is asked of the trip; nil for what the page does by itself, as is letting guests in, and for an edit that
    /// changes nothing.
    ///
    /// - Parameter reference: how the trip names the item of a short id.
    package func request(naming reference: (String) -> ItemReference = { .typed($0) }) -> TripRequest? {
        switch self {
        case .add(let items): .add(items)
        case .act(.edit(let fields, _), _) where fields.isEmpty: nil
        case .act(let action, let items): .act(action, on: items.map(reference))
        case .uncomment(let item, let comment): .removeComments(item: reference(item), comments: [comment])
        case .undo: .undo()
        case .invite: .invite(uses: Self.inviteUses, lifetime: Self.inviteLifetime)
        case .closeInvite(let invite): .closeInvite(reference: invite)
        case .keepInvite(let invite): .keepInvite(reference: invite)
        case .takeOut(let member, let withContributions):
            .removeMember(name: member, contributions: withContributions ? .removed : .stay)
        case .keepMember(let member): .keepMember(name: member)
        case .removeDevice(let device): .removeDevice(device)
        case .addDevice: .addDevice(lifetime: Self.deviceLifetime)
        case .wish(let items): .wish(items.map { Wish($0) })
        case .mailbox(let act): .mailboxes(act)
        case .renameTrip(let title): .renameTrip(title)
        case .renameSelf(let name): .renameSelf(name)
        case .archive(let isArchived): .archive(isArchived)
        case .fetchLinks(let isWanted): .fetchLinks(isWanted)
        // The page does these itself: the trip knows which rows of a list it has, and the sources know what an offer says.
        case .importList, .share, .keep, .unwish, .openToGuests, .closeToGuests, .expense, .plan, .see, .passphrase,
            .fetch:
            nil
        }
    }

    /// The items that it is about, by their short ids: what to look up before it is done, so that it can be taken back.
    package var items: [String] {
        switch self {
        case .act(_, let items): items
        case .uncomment(let item, _), .fetch(let item): [item]
        case .see(let items): items
        default: []
        }
    }
}

extension Toast {
    /// Says what was done, and how it is taken back: what is removed is restored, a vote becomes what it was, a value is
    /// written again in place of the new one alone.
    ///
    /// - Parameters:
    ///   - before: the action's items as they stood before it (`PageAction.items`).
    ///   - after: an item that was commented on, as it stands since: the comment is deleted by its name.
    ///   - known: what is told of items that the trip already had.
    ///   - viewer: whose vote it is.
    ///   - undoing: what the action takes back, as its form says.
    ///   - undoesLast: whether it is taken back by undoing what the person did last.
    package init(
        _ action: PageAction, _ receipt: Receipt, before: [ItemView], after: ItemView? = nil, known: String? = nil,
        viewer: ParticipantID?, undoing: Undoing? = nil, undoesLast: Bool = false
    ) {
        let undone = undoing == .edit ? receipt.items.first.map { "Undone: \($0.title.quoted)" } : nil
        self.init(
            (undone ?? Self.text(of: action, receipt, on: before.first, by: viewer) ?? Self.text(receipt))
                + (known.map { ". " + $0 } ?? ""),
            undo: Self.undo(action, receipt, before: before, after: after, viewer: viewer), undoesLast: undoesLast,
            shows: Self.shown(action, receipt))
    }

    /// The item that was added, where it is one.
    private static func shown(_ action: PageAction, _ receipt: Receipt) -> String? {
        guard case .add = action, receipt.items.count == 1 else { return nil }
        return receipt.items.first?.shortID
    }

    /// Says that photos came to an item.
    ///
    /// - Parameter new: those that it got; empty where nothing takes them back.
    package init(attached count: Int, _ receipt: Receipt, new: [PhotoID]) {
        let item = receipt.items.first
        self.init(
            "\(count == 1 ? "Photo" : "\(count) photos") added to \(item?.title.quoted ?? "it")",
            undo: new.isEmpty ? nil : item.map { .act(.detach(new), on: [$0.shortID]) })
    }

    /// What is said of a tick and of a choice, which are edits of one field, of the answer to a task, and of a stay that is
    /// taken off its days.
    private static func text(
        of action: PageAction, _ receipt: Receipt, on before: ItemView?, by viewer: ParticipantID?
    ) -> String? {
        guard let what = receipt.items.first?.title.quoted else { return nil }
        if case .act(.changeOptions(let added, let removed), _) = action {
            if removed.isEmpty { return "Added \(TripPage.options(added.count)) to \(what)" }
            if added.isEmpty { return "Removed \(TripPage.options(removed.count)) of \(what)" }
        }
        if before?.dates?.departure != nil, case .act(.plan(nil, _), _) = action { return "Took \(what) off its days" }
        if viewer != nil, before?.assignee == viewer, case .act(.attend(let answer?), _) = action {
            return answer == .notGoing ? "You can’t do \(what)" : "You’ll do \(what)"
        }
        guard case .act(.edit(let fields, _), _) = action, fields.count == 1, let (field, value) = fields.first else {
            return nil
        }
        return switch field {
        case .done: value == nil ? "Not done: \(what)" : "Done: \(what)"
        case .chosen: value == nil ? "No longer chosen: \(what)" : "Chosen: \(what)"
        default: nil
        }
    }

    private static func text(_ receipt: Receipt) -> String {
        guard let first = receipt.items.first else {
            return receipt.unchanged.first.map { "\($0.title.quoted) hasn’t changed" } ?? "Nothing to change"
        }
        let what = receipt.items.count == 1 ? first.title.quoted : "\(receipt.items.count) items"
        return switch receipt.act {
        case .votedAgainst where first.cost != nil: "You disputed \(what)"
        case .unvoted where first.cost != nil: "Withdrew your dispute of \(what)"
        case .added: first.isQuestion ? "Asked \(what)" : "Added \(what)"
        case .edited: "Saved \(what)"
        case .removed: "Removed \(what)"
        case .restored: "Restored \(what)"
        case .votedFor: "You voted for \(what)"
        case .votedAgainst: "You voted against \(what)"
        case .unvoted: "Withdrew your vote on \(what)"
        case .votedIfNeedBe: "You marked \(what) as OK if need be"
        case .claimed: "You’re bringing \(what)"
        case .unclaimed: "You’re no longer bringing \(what)"
        case .going: "You’re going to \(what)"
        case .maybeGoing: "You might go to \(what)"
        case .notGoing: "You’re not going to \(what)"
        case .unanswered: "Withdrew your answer for \(what)"
        case .replied: "You answered \(what)"
        case .unreplied: "Withdrew your answer to \(what)"
        case .optionsChanged: "Changed the options of \(what)"
        case .commented: "Comment added to \(what)"
        case .uncommented: "Deleted your comment on \(what)"
        case .moved: "Moved \(what)"
        case .done: first.isQuestion ? "Closed \(what)" : "Done: \(what)"
        case .undone: first.isQuestion ? "Opened \(what) again" : "Not done: \(what)"
        case .chosen: "Chosen: \(what)"
        case .unchosen: "No longer chosen: \(what)"
        case .planned: "Planned \(what) for \(Field.dates.words(of: first.dates ?? ""))"
        case .unplanned: "Took \(what) off its day"
        case .attached: "Restored a photo of \(what)"
        case .detached: "Removed a photo of \(what)"
        case .counted: first.quantity.map { "\(what): \($0)" } ?? "Set the quantity of \(what)"
        }
    }

    private static func undo(
        _ action: PageAction, _ receipt: Receipt, before: [ItemView], after: ItemView?, viewer: ParticipantID?
    ) -> PageAction? {
        let items = receipt.items.prefix(PageAction.itemsMax).map(\.shortID)
        guard let first = items.first else { return nil }
        let item = before.first { $0.shortID == first }
        switch action {
        case .add: return .act(.remove, on: items)
        case .act(.comment, _):
            let comment = after?.sayings.comments.last { $0.author == viewer }
            return comment.map { .uncomment(item: first, comment: $0.id.digits) }
        case .act(let action, _): return contrary(of: action, to: item, by: viewer).map { .act($0, on: items) }
        default: return nil
        }
    }

    /// What makes items again what they were; nil where no one action does.
    private static func contrary(of action: ItemAction, to item: ItemView?, by viewer: ParticipantID?) -> ItemAction? {
        switch action {
        case .remove: return .restore
        case .restore: return .remove
        case .changeQuantity(let step): return .changeQuantity(by: -step)
        case .setQuantity: return item?.quantity.flatMap { $0 < 0 ? nil : .setQuantity($0) }
        // A hidden question is closed once and for all.
        case .mark(.done, _) where item?.question?.isHidden ?? false: return nil
        case .mark(let field, let isSet): return .mark(field, !isSet)
        case .plan(let text, _):
            guard let item else { return nil }
            return .edit(
                [.dates: item.fields[.dates]?.value, .chosen: item.fields[.chosen]?.value],
                shown: [.dates: text.map { [$0] } ?? []])
        case .claim(let count): return .claim(count == nil ? 1 : nil)
        case .vote(let vote):
            guard let item, let viewer else { return nil }
            let previous = item.vote(of: viewer)
            return previous == vote ? nil : .vote(previous)
        case .attend(let attendance):
            guard let item, let viewer else { return nil }
            let previous = item.attendance(of: viewer)
            return previous == attendance ? nil : .attend(previous)
        case .edit(let fields, _):
            guard let item else { return nil }
            let previous = Dictionary(uniqueKeysWithValues: fields.keys.map { ($0, item.fields[$0]?.value) })
            // Without a title an item cannot be.
            if let title = previous[.title], title == nil { return nil }
            return .edit(previous, shown: fields.mapValues { $0.map { [$0] } ?? [] })
        case .detach(let photos):
            let gone = item?.photos.filter { photos.contains($0.id) }.map(\.manifest) ?? []
            return gone.isEmpty ? nil : .attach(gone)
        case .changeAmenities(let added, let removed): return .changeAmenities(added: removed, removed: added)
        case .changeOptions(let added, let removed): return .changeOptions(added: removed, removed: added)
        case .answer(let answer):
            guard let item, let viewer else { return nil }
            let previous = item.lastAnswer(of: viewer)
            return previous == answer ? nil : .answer(previous)
        case .comment, .attach: return nil
        }
    }
}
