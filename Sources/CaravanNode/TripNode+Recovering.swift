import PeerTransport
import SyncEngine
import TripModel

// After a failed write.
extension TripNode {
    /// What could not be written is not here: the log is what the disk holds.
    func recover(from error: NodeError) {
        let abandoned = node.connectionIDs
        finishWriting()
        let waiting = waitingForTicket
        waitingForTicket = [:]
        for ticket in waiting.keys.sorted() {
            waiting[ticket]?.resume(returning: .failure(error))
        }
        do {
            var fresh = try TripNode.load(store: store, keys: keys, cryptography: cryptography)
            fresh.numberConnections(after: node)
            for connection in abandoned { transport?.close(connection) }
            node = fresh
            replica = TripReplica()
            makeWriter()
            try showAll()
            whereabouts.forgetOwn()
            if let port = listeningPort { tell(.listening(port: port)) }
            tellOfOthersSoon()
        } catch {
            for watcher in watchers.values { watcher.yield(.problem(error.message)) }
        }
    }

    /// A disk that stays full would have the same things asked for, and fail again, without a pause.
    private func tellOfOthersSoon() {
        let number = writersMade
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            await self?.tellOfOthers(unlessAfter: number)
        }
    }

    private func tellOfOthers(unlessAfter number: Int) {
        guard number == writersMade, transport != nil else { return }
        for event in whereabouts.events + rememberedAddresses().map({ .addAddress($0) }) { tell(event) }
    }

    /// Lets what was asked for before come to its end, so that nothing is written once the log was read: an action that
    /// becomes durable after its ticket was refused would be done twice, and under the same number.
    private func finishWriting() {
        let token = writer?.finish()
        writer = nil
        guard let token else { return }
        for effect in node.handle(.persisted(token: token), at: .current, using: &entropy) {
            guard case .authored(let ticket, .success(let hash)) = effect else { continue }
            waitingForTicket.removeValue(forKey: ticket)?.resume(returning: .success(hash))
        }
    }
}
