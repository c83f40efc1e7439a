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
        case .note(let note):
            note.map { $0.value.displayed(keepsLines: true) + "\n" } ?? "Nothing is written on this trip yet.\n"
        case .item(let item, let group): card(item, of: group, style: style)
        case .items(let items):
            items.map { card($0, of: Group(members: [], nights: nil), style: style) }.joined()
        case .list(let receipt): self.receipt(receipt)
        case .own(let own): feeds(own.feeds) + wishes(own.wishes, style)
        case .feeds(let feeds): self.feeds(feeds)
        case .wishes(let wishes): self.wishes(wishes, style)
        case .wished(let receipt): wished(receipt)
        case .numbers, .meanings, .writers: ""
        case .bundle(let receipt): bundle(receipt)
        case .renamed(let name): "Renamed to “\(plain(name))”\n"
        case .undone(let view, let wishes):
            undone(view, wishes, style: style)
        case .picture(let file): file == nil ? "This photo has not arrived yet\n" : ""
        case .history(let view): history(view.entries, view.names, style: style)
        case .members(let view): members(view, now: now, style: style)
        case .member(let member):
            members(MembersView(people: [member], overshotInvites: []), now: now, style: style)
        case .status(let view): status(view, now: now, style: style)
        case .mailboxes(let mailboxes): self.mailboxes(mailboxes, now: now)
        case .invite(let invite): invite.link + "\n"
        case .invites(let invites): self.invites(invites, now: now)
        case .removed(let receipt): removal(receipt)
        case .inviteKept(let invite):
            "Invite \(invite.number) (\(invite.id.prefix(6))) stays open. This device admits people by it again.\n"
        case .deviceRemoved(let receipt): removal(receipt)
        case .kept(let name): "\(name) stays in the trip. Their changes count again.\n"
        }
    }

    // MARK: - What was done

    private static func feeds(_ feeds: [Feed]) -> String {
        guard !feeds.isEmpty else { return "No feeds yet. Add one with `caravan feeds add FILE`.\n" }
        return feeds.map { "\(plain($0.name)) · \(plain($0.origin))\n" }.joined()
    }

    /// A line for each wish, by the number that names it, and what it says beside its title.
    private static func wishes(_ wishes: [Wish], _ style: TextStyle) -> String {
        guard !wishes.isEmpty else { return "Your wish list is empty. Add to it with `caravan wish TITLE`.\n" }
        let width = String(wishes.count).utf8.count
        let rows = wishes.enumerated().flatMap { place, wish -> [String] in
            let facts = ([.price, .dates, .host, .link, .note] as [Field]).compactMap { field in
                wish.fields[field].map { field.words(of: $0) }
            }
            let number = String(place + 1)
            return tableRow(
                String(repeating: " ", count: width - number.utf8.count) + number, to: width,
                ([wish.title] + facts).map { plain($0) }.joined(separator: " · "), style)
        }
        return text(rows)
    }

    private static func wished(_ receipt: WishReceipt) -> String {
        text(
            receipt.removed.map { "Removed \(plain($0.title).quoted) from your wish list" }
                + receipt.added.map { "Added \(plain($0.title).quoted) to your wish list" })
    }

    private static func undone(_ view: HistoryView, _ wishes: WishReceipt, style: TextStyle) -> String {
        // What is undone of a wish list has no line in the history, which others read.
        let lines = view.entries.isEmpty ? "" : history(view.entries, view.names, style: style)
        return (view.entries.count > 1 ? "Undid your last import:\n" : "Undid your last change:\n") + lines
            + (wishes.removed.isEmpty && wishes.added.isEmpty ? "" : wished(wishes))
    }

    private static func bundle(_ receipt: BundleReceipt) -> String {
        let changes = counted(receipt.changes, "change")
        guard let new = receipt.newChanges else { return "Sealed \(changes) for the members of this trip\n" }
        return "Imported \(changes) from \(plain(receipt.author)) (\(new == 0 ? "none" : String(new)) new)\n"
    }

    /// A line for each item.
    /// - Parameters:
    ///   - photos: how many were attached or removed; nil where that is not known.
    ///   - saying: what was said of the items.
    ///   - note: what was done with their notes, “Wrote” or “Cleared”; nil if not only these were edited.
    package static func receipt(
        _ receipt: Receipt, photos: Int? = nil, saying: String? = nil, note: String? = nil
    ) -> String {
        if !receipt.comments.isEmpty, let item = receipt.items.first {
            return receipt.comments.map { text in
                "Deleted your comment \(plain(text).quoted) on \(item.number) \(plain(item.title).quoted)\n"
            }.joined()
        }
        let said = saying.map { ": " + plain($0) } ?? ""
        return receipt.items.map { line(receipt.act, $0, photos, note) + said + "\n" }.joined()
            + receipt.unchanged.map { unchangedLine(receipt.act, $0) + "\n" }.joined()
            + (receipt.act == .removed && !receipt.items.isEmpty
                ? "`caravan undo` brings \(receipt.items.count == 1 ? "it" : "them") back.\n" : "")
            + (receipt.waitsFor.map { "Only you see this until \($0) keeps you.\n" } ?? "")
    }

    private static func line(_ act: Receipt.Act, _ item: Receipt.Item, _ photos: Int?, _ note: String?) -> String {
        let name = name(of: item)
        return switch act {
        case .added: "\(item.isQuestion ? "Asked" : "Added") \(name)\(cost(of: item)) (\(item.shortID))"
        case .edited: note.map { "\($0) the note of \(name)" } ?? "Edited \(name)\(cost(of: item))"
        case .removed: "Removed \(name)"
        case .restored: "Restored \(name)"
        case .votedFor: "Voted for \(name)"
        case .votedAgainst: "Voted against \(name)"
        case .votedIfNeedBe: "Voted “OK if need be” for \(name)"
        case .claimed: "You now bring \(claimed(of: item))item \(name)"
        case .unclaimed: "You no longer bring item \(name)"
        case .going: "You are going to \(name)"
        case .maybeGoing: "You might go to \(name)"
        case .notGoing: "You are not going to \(name)"
        case .unanswered: "Withdrew your answer for \(name)"
        case .replied: "Answered \(name)"
        case .unreplied: "Withdrew your answer to \(name)"
        case .optionsChanged: "Changed the options of \(name)"
        case .commented: "Commented on \(name)"
        case .uncommented: "Deleted your comment on \(name)"
        case .moved: "Moved \(name)"
        case .done: item.isQuestion ? "Closed \(name)" : "Marked \(name) as done"
        case .undone: item.isQuestion ? "Opened \(name) again" : "Marked \(name) as not done"
        case .chosen: "Marked \(name) as chosen"
        case .unchosen: "Marked \(name) as not chosen"
        case .planned: "Planned \(name) for \(Field.dates.words(of: item.dates ?? ""))"
        case .unplanned: "Took \(name) off its day"
        case .unvoted: "Withdrew your vote on \(name)"
        case .counted: "Changed \(name) to \(quantity(item.quantity ?? 0))"
        case .attached: "Attached \(photos.map { counted($0, "photo") } ?? "photos") to \(name)"
        case .detached: "Removed \(photos.map { counted($0, "photo") } ?? "photos") from \(name)"
        }
    }

    private static func unchangedLine(_ act: Receipt.Act, _ item: Receipt.Item) -> String {
        let name = name(of: item)
        let what =
            switch act {
            case .removed: "\(name) is already removed"
            case .restored: "\(name) is not removed"
            case .votedFor: "you already voted for \(name)"
            case .votedAgainst: "you already voted against \(name)"
            case .votedIfNeedBe: "you already voted “OK if need be” for \(name)"
            case .unvoted: "you have no vote on \(name)"
            case .claimed: "you already bring \(claimed(of: item))item \(name)"
            case .unclaimed: "you don't bring item \(name)"
            case .going: "you are already going to \(name)"
            case .maybeGoing: "you already said that you might go to \(name)"
            case .notGoing: "you already said that you are not going to \(name)"
            case .unanswered: "you have no answer for \(name)"
            case .replied: "you already answered \(name) like that"
            case .unreplied: "you have no answer to \(name)"
            case .chosen: "\(name) is already chosen"
            case .unchosen: "\(name) is not chosen"
            case .done: "\(name) is already \(item.isQuestion ? "closed" : "done")"
            case .undone: "\(name) is \(item.isQuestion ? "open" : "not done")"
            case .planned: "\(name) is already planned like that"
            case .unplanned: "\(name) is not planned"
            default: "\(name) is already like that"
            }
        return nothingChanged(what)
    }

    /// How all that was so already is told.
    package static func nothingChanged(_ why: String) -> String { "Nothing changed: \(why)" }

    /// "2 “Loft”": the number that commands take, and the title.
    private static func name(of item: Receipt.Item) -> String { "\(item.number) “\(plain(item.title))”" }

    /// "3 of " where somebody brings more than one.
    private static func claimed(of item: Receipt.Item) -> String {
        item.claimed.map { $0 == 1 ? "" : "\($0) of " } ?? ""
    }

    /// " · €84.00 for 3 people"; empty for what is no cost.
    private static func cost(of item: Receipt.Item) -> String {
        item.cost.map { " · " + Field.cost.words(of: $0) } ?? ""
    }

    private static func receipt(_ receipt: ListReceipt) -> String {
        let name = "list “\(plain(receipt.list.title))”"
        switch receipt.act {
        case .added:
            let count = receipt.list.items.count
            return "Created \(name) (\(receipt.list.shortID))\(count == 0 ? "" : " with \(counted(count, "item"))")\n"
        // Nothing else of a list is edited by a command.
        case .edited: return "Renamed \(name)\n"
        case .removed: return "Removed \(name). Its items stay in the trip.\n"
        case .restored: return "Restored \(name)\n"
        }
    }

    private static func removal(_ receipt: DeviceReceipt) -> String {
        var text =
            "Removed your device \(receipt.name.quoted). It keeps its copy, and gets no updates after the others sync.\n"
        if receipt.closedInvites {
            text +=
                "Open invites that the device may know are revoked. Create new ones with `caravan invite`.\n"
        }
        if !receipt.openers.isEmpty {
            text += "The device may also know open invites of \(joined(receipt.openers)): ask them to revoke these.\n"
        }
        return text
    }

    private static func removal(_ receipt: RemovalReceipt) -> String {
        var text =
            receipt.isLeaving
            ? "You left the trip. Your copy stays on this machine and no longer updates.\n"
            : "Removed \(receipt.name). They keep their copy, and get no updates after the others sync. "
                + "This can't be undone.\n"
        let contributions = [(receipt.items, "item"), (receipt.photos, "photo")].filter { $0.0 > 0 }
        if !contributions.isEmpty {
            text +=
                "Also removed \(contributions.map { counted($0.0, $0.1) }.joined(separator: " and ")) that "
                + "\(receipt.name) added; `caravan undo` restores them.\n"
        }
        if receipt.closedInvites {
            text +=
                receipt.isLeaving
                ? "Your open invites are revoked.\n"
                : "Your open invites and those of people below you are revoked. Create new ones with `caravan invite`.\n"
        }
        if let openers = receipt.openers, !openers.isEmpty {
            text +=
                "The open invites of \(joined(openers)), which \(receipt.name) may know, stay open until they revoke them.\n"
        }
        return text
    }

    // MARK: - What cannot be done

    /// An error in one line, its times in the reader's zone.
    package static func line(_ error: ServiceError, style: TextStyle) -> String {
        guard case .out(let removal) = error.code, removal.waiting == nil else { return error.message }
        return
            "\(removal.explanation()) on \(style.time(removal.at)); you can read your "
            + "copy, but not change it; \(removal.wayBack)"
    }

    /// What a person who is out may do.
    static func whatIsLeft(_ removal: RemovalView) -> String {
        removal.waiting.map { "Nobody else sees your changes until \($0.keeper) keeps you." }
            ?? "You can read your copy, but not change it."
    }

    /// "Jie removed you on 2026-11-22 14:03".
    static func sentence(_ removal: RemovalView, style: TextStyle) -> String {
        "\(removal.explanation(you: "You"))\(removal.waiting == nil ? "" : ",") on \(style.time(removal.at))"
    }

    // MARK: - Invites

    /// "It expires in 7 days."; nil for an invite that never does.
    package static func expiry(of invite: InviteView, now: Int64) -> String? {
        invite.expires.map { "It expires in \(Span.left($0 - now))." }
    }

    private static func invites(_ invites: [InviteView], now: Int64) -> String {
        if invites.isEmpty { return "No open invites. Create one with `caravan invite`.\n" }
        return invites.map { invite in
            var facts = [
                "by \(invite.by)",
                invite.isForDevice ? "for a device" : "\(invite.left) of \(counted(invite.uses, "use")) left",
            ]
            if let expires = invite.expires { facts.append("expires in \(Span.left(expires - now))") }
            return "\(invite.number)  \(invite.id.prefix(6))  \(facts.joined(separator: ", "))\n"
        }
        .joined()
            + exposed(invites.filter { $0.exposure != nil })
            + "Show a link again with `caravan invite show NUMBER`, revoke it with `caravan invite close NUMBER`.\n"
    }
}

extension TerminalText {
    /// What the person here is asked of invites that a removed person may know.
    private static func exposed(_ invites: [InviteView]) -> String {
        let questions = invites.prefix(keepQuestionsMax).compactMap { invite in
            invite.exposure.map { exposure in
                "Keep invite \(invite.number) open? \(exposure.by) removed \(exposure.removed), who may know the link. This device admits "
                    + "nobody by it until you answer: `caravan invite keep \(invite.id.prefix(8))`, or "
                    + "`caravan invite close \(invite.id.prefix(8))`\n"
            }
        }
        let more = invites.dropFirst(keepQuestionsMax).map { String($0.number) }
        return questions.joined()
            + (more.isEmpty ? "" : "The same is asked of \(more.count == 1 ? "invite" : "invites") \(joined(more)).\n")
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

    /// The time until something, rounded: 7 days are that a moment later too.
    static func left(_ milliseconds: Int64) -> String {
        let unit: Int64 =
            switch milliseconds {
            case ..<60_000: 1_000
            case ..<3_600_000: 60_000
            case ..<172_800_000: 3_600_000
            default: 86_400_000
            }
        return text(milliseconds: milliseconds + unit / 2)
    }

    /// - Parameter time: another device may have said it, so it can be any: before 1970 it counts as that.
    static func ago(_ time: Int64, now: Int64) -> String { "\(text(milliseconds: now - max(time, 0))) ago" }
}
