import ChangeLog
import SyncEngine
import TripModel
import TripRules
import TripService

// Answers to hidden questions: sealed when they are given, and revealed once the question is closed.
extension TripNode {
    /// An action in the form in which it is written: an answer to a hidden question is sealed.
    /// - Throws: where the answer is against a rule.
    func sealing(
        _ action: ItemAction, on items: [ItemView], as author: Author
    ) throws(ServiceError) -> TripAction {
        guard case .answer(let answer?) = action, let item = items.first(where: { $0.question?.isHidden ?? false })
        else { return .act(action, on: items.map(\.id)) }
        guard items.count == 1 else { throw ServiceError("one of these is a hidden question; answer it alone") }
        guard author == .own else {
            throw ServiceError("guests can’t answer hidden questions: their host could read the answer")
        }
        do { try shown.trip.replica.check(answer, to: item.id) } catch { throw ServiceError(error) }
        guard let revealed = RevealedAnswer(nonce: Bytes32.random(using: &entropy).bytes, answer: answer),
            let sealed = SealedAnswer(
                commitment: revealed.commitment(to: item.id, by: me),
                note: OwnNote.seal(
                    revealed.note(beside: item.sayings.options), to: reader.ownDevices, using: &entropy, cryptography))
        else { throw ServiceError("this answer is too long; name fewer options") }
        return .seal(item.id, sealed)
    }

    /// Reveals, if this node runs, what can be revealed now.
    func revealSoon() {
        guard connectivity.network != nil, !own.isArchived, !isRevealing else { return }
        isRevealing = true
        Task { [weak self] in await self?.revealInTurn() }
    }

    private func revealInTurn() async {
        isRevealing = false
        try? await takingTurns { node throws(ServiceError) in await node.revealAnswers() }
    }

    /// Reveals the answers of this device's person to questions that are closed. What can't be written now is revealed when the node
    /// starts again.
    func revealAnswers() async {
        let last = shown.lastOwn
        for (item, commitment) in shown.trip.replica.unrevealed(of: me) {
            guard let revealed = shown.trip.ownAnswers[commitment] else { continue }
            _ = try? await perform(.reveal(item, revealed))
        }
        // It is no act of the person here.
        shown.lastOwn = last
    }
}
