import TripModel
package import TripService

extension TerminalText {
    /// An answer as people read it, the items of a trip in an order.
    ///
    /// - Parameter now: milliseconds since 1970, for how long ago something was.
    package static func answer(_ answer: TripAnswer, now: Int64, style: TextStyle) -> String {
        switch answer {
        case .done(let receipt): self.receipt(receipt)
        case .trip(let view): list(view, style: style)
        case .item(let item, let group): card(item, of: group, style: style)
        case .items(let items):
            items.map { card($0, of: Group(members: [], nights: nil), style: style) }.joined()
        case .list(let receipt): self.receipt(receipt)
        case .own(let own): feeds(own.feeds) + wishes(own.wishes)
        case .feeds(let feeds): self.feeds(feeds)
        case .wishes(let wishes): self.wishes(wishes)
        case .bundle(let receipt): bundle(receipt)
        case .renamed(let name): "the name is \"\(plain(name))\" from now on\n"
        case .undone(let view): "took back what you did last:\n" + history(view.entries, view.names, style: style)
        case .picture(let file): file == nil ? "not here yet: only others have it\n" : ""
        case .history(let view): history(view.entries, view.names, style: style)
        case .members(let view): members(view, now: now, style: style)
        case .member(let member):
            members(MembersView(people: [member], overshotInvites: []), now: now, style: style)
        case .status(let view): status(view, now: now, style: style)
        case .invite(let invite): invite.link + "\n"
        case .invites(let invites): self.invites(invites, now: now)
        case .removed(let receipt): removal(receipt)
        }
    }

    // MARK: - What was done

    private static func feeds(_ feeds: [Feed]) -> String {
        guard !feeds.isEmpty else { return "you have no feeds: `caravan feeds add FILE` makes one\n" }
        return feeds.map { "\(plain($0.name)) · \(plain($0.origin))\n" }.joined()
    }

    /// A line for each wish, by the number that names it, and what it says beside its title.
    private static func wishes(_ wishes: [Wish]) -> String {
        guard !wishes.isEmpty else { return "your wish list is empty: add to it with `caravan wish`\n" }
        return wishes.enumerated().map { place, wish in
            let facts = ([.price, .dates, .host, .link, .note] as [Field]).compactMap { wish.fields[$0] }
            return (["\(place + 1)  " + plain(wish.title)] + facts.map { plain($0) }).joined(separator: " · ") + "\n"
        }.joined()
    }

    private static func bundle(_ receipt: BundleReceipt) -> String {
        let changes = "\(receipt.changes) change\(receipt.changes == 1 ? "" : "s")"
        guard let new = receipt.newChanges else { return "sealed \(changes) for the people of this trip\n" }
        let what = new == 0 ? "nothing is new here" : "\(new) \(new == 1 ? "is" : "are") new here"
        return "took in what \(plain(receipt.author)) sealed: \(changes), \(what)\n"
    }

    /// A line for each item.
    package static func receipt(_ receipt: Receipt) -> String {
        receipt.items.map { line(receipt.act, $0) + "\n" }.joined()
            + receipt.unchanged.map { unchangedLine(receipt.act, $0) + "\n" }.joined()
    }

    private static func line(_ act: Receipt.Act, _ item: Receipt.Item) -> String {
        let name = "\(item.number) \"\(plain(item.title))\""
        return switch act {
        case .added: "added \(name) (\(item.shortID))"
        case .edited: "edited \(name)"
        case .removed: "removed \(name)"
        case .restored: "restored \(name)"
        case .votedFor: "voted for \(name)"
        case .votedAgainst: "voted against \(name)"
        case .votedIfNeedBe: "voted if need be for \(name)"
        case .claimed: "you bring \(name)"
        case .unclaimed: "you do not bring \(name) any more"
        case .commented: "commented on \(name)"
        case .uncommented: "took a comment on \(name) away"
        case .moved: "moved \(name)"
        case .done: "done: \(name)"
        case .undone: "took back what you did with \(name)"
        case .chosen: "chosen: \(name)"
        case .unchosen: "not chosen any more: \(name)"
        case .unvoted: "took back the vote on \(name)"
        case .counted: "\(name) \(quantity(item.quantity ?? 0))"
        case .attached: "attached photos to \(name)"
        case .detached: "took photos away from \(name)"
        }
    }

    private static func unchangedLine(_ act: Receipt.Act, _ item: Receipt.Item) -> String {
        let name = "\(item.number) \"\(plain(item.title))\""
        return switch act {
        case .votedFor: "you had voted for \(name) already"
        case .votedAgainst: "you had voted against \(name) already"
        case .votedIfNeedBe: "you had voted if need be for \(name) already"
        case .unvoted: "you have no vote on \(name)"
        default: "\(name) was like that already"
        }
    }

    private static func receipt(_ receipt: ListReceipt) -> String {
        let name = "the list \"\(plain(receipt.list.title))\""
        switch receipt.act {
        case .added:
            let count = receipt.list.items.count
            return "made \(name) (\(receipt.list.shortID))\(count == 0 ? "" : " with \(counted(count, "thing"))")\n"
        case .edited: return "changed \(name)\n"
        case .removed: return "removed \(name): what was in it stays in the trip\n"
        case .restored: return "restored \(name)\n"
        }
    }

    private static func removal(_ receipt: RemovalReceipt) -> String {
        var text =
            receipt.isLeaving
            ? "you left: what you have stays with you, and the others' new things no longer come\n"
            : "took \(receipt.name) out: what their devices have stays with them, and nothing new reaches them once those around you have heard\n"
        if receipt.closedInvites {
            text +=
                "open invites are closed, for \(receipt.isLeaving ? "you" : receipt.name) may know them: make new ones\n"
        }
        return text
    }

    // MARK: - What cannot be done

    /// An error in one line, its times in the reader's zone.
    package static func line(_ error: ServiceError, style: TextStyle) -> String {
        guard case .out(let removal) = error.code else { return error.message }
        return "\(sentence(removal, style: style)): what you have stays readable, and nothing new is added; "
            + "`caravan join` with a fresh invite brings you back"
    }

    /// "Jie took you out on 2026-11-22 14:03".
    static func sentence(_ removal: RemovalView, style: TextStyle) -> String {
        "\(removal.by.map { "\($0) took you out" } ?? "you left") on \(style.time(removal.at))"
    }

    // MARK: - Invites

    private static func invites(_ invites: [InviteView], now: Int64) -> String {
        if invites.isEmpty { return "no invite is open: `caravan invite` makes one\n" }
        return invites.map { invite in
            var facts = [
                "by \(invite.by)", invite.isForDevice ? "for a device" : "\(invite.left) of \(invite.uses) left",
            ]
            if let expires = invite.expires { facts.append("ends in \(Span.text(milliseconds: expires - now))") }
            return "\(invite.number)  \(invite.id.prefix(6))  \(facts.joined(separator: ", "))\n"
        }
        .joined() + "`caravan invite show NUMBER` shows a link again, `caravan invite close NUMBER` closes it\n"
    }
}

/// A span of time as people say it.
enum Span {
    static func text(milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1_000
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    static func ago(_ time: Int64, now: Int64) -> String { "\(text(milliseconds: now - time)) ago" }
}
