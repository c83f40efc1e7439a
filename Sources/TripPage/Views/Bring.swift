import TripModel

extension TripPage {
    /// What is to be brought: what is said to be that, and what is of no kind and is counted or ticked off; what is done last.
    static func bringItems(_ state: PageState) -> [ItemView] {
        let items = state.trip.items.filter(\.isToBring)
        return items.filter { !$0.isDone } + items.filter(\.isDone)
    }

    /// The list `bring`: a line an item; the open one is a card.
    static func bring(_ state: PageState, _ items: [ItemView], _ window: ListWindow) -> FragmentList {
        let frame = CardFrame(state)
        return FragmentList(
            id: "bring",
            fragments: window.range.map { row in
                let item = items[row]
                let id = "b-" + item.shortID
                let state = state.around(row: row, id: id)
                return item.shortID == state.query.open
                    ? expandedCard(item, id: id, state: state) : bringLine(item, in: frame, state)
            })
    }

    static func bringLine(_ item: ItemView, in frame: CardFrame, _ state: PageState) -> Fragment {
        let id = "b-" + item.shortID
        let target = PageTarget(state)
        return Fragment(
            id: id,
            html: tag(
                .article, .id(id), .class("line", item.isDone ? "is-done" : "to-do"), .data(.card, item.shortID)
            ) {
                if state.mayEdit(item) {
                    tick(item, target, class: "check")
                } else {
                    tag(.span, .class("mark")) { item.isDone ? "✓" : "" }
                }
                tag(.h3, .plain(.dir, "auto")) {
                    tag(
                        .a, .href(target.link { $0.open = item.shortID }), .data(.key, "Enter"),
                        state.mayEdit(item) ? .editable : nil
                    ) { item.title }
                    if state.news.contains(item.id) { newMark }
                    if let note = item.fields[.note] {
                        tag(.span, .class("facts"), .plain(.dir, "auto")) { note.value.displayed(limit: 80) }
                    }
                }
                if let task = frame.group.task(
                    of: item, for: frame.you, isOverdue: state.isOverdue(item), in: state.year)
                {
                    tag(.span, .class("facts")) { task }
                }
                bringers(of: item, you: state.viewer.participant)
                if item.quantity != nil { stepper(item, target, mayEdit: state.mayEdit(item)) }
                if let row = CardField.all.first {
                    alternatives(of: row, item, in: frame, target, mayPick: state.mayEdit, limit: 3)
                }
            })
    }
}

extension TripPage {
    private static let bringersMax = 4

    /// The faces of everybody who brings it, with their names for screen readers and pointers.
    private static func bringers(of item: ItemView, you: ParticipantID?) -> HTML? {
        let claims = item.sayings.claims.filter { !$0.isOut }
        guard !claims.isEmpty else { return nil }
        let names = claims.map { claim in
            (claim.participant == you ? "you" : claim.name) + (claim.word == 1 ? "" : " (\(claim.word))")
        }
        let label = "brought by \(names.joined(separator: ", "))"
        return tag(.span, .class("bringers"), .plain(.role, "img"), .aria(.label, label), .plain(.title, label)) {
            for claim in claims.prefix(bringersMax) {
                avatar(claim.participant, name: claim.name, isYou: claim.participant == you, isDecoration: true)
                if claim.word != 1 { tag(.span, .class("more-faces")) { "×\(claim.word)" } }
            }
            if claims.count > bringersMax { tag(.span, .class("more-faces")) { "+\(claims.count - bringersMax)" } }
        }
    }
}

extension ItemView {
    /// Whether it stands among things to bring: by its kind, or where nobody said one, where it is counted or done.
    var isToBring: Bool { kind.map { $0 == .bring } ?? (quantity != nil || isDone) }
}
