import ChangeLog
import DeltaCRDT
import SyncEngine
import TripService
import TripStore

// What was written here and the disk lost: noticed, said, and taken back from others who have it. Until then nothing is written
// here, for it would be written beside that, in a second branch of the same log.
extension TripNode {
    /// How long somebody may be here who does not bring what was lost: then nobody has it.
    private static let lostPatience = Duration.seconds(10)

    /// Those of these changes that are of logs that are written here.
    func marks(of changes: [SignedChange]) -> [WrittenMark] {
        changes.filter { node.writes($0.change.replica) }.map {
            WrittenMark(replica: $0.change.replica, number: $0.change.number, hash: $0.hash)
        }
    }

    /// Looks for what was acknowledged and is not here.
    func findLostActs() {
        lost = store.marks(seal).filter { node.log.graph.place(of: $0.hash) == nil }
        if !lost.isEmpty { tell(.ownActsMissing(true)) }
    }

    /// Notes what came back.
    func noteRegained() {
        guard !lost.isEmpty else { return }
        lost.removeAll { node.log.graph.place(of: $0.hash) != nil }
        guard lost.isEmpty else { return }
        tellWatchers(.spread)
        // Not at once: this is said while other effects are performed.
        inbox.deliver(.event(.ownActsMissing(false)))
    }

    /// What people are told while something is missing; nil where nothing is.
    var lossProblem: String? {
        guard !lost.isEmpty else { return nil }
        return
            "\(lostText) lost on disk; run `caravan up` near members who have \(lostCount == 1 ? "it" : "them") to recover"
    }

    /// Throws while something is missing. Where nobody can have it, it is given up, and whoever wanted to write hears that once.
    func requireNothingLost() throws(ServiceError) {
        guard let lossProblem else { return }
        let own = node.secrets.device.replica
        guard !node.log.membersWithNode.contains(where: { $0.replica != own }) else {
            throw ServiceError(.unwritable, lossProblem)
        }
        throw ServiceError(giveUpLost() + "; repeat your command to continue without it")
    }

    /// Waits for whoever is here to bring what is missing, and gives up where they do not.
    func awaitLost(from device: Device) {
        guard !lost.isEmpty, device.replica != node.secrets.device.replica else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Self.lostPatience)
            await self?.giveUpLost(unlessFrom: device)
        }
    }

    private func giveUpLost(unlessFrom device: Device) {
        guard !lost.isEmpty, isHere(device) else { return }
        tellWatchers(.problem(giveUpLost()))
    }

    /// - Returns: what was lost, for people.
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
