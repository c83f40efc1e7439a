import TripModel
import TripService

extension TripPage {
    /// The fragment `add`: one box in which a link is pasted or a name is typed, and for things to bring one that takes a
    /// line for each. Empty where nothing is to be added.
    static func addBox(_ state: PageState) -> Fragment {
        let isWanted = state.mayVote && [.cards, .bring].contains(state.query.view)
        return Fragment(
            id: "add",
            html: tag(.section, .id("add"), .aria(.label, "Add")) {
                if isWanted, state.query.view == .bring { linesForm(state) }
                if isWanted, state.query.view == .cards { boxForm(state) }
                if isWanted, !state.viewer.isGuest, state.status.fetchesLinks { fetchingHint(state) }
                if isWanted, !state.viewer.isGuest { importForm(state) }
                if isWanted, !state.viewer.isGuest, state.query.view == .cards {
                    tag(.a, .class("text", "add-from"), .href(address(.sources, state: state))) {
                        "Add from your wish list or a feed"
                    }
                }
                if state.query.view == .sources, let sources = state.sources { sourcesHead(state, sources) }
            })
    }

    /// The box itself.
    ///
    /// - Parameter id: another one for each form. The script keeps unsaved text by it, and that of a wish is private.
    static func boxInput(id: String, value: String? = nil) -> HTML {
        tag(
            .input, .id(id), .plain(.name, "what"), .plain(.type, "text"), value.map { .plain(.value, $0) },
            .plain(.placeholder, "Paste a link, or type a name"), .plain(.autocomplete, "off"),
            .plain(.enterkeyhint, "done"), .plain(.dir, "auto"), .flag(.required), .data(.key, "n"))
    }

    private static func boxForm(_ state: PageState) -> HTML {
        actionForm([("do", "add")], PageTarget(state), class: "add") {
            tag(.label, .class("unseen"), .plain(.for, "what")) { "Add a place to stay or an idea" }
            boxInput(id: "what", value: state.typed(in: "add")?["what"]?.first)
            tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Add" }
        }
    }

    /// Says that sites hear of what is added, and ends that.
    private static func fetchingHint(_ state: PageState) -> HTML {
        tag(.div, .class("actions")) {
            tag(.p, .class("hint")) { "Details of links are fetched from their sites." }
            actionButton(.fetchLinks(false), state: state, label: "Stop fetching", class: "button quiet")
        }
    }

    private static func linesForm(_ state: PageState) -> HTML {
        actionForm([("do", "add")], PageTarget(state), class: "add lines-box") {
            tag(.label, .class("unseen"), .plain(.for, "what")) { "Things to pack, one per line" }
            tag(
                .textarea, .id("what"), .plain(.name, "lines"), .plain(.rows, 2),
                .plain(.placeholder, "One per line, e.g. 3 towels"),
                .plain(.dir, "auto"), .flag(.required), .data(.key, "n")
            ) { state.typed(in: "add")?["lines"]?.first }
            tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Add" }
        }
    }

    /// The characters of a file that the script takes: as many as any form of the page carries, encoded.
    private static let importMax = 20_000

    /// A list that is pasted, or a file that the script puts into the box.
    private static func importForm(_ state: PageState) -> HTML {
        tag(.details, .class("import")) {
            tag(.summary) { "Import a list" }
            actionForm([("do", "import")], PageTarget(state), class: "import-form") {
                tag(.label, .plain(.for, "list")) {
                    "One link or item per line, or a CSV or JSON file, up to 20,000 characters"
                }
                tag(
                    .textarea, .id("list"), .plain(.name, "list"), .plain(.rows, 4),
                    .plain(.placeholder, "https://…"), .plain(.dir, "auto"), .flag(.required),
                    .data(.most, String(importMax)))
                tag(
                    .input, .plain(.type, "file"), .plain(.accept, ".csv,.tsv,.json,.txt,.md"),
                    .aria(.label, "Or choose a file"), .aria(.controls, "list"))
                tag(.button, .class("button"), .plain(.type, "submit")) { "Import" }
            }
        }
    }

    /// The round button that leads to the box, in the views of what is planned.
    static func plus(_ state: PageState) -> Fragment {
        let view: PageQuery.View = state.query.view == .bring ? .bring : .cards
        let isThere = state.query.view == view
        return Fragment(
            id: "plus",
            html: tag(.div, .id("plus")) {
                if state.mayVote, [.cards, .ranking].contains(state.query.view) {
                    tag(
                        .a, .class("plus"), .aria(.label, "Add something"),
                        .href(isThere ? .part("what") : address(view, state: state))
                    ) { "+" }
                }
            })
    }
}
