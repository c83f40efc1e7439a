import TripModel
import TripService

extension PageState {
    /// Whether an item was to be done by now.
    func isOverdue(_ item: ItemView) -> Bool { item.isOverdue(at: now, secondsFromUTC: secondsFromUTC) }
}

extension TripPage {
    /// Who is to do it and by when, and the viewer's button: to decline, or to take what nobody does. Nil where nobody said.
    static func task(of item: ItemView, in frame: CardFrame, _ state: PageState) -> HTML? {
        guard let words = frame.group.task(of: item, for: frame.you, isOverdue: state.isOverdue(item), in: state.year)
        else {
            return nil
        }
        return tag(.section, .class("claims"), .aria(.label, "Who does it")) {
            tag(.p, .class("claim")) { words }
            if frame.mayVote, !item.isRemoved, !item.isDone { taskButton(item, in: frame, state) }
        }
    }

    private static func taskButton(_ item: ItemView, in frame: CardFrame, _ state: PageState) -> HTML? {
        guard let you = frame.you else { return nil }
        let isOpen = item.isDeclined || !frame.people.contains { $0.id == item.assignee }
        let (action, label): (ItemAction, String)
        switch (item.assignee == you, isOpen) {
        case (true, false): (action, label) = (.attend(.notGoing), "I can’t")
        case (true, true): (action, label) = (.attend(.going), "I’ll do it")
        case (false, true) where state.mayEdit(item):
            action = .edit([.assignee: you.description], shown: [.assignee: item.standing(at: .assignee)])
            label = "I’ll take it"
        default: return nil
        }
        return actionButton(
            .act(action, on: [item.shortID]), PageTarget(state), label: label,
            description: "\(label): \(item.title.displayed(limit: 80))")
    }
}
