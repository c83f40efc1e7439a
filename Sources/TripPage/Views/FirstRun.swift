import TripModel
import TripService

extension TripPage {
    /// What an empty trip shows: three steps, each where it is done, and ticked once it is.
    ///
    /// - Parameter addBox: the form in which something is added.
    static func firstRun(_ state: PageState, addBox: HTML = .none) -> HTML {
        let hasItems = !state.trip.items.isEmpty
        let hasCompany = state.members.people.contains { !$0.isYou && $0.removal == nil }
        let hasVotes = state.trip.items.contains { !$0.votes.isEmpty }
        return tag(.section, .class("view", "first-run"), .aria(.labelledby, "first-run-title")) {
            tag(.h2, .id("first-run-title")) {
                isolated(title(of: state.trip))
                " starts here"
            }
            tag(.ol, .class("steps")) {
                step(1, "Add something", isDone: hasItems) {
                    tag(.p) {
                        "Paste the link of a place to stay, or type an idea. Everything else can be added later."
                    }
                    addBox
                }
                if !state.viewer.isGuest {
                    step(2, "Invite your friends", isDone: hasCompany) {
                        tag(.p) { "Send them the link. No account, no server: your computers talk to each other." }
                        getLink(state)
                    }
                }
                step(state.viewer.isGuest ? 2 : 3, "Vote", isDone: hasVotes) {
                    tag(.p) {
                        "Press ▲ for what you like and ▼ for what you don’t. The ranking changes as your friends vote."
                    }
                }
            }
        }
    }

    /// Makes an invite and leads to it; where one is open, it only leads there.
    private static func getLink(_ state: PageState) -> HTML {
        guard state.mayEdit, state.invite == nil else {
            return tag(.a, .class("button"), .href(address(.members, state: state))) { "Get the link" }
        }
        var members = PageQuery()
        members.view = .members
        // The script follows a form that is sent as a whole to where it leads back.
        return actionForm(
            PageAction.invite.fields, PageTarget(tripID: state.tripID, query: members), mark: "whole"
        ) {
            tag(.button, .class("button"), .plain(.type, "submit")) { "Get the link" }
        }
    }

    private static func step(
        _ number: Int, _ title: String, isDone: Bool, @HTMLBuilder content: () -> HTML
    ) -> HTML {
        tag(.li, .class("step", isDone ? "done" : "open")) {
            tag(.span, .class("step-number"), .aria(.hidden, "true")) { isDone ? "✓" : String(number) }
            tag(.div) {
                tag(.h3) { isDone ? "\(title): done" : title }
                content()
            }
        }
    }
}
