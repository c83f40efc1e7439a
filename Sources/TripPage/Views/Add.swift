import TripModel

extension TripPage {
    /// The region `add`: one box in which a link is pasted or a name is typed, and for things to bring one that takes a
    /// line for each. Empty where nothing is to be added.
    static func addBox(_ state: PageState) -> Region {
        let isWanted = state.mayVote && [.cards, .bring].contains(state.query.view)
        return Region(
            id: "add",
            html: tag(.section, .id("add"), .aria(.label, "Add")) {
                if isWanted, state.query.view == .bring { linesForm(state) }
                if isWanted, state.query.view == .cards { boxForm(state) }
            })
    }

    private static let boxMax = Limits.titleCharacters + Limits.linkCharacters

    private static func boxForm(_ state: PageState) -> HTML {
        actionForm([("do", "add")], PageTarget(state), class: "add") {
            tag(.label, .class("unseen"), .plain(.for, "what")) { "Add a place to stay or an idea" }
            tag(
                .input, .id("what"), .plain(.name, "what"), .plain(.type, "text"), .plain(.maxlength, boxMax),
                .plain(.placeholder, "Paste a link, or type a name"), .plain(.autocomplete, "off"),
                .plain(.enterkeyhint, "done"), .plain(.dir, "auto"), .flag(.required), .data(.key, "n"))
            tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Add" }
        }
    }

    private static let linesMax = 32_000

    private static func linesForm(_ state: PageState) -> HTML {
        actionForm([("do", "add")], PageTarget(state), class: "add lines-box") {
            tag(.label, .class("unseen"), .plain(.for, "what")) { "Things to bring, a line each" }
            tag(
                .textarea, .id("what"), .plain(.name, "lines"), .plain(.rows, 2), .plain(.maxlength, linesMax),
                .plain(.placeholder, "A line each: 3 towels"),
                .plain(.dir, "auto"), .flag(.required), .data(.key, "n"))
            tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Add" }
        }
    }

    /// The round button that leads to the box, in the views of what is planned.
    static func plus(_ state: PageState) -> Region {
        let view: PageQuery.View = state.query.view == .bring ? .bring : .cards
        let isThere = state.query.view == view
        return Region(
            id: "plus",
            html: tag(.div, .id("plus")) {
                if state.mayVote, guestViews.contains(state.query.view) {
                    tag(
                        .a, .class("plus"), .aria(.label, "Add something"),
                        .href(isThere ? .part("what") : address(view, state: state))
                    ) { "+" }
                }
            })
    }
}
