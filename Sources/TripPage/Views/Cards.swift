import TripModel

extension TripPage {
    /// The items of the view of cards, as they are sorted and searched for: what is counted lies among things to bring,
    /// but a search finds everything.
    static func cardItems(_ state: PageState) -> [ItemView] {
        let query = state.query
        let wanted = state.texts.words(query.find)
        var items = state.trip.items(sortedBy: query.sort).filter {
            wanted.isEmpty
                ? $0.isProposed && state.query.shows($0) || query.priority == .new && state.news.contains($0.id)
                : state.texts.item($0, answersTo: wanted)
        }
        items = grouped(items, state)
        guard let open = query.open, !items.contains(where: { $0.shortID == open }),
            let item = state.trip.items.first(where: { $0.shortID == open })
        else { return items }
        // A link to an item shows the item, whatever list it is in.
        return [item] + items
    }

    /// What the viewer did not vote on, or what is new to them, comes first where they ask for that; as added, what the group chose.
    private static func grouped(_ items: [ItemView], _ state: PageState) -> [ItemView] {
        guard state.query.sort == .order else { return items }
        let isFirst = { (item: ItemView) in
            switch state.query.priority {
            case .unvoted: isUnvoted(item, state)
            case .new: state.news.contains(item.id)
            case nil: item.isChosen
            }
        }
        return items.filter(isFirst) + items.filter { !isFirst($0) }
    }

    /// Whether the viewer did not vote on an item.
    static func isUnvoted(_ item: ItemView, _ state: PageState) -> Bool {
        !item.votes.contains { $0.participant == state.viewer.participant }
    }

    /// The list `cards`: those of the window, the open one among them.
    static func cards(
        _ state: PageState, _ items: [ItemView], _ window: ListWindow, drawing: (CollapsedCard) -> Fragment
    ) -> FragmentList {
        let notices = Notices(state)
        let frame = CardFrame(state)
        return FragmentList(
            id: "cards",
            fragments: window.range.map { row in
                let item = items[row]
                let id = "c-" + item.shortID
                return item.shortID == state.query.open
                    ? expandedCard(item, id: id, notice: notices[item], state: state.around(row: row, id: id))
                    : drawing(
                        CollapsedCard(
                            item: item, frame: frame.around(row: row, id: id), notice: notices[item],
                            isNew: state.news.contains(item.id), isOverdue: state.isOverdue(item)))
            })
    }

    /// How many removed items are shown.
    private static let removedMax = 60

    /// The list `removed`, and the fragment `removed-head` above it; both empty where nothing was removed, and while
    /// something is searched for.
    static func removed(_ state: PageState) -> (head: Fragment, list: FragmentList) {
        let items = state.query.view == .cards && state.query.find.isEmpty ? state.trip.removedItems : []
        let shown = items.suffix(removedMax).reversed()
        let head = tag(.summary, .id("removed-head")) { items.isEmpty ? "" : "Removed (\(items.count))" }
        return (
            Fragment(id: "removed-head", html: head),
            FragmentList(
                id: "removed",
                fragments: shown.map { item in
                    item.shortID == state.query.open
                        ? expandedCard(item, id: "c-" + item.shortID, state: state) : removedRow(item, state: state)
                })
        )
    }

    private static func removedRow(_ item: ItemView, state: PageState) -> Fragment {
        let id = "c-" + item.shortID
        let state = state.within(id)
        return Fragment(
            id: id,
            html: tag(.article, .id(id), .class("line", "removed"), .data(.card, item.shortID)) {
                tag(.h3) {
                    tag(.a, .href(PageTarget(state).link { $0.open = item.shortID }), .plain(.dir, "auto")) {
                        item.title
                    }
                }
                if state.mayEdit {
                    actionButton(
                        .act(.restore, on: [item.shortID]), state: state, label: "Restore",
                        description: "Restore \(item.title.displayed(limit: 80))")
                }
            })
    }
}

extension ItemView {
    /// Whether it is among the cards: what is counted lies among things to bring.
    var isProposed: Bool { kind != nil ? !isToBring : quantity == nil }
}

extension PageQuery {
    /// Whether an item is of the kind that is shown.
    func shows(_ item: ItemView) -> Bool { kind == nil || item.kind == kind }
}

/// What the last changes say of items that came back: who removed one did not know that somebody cared.
struct Notices {
    private var notices: [ItemID: String] = [:]

    init(_ state: PageState) {
        var names: [ParticipantID: String] = [:]
        for person in state.history.names.people { names[person.id] = person.displayName }
        for entry in state.history.entries {
            for case .item(let id, _, let event, let broughtBack) in entry.events {
                switch event {
                case .removed(let upholders):
                    notices[id] = upholders.first.map { upholder in
                        let deed = upholder.vote.map(Self.deed) ?? "edited it"
                        return "restored: \(names[entry.participant] ?? "somebody") removed it while "
                            + "\(names[upholder.participant] ?? "somebody") \(deed)"
                    }
                case .restored: notices[id] = nil
                case .voted(let vote) where broughtBack:
                    notices[id] = "restored: \(names[entry.participant] ?? "somebody") \(Self.deed(vote))"
                case _ where broughtBack:
                    notices[id] = "restored: \(names[entry.participant] ?? "somebody") edited it"
                default: continue
                }
            }
        }
    }

    private static func deed(_ vote: Vote) -> String {
        vote == .ifNeedBe ? "marked it as OK if need be" : "voted \(vote.name) it"
    }

    subscript(item: ItemView) -> String? { item.isRemoved ? nil : notices[item.id] }
}
