import ChangeLog
import SyncEngine
import TripService
import TripStore

// What the disk lost: the node tells people, and gets it back from members who have it.
extension TripNode {
    /// How long another device may be connected without sending the lost changes. After that, they count as lost for good.
    private static let lostPatience = Duration.seconds(10)

    /// Marks for the changes among these whose logs are written here.
    func marks(of changes: [SignedChange]) -> [WrittenMark] {
        changes.filter { node.writes($0.change.replica) }.map {
            WrittenMark(replica: $0.change.replica, number: $0.change.number, hash: $0.hash)
        }
    }

    /// Finds acknowledged changes that are not here, and changes whose past is not.
    func findLosses() {
        if losses.find(store.marks(seal), in: node.log) { tell(.ownActsMissing(true)) }
        guard store.obstacle == nil else { return }
        let kept = WaitingChanges.read(in: folder, seal)
        guard !kept.isEmpty else { return }
        let orphans = kept.filter { node.log.graph.index(of: $0.hash) == nil }.compactMap {
            try? SignedChange(record: $0.record, using: cryptography)
        }
        // All of it is durable in the log.
        if orphans.isEmpty { WaitingChanges.remove(in: folder) }
        losses.keep(orphans: orphans)
        noteRegained()
    }

    /// Notes what came back.
    func noteRegained() {
        for outcome in losses.look(in: node.log) {
            // Not at once: this is called while other effects are performed.
            switch outcome {
            case .regained:
                tellWatchers(.spread)
                inbox.deliver(.event(.ownActsMissing(false)))
            case .carry(let changes): inbox.deliver(.event(.carried(changes.map(\.record))))
            }
        }
    }

    /// The message to people while changes are missing; nil if none are.
    var lossProblem: String? { losses.problem(in: node.log) }

    /// Throws while changes are missing. If nobody can have them, the node gives up on them, and the next command that writes says so.
    func requireNothingLost() throws(ServiceError) {
        guard let lossProblem else { return }
        let own = node.secrets.device.replica
        guard !node.log.membersWithNode.contains(where: { $0.replica != own }) else {
            throw ServiceError(.unwritable, lossProblem)
        }
        throw ServiceError(giveUpLost() + "; repeat your command to continue without it")
    }

    /// Waits for a connected device to send the missing changes, and gives up if it does not.
    func awaitLost(from device: Device) {
        guard !losses.lost.isEmpty, device.replica != node.secrets.device.replica else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.lostPatience)
            await self?.giveUpLost(unlessFrom: device)
        }
    }

    private func giveUpLost(unlessFrom device: Device) {
        guard !losses.lost.isEmpty, reader.isHere(device) else { return }
        tellWatchers(.problem(giveUpLost()))
    }

    /// - Returns: the loss, as a text for people.
    private func giveUpLost() -> String {
        let (marks, loss) = losses.giveUp(store.marks(seal), in: node.log)
        store.setMarks(marks, seal)
        inbox.deliver(.event(.ownActsMissing(false)))
        return loss
    }
}
