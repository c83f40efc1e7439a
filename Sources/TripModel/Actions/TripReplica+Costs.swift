import DeltaCRDT

// Payments, which only the two people speak of.
extension TripReplica {
    /// The drafts, if each payment among them is one of the participant's own.
    func checkedPayments(_ drafts: [ItemDraft], by participant: ParticipantID) throws(TripError) -> [ItemDraft] {
        for text in drafts.compactMap({ $0.fields[.payment] }) {
            guard let payment = Cost(text)?.payment else { continue }
            guard payment.from == participant || payment.to == participant else {
                throw TripError(
                    .malformedValue, "only the person who paid or the person who was paid can record a payment; ask one"
                )
            }
        }
        return drafts
    }

    /// Throws if the item is a payment that somebody else recorded.
    func requireOwnPayment(_ item: ItemID, of participant: ParticipantID) throws(TripError) {
        guard let known = state.items[item], known.isPayment, known.origin.author != participant else { return }
        throw TripError(
            .malformedValue,
            "only the person who recorded \(label(item)) can remove or restore it; dispute it with `caravan vote --against`"
        )
    }

    /// Throws if the item is an expense, a payment or a question: what people choose, plan and bring is something else.
    func requireOfPlan(_ item: ItemID, _ act: String) throws(TripError) {
        guard let known = state.items[item] else { return }
        if known.fields.contains(.question) {
            throw TripError(
                .malformedValue, "\(label(item)) is a question, and cannot \(act); see `caravan questions`")
        }
        guard known.isPayment || known.isExpense else { return }
        throw TripError(
            .malformedValue,
            "\(label(item)) is \(known.isPayment ? "a payment" : "an expense"), and cannot \(act); see `caravan cost list`"
        )
    }

    package static let paymentChanged = TripError(
        .malformedValue, "a payment cannot be changed; remove it, and record another with `caravan settle`")
}
