import TripModel

extension TripPage {
    /// An item and its rank, from 1; who has as many votes shares it, and the next one counts on after them.
    struct Ranked {
        let item: ItemView
        let rank: Int
    }

    /// What can be voted for, best first.
    static func ranked(_ items: [ItemView], limit: Int) -> [Ranked] {
        var ranked: [Ranked] = []
        for (index, item) in items.prefix(limit).enumerated() {
            let isTie = ranked.last?.item.tally == item.tally
            ranked.append(Ranked(item: item, rank: isTie ? ranked[index - 1].rank : index + 1))
        }
        return ranked
    }

    /// The items of the ranking, best first. Things to bring are in it once somebody voted on them.
    static func rankedItems(_ state: PageState) -> [ItemView] {
        state.trip.items(sortedBy: .votes).filter {
            state.query.shows($0) && (!$0.isToBring || !$0.votes.isEmpty)
        }
    }

    /// The list `ranking`: a row an item.
    static func ranking(_ state: PageState, _ items: [ItemView], _ window: ListWindow) -> FragmentList {
        let frame = CardFrame(state)
        let ranked = ranked(items, limit: window.range.upperBound)
        return FragmentList(
            id: "ranking",
            fragments: window.range.map { row in
                let id = "r-" + items[row].shortID
                return rankingRow(ranked[row], frame.around(row: row, id: id), state.around(row: row, id: id))
            })
    }

    private static func rankingRow(_ ranked: Ranked, _ frame: CardFrame, _ state: PageState) -> Fragment {
        let item = ranked.item
        let id = "r-" + item.shortID
        let counted = item.votes.filter { !$0.isOut }
        return Fragment(
            id: id,
            html: tag(.article, .id(id), .class("rank-row"), .data(.card, item.shortID)) {
                tag(.span, .class("rank"), .aria(.label, "Rank \(ranked.rank)")) { String(ranked.rank) }
                picture(of: item, inTrip: state.tripID)
                tag(.div, .class("rank-text")) {
                    tag(.h3, .plain(.dir, "auto")) {
                        tag(.a, .href(address(.cards, state: state, open: item.shortID))) {
                            item.title
                        }
                    }
                    tag(.p, .class("facts")) {
                        if let price = item.fields[.price] {
                            tag(.span, .class("price"), .plain(.dir, "auto")) { price.value }
                            each(of: item, in: frame)
                        }
                        if ranked.rank == 1, item.tally > 0 { tag(.span, .class("praise")) { "most wanted" } }
                        if counted.count > 1, !counted.contains(where: { $0.word == .against }) {
                            tag(.span, .class("praise")) { "nobody against" }
                        }
                    }
                    // The group can decide where it sees who leads.
                    if frame.mayEdit, item.isChosen || ranked.rank == 1 && item.tally > 0 {
                        choice(item, PageTarget(state))
                    }
                }
                side(counted, [.against], "against", frame)
                votePill(item, in: frame)
                side(counted, [.for, .ifNeedBe], "for", frame)
                compareLink(item, state)
            })
    }

    private static let sideMax = 4

    /// The faces at one side of the pill, in the order of `words`.
    private static func side(_ votes: [VoteView], _ words: [Vote], _ name: String, _ frame: CardFrame) -> HTML {
        let groups = words.map { word in (word, votes.filter { $0.word == word }) }.filter { !$0.1.isEmpty }
        let votes = groups.flatMap(\.1)
        guard !votes.isEmpty else { return tag(.span, .class("side", name)) }
        let label = groups.map { word, votes in
            let names = votes.map { $0.participant == frame.you ? "you" : $0.name }.joined(separator: ", ")
            return "\(word == .ifNeedBe ? word.label : word.name): \(names)"
        }.joined(separator: "; ")
        return tag(
            .span, .class("side", name), .plain(.role, "img"), .aria(.label, label), .plain(.title, label)
        ) {
            for vote in votes.prefix(sideMax) {
                avatar(
                    vote.participant, name: vote.name, badge: vote.word, isYou: vote.participant == frame.you,
                    isDecoration: true)
            }
            if votes.count > sideMax { tag(.span, .class("more-faces")) { "+\(votes.count - sideMax)" } }
        }
    }

    /// Takes an item into the comparison, or out of it. Where it is full, nothing more is offered.
    private static func compareLink(_ item: ItemView, _ state: PageState) -> HTML {
        let compared = state.query.compare
        let isIn = compared.contains(item.shortID)
        guard isIn || compared.count < PageQuery.compareMax else { return tag(.span, .class("compare-link")) }
        let link = PageTarget(state).link {
            $0.compare = isIn ? compared.filter { $0 != item.shortID } : compared + [item.shortID]
        }
        return tag(
            .a, .class("compare-link"), .href(link), isIn ? .aria(.current, "true") : nil,
            .aria(.label, "\(isIn ? "Stop comparing" : "Compare") \(item.title.displayed(limit: 80))")
        ) {
            tag(.span, .class("box"), .aria(.hidden, "true")) { isIn ? "✓" : "" }
            tag(.span, .class("wide")) { "compare" }
        }
    }

    /// What is above the ranking while items are chosen: how many are, and the way to see them side by side. It stays in sight
    /// over rows far down. Always the same element, so that screen readers speak what it says next.
    static func compareBar(_ state: PageState) -> HTML? {
        let count = state.query.compare.count
        guard count > 0 else {
            return tag(.div, .class("hint"), .plain(.role, "status")) {
                "Tick two or three to compare them side by side."
            }
        }
        let target = PageTarget(state)
        return tag(.div, .class("compare-bar"), .plain(.role, "status")) {
            if count > 1 {
                tag(.a, .class("button", "primary"), .href(target.link { $0.view = .compare })) {
                    "Compare \(count) side by side"
                }
            } else {
                tag(.p) { "Tick one or two more to compare." }
            }
            tag(.a, .class("button", "quiet"), .href(target.link { $0.compare = [] })) { "Clear" }
        }
    }

    private static let leadersMax = 8

    /// The list `leaders`: the best few, beside the cards where there is room.
    static func leaders(_ state: PageState) -> FragmentList {
        let isWanted = state.query.view != .ranking && state.query.view != .compare
        // A pass over all, and no sort of all: a trip may hold thousands.
        var best: [ItemView] = []
        for item in isWanted ? state.trip.items : [] where item.tally > 0 {
            let place = best.firstIndex { $0.tally < item.tally } ?? best.count
            if place < leadersMax { best.insert(item, at: place) }
            if best.count > leadersMax { best.removeLast() }
        }
        return FragmentList(
            id: "leaders",
            fragments: ranked(best, limit: leadersMax).map { ranked in
                let id = "l-" + ranked.item.shortID
                return Fragment(
                    id: id,
                    html: tag(.li, .id(id)) {
                        tag(.span, .class("rank")) { String(ranked.rank) }
                        tag(
                            .a, .href(address(.cards, state: state, open: ranked.item.shortID)), .plain(.dir, "auto")
                        ) { ranked.item.title }
                        tag(.span, .class("tally"), .aria(.label, "\(signed(ranked.item.tally)) in total")) {
                            signed(ranked.item.tally)
                        }
                    })
            })
    }
}
