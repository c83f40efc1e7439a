import TripExchange
import TripModel
import TripService

// Where people share from: their wish list, what they looked at, their feeds. One tap makes an item of a row.
extension TripPage {
    /// A row of a source.
    enum SourceRow {
        case offer(Offer)
        case item(ItemView)
    }

    /// The rows of the source that is looked at, those that are searched for. O(n).
    static func sourceRows(_ state: PageState) -> [SourceRow] {
        guard state.query.view == .sources, let sources = state.sources else { return [] }
        let wanted = state.query.find.searchedWords.map(FoldedTexts.folded)
        switch state.query.source {
        case .wishes: return found(sources.wishes, wanted)
        case .viewed:
            let ids = Set(sources.viewed)
            let items = (state.trip.items + state.trip.removedItems).filter { ids.contains($0.id) }
            let known = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
            let wanted = state.texts.words(state.query.find)
            return sources.viewed.compactMap { known[$0] }
                .filter { wanted.isEmpty || state.texts.item($0, answersTo: wanted) }.map(SourceRow.item)
        case .feed:
            guard case .read(let offers) = sources.feed else { return [] }
            return found(offers, wanted)
        }
    }

    private static func found(_ offers: [Offer], _ wanted: [[UInt8]]) -> [SourceRow] {
        offers.filter { offer in wanted.allSatisfy { offer.folded.contains($0) } }.map(SourceRow.offer)
    }

    /// What the source that is looked at is called.
    static func title(of source: PageQuery.Source) -> String {
        switch source {
        case .wishes: "Your wish list"
        case .viewed: "Recently viewed"
        case .feed(let name): name
        }
    }

    // MARK: - Above the rows

    /// The sources as tabs, and what is added to the one that is looked at.
    static func sourcesHead(_ state: PageState, _ sources: Sources) -> HTML {
        .group([
            tag(.nav, .class("orders", "sources"), .aria(.label, "Add from")) {
                tag(.span, .class("hint"), .aria(.hidden, "true")) { "Add from" }
                for source in [.wishes, .viewed] + sources.feeds.map(PageQuery.Source.feed) {
                    tag(
                        .a, .class("order"), .href(sourceLink(source, state)), .plain(.dir, "auto"),
                        source == state.query.source ? .aria(.current, "page") : nil
                    ) { title(of: source) }
                }
            },
            state.query.source == .wishes && state.mayEdit ? wishForm(state) : .none,
        ])
    }

    private static func sourceLink(_ source: PageQuery.Source, _ state: PageState) -> Link {
        var query = PageQuery()
        (query.view, query.source) = (.sources, source)
        return .page(PagePath(["t", state.tripID, ""], query: query.pairs))
    }

    private static func wishForm(_ state: PageState) -> HTML {
        actionForm([("do", "wish")], PageTarget(state), class: "add") {
            tag(.label, .class("unseen"), .plain(.for, "wish")) { "Add to your wish list" }
            boxInput(id: "wish")
            tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Save" }
        }
    }

    /// What is said of a source where there are no rows, or more is to be known.
    static func sourcesBody(_ state: PageState, _ sources: Sources, isEmpty: Bool) -> HTML {
        .group([
            isEmpty ? nothing(state, sources) : .none,
            sources.feeds.isEmpty ? aboutFeeds : .none,
        ])
    }

    private static func nothing(_ state: PageState, _ sources: Sources) -> HTML {
        let query = state.query
        if case .feed(let name) = query.source {
            switch sources.feed {
            case .awaited where sources.feeds.contains(name):
                return said("Reading \(name)… If this takes long, reload the page.")
            case .awaited: return said("You have no feed named \(name.quoted).")
            case .problem(let problem):
                return tag(.p, .class("note", "problem"), .plain(.role, "alert"), .plain(.dir, "auto")) { problem }
            case .read: break
            }
        }
        guard query.find.isEmpty else {
            return said("No results for \(query.find.quoted).") {
                tag(.a, .class("button"), .href(PageTarget(state).link { $0.find = "" })) { "Show everything" }
            }
        }
        return switch query.source {
        case .wishes: said("Save places you like here. Nobody else sees them until you share them.")
        case .viewed: said("Cards you open appear here. Nobody else sees this list.")
        case .feed: said("This feed is empty.")
        }
    }

    private static func said(_ words: String, @HTMLBuilder further: () -> HTML = { .none }) -> HTML {
        tag(.section, .class("view", "nothing")) {
            tag(.p, .plain(.dir, "auto")) { words }
            further()
        }
    }

    private static let aboutFeeds = tag(.p, .class("hint")) {
        "A feed is a list of places you can browse: a file on this computer, or an address on this network. This page can’t add "
        "one yet. In a terminal, run "
        tag(.kbd) { "caravan feeds add" }
        " and the file or address."
    }

    // MARK: - The rows

    /// The list `sources`: a row for each that can be shared or was.
    static func sourceList(_ state: PageState, _ rows: [SourceRow], _ window: ListWindow) -> FragmentList {
        guard !rows.isEmpty, let sources = state.sources else { return FragmentList(id: "sources") }
        let trip = KnownItems(state.trip)
        let shortIDs = Dictionary(state.trip.items.map { ($0.id, $0.shortID) }) { first, _ in first }
        let wishes = Set(sources.wishes.map(\.id))
        return FragmentList(
            id: "sources",
            fragments: window.range.map { place in
                switch rows[place] {
                case .item(let item):
                    let id = "v-" + item.shortID
                    return viewedRow(item, id: id, state.around(row: place, id: id))
                case .offer(let offer):
                    var shared: String?
                    if case .trip(let id)? = trip.holder(of: offer.item) { shared = shortIDs[id] }
                    let id = "o-" + offer.id
                    return offerRow(
                        offer, id: id, shared: shared, isWish: wishes.contains(Offer.wish(offer).id),
                        state.around(row: place, id: id))
                }
            })
    }

    private static func viewedRow(_ item: ItemView, id: String, _ state: PageState) -> Fragment {
        Fragment(
            id: id,
            html: tag(.article, .id(id), .class("offer"), .data(.card, id)) {
                picture(of: item, inTrip: state.tripID)
                tag(.div, .class("offer-text")) {
                    tag(.h3) {
                        tag(.a, .href(address(.cards, state: state, open: item.shortID)), .plain(.dir, "auto")) {
                            item.title
                        }
                    }
                    facts(state) { item.fields[$0]?.value }
                }
                tag(.div, .class("offer-acts")) {
                    if !item.isRemoved {
                        inTheList(item.shortID, item.title, state)
                    } else if state.mayEdit {
                        actionButton(
                            .act(.restore, on: [item.shortID]), state: state, label: "Restore",
                            description: "Restore \(item.title.displayed(limit: 80))")
                    }
                }
            })
    }

    /// - Parameter shared: the short id of the item that is like it already.
    private static func offerRow(
        _ offer: Offer, id: String, shared: String?, isWish: Bool, _ state: PageState
    ) -> Fragment {
        let item = offer.item
        return Fragment(
            id: id,
            html: tag(.article, .id(id), .class("offer"), .data(.card, id)) {
                tag(.div, .class("picture", "hue-\(hue(ofDigits: offer.id))"), .aria(.hidden, "true")) {
                    tag(.span) { initial(ofTitle: item.title) }
                }
                tag(.div, .class("offer-text")) {
                    tag(.h3) {
                        if let address = item.fields[.link].flatMap({ WebAddress($0) }) {
                            tag(
                                .a, .href(.web(address)), .plain(.rel, "noopener noreferrer"),
                                .plain(.target, "_blank"), .plain(.dir, "auto")
                            ) { item.title }
                        } else {
                            tag(.span, .plain(.dir, "auto")) { item.title }
                        }
                    }
                    facts(state) { item.fields[$0] }
                }
                tag(.div, .class("offer-acts")) { acts(of: offer, shared: shared, isWish: isWish, state) }
            })
    }

    private static func acts(of offer: Offer, shared: String?, isWish: Bool, _ state: PageState) -> HTML {
        let (title, source) = (offer.item.title, state.query.source)
        let name = title.displayed(limit: 80)
        return .group([
            shared.map { inTheList($0, title, state) }
                ?? (state.mayEdit
                    ? actionButton(
                        .share(from: source, offer: offer.id), state: state, label: "Share",
                        description: "Share \(name) with the trip", class: "button primary") : .none),
            state.mayEdit && source == .wishes
                ? actionButton(
                    .unwish(offer: offer.id), state: state, label: "✕",
                    description: "Remove \(name) from your wish list", class: "button quiet") : .none,
            isWish && source != .wishes ? tag(.span, .class("hint")) { "on your wish list" } : .none,
            state.mayEdit && source != .wishes && !isWish && shared == nil
                ? actionButton(
                    .keep(from: source, offer: offer.id), state: state, label: "Save",
                    description: "Save \(name) to your wish list", class: "button quiet") : .none,
        ])
    }

    private static func inTheList(_ shortID: String, _ title: String, _ state: PageState) -> HTML {
        tag(
            .a, .class("in-the-list"), .href(address(.cards, state: state, open: shortID)),
            .aria(.label, "Already in the trip: \(title.displayed(limit: 80))")
        ) { "✓ in the trip" }
    }

    private static let noteMax = 80

    /// The price first; then what is known besides, as a card says it.
    private static func facts(_ state: PageState, _ value: (Field) -> String?) -> HTML? {
        var facts: [HTML] = []
        if let price = value(.price) { facts.append(tag(.span, .class("price"), .plain(.dir, "auto")) { price }) }
        for field in [Field.host, .rooms, .dates] {
            if let text = value(field) {
                facts.append(tag(.span, .plain(.dir, "auto")) { field.words(of: text, in: state.year) })
            }
        }
        if let address = value(.link).flatMap({ WebAddress($0) }) {
            facts.append(tag(.span, .plain(.dir, "auto")) { address.domain })
        }
        if value(.place) != nil { facts.append(tag(.span) { "on the map" }) }
        if let note = value(.note) {
            facts.append(tag(.span, .plain(.dir, "auto")) { note.displayed(limit: noteMax) })
        }
        return facts.isEmpty ? nil : tag(.p, .class("facts")) { facts }
    }
}

extension Offer {
    /// The same as a wish, which says less than an item.
    static func wish(_ offer: Offer) -> Offer { Offer(NewItem(Wish(offer.item))) }
}
