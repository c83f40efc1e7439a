package import TripModel

extension ItemAction {
    /// Whether guests may do it, with items of anybody.
    package var isForGuests: Bool {
        switch self {
        case .vote, .claim, .attend, .comment, .answer: true
        // Everybody writes in notes.
        case .edit(let fields, _): fields.keys.elementsEqual([.note])
        case .remove, .restore, .mark, .plan, .changeQuantity, .setQuantity, .changeAmenities, .changeOptions,
            .attach, .detach:
            false
        }
    }

    /// Whether guests may do it with items that they added themselves. What things cost and what is chosen is the members' to
    /// say.
    package var isForTheirAuthor: Bool {
        switch self {
        case .edit(let fields, _): Self.membersFields.isDisjoint(with: fields.keys)
        case .mark(let field, _): !Self.membersFields.contains(field)
        case .remove, .restore, .changeQuantity, .setQuantity, .changeOptions: true
        case .vote, .claim, .attend, .comment, .answer, .plan, .changeAmenities, .attach, .detach: false
        }
    }

    private static let membersFields: Set<Field> = [.cost, .payment, .chosen]
}

extension Receipt.Act {
    /// What is done by an action.
    package init(_ action: ItemAction) {
        self =
            switch action {
            case .edit, .changeAmenities: .edited
            case .remove: .removed
            case .restore: .restored
            case .vote(.for): .votedFor
            case .vote(.against): .votedAgainst
            case .vote(.ifNeedBe): .votedIfNeedBe
            case .vote(nil): .unvoted
            case .mark(.chosen, let isSet): isSet ? .chosen : .unchosen
            case .mark(_, let isSet): isSet ? .done : .undone
            case .plan(let text, _): text == nil ? .unplanned : .planned
            case .changeQuantity, .setQuantity: .counted
            case .claim(let count): count == nil ? .unclaimed : .claimed
            case .attend(.going): .going
            case .attend(.maybe): .maybeGoing
            case .attend(.notGoing): .notGoing
            case .attend(nil): .unanswered
            case .comment: .commented
            case .answer(let answer): answer == nil ? .unreplied : .replied
            case .changeOptions: .optionsChanged
            case .attach: .attached
            case .detach: .detached
            }
    }
}
