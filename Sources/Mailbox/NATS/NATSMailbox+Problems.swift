import SyncEngine

// What an error of JetStream means for a person.
extension NATSMailbox {
    /// What messages name.
    var host: String { servers.count == 1 ? servers[0].host : "the cluster of \(servers[0].host)" }

    func problem(_ error: JetStream.Answer.Problem?) -> MailboxError {
        guard let error else { return hasNoJetStream }
        let words = error.description.map { String($0.prefix(200)) } ?? "\(error.code)"
        let code = error.errCode ?? 0
        if JetStream.Code.full.contains(code) {
            return MailboxError(.full, "the mailbox at \(host) is full (\(words)); ask who runs it for more space")
        }
        if JetStream.Code.notEnabled.contains(code) { return hasNoJetStream }
        if code == JetStream.Code.tooFewServers {
            return MailboxError(
                .unreachable,
                "fewer than \(JetStream.replicas) servers of \(host) are up; try again once they are")
        }
        let isPassing = error.code >= 500
        return MailboxError(
            isPassing ? .unreachable : .refused,
            "\(host) refuses (\(words)); \(isPassing ? "try again later" : "ask who runs it")")
    }

    /// What an index has of some slots. A slot with more than a list may show is an error.
    func listings(
        of slots: [MailboxSlot], in index: StreamIndex
    ) throws(MailboxError) -> [MailboxListing] {
        var listings: [MailboxListing] = []
        for slot in slots {
            guard let listing = index.listing(of: slot) else { throw isCrowded }
            listings.append(listing)
        }
        return listings
    }

    private var isCrowded: MailboxError {
        MailboxError(
            .full,
            "\(host) holds more than \(limits.entriesPerListing) messages of this trip, or "
                + "\(limits.namesPerListing) of one week; ask who runs it to delete messages")
    }

    var hasNoJetStream: MailboxError {
        MailboxError(
            .refused, "\(host) has no JetStream for this user; ask who runs it to turn it on (nats-server -js)")
    }
}
