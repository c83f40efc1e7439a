import TripModel
import TripService

extension TripPage {
    /// What was just done, with the button that takes it back. It goes after 8 s; a problem stays until it is dismissed.
    ///
    /// The fragment is always there, for screen readers speak what changes in a status that they know already.
    package static func toast(_ state: PageState) -> Fragment {
        guard let toast = state.toast else {
            return Fragment(id: "toast", html: tag(.div, .id("toast"), .class("toast"), .plain(.role, "status")))
        }
        return Fragment(
            id: "toast",
            html: tag(
                .div, .id("toast"), .class("toast", "shown", toast.isProblem ? "problem" : "done"),
                .plain(.role, toast.isProblem ? "alert" : "status")
            ) {
                tag(.p, .plain(.dir, "auto")) {
                    toast.isProblem
                        ? PlainWords.told(toast.text) : toast.text.prefix(1).uppercased() + toast.text.dropFirst()
                }
                if let item = toast.shows {
                    let part = (state.query.view == .bring ? "b-" : "c-") + item
                    let link = PageTarget(state).link(part: part) {
                        ($0.open, $0.isEditing, $0.find) = (item, false, "")
                    }
                    tag(.a, .class("button"), .href(link)) { "Show" }
                }
                if let undo = toast.undo {
                    let undoing: [(name: String, value: String)] = toast.undoing.map { [("undoes", $0.rawValue)] } ?? []
                    actionForm(undo.fields + undoing, PageTarget(state)) {
                        tag(
                            .button, .class("button"), .plain(.type, "submit"), .data(.key, "z"),
                            .aria(.keyshortcuts, "z")
                        ) { toast.undoing?.label ?? "Undo" }
                    }
                }
                if toast.isProblem {
                    tag(
                        .a, .class("button"),
                        .href(.page(PagePath(["t", state.tripID, ""], query: state.query.pairs))),
                        .data(.mark, "dismiss")
                    ) { "Dismiss" }
                }
            })
    }
}

extension Toast {
    /// What its button takes back, where the action itself does not tell.
    package enum Undoing: String, Hashable, Sendable {
        case edit
        /// The removal of what a removed member added. The member stays removed.
        case contributions

        var label: String { self == .edit ? "Undo" : "Restore what they added" }
    }

    var undoing: Undoing? {
        guard let undo else { return nil }
        if case .act(.edit(let fields, _), _) = undo, !fields.isEmpty { return .edit }
        return undo == .undo && !undoesLast ? .contributions : nil
    }
}
