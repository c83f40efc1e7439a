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
        guard let known = state.items[item], known.isPayment, known.origin.participant != participant else { return }
        throw TripError(
            .malformedValue,
            "only the person who recorded \(label(item)) can remove or restore it; dispute it with `caravan vote --against`"
        )
    }
}
