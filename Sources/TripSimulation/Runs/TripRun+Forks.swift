import ChangeLog
import Convergence
import DeltaCRDT

// Devices that write in two places, and who is told.
extension TripRun {
    /// A node tells its people that a device writes in two places.
    mutating func checkFork(told device: Device, by id: World.NodeID) throws(Violation) {
        outcome.checks[.forksAreTold, default: 0] += 1
        toldForks[id, default: []].insert(device.replica)
        guard ledger.branchCounts[device.replica] == nil else { return }
        throw Violation(.forksAreTold, "machine \(id) is told of a fork of a device that wrote in one place")
    }

    /// What a machine took begins further branches there: those that count were told of in the same turn.
    mutating func checkForks(begunBy changes: [SignedChange], on id: World.NodeID) throws(Violation) {
        let begun = ledger.forks(begunBy: changes.compactMap { ledger.indexOf[$0.hash] }, on: id)
        guard !begun.isEmpty else { return }
        let effective = ledger.effective(ledger.holders[id].held)
        for index in begun where effective.contains(index) {
            outcome.checks[.forksAreTold, default: 0] += 1
            guard toldForks[id]?.contains(ledger.entries[index].replica) ?? false else {
                throw Violation(.forksAreTold, "machine \(id) is not told that change \(index) begins a fork")
            }
        }
    }
}

extension TripLedger {
    /// The changes, of some that arrived at a machine in this order, that begin one more branch of a log there. A machine's own writes
    /// begin none.
    fileprivate func forks(begunBy arrived: [Int], on id: World.NodeID) -> [Int] {
        guard arrived.contains(where: { branchCounts[entries[$0].replica] != nil }) else { return [] }
        var held = holders[id].held
        for index in arrived { held.remove(index) }
        return arrived.filter { index in
            let (replica, previous) = (entries[index].replica, entries[index].previous)
            let begins =
                branchCounts[replica] != nil
                && held.contains { entries[$0].replica == replica && entries[$0].previous == previous }
            held.insert(index)
            return begins
        }
    }
}
