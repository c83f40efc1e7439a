import TripModel
import TripService

extension TripPage {
    static func askForm(_ state: PageState, isOpen: Bool) -> HTML {
        let typed = state.typed(in: "ask")
        let held = { (name: String) in typed?[name]?.first }
        return tag(.details, .class("view", "more", "ask"), .flag(.open, isOpen || typed != nil)) {
            tag(.summary, .data(.key, "n")) { "Ask a question" }
            actionForm([("do", "ask")], PageTarget(state), class: "expense-form", id: "ask", mark: "whole") {
                control("Question", "ask-title") {
                    tag(
                        .input, .id("ask-title"), .plain(.name, "title"), .plain(.type, "text"), .flag(.required),
                        .plain(.dir, "auto"), .plain(.placeholder, "Where do we go?"),
                        held("title").map { .plain(.value, $0) })
                }
                control("Options, one on each line", "ask-options") {
                    tag(
                        .textarea, .id("ask-options"), .plain(.name, "options"), .plain(.rows, 4), .plain(.dir, "auto"),
                        .plain(.placeholder, "Lisbon\nPorto\nor dates: 12–15 June 2026")
                    ) { held("options") }
                }
                control("Each person", "ask-method") {
                    tag(.select, .id("ask-method"), .plain(.name, "method")) {
                        for (value, label) in methods {
                            tag(.option, .plain(.value, value), .flag(.selected, held("method") == value)) { label }
                        }
                    }
                }
                tag(.details, .class("more"), .flag(.open, typed != nil)) {
                    tag(.summary) { "Points, deadline, hidden answers, how many have to agree" }
                    tag(.div) {
                        control("Points for each person", "ask-points") {
                            number("ask-points", "points", max: Limits.pointsMax, value: held("points") ?? "10")
                        }
                        control("Answer by", "ask-due") {
                            tag(
                                .input, .id("ask-due"), .plain(.name, "due"), .plain(.type, "date"),
                                held("due").map { .plain(.value, $0) })
                        }
                        tag(.label, .class("check-line")) {
                            tag(
                                .input, .id("ask-hidden"), .plain(.name, "hidden"), .plain(.type, "checkbox"),
                                .plain(.value, "yes"), .flag(.checked, held("hidden") == "yes"))
                            " Nobody sees an answer before I close the question"
                        }
                        control("Percent who have to agree", "ask-threshold") {
                            number("ask-threshold", "threshold", max: 100, value: held("threshold") ?? "")
                        }
                    }
                }
                tag(.button, .class("button", "primary"), .plain(.type, "submit")) { "Ask" }
            }
        }
    }

    private static let methods = [
        ("one", "chooses one option"), ("several", "chooses any number of options"), ("ranked", "ranks the options"),
        ("points", "shares out points"), ("dates", "says which dates suit"),
    ]

    static func options(_ count: Int) -> String { count == 1 ? "an option" : "\(count) options" }

    private static func control(_ label: String, _ id: String, _ input: () -> HTML) -> HTML {
        tag(.div, .class("control")) {
            tag(.label, .plain(.for, id)) { label }
            input()
        }
    }

    private static func number(_ id: String, _ name: String, max: Int, value: String) -> HTML {
        tag(
            .input, .id(id), .plain(.name, name), .plain(.type, "number"), .plain(.min, 1), .plain(.max, max),
            .plain(.inputmode, "numeric"), .plain(.value, value))
    }
}
