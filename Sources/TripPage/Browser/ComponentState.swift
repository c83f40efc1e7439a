#if DEBUG
/// A component of the page in a state that has a name: what the component browser shows, and snapshots hold.
package struct ComponentState: Hashable, Sendable {
    /// "avatar", "member row".
    package let component: String
    /// "away", "taken out".
    package let state: String
    package let html: HTML
    /// Whether it takes the whole width of a page, and is laid out by that.
    let isWide: Bool

    init(_ component: String, _ state: String, isWide: Bool = false, @HTMLBuilder html: () -> HTML) {
        self.component = component
        self.state = state
        self.isWide = isWide
        self.html = html()
    }

    /// A name for anchors and files: "member-row--taken-out". No two states have one.
    package var slug: String { Self.slug(component) + "--" + Self.slug(state) }

    static func slug(_ name: String) -> String {
        name.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}

extension TripPage {
    /// Every component in every state, those of one component together.
    package static let components: [ComponentState] =
        faceComponents + cardComponents + listComponents + costComponents + questionComponents + dayComponents
        + frameComponents
        + memberComponents
        + doorComponents
        + historyComponents + wordComponents
}
#endif
