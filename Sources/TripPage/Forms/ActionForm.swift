/// Where forms and links of a page lead: to its trip, and back to the view that they stand in.
package struct PageTarget: Hashable, Sendable {
    /// `PageState.tripID`.
    package let tripID: String
    package var query: PageQuery
    /// `PageState.part`.
    var part: String?

    package init(tripID: String, query: PageQuery, part: String? = nil) {
        self.tripID = tripID
        self.query = query
        self.part = part
    }

    package init(_ state: PageState) { self.init(tripID: state.tripID, query: state.query, part: state.part) }

    /// The same trip by another query, and a part of that page.
    func link(part: String? = nil, _ change: (inout PageQuery) -> Void) -> Link {
        var query = query
        change(&query)
        return .page(PagePath(["t", tripID, ""], query: query.pairs, part: part ?? self.part))
    }
}

extension TripPage {
    /// A form that requests an action, and works without script: the action's words are hidden fields, and `content` is visible. Without
    /// script, the reader returns to the same view.
    static func actionForm(
        _ action: PageAction, state: PageState, class name: String = "act", @HTMLBuilder content: () -> HTML
    ) -> HTML {
        actionForm(action.fields, PageTarget(state), class: name, content: content)
    }

    /// A form with hidden fields, and with others in `content`. A redirect keeps the part of its address.
    static func actionForm(
        _ fields: [(name: String, value: String)], _ target: PageTarget, class name: String = "act",
        id: String? = nil, mark: String? = nil, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        let back = target.query.text
        return tag(
            .form, .class(name), .plain(.method, "post"),
            .action(PagePath(["t", target.tripID, "act"], part: target.part)),
            id.map { .id($0) }, mark.map { .data(.mark, $0) }
        ) {
            fields.map { hidden($0.name, $0.value) }
            if !back.isEmpty { hidden("back", back) }
            content()
        }
    }

    /// A form that is one button.
    ///
    /// - Parameter description: what screen readers say in place of the label, where that says too little by itself.
    static func actionButton(
        _ action: PageAction, state: PageState, label: String, description: String? = nil, class name: String = "button"
    ) -> HTML {
        actionButton(action, PageTarget(state), label: label, description: description, class: name)
    }

    static func actionButton(
        _ action: PageAction, _ target: PageTarget, label: String, description: String? = nil,
        class name: String = "button"
    ) -> HTML {
        actionForm(action.fields, target) {
            tag(
                .button, .class(name), .plain(.type, "submit"),
                description.map { .aria(.label, $0) }
            ) {
                label
            }
        }
    }

    static func hidden(_ name: String, _ value: String) -> HTML {
        tag(.input, .plain(.type, "hidden"), .plain(.name, name), .plain(.value, value))
    }

    /// The address of another view of the same trip.
    static func address(_ view: PageQuery.View, state: PageState, open: String? = nil, part: String? = nil) -> Link {
        var query = PageQuery()
        query.view = view
        query.open = open
        return .page(PagePath(["t", state.tripID, ""], query: query.pairs, part: part ?? open.map { "c-" + $0 }))
    }
}
