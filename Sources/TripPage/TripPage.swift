import TripModel
import TripService

/// The page as functions of what it shows.
///
/// A document is a frame that never changes, and in it fragments and lists of fragments (`PageContent`), always the same ones:
/// those that a view does not use are empty. So whatever the page shows next, a patch of fragments leads there.
///
/// The cost: `content` passes over the items once and draws those that are shown, never more than the query asks for. `card(_:)` draws a
/// collapsed card from a `CollapsedCard`, a value that holds all that it shows. A caller that draws again and again passes `drawing`,
/// which looks up drawings of equal values, so that only new ones are drawn.
package enum TripPage {
    /// What the page shows, in fragments.
    ///
    /// - Parameter drawing: draws a collapsed card as `card(_:)` does, or remembers it.
    package static func content(
        _ state: PageState, drawing: (CollapsedCard) -> Fragment = TripPage.card
    ) -> PageContent {
        if state.viewer.isGuest, state.viewer.participant == nil { return entrance(state) }
        var state = state
        if state.viewer.isGuest, !guestViews.contains(state.query.view) { state.query.view = .cards }
        let view = state.query.view
        let costs = view == .costs ? state.trip.costs : Costs([])
        let questions = state.trip.questions
        let trip = state.trip
        // Expenses are shown among the costs only, and questions among the questions.
        if !state.trip.items.allSatisfy(\.isOfPlan) || !state.trip.removedItems.allSatisfy(\.isOfPlan) {
            state.trip = state.trip.plan
        }
        let kept = keepingForm(state)
        let items = listed(kept)
        let sources = sourceRows(state)
        let isEmpty = items.isEmpty && sources.isEmpty
        let window = ListWindow(
            count: items.count + sources.count, at: state.query.at,
            open: state.query.open.flatMap { open in items.firstIndex { $0.shortID == open } })
        // All but the rows is drawn alike wherever the reader is.
        state.query.at = nil
        let removed = removed(kept)
        return PageContent(
            title: windowTitle(state.trip.title?.value ?? "", newCount: newCount(state)),
            fragments: [
                header(state), syncWord(state), navigation(state), notice(state), addBox(state),
                tools(state, count: window.count),
                Fragment(id: "view", html: tag(.div, .id("view")) { body(state, costs, questions, isEmpty: isEmpty) }),
                removed.head, plus(state), toast(state),
            ] + beyond(window, state),
            lists: [
                view == .cards ? cards(state, items, window, drawing: drawing) : FragmentList(id: "cards"),
                view == .ranking ? ranking(state, items, window) : FragmentList(id: "ranking"),
                view == .bring ? bring(state, items, window) : FragmentList(id: "bring"),
                sourceList(state, sources, window),
                view == .history ? history(state, of: trip) : FragmentList(id: "history"),
                removed.list, leaders(state), justNow(state, of: trip),
            ], notes: state.noteTexts)
    }

    /// What the window is called: how much is new, and the trip's title, empty for none.
    package static func windowTitle(_ title: String, newCount: Int) -> String {
        let name = title.isEmpty ? "Untitled trip" : title.displayed()
        return newCount > 0 ? "(\(newCount)) \(name)" : name
    }

    /// The items of the view's list, in its order.
    private static func listed(_ state: PageState) -> [ItemView] {
        switch state.query.view {
        case .cards: cardItems(state)
        case .ranking: rankedItems(state)
        case .bring: bringItems(state)
        case .compare, .map, .days, .costs, .questions, .notes, .sources, .members, .history, .status, .safety, .trips,
            .help:
            []
        }
    }

    /// The views that guests have.
    package static let guestViews: Set<PageQuery.View> = [
        .cards, .ranking, .compare, .bring, .map, .days, .questions, .notes,
    ]

    /// What every view says above all else: to a guest, and to a host whose door is open.
    private static func notice(_ state: PageState) -> Fragment {
        Fragment(
            id: "notice",
            html: tag(.div, .id("notice")) { state.viewer.isGuest ? guestNotice(state) : doorNotice(state) ?? .none })
    }

    /// What stands above the lists, or in their place.
    private static func body(
        _ state: PageState, _ costs: Costs, _ questions: [ItemView], isEmpty: Bool
    ) -> HTML {
        var pieces: [HTML] = []
        if state.status.isArchived { pieces.append(archivedNotice(state)) }
        switch state.query.view {
        case .cards:
            if state.query.find.isEmpty {
                pieces += [notesBar(state), questionsBar(questions, state)].compactMap(\.self)
            }
            if isEmpty, !state.query.find.isEmpty { pieces.append(nothingFound(state)) }
            if state.query.find.isEmpty, isEmpty, state.mayVote { pieces.append(firstRun(state)) }
            if state.query.find.isEmpty, state.query.priority == .new { pieces.append(newsBar(state)) }
        case .ranking:
            if isEmpty {
                let advice = state.mayVote ? " Add a place to stay and vote." : ""
                pieces.append(tag(.p, .class("hint")) { "Nothing to rank yet.\(advice)" })
            } else {
                if let bar = compareBar(state) { pieces.append(bar) }
                if !state.viewer.isGuest { pieces.append(shareView(state)) }
            }
        case .bring:
            if isEmpty {
                let advice = state.mayVote ? " Type or paste a list above." : ""
                pieces.append(tag(.p, .class("hint")) { "Nothing to pack yet.\(advice)" })
            }
        case .compare: pieces.append(compareView(state))
        case .map: pieces.append(mapView(state))
        case .days: pieces += [tag(.h2) { "Days" }, daysView(state)]
        case .costs: pieces += [tag(.h2) { "Costs" }, costsView(state, costs)]
        case .questions: pieces += [tag(.h2) { "Questions" }, questionsView(state, questions)]
        case .notes: pieces.append(notesView(state))
        case .sources: if let sources = state.sources { pieces.append(sourcesBody(state, sources, isEmpty: isEmpty)) }
        case .members:
            pieces += [inviteView(state), guestsView(state), membersView(state), namesView(state), apartView(state)]
                .compactMap(\.self)
        case .history: pieces.append(historyHead(state))
        case .status: pieces.append(statusView(state))
        case .safety: pieces.append(safetyView(state))
        case .trips: pieces.append(tripsView(state))
        case .help: pieces.append(helpView(state))
        }
        return .group(pieces)
    }

    /// What a guest sees who has not said who they are: that question, and nothing of the trip but its title.
    private static func entrance(_ state: PageState) -> PageContent {
        let empty = ["nav", "notice", "add", "tools", "plus", "earlier", "later"].map {
            Fragment(id: $0, html: tag(.div, .id($0)))
        }
        return PageContent(
            title: title(of: state.trip),
            fragments: [
                Fragment(
                    id: "header",
                    html: tag(.div, .id("header"), .class("trip")) {
                        tag(.h1, .plain(.dir, "auto")) { title(of: state.trip) }
                    }),
                syncWord(state),
                Fragment(id: "view", html: tag(.div, .id("view")) { whoView(state) }),
                Fragment(id: "removed-head", html: tag(.summary, .id("removed-head"))),
                toast(state),
            ] + empty,
            lists: ["cards", "ranking", "bring", "sources", "history", "removed", "leaders", "just-now"].map {
                FragmentList(id: $0)
            })
    }
}
