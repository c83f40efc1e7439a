import TripModel

// Somebody removes an item while another person types in its form: the form stays in its place, and says so.
extension TripPage {
    /// The same, and among its items a removed one whose form is open here.
    static func keepingForm(_ state: PageState) -> PageState {
        guard state.query.isEditing, let open = state.query.open,
            state.query.view == .cards || state.query.view == .bring,
            let item = state.trip.removedItems.first(where: { $0.shortID == open }), state.mayEdit(item)
        else { return state }
        var state = state
        state.trip = state.trip.listing(item)
        return state
    }

    /// What a form has in place of "Save" while its item is removed. It stays in sight wherever in the form one types.
    static func removedBar(_ item: ItemView, state: PageState) -> HTML {
        let remover = state.history.remover(of: item.id)
        let name = state.history.names.people.first { $0.id == remover }?.displayName
        let isViewer = remover != nil && remover == state.viewer.participant
        return tag(.div, .class("save-bar", "removed-bar")) {
            tag(.p, .plain(.role, "alert")) {
                tag(.span, .plain(.dir, "auto")) { isViewer ? "You" : name ?? "Somebody" }
                " removed this item. Restore it to save your text."
            }
            actionButton(
                .act(.restore, on: [item.shortID]), state: state, label: "Restore", class: "button primary")
            tag(
                .a, .class("button"), .data(.mark, "cancel"),
                .href(PageTarget(state).link { ($0.open, $0.isEditing) = (nil, false) })
            ) { "Close" }
        }
    }
}

extension HistoryView {
    /// Who removed an item last; nil where that was longer ago than the history tells.
    fileprivate func remover(of item: ItemID) -> ParticipantID? {
        entries.last { entry in
            entry.events.contains { if case .item(item, _, .removed, _) = $0 { true } else { false } }
        }?.participant
    }
}
