import ChangeLog
import Convergence
import SyncEngine
import TripModel

// What a run notes when a machine starts or stops.
extension TripRun {
    mutating func started(_ id: World.NodeID) throws(Violation) {
        people[id].ticket = nil
        claims[id] = nil
        if let missing = ledger.reset(id, to: world.machines[id].node.log, start: world.machines[id].start) {
            throw Violation(.durability, "machine \(id) lost change \(missing), which it said was durable")
        }
        outcome.checks[.durability, default: 0] += 1
        outcome.mix(world.time << 16 ^ UInt64(id) ^ 0xF000)
        // The view follows from the changes held. To derive it again each time would be most of the work of a long run.
        let log = world.machines[id].node.log
        let isShown = people[id].holding == world.machines[id].holding && !log.graph.hasForks
        let isUpdated = people[id].shownAs != people[id].version
        let isFromScratch =
            (world.machines[id].start % 4 == 1 || isUpdated) && conditions.mutation != .unfoldedUpdate
        if !isShown || isFromScratch { try showAnew(id, fromScratch: isFromScratch) }
    }

    mutating func stopped(_ id: World.NodeID) {
        people[id].ticket = nil
        attacks.leftAddress = world.machines[id].address
        if let cut = world.powerCut, cut.write == world.writeCount, people[id].downtime == nil {
            people[id].downtime = 200
        }
        guard let downtime = people[id].downtime else { return }
        people[id].downtime = nil
        if let fault = attacks.interruptions.removeValue(forKey: id) {
            happened(fault)
            note("machine \(id) loses power as it writes (\(fault.rawValue))")
            recorder.measurements.add(TripFault.crash, from: world.time, to: world.time + downtime, [id])
        }
        agenda.add(.restart(id), at: world.time + downtime)
    }
}
