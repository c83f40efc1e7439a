import TripModel
import TripService

#if DEBUG
extension TripPage {
    /// Rows of the ranking, things to bring, what is removed, and places on the map.
    static var listComponents: [ComponentState] {
        let ranked = SampleTrip.state {
            $0.query.view = .ranking
            $0.trip = SampleTrip.trip([
                SampleTrip.casaDoRio, SampleTrip.hostel, SampleTrip.tied, SampleTrip.unwanted, SampleTrip.longTitle,
                SampleTrip.rightToLeft,
            ])
        }
        func comparing(_ items: ItemView...) -> PageState {
            var state = ranked
            state.query.compare = items.map(\.shortID)
            return state
        }
        let three = comparing(SampleTrip.casaDoRio, SampleTrip.hostel, SampleTrip.tied)
        return [
            ComponentState("ranking", "with ties", isWide: true) {
                list("ranking", rows(ranked, of: rankedItems(ranked)))
            },
            ComponentState("ranking", "two chosen", isWide: true) {
                let state = comparing(SampleTrip.casaDoRio, SampleTrip.tied)
                compareBar(state)
                list("ranking", rows(state, of: Array(rankedItems(state).prefix(3))))
            },
            sources("your wish list", .wishes),
            sources("recently viewed", .viewed),
            sources("a feed", .feed("stays.csv")),
            sources("nothing wished for, no feeds", .wishes) { $0.sources = Sources() },
            sources("a feed that cannot be read", .feed("stays.csv")) {
                $0.sources?.feed = .problem("stays.csv: row 7: it has neither a title nor a link")
            },
            sources("nothing found", .feed("stays.csv")) { $0.query.find = "castle" },
            ComponentState("more rows", "around the place of a reader", isWide: true) {
                beyond(ListWindow(count: 1_000, at: 120), SampleTrip.state()).map(\.html)
            },
            ComponentState("compare", "three side by side", isWide: true) { compareView(three) },
            ComponentState("compare", "one is not enough", isWide: true) { compareView(comparing(SampleTrip.tied)) },
            bringing("to do", SampleTrip.stove),
            bringing("done", SampleTrip.done),
            bringing("short by one, with a note", SampleTrip.short),
            bringing("for a guest", SampleTrip.stove) {
                $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true)
            },
            ComponentState("removed", "one") {
                list(
                    "removed",
                    removed(SampleTrip.state { $0.trip = SampleTrip.trip([], removed: [SampleTrip.removedHostel]) })
                        .list.fragments)
            },
            ComponentState("map", "two places", isWide: true) {
                mapView(SampleTrip.state { $0.query.view = .map })
            },
            ComponentState("map", "no place yet", isWide: true) {
                mapView(
                    SampleTrip.state {
                        $0.query.view = .map
                        $0.trip = SampleTrip.trip([SampleTrip.idea])
                    })
            },
        ]
    }

    private static func rows(_ state: PageState, of items: [ItemView]) -> [Fragment] {
        ranking(state, items, ListWindow(count: items.count, at: nil)).fragments
    }

    private static func sources(
        _ state: String, _ source: PageQuery.Source, _ change: (inout PageState) -> Void = { _ in }
    ) -> ComponentState {
        let page = SampleTrip.state {
            ($0.query.view, $0.query.source) = (.sources, source)
            $0.sources = SampleTrip.sources
            change(&$0)
        }
        let rows = sourceRows(page)
        return ComponentState("sources", state, isWide: true) {
            addBox(page).html
            tools(page, count: rows.count).html
            tag(.div) { sourcesBody(page, page.sources ?? Sources(), isEmpty: rows.isEmpty) }
            list("sources", sourceList(page, rows, ListWindow(count: rows.count, at: nil)).fragments)
        }
    }

    private static func bringing(
        _ state: String, _ item: ItemView, _ change: (inout PageState) -> Void = { _ in }
    ) -> ComponentState {
        let page = SampleTrip.state {
            $0.query.view = .bring
            $0.trip = SampleTrip.trip([item])
            change(&$0)
        }
        return ComponentState("thing to bring", state) {
            list("bring", bring(page, [item], ListWindow(count: 1, at: nil)).fragments)
        }
    }

    /// What frames the views: the bars, the boxes for adding and searching, and what is beside the cards.
    static var frameComponents: [ComponentState] {
        let state = SampleTrip.state()
        return [
            ComponentState("bar", "a member’s", isWide: true) { bar(state) },
            ComponentState("bar", "long title, may lack some", isWide: true) {
                bar(
                    SampleTrip.state {
                        $0.trip = TripView(
                            title: SampleTrip.value("The great summer of walking along the coast from Porto to Lisbon"),
                            participants: [], items: [], removedItems: [])
                        $0.status = SampleTrip.status([SampleTrip.device(SampleTrip.mia, lacks: 2)])
                    })
            },
            ComponentState("bar", "a guest’s", isWide: true) {
                bar(SampleTrip.state { $0.viewer = Viewer(participant: SampleTrip.lea.id, isGuest: true) })
            },
            ComponentState("views", "on cards", isWide: true) { navigation(state).html },
            ComponentState("add box", "for cards") { addBox(state).html },
            ComponentState("add box", "for things to bring") {
                addBox(SampleTrip.state { $0.query.view = .bring }).html
            },
            ComponentState("search and order", "all, as added") { tools(state, count: 24).html },
            ComponentState("search and order", "found, most wanted first") {
                tools(
                    SampleTrip.state {
                        $0.query.find = "casa"
                        $0.query.sort = .votes
                    }, count: 2
                ).html
            },
            ComponentState("search and order", "nothing found") {
                nothingFound(SampleTrip.state { $0.query.find = "castle" })
            },
            ComponentState("most wanted", "beside the cards") {
                tag(.ol, .data(.list, "leaders")) { leaders(state).fragments.map(\.html) }
            },
            ComponentState("just now", "beside the cards") {
                tag(.ol, .id("just-now"), .data(.list, "just-now")) { justNow(state).fragments.map(\.html) }
            },
        ]
    }

    private static func bar(_ state: PageState) -> HTML {
        tag(.div, .class("bar")) {
            header(state).html
            syncWord(state).html
        }
    }
}
#endif
