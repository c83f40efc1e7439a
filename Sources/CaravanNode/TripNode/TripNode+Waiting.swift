import ChangeLog
import SyncEngine
import TripStore

// Changes that this disk kept and whose past it lost, taken into the trip once that is back (`caravan salvage`).
extension TripNode {
    /// Looks for what waits.
    func findWaiting() {
        guard store.obstacle == nil else { return }
        let found = WaitingChanges.read(in: folder, seal)
        guard !found.isEmpty else { return }
        waiting = found.filter { node.log.graph.place(of: $0.hash) == nil }.compactMap {
            try? SignedChange(record: $0.record, using: cryptography)
        }
        waiting.sort { $0.stamp < $1.stamp }
        // All of it is durable in the log.
        if waiting.isEmpty { WaitingChanges.remove(in: folder) }
        takeWaiting()
    }

    /// Takes those whose whole past is here now. They are tried once, and again when the trip is opened.
    func takeWaiting() {
        guard !waiting.isEmpty else { return }
        var ready: [SignedChange] = []
        var hashes: Set<Bytes32> = []
        for signed in waiting {
            let isReady = signed.change.links.allSatisfy { node.log.graph.place(of: $0) != nil || hashes.contains($0) }
            guard isReady else { continue }
            ready.append(signed)
            hashes.insert(signed.hash)
        }
        guard !ready.isEmpty else { return }
        waiting.removeAll { hashes.contains($0.hash) }
        // Not at once: this is called while other effects are performed.
        inbox.deliver(.event(.carried(ready.map(\.record))))
    }
}
