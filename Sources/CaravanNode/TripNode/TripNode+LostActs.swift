import ChangeLog
import DeltaCRDT
import SyncEngine
import TripService
import TripStore

// Changes written here that the disk lost. The node notices them, tells people, and gets them back from members who have them.
// Until then it writes nothing, because a new change would begin a second branch of the same log.
extension TripNode {
    /// How long another device may be connected without sending the lost changes. After that, they count as lost for good.
    private static let lostPatience = Duration.seconds(10)

    /// Marks for the changes among these whose logs are written here.
    func marks(of changes: [SignedChange]) -> [WrittenMark] {
        changes.filter { node.writes($0.change.replica) }.map {
            WrittenMark(replica: $0.change.replica, number: $0.change.number, hash: $0.hash)
        }
    }

    /// Finds acknowledged changes that are not here.
    func findLostActs() {
        lost = store.marks(seal).filter { node.log.graph.place(of: $0.hash) == nil }
        if !lost.isEmpty { tell(.ownActsMissing(true)) }
    }

    /// Notes changes that came back.
    func noteRegained() {
        guard !lost.isEmpty else { return }
        lost.removeAll { node.log.graph.place(of: $0.hash) != nil }
        guard lost.isEmpty else { return }
        tellWatchers(.spread)
        // Not at once, because other effects are being performed.
        inbox.deliver(.event(.ownActsMissing(false)))
    }

    /// The message to people while changes are missing; nil if none are.
    var lossProblem: String? {
        guard !lost.isEmpty else { return nil }
        return
            "\(lostText) lost on disk; run `caravan up` near members who have \(lostCount == 1 ? "it" : "them") to recover"
    }

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
        guard !lost.isEmpty, device.replica != node.secrets.device.replica else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.lostPatience)
            await self?.giveUpLost(unlessFrom: device)
        }
    }

    private func giveUpLost(unlessFrom device: Device) {
        guard !lost.isEmpty, reader.isHere(device) else { return }
        tellWatchers(.problem(giveUpLost()))
    }

    /// - Returns: the loss, as a text for people.
    private func giveUpLost() -> String {
        let loss = "\(lostText) lost on disk and could not be recovered"
        let missing = Set(lost.map(\.replica))
        let marks = store.marks(seal).filter { !missing.contains($0.replica) } + missing.compactMap { lastMark(of: $0) }
        store.setMarks(marks, seal)
        lost = []
        inbox.deliver(.event(.ownActsMissing(false)))
        return loss
    }

    /// "1 of your changes was".
    private var lostText: String { "\(lostCount) of your changes \(lostCount == 1 ? "was" : "were")" }

    var lostCount: UInt64 {
        lost.reduce(0) { $0 + max(1, $1.number - min($1.number, lastMark(of: $1.replica)?.number ?? 0)) }
    }

    /// The change of a log with the greatest number here.
    private func lastMark(of replica: ReplicaID) -> WrittenMark? {
        let lasts = (node.log.graph.branchesOfReplica[replica] ?? []).map { branch in
            node.log.graph[node.log.graph.branches[Int(branch)].last]
        }
        return lasts.max { $0.change.number < $1.change.number }.map {
            WrittenMark(replica: replica, number: $0.change.number, hash: $0.hash)
        }
    }
}
