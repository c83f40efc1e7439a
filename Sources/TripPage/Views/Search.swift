import TripModel

extension TripPage {
    /// The region `tools`: what the view is called and how much is in it, the search and the orders. Empty in views that
    /// have a heading of their own.
    static func tools(_ state: PageState, count: Int) -> Region {
        let query = state.query
        return Region(
            id: "tools",
            html: tag(.section, .id("tools"), .class("tools"), .aria(.label, "Search and order")) {
                if let title = heading(query) {
                    tag(.h2, query.view == .sources ? .plain(.dir, "auto") : nil) {
                        title
                        " "
                        tag(.span, .class("count")) { String(count) }
                    }
                    if [.cards, .sources].contains(query.view), count > 0 || !query.find.isEmpty { search(state) }
                    if query.view == .cards, count > 0 || !query.find.isEmpty { orders(state) }
                    // The script shows this where rows would move under somebody's finger.
                    if query.view == .ranking || query.view == .cards && query.sort != .order {
                        tag(.button, .class("chip"), .plain(.type, "button"), .data(.mark, "order"), .flag(.hidden)) {
                            "order changed"
                        }
                    }
                }
            })
    }

    private static func heading(_ query: PageQuery) -> String? {
        switch query.view {
        case .cards: query.find.isEmpty ? "Everything proposed" : "Found"
        case .ranking: "Ranking"
        case .bring: "Packing list"
        case .sources: title(of: query.source)
        case .compare, .map, .days, .costs, .members, .history, .status, .trips, .help: nil
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
            if state.query.sort != .order { hidden("sort", state.query.sort.rawValue) }
            if !state.query.find.isEmpty {
                tag(.a, .class("text"), .href(target.link { $0.find = "" }), .data(.mark, "clear")) { "clear" }
            }
        }
    }

    private static func orders(_ state: PageState) -> HTML {
        let target = PageTarget(state)
        return tag(.div, .class("orders"), .plain(.role, "group"), .aria(.label, "Order")) {
            for (order, label) in [(ItemOrder.order, "As added"), (.votes, "Most wanted"), (.recent, "Latest")] {
                tag(
                    .a, .class("order"),
                    .href(
                        target.link {
                            $0.sort = order
                            $0.open = nil
                            $0.isEditing = false
                        }),
                    state.query.sort == order ? .aria(.current, "true") : nil
                ) { label }
            }
        }
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
