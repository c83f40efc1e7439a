import TripModel
import TripService

extension TripPage {
    /// The fragment `header`: what the trip is called and who is in, those who are here in full colour.
    static func header(_ state: PageState) -> Fragment {
        let title = title(of: state.trip)
        return Fragment(
            id: "header",
            html: tag(.div, .id("header"), .class("trip")) {
                tag(.h1, .plain(.dir, "auto")) { tag(.a, .href(address(.cards, state: state))) { title } }
                newsLink(state)
                headerFaces(state)
            })
    }

    /// How much is new, and the way to it; nil where nothing is.
    private static func newsLink(_ state: PageState) -> HTML? {
        let count = newCount(state)
        guard count > 0 else { return nil }
        var query = PageQuery()
        query.priority = .new
        let link = Link.page(PagePath(["t", state.tripID, ""], query: query.pairs))
        return tag(.a, .class("news"), .href(link), .aria(.label, "\(count) new since you last looked")) {
            "\(count) new"
        }
    }

    private static let headerFacesMax = 5

    private static func headerFaces(_ state: PageState) -> HTML? {
        let people = state.members.people.filter { $0.removal == nil }
        // A guest's page has its host's list, in which the host is "you".
        let you = state.viewer.participant?.description
        guard people.count > 1 else { return nil }
        let isHere = { (person: MemberView) in person.isYou || person.isHere || person.id == you }
        let here = people.filter(isHere)
        let shown = (here + people.filter { !isHere($0) }).prefix(headerFacesMax)
        let faces = HTML.group([
            .group(
                shown.map { person in
                    guard let id = ParticipantID(person.id) else { return .none }
                    return avatar(
                        id, name: person.name, isHere: isHere(person), isYou: person.id == you,
                        isDecoration: true)
                }),
            people.count > shown.count ? tag(.span, .class("more-faces")) { "+\(people.count - shown.count)" } : .none,
        ])
        let label = "\(people.count) people, \(here.count) here"
        // A guest sees faces, and no list of members behind them.
        if state.viewer.isGuest {
            return tag(.div, .class("faces-here"), .plain(.role, "img"), .aria(.label, label)) { faces }
        }
        return tag(.a, .class("faces-here"), .href(address(.members, state: state)), .aria(.label, label)) { faces }
    }

    /// The fragment `nav`: the views, at the thumb on a phone and beside the title elsewhere.
    static func navigation(_ state: PageState) -> Fragment {
        Fragment(
            id: "nav",
            html: tag(.nav, .id("nav"), .class("tabs"), .aria(.label, "Views")) {
                tab(.cards, "Cards", "▦", state)
                tab(.ranking, "Ranking", "≡", state, key: "r")
                tab(.bring, "Packing", "✓", state)
                tab(.days, "Days", "☷", state)
                tab(.map, "Map", "◎", state)
                if state.viewer.isGuest {
                    tab(.questions, "Questions", "¿", state)
                } else {
                    tag(.details, .class("tab", "further")) {
                        tag(.summary) {
                            tag(.span, .class("tab-sign"), .aria(.hidden, "true")) { "⋯" }
                            "More"
                        }
                        tag(.ul) {
                            tag(.li) { tab(.questions, "Questions", "¿", state) }
                            tag(.li) { tab(.notes, "Notes", "✎", state) }
                            tag(.li) { tab(.costs, "Costs", "€", state) }
                            tag(.li) { tab(.members, "Members and invites", "☺", state) }
                            tag(.li) { tab(.history, "History", "↺", state) }
                            tag(.li) { tab(.status, "Sync", "⇄", state) }
                            tag(.li) { tab(.safety, "Devices and backup", "◈", state) }
                            tag(.li) { tab(.trips, "Your trips", "▤", state) }
                            tag(.li) { tab(.help, "Help", "?", state, key: "?") }
                        }
                    }
                }
            })
    }

    private static func tab(
        _ view: PageQuery.View, _ label: String, _ sign: String, _ state: PageState, key: String? = nil
    ) -> HTML {
        let shown: PageQuery.View =
            switch state.query.view {
            case .compare: .ranking
            case .sources: .cards
            case let other: other
            }
        let isCurrent = shown == view
        return tag(
            .a, .class("tab"), .href(address(view, state: state)), isCurrent ? .aria(.current, "page") : nil,
            key.map { .data(.key, $0) }
        ) {
            tag(.span, .class("tab-sign"), .aria(.hidden, "true")) { sign }
            label
        }
    }

    private static let newsMax = 5

    /// The list `just-now`: the latest events, for screens with room beside the cards.
    ///
    /// - Parameter trip: the whole trip, where the state has what is planned only.
    static func justNow(_ state: PageState, of trip: TripView? = nil) -> FragmentList {
        guard !state.viewer.isGuest else { return FragmentList(id: "just-now") }
        let wording = HistoryWording(state.history.names, state: state, trip: trip)
        return FragmentList(
            id: "just-now",
            fragments: lastNews(of: state.history.entries.joiningNotes()).map { entry in
                let id = "n-\(entry.stamp.label)"
                return Fragment(id: id, html: tag(.li, .id(id)) { historyLine(entry, wording: wording, state: state) })
            })
    }

    /// The last entries, newest first; of a person's votes on one item, the last one alone. O(n) in the entries.
    private static func lastNews(of entries: [HistoryEntry]) -> [HistoryEntry] {
        var news: [HistoryEntry] = []
        var votes: Set<ItemVoter> = []
        for entry in entries.reversed() where news.count < newsMax {
            if let vote = entry.votedOn, !votes.insert(vote).inserted { continue }
            news.append(entry)
        }
        return news
    }
}

private struct ItemVoter: Hashable {
    let participant: ParticipantID
    let item: ItemID
}

extension HistoryEntry {
    /// The item on which its author voted, or withdrew a vote, where the change did nothing else.
    fileprivate var votedOn: ItemVoter? {
        guard events.count <= 2, case .item(let item, _, let event, false) = events.last,
            events.count == 1 || events.first == .undid
        else { return nil }
        switch event {
        case .voted, .unvoted: return ItemVoter(participant: participant, item: item)
        default: return nil
        }
    }
}
