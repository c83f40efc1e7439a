package import TripModel
import TripService

/// All that a collapsed card shows. Equal values are drawn alike, so a caller that draws often keeps each drawing beside the value that
/// it was drawn from (`TripPage.content(_:drawing:)`).
package struct CollapsedCard: Hashable, Sendable {
    package let item: ItemView
    package let frame: CardFrame
    /// What happened to it that its voters should know.
    let notice: String?
    /// Whether others added or changed it since its reader last saw it.
    var isNew = false
    /// Whether it was to be done by now.
    var isOverdue = false

    /// The fragment's id.
    package var id: String { "c-" + item.shortID }
}

/// What all collapsed cards of a page have in common.
package struct CardFrame: Hashable, Sendable {
    /// Somebody who is in, and may vote.
    struct Person: Hashable, Sendable {
        let id: ParticipantID
        let name: String
    }

    private(set) var target: PageTarget
    let you: ParticipantID?
    let mayVote: Bool
    let mayEdit: Bool
    let mayJoin: Bool
    /// In the trip's order.
    let people: [Person]
    /// They, and those who are out: items may still name them.
    let group: Group
    /// The year in which the reader is.
    let year: Int
    /// Of the dates that were chosen; nil where none were.
    var nights: Int? { group.nights }

    /// - Parameter open: the item within whose open card it is: what is done there leaves it open.
    init(_ state: PageState, open: ItemView? = nil) {
        target = PageTarget(state)
        target.query.open = open?.shortID
        target.query.isEditing = false
        you = state.viewer.participant
        mayVote = state.mayVote
        mayEdit = state.mayEdit
        mayJoin = state.mayJoin
        group = state.trip.group
        year = state.year
        people = state.trip.participants.filter { !$0.isOut }.map { Person(id: $0.id, name: $0.displayName) }
    }

    /// As `PageState.mayEdit(_:)`.
    func mayEdit(_ item: ItemView) -> Bool { mayVote && (mayEdit || item.addedBy == you) }

    /// The same for the card of a row, by its id: what it links to is around it.
    func around(row: Int, id: String) -> CardFrame {
        var frame = self
        frame.target.query.at = ListWindow.at(row: row)
        frame.target.part = id
        return frame
    }
}

extension PageState {
    /// Whether the viewer can join other trips here. A guest has no home of their own.
    var mayJoin: Bool { viewer.participant != nil && !viewer.isGuest }

    /// Whether the viewer can do anything here. In a trip that is archived nobody can. A person who waits can, in their own copy; their guests wait with them.
    var mayVote: Bool {
        viewer.participant != nil && !status.isArchived
            && (status.removal.map { $0.waiting != nil && !viewer.isGuest } ?? true)
    }
    /// Whether the viewer may change what others wrote: guests add, vote and photograph.
    var mayEdit: Bool { mayVote && !viewer.isGuest }
    /// Guests change what they added themselves.
    func mayEdit(_ item: ItemView) -> Bool { mayVote && (!viewer.isGuest || item.addedBy == viewer.participant) }
}

extension TripPage {
    /// A collapsed card: one fragment, replaced as a whole.
    package static func card(_ card: CollapsedCard) -> Fragment {
        Fragment(id: card.id, html: collapsed(card))
    }

    private static func collapsed(_ card: CollapsedCard) -> HTML {
        let item = card.item
        let target = card.frame.target
        return tag(.article, .id(card.id), .class("card"), .data(.card, item.shortID)) {
            picture(of: item, inTrip: target.tripID)
            tag(.div, .class("card-text")) {
                tag(.h3, .plain(.dir, "auto")) {
                    // The heading's direction is its title's: "auto" looks into no element with a direction of its own.
                    tag(
                        .a, .href(target.link { $0.open = item.shortID }), .data(.key, "Enter"),
                        card.frame.mayEdit(item) ? .editable : nil
                    ) { item.title }
                    if card.isNew { newMark }
                    marks(of: item)
                }
                if let price = item.fields[.price] {
                    tag(.p, .class("price"), .plain(.dir, "auto")) {
                        price.value
                        each(of: item, in: card.frame)
                    }
                }
                facts(of: card)
            }
            votesFragment(item, "card-votes") {
                votePill(item, in: card.frame)
                faces(of: item, in: card.frame)
            }
            notes(of: card)
        }
    }

    /// What needs somebody: proposals beside what is shown, and what happened to the item.
    private static func notes(of card: CollapsedCard) -> HTML? {
        guard card.notice != nil || card.item.fields.values.contains(where: { !$0.alternatives.isEmpty }) else {
            return nil
        }
        return tag(.div, .class("card-notes")) {
            for row in CardField.all {
                alternatives(
                    of: row, card.item, in: card.frame, card.frame.target, mayPick: card.frame.mayEdit, limit: 3)
            }
            if let notice = card.notice { tag(.p, .class("notice"), .plain(.dir, "auto")) { notice } }
        }
    }

    /// What stands where a picture will: how the title begins, on a colour that is the item's everywhere.
    static func initial(of item: ItemView) -> HTML {
        tag(.div, .class("picture", "hue-\(hue(of: item))"), .aria(.hidden, "true")) {
            tag(.span) { initial(ofTitle: item.title) }
        }
    }

    /// A title's first letter, or a number of two digits: days of June all begin with a 1 or a 2.
    static func initial(ofTitle title: String) -> String {
        let title = title.displayed(limit: 80)
        let start = title.drop { !$0.isLetter && !$0.isNumber }
        let digits = start.prefix { $0.isNumber }
        if digits.count == 2 { return String(digits) }
        return (start.first ?? title.first).map { $0.uppercased() } ?? "?"
    }

    static func hue(of item: ItemView) -> Int { hue(ofDigits: item.shortID) }

    static func hue(ofDigits digits: String) -> Int { Int(UInt64(digits.prefix(6), radix: 16) ?? 0) % Int(hueCount) }

    /// The script notes when it was in sight.
    static let newMark = tag(.span, .class("tag", "new"), .data(.mark, "new")) { "new" }

    /// That it is done, that the group chose it, or that the person who added it waits.
    static func marks(of item: ItemView) -> HTML {
        .group([
            item.isWaiting ? tag(.span, .class("tag")) { "waiting" } : .none,
            item.isChosen ? tag(.span, .class("done")) { "★ chosen" } : .none,
            item.isDone ? tag(.span, .class("done")) { "✓ done" } : .none,
        ])
    }

    /// What each person pays, where the price allows to compute it and isn't that itself: "3 nights: €360, €90 each for 4".
    static func each(of item: ItemView, in frame: CardFrame) -> HTML? {
        let people = frame.people.count
        guard let price = item.price, price.per != .person, people > 1 || price.per != .all,
            let each = item.each(people: people, nights: frame.nights)
        else { return nil }
        var words = "\(price.shown(each)) each" + (people > 1 ? " for \(people)" : "")
        if price.per == .night, let nights = item.nights(ofTrip: frame.nights) {
            let total = price.shown(price.hundredths * Int64(nights))
            let share = people > 1 ? ", \(words)" : ""
            words = "\(nights) \(nights == 1 ? "night" : "nights"): \(total)\(share)"
        }
        return tag(.span, .class("each")) { " " + words }
    }

    private static func facts(of card: CollapsedCard) -> HTML? {
        let item = card.item
        var facts: [HTML] = []
        if let dates = item.dates, dates.words != item.title {
            facts.append(tag(.span) { dates.words(in: card.frame.year) })
        }
        if let list = item.sayings.list { facts.append(tag(.span, .plain(.dir, "auto")) { list.title }) }
        if let host = item.fields[.host] { facts.append(tag(.span, .plain(.dir, "auto")) { host.value }) }
        if let link = item.fields[.link], let address = WebAddress(link.value) {
            facts.append(tag(.span, .plain(.dir, "auto")) { address.domain })
        }
        if item.fields[.place] != nil { facts.append(tag(.span) { "no. \(item.number) on the map" }) }
        if let quantity = item.quantity, quantity != 0 { facts.append(tag(.span) { "×\(quantity)" }) }
        if let task = card.frame.group.task(
            of: item, for: card.frame.you, isOverdue: card.isOverdue, in: card.frame.year)
        {
            facts.append(tag(.span) { task })
        }
        for claim in item.sayings.claims.prefix(3) {
            facts.append(tag(.span) { HTML.group([isolated(claim.name), " is bringing it"]) })
        }
        if !item.sayings.comments.isEmpty { facts.append(tag(.span) { "💬 \(item.sayings.comments.count)" }) }
        return facts.isEmpty ? nil : tag(.p, .class("facts")) { facts }
    }
}
