package import TripModel
package import TripService

extension PageAction {
    /// What is asked of the trip; nil for what the page does by itself, as is letting guests in, and for an edit that
    /// changes nothing.
    package var request: TripRequest? {
        switch self {
        case .add(let items): .add(items)
        case .edit(let item, let fields, let shown):
            fields.isEmpty
                ? nil
                : .edit(
                    item: item, fields: fields.mapValues { $0.isBlank ? String?.none : $0 },
                    shown: shown.filter { fields[$0.key] != nil })
        case .vote(let item, let vote): .vote(items: [item], vote)
        case .remove(let items): .remove(items: items)
        case .restore(let items): .restore(items: items)
        case .count(let item, let step): .changeQuantity(item: item, by: step)
        case .comment(let item, let text): .comment(item: item, text)
        case .uncomment(let item, let comment): .removeComments(item: item, comments: [comment])
        case .claim(let item, let isMine): .claim(items: [item], isMine ? 1 : nil)
        case .detach(let item, let photo): .detach(item: item, photos: [photo])
        case .putBack(let item, let photo): .putBack(item: item, photos: [photo])
        case .undo: .undo()
        case .invite: .invite(uses: Self.inviteUses, lifetime: Self.inviteLifetime)
        case .closeInvite(let invite): .closeInvite(reference: invite)
        case .takeOut(let member, let withContributions):
            .removeMember(name: member, contributions: withContributions ? .removed : .stay)
        case .keepMember(let member): .keepMember(name: member)
        case .wish(let items): .wish(items.map { Wish($0) })
        // What of it is there already is for the trip to say, and what a row says for whoever keeps the sources.
        case .importList, .share, .keep, .unwish, .openToGuests, .closeToGuests: nil
        }
    }

    /// The items that it is about, by their short ids: what to look up before it is done, so that it can be taken back.
    package var items: [String] {
        switch self {
        case .edit(let item, _, _), .vote(let item, _), .count(let item, _), .comment(let item, _),
            .uncomment(let item, _), .claim(let item, _), .detach(let item, _), .putBack(let item, _):
            [item]
        case .remove(let items), .restore(let items): items
        case .add, .importList, .share, .keep, .wish, .unwish, .undo, .invite, .closeInvite, .takeOut, .keepMember,
            .openToGuests,
            .closeToGuests:
            []
        }
    }
}

extension Toast {
    /// Says what was done, and how it is taken back: what is removed is restored, a vote becomes what it was, a value is
    /// written again in place of the new one alone.
    ///
    /// - Parameters:
    ///   - before: the action's items as they stood before it (`PageAction.items`).
    ///   - viewer: whose vote it is.
    package init(_ action: PageAction, _ receipt: Receipt, before: [ItemView], viewer: ParticipantID?) {
        self.init(
            Self.text(of: action, receipt) ?? Self.text(receipt),
            undo: Self.undo(action, receipt, before: before, viewer: viewer))
    }

    /// Says that photos came to an item.
    package init(attached count: Int, _ receipt: Receipt) {
        let what = receipt.items.first?.title.quoted ?? "it"
        self.init("\(count == 1 ? "Photo" : "\(count) photos") added to \(what)")
    }

    /// What is said of a tick and of a choice, which are edits of one field.
    private static func text(of action: PageAction, _ receipt: Receipt) -> String? {
        guard case .edit(_, let fields, _) = action, fields.count == 1, let (field, value) = fields.first,
            let what = receipt.items.first?.title.quoted
        else { return nil }
        return switch field {
        case .done: value.isEmpty ? "Not done: \(what)" : "Done: \(what)"
        case .chosen: value.isEmpty ? "No longer chosen: \(what)" : "Chosen: \(what)"
        default: nil
        }
    }

    private static func text(_ receipt: Receipt) -> String {
        guard let first = receipt.items.first else {
            return receipt.unchanged.first.map { "\($0.title.quoted) hasn’t changed" } ?? "Nothing to change"
        }
        let what = receipt.items.count == 1 ? first.title.quoted : "\(receipt.items.count) items"
        return switch receipt.act {
        case .added: "Added \(what)"
        case .edited: "Saved \(what)"
        case .removed: "Removed \(what)"
        case .restored: "Restored \(what)"
        case .votedFor: "You voted for \(what)"
        case .votedAgainst: "You voted against \(what)"
        case .unvoted: "Withdrew your vote on \(what)"
        case .votedIfNeedBe: "You marked \(what) as OK if need be"
        case .claimed: "You’re bringing \(what)"
        case .unclaimed: "You’re no longer bringing \(what)"
        case .commented: "Comment added to \(what)"
        case .uncommented: "Deleted your comment on \(what)"
        case .moved: "Moved \(what)"
        case .done: "Done: \(what)"
        case .undone: "Not done: \(what)"
        case .chosen: "Chosen: \(what)"
        case .unchosen: "No longer chosen: \(what)"
        case .attached: "Restored a photo of \(what)"
        case .detached: "Removed a photo of \(what)"
        case .counted: first.quantity.map { "\(what): \($0)" } ?? "Set the quantity of \(what)"
        }
    }

    private static func undo(
        _ action: PageAction, _ receipt: Receipt, before: [ItemView], viewer: ParticipantID?
    ) -> PageAction? {
        let items = receipt.items.prefix(PageAction.itemsMax).map(\.shortID)
        guard let first = items.first else { return nil }
        let item = before.first { $0.shortID == first }
        switch action {
        case .add: return .remove(items: items)
        case .remove: return .restore(items: items)
        case .restore: return .remove(items: items)
        case .count(_, let step): return .count(item: first, by: -step)
        case .claim(_, let isMine): return .claim(item: first, !isMine)
        case .comment, .uncomment: return nil
        case .vote(_, let vote):
            guard let item, let viewer else { return nil }
            let previous = item.vote(of: viewer)
            return previous == vote ? nil : .vote(item: first, previous)
        case .edit(_, let fields, _):
            guard let item else { return nil }
            let previous = Dictionary(uniqueKeysWithValues: fields.keys.map { ($0, item.fields[$0]?.value ?? "") })
            // Without a title an item cannot be.
            guard previous[.title] != "" else { return nil }
            return .edit(item: first, fields: previous, shown: fields.mapValues { $0.isBlank ? [] : [$0] })
        case .detach(_, let photo):
            return item?.photos.first { $0.id == photo }.map { .putBack(item: first, photo: $0.manifest) }
        case .putBack, .importList, .share, .keep, .wish, .unwish, .undo, .invite, .closeInvite, .takeOut, .keepMember,
            .openToGuests,
            .closeToGuests:
            return nil
        }
    }
}
