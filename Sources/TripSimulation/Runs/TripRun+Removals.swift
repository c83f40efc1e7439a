import ChangeLog
import Convergence
import SyncEngine

// Out means out: checked when a machine hears of a removal, at everything that it shows, and whenever it meets somebody.
extension TripRun {
    mutating func askToRemove(_ participant: Bytes32, by id: World.NodeID) {
        let ticket = nextTicket
        nextTicket += 1
        people[id].ticket = ticket
        // Each third one with all that they did.
        world.handle(.remove(participant: participant, kept: ticket % 3 == 0 ? [] : nil, ticket: ticket), on: id)
    }

    func outcastShown(_ index: Int, on id: World.NodeID) -> Violation {
        Violation(.outMeansOut, "machine \(id) shows change \(index), which somebody wrote who was out by then")
    }

    /// Whether a change that does not count is upheld, because one that counts names it as a subject.
    mutating func isUpheld(_ index: Int, on id: World.NodeID) -> Bool {
        let hash = ledger.entries[index].hash
        return ledger.effective(ledger.holders[id].held).contains {
            ledger.entries[$0].signed.change.subjects.contains(hash)
        }
    }

    /// A machine's view and its peers, just after it learned that a person is out.
    mutating func checkOut(_ id: World.NodeID) throws(Violation) {
        guard world.machines[id].isRunning, !isOut(id) else { return }
        outcome.checks[.outMeansOut, default: 0] += 1
        let holder = ledger.holders[id]
        for index in people[id].seen.intersection(holder.outside) where !isUpheld(index, on: id) {
            throw outcastShown(index, on: id)
        }
        for other in world.sessionMachines(of: id) where ledger.isOut(ledger.holders[other].replica, by: holder.held) {
            throw Violation(.outMeansOut, "machine \(id) does not hang up on machine \(other), which is out")
        }
    }

    /// Nobody who is out is met by a machine that has heard.
    mutating func checkMeeting(_ device: Device, by id: World.NodeID) throws(Violation) {
        guard ledger.maySomeNotCount, !isOut(id) else { return }
        outcome.checks[.outMeansOut, default: 0] += 1
        guard ledger.isOut(device.replica, by: ledger.holders[id].held) else { return }
        throw Violation(.outMeansOut, "machine \(id) meets somebody of whom it has heard that they are out")
    }

    /// Whether a machine has heard that its own person is out: what it does then is its own affair.
    private mutating func isOut(_ id: World.NodeID) -> Bool {
        ledger.isOut(ledger.holders[id].replica, by: ledger.holders[id].held)
    }
}
