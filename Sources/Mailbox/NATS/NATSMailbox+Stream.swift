import SyncEngine
import Synchronization

// The stream, which the first put makes.
extension NATSMailbox {
    /// Makes the stream on a server that has none. Somebody may listen to the subject, so that a message without a stream
    /// isn't refused.
    func ensureStream(_ slot: MailboxSlot, _ attempt: Attempt) throws(MailboxError) {
        guard !state.withLock(\.hasStream) else { return }
        let name = NATSConnection.randomName()
        let found = try consumer(attempt, name, slot.subject, headersOnly: true)
        if found.error == nil {
            attempt.connection.send("$JS.API.CONSUMER.DELETE.\(JetStream.stream).\(name)")
        } else if found.error?.errCode == JetStream.Code.streamNotFound {
            var made = try makeStream(attempt, replicas: JetStream.replicas)
            if made?.error?.errCode == JetStream.Code.isNoCluster {
                made = try makeStream(attempt, replicas: 1)
            }
            guard let made, made.error == nil || made.error?.errCode == JetStream.Code.streamNameInUse else {
                throw problem(made?.error)
            }
        } else {
            throw problem(found.error)
        }
        state.withLock { $0.hasStream = true }
    }

    private func makeStream(
        _ attempt: Attempt, replicas: Int
    ) throws(MailboxError) -> JetStream.Answer? {
        let configuration = JetStream.StreamConfiguration(
            numReplicas: replicas, maxMsgsPerSubject: limits.namesPerListing)
        let message = try attempt.connection.request(
            "$JS.API.STREAM.CREATE.\(JetStream.stream)", JetStream.encoded(configuration),
            within: attempt.deadline - ContinuousClock.now)
        return try message.map { message throws(MailboxError) in try answer(message) }
    }
}
