import TripModel

extension TripPage {
    /// A form that asks for an action and works without script: what the action says lies in it, what is in `content` is
    /// seen. Whoever has no script comes back to the same view.
    static func actionForm(
        _ action: PageAction, state: PageState, class name: String = "act", @HTMLBuilder content: () -> HTML
    ) -> HTML {
        tag(
            .form, .class(name), .plain(.method, "post"),
            .action(PagePath(["t", state.tripID, "act"]))
        ) {
            hiddenFields(of: action).map { hidden($0.name, $0.value) }
            hidden("back", queryText(state.query))
            content()
        }
    }

    /// A form that is one button.
    ///
    /// - Parameter description: what screen readers say in place of the label, where that says too little by itself.
    static func actionButton(
        _ action: PageAction, state: PageState, label: String, description: String? = nil, class name: String = "button"
    ) -> HTML {
        actionForm(action, state: state) {
            tag(
                .button, .class(name), .plain(.type, "submit"),
                description.map { .aria(.label, $0) }
            ) {
                label
            }
        }
    }

    private static func hidden(_ name: String, _ value: String) -> HTML {
        tag(.input, .plain(.type, "hidden"), .plain(.name, name), .plain(.value, value))
    }

    /// The address of another view of the same trip.
    static func address(_ view: PageQuery.View, state: PageState, open: String? = nil) -> Link {
        var query = PageQuery()
        query.view = view
        query.open = open
        return .page(PagePath(["t", state.tripID, ""], query: query.pairs))
    }

    /// A query as it stands after the question mark.
    private static func queryText(_ query: PageQuery) -> String {
        query.pairs.map { PagePath.encoded($0.name) + "=" + PagePath.encoded($0.value) }.joined(separator: "&")
    }

    private static func hiddenFields(of action: PageAction) -> [(name: String, value: String)] {
        switch action {
        case .add(let title, let fields, let quantity):
            [("do", "add"), ("title", title)]
                + fields.sorted { $0.key < $1.key }.filter { $0.key != .title }.map { ($0.key.name, $0.value) }
                + (quantity.map { [("quantity", String($0))] } ?? [])
        case .edit(let item, let fields, let shown):
            [
                ("do", "edit"), ("item", item),
                ("fields", fields.keys.sorted().map(\.name).joined(separator: ",")),
            ]
                + fields.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) }
                + shown.sorted { $0.key < $1.key }.flatMap { field, values in
                    values.map { ("shown-" + field.name, $0) }
                }
        case .vote(let item, let vote): [("do", "vote"), ("item", item), ("vote", vote?.name ?? "none")]
        case .remove(let item): [("do", "remove"), ("item", item)]
        case .restore(let item): [("do", "restore"), ("item", item)]
        case .count(let item, let step): [("do", "count"), ("item", item), ("by", String(step))]
        case .invite: [("do", "invite")]
        case .closeInvite(let invite): [("do", "close-invite"), ("invite", invite)]
        case .takeOut(let member): [("do", "take-out"), ("member", member)]
        case .openToGuests(let minutes): [("do", "open-to-guests"), ("minutes", String(minutes))]
        case .closeToGuests: [("do", "close-to-guests")]
        }
    }
}
