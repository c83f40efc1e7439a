import ChangeLog
import PeerTransport
import SyncEngine
import TripService

// After a failed write.
extension TripNode {
    /// What could not be written is not here: the log is what the disk holds. If it can't be read, the next write tries.
    func recover(from error: ServiceError) {
        let abandoned = node.connectionIDs
        refuseWaiting(error, except: finishWriting())
        do {
            var fresh = try TripNode.load(store: store, keys: keys, cryptography: cryptography)
            fresh.numberConnections(after: node)
            peers.restore(&fresh)
            readBlocks.restore(&fresh, of: own.mailboxes.compactMap(\.prefix))
            for connection in abandoned { connectivity.network?.transport.close(connection) }
            node = fresh
            makeWriter()
            findLosses()
            tellOfKeptInvites()
            showAll()
            updateNetwork { $0.whereabouts.forgetOwn() }
            // The node that is new was told of no chunks.
            photoDesk.forgetTold()
            lookForPhotos()
            if let port = listeningPort { tellOfListening(at: port) }
            tellOfOthersSoon()
        } catch {
            tellWatchers(.problem(error.message))
        }
    }

    /// A disk that stays full would have the same things asked for, and fail again, without a pause.
    private func tellOfOthersSoon() {
        let generation = writer?.generation
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(1))
            await self?.tellOfOthers(unlessAfter: generation)
        }
    }

    private func tellOfOthers(unlessAfter generation: StoreWriter.Generation?) {
        guard generation == writer?.generation, let network = connectivity.network else { return }
        for event in network.whereabouts.events + peers.addresses.map({ .addAddress($0, isNamed: false) }) {
            tell(event)
        }
        attachMailboxesAgain()
    }

    /// Lets what was asked for before come to its end, so that nothing is written once the log was read: an action that
    /// becomes durable after its ticket was refused would be done twice, and under the same number.
    /// - Returns: what became durable.
    private func finishWriting() -> [(ticket: UInt64, hash: Bytes32)] {
        let token = writer?.finish()
        writer = nil
        guard let token else { return [] }
        return node.handle(.persisted(token: token), at: .current, using: &entropy).compactMap { effect in
            guard case .authored(let ticket, .success(let hash)) = effect else { return nil }
            return (ticket, hash)
        }
    }
}
