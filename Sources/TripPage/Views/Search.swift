import TripModel

extension TripPage {
    /// The fragment `tools`: what the view is called and how much is in it, the search and the orders. Empty in views that
    /// have a heading of their own.
    static func tools(_ state: PageState, count: Int) -> Fragment {
        let query = state.query
        return Fragment(
            id: "tools",
            html: tag(.section, .id("tools"), .class("tools"), .aria(.label, "Search and order")) {
                if let title = heading(state) {
                    tag(.h2, query.view == .sources ? .plain(.dir, "auto") : nil) {
                        title
                        " "
                        tag(.span, .class("count")) { String(count) }
                    }
                    if [.cards, .sources].contains(query.view), count > 0 || !query.find.isEmpty { search(state) }
                    let choices = [
                        query.view == .cards && (count > 0 || !query.find.isEmpty) ? orders(state) : nil,
                        query.view == .ranking || query.view == .cards && query.find.isEmpty ? kinds(state) : nil,
                    ].compactMap(\.self)
                    if !choices.isEmpty { tag(.div, .class("choices")) { choices } }
                    if query.view == .cards, query.sort == .price, query.priority == nil, count > 0 {
                        tag(.p, .class("hint")) {
                            "Prices that don’t say what each person pays come after the others. Currencies aren’t converted."
                        }
                    }
                    // The script shows this where rows would move under somebody's finger.
                    if query.view == .ranking || query.view == .cards && query.sortText != ItemOrder.order.rawValue {
                        tag(.button, .class("chip"), .plain(.type, "button"), .data(.mark, "order"), .flag(.hidden)) {
                            "order changed"
                        }
                    }
                }
            })
    }

    private static func heading(_ state: PageState) -> String? {
        let query = state.query
        // A feed that isn't there has no rows to count.
        if query.view == .sources, case .feed(let name) = query.source, state.sources?.feeds.contains(name) == false {
            return nil
        }
        return switch query.view {
        // What is to be packed is among what is new.
        case .cards where query.find.isEmpty: query.priority == .new ? "New first" : kindLabel(query) ?? "Proposed"
        case .cards: "Found"
        case .ranking: "Ranking"
        case .bring: "Packing list"
        case .sources: title(of: query.source)
        case .compare, .map, .days, .costs, .questions, .notes, .members, .history, .status, .safety, .trips, .help:
            nil
        }
    }

    /// A form of its own kind: it asks for a page and changes nothing.
    private static func search(_ state: PageState) -> HTML {
        let target = PageTarget(state)
        return tag(
            .form, .class("search"), .plain(.method, "get"), .plain(.role, "search"),
            .action(PagePath(["t", state.tripID, ""]))
        ) {
            tag(.label, .class("unseen"), .plain(.for, "find")) { "Search" }
            tag(
                .input, .id("find"), .plain(.name, "find"), .plain(.type, "search"), .plain(.value, state.query.find),
                .plain(.placeholder, "Search"), .plain(.maxlength, PageQuery.findMax), .plain(.dir, "auto"),
                .plain(.autocomplete, "off"), .plain(.enterkeyhint, "search"), .data(.key, "/"))
            if state.query.view != .cards { hidden("view", state.query.view.rawValue) }
            if state.query.source != .wishes { hidden("from", state.query.source.text) }
            for (name, value) in state.query.pairs where name == "sort" { hidden("sort", value) }
            if !state.query.find.isEmpty {
                tag(.a, .class("text"), .href(target.link { $0.find = "" }), .data(.mark, "clear")) { "clear" }
            }
        }
    }

    private static func orders(_ state: PageState) -> HTML {
        let (query, newCount) = (state.query, newCount(state))
        return tag(.div, .class("orders"), .plain(.role, "group"), .aria(.label, "Order")) {
            for (order, label) in [(ItemOrder.order, "As added"), (.votes, "Most wanted"), (.recent, "Latest")] {
                choice(label, isCurrent: query.sort == order && query.priority == nil, state) {
                    ($0.sort, $0.priority) = (order, nil)
                }
            }
            if query.sort == .price || state.trip.items.contains(where: { $0.fields[.price] != nil }) {
                choice("Cheapest per person", isCurrent: query.sort == .price && query.priority == nil, state) {
                    ($0.sort, $0.priority) = (.price, nil)
                }
            }
            if query.find.isEmpty, query.priority == .new || newCount > 0 {
                choice("New (\(newCount))", isCurrent: query.priority == .new, state) {
                    ($0.sort, $0.priority) = (.order, .new)
                }
            }
            // Its number changes with each vote of the viewer, and is sent without the rest.
            HTML.part(
                id: "unvoted",
                tag(.span, .id("unvoted")) {
                    if query.find.isEmpty, let label = unvotedLabel(state) {
                        choice(label, isCurrent: query.priority == .unvoted, state) {
                            ($0.sort, $0.priority) = (.order, .unvoted)
                        }
                    }
                })
        }
    }

    /// How many items are new to the viewer, of those that are shown as cards or to pack.
    static func newCount(_ state: PageState) -> Int {
        state.news.isEmpty ? 0 : state.trip.items.count { state.news.contains($0.id) && !$0.isOfCosts }
    }

    /// What stands above the cards where the new ones come first.
    static func newsBar(_ state: PageState) -> HTML {
        let count = newCount(state)
        return tag(.div, .class("news-bar")) {
            tag(.p, .class("hint")) {
                count == 0
                    ? "Nothing new since you last looked."
                    : "What others added, changed or commented on since you last looked comes first. A card stays new until you open "
                        + "it, or see it here and leave the page."
            }
            if count > 0 { actionButton(.see([]), state: state, label: "Mark all as seen", class: "button quiet") }
        }
    }

    /// What a late-comer asks first; nil where they voted on everything, and for who has no vote.
    private static func unvotedLabel(_ state: PageState) -> String? {
        guard state.mayVote else { return nil }
        let count = state.trip.items.count { $0.isProposed && state.query.shows($0) && isUnvoted($0, state) }
        return count > 0 || state.query.priority == .unvoted ? "Not voted yet (\(count))" : nil
    }

    private static let kindLabels: [(kind: ItemKind, label: String)] = [
        (.stay, "Stays"), (.activity, "Activities"), (.idea, "Ideas"), (.dates, "Dates"),
    ]

    /// Its choice may be out of sight on a phone.
    private static func kindLabel(_ query: PageQuery) -> String? {
        query.kind.flatMap { kind in kindLabels.first { $0.kind == kind }?.label }
    }

    /// The kinds that are there, where there are several, each a filter.
    private static func kinds(_ state: PageState) -> HTML? {
        let there = Set(state.trip.items.lazy.filter(\.isProposed).compactMap(\.kind))
        let labels = kindLabels.filter { there.contains($0.kind) }
        guard labels.count > 1 || state.query.kind != nil else { return nil }
        return tag(.div, .class("orders"), .plain(.role, "group"), .aria(.label, "Kind")) {
            choice("All", isCurrent: state.query.kind == nil, state) { $0.kind = nil }
            for (kind, label) in labels { choice(label, isCurrent: state.query.kind == kind, state) { $0.kind = kind } }
        }
    }

    private static func choice(
        _ label: String, isCurrent: Bool, _ state: PageState, _ change: (inout PageQuery) -> Void
    ) -> HTML {
        let link = PageTarget(state).link {
            change(&$0)
            ($0.open, $0.isEditing) = (nil, false)
        }
        return tag(.a, .class("order"), .href(link), isCurrent ? .aria(.current, "true") : nil) { label }
    }

    /// What is said where nothing is found.
    static func nothingFound(_ state: PageState) -> HTML {
        tag(.section, .class("view", "nothing")) {
            tag(.p) {
                "No results for "
                tag(.strong, .plain(.dir, "auto")) { "“\(state.query.find)”" }
                "."
            }
            tag(.a, .class("button"), .href(PageTarget(state).link { $0.find = "" })) { "Show everything" }
        }
    }
}
