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
        case .invite: .invite(uses: Self.inviteUses, lifetime: Self.inviteLifetime)
        case .closeInvite(let invite): .closeInvite(reference: invite)
        case .takeOut(let member): .removeMember(name: member)
        case .openToGuests, .closeToGuests: nil
        }
    }

    /// The items that it is about, by their short ids: what to look up before it is done, so that it can be taken back.
    package var items: [String] {
        switch self {
        case .edit(let item, _, _), .vote(let item, _), .count(let item, _): [item]
        case .remove(let items), .restore(let items): items
        case .add, .invite, .closeInvite, .takeOut, .openToGuests, .closeToGuests: []
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
        self.init(Self.text(receipt), undo: Self.undo(action, receipt, before: before, viewer: viewer))
    }

    private static func text(_ receipt: Receipt) -> String {
        guard let first = receipt.items.first else {
            return receipt.unchanged.first.map { "\($0.title.quoted) is like that already" } ?? "Nothing to do"
        }
        let what = receipt.items.count == 1 ? first.title.quoted : "\(receipt.items.count) things"
        return switch receipt.act {
        case .added: "Added \(what)"
        case .edited: "Saved \(what)"
        case .removed: "Removed \(what)"
        case .restored: "Brought back \(what)"
        case .votedFor: "You voted for \(what)"
        case .votedAgainst: "You voted against \(what)"
        case .unvoted: "Took back your vote on \(what)"
        case .counted: first.quantity.map { "\(what): \($0)" } ?? "Counted \(what)"
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
        case .invite, .closeInvite, .takeOut, .openToGuests, .closeToGuests: return nil
        }
    }
}
