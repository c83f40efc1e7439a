import Convergence
import TripSimulation

/// Trips of real nodes in a simulated world.
enum SimulateNodes {
    /// Runs a part of a seed's plan, prints what happens, and fails where a law is violated.
    static func replay(_ selection: TripSelection, seed: UInt64, _ conditions: TripConditions) throws {
        let simulator = TripSimulator(conditions)
        try SimulateSearch.show(simulator.run(selection.part(of: simulator.plan(seed: seed)), isTracing: true))
    }

    /// Runs what a file holds. Fails where a law is violated, or where the run is not the one that was saved.
    static func replay(file path: String) throws {
        let replay: TripReplay
        do { replay = try TripReplay(SimulateFile.text(at: path, bytesMax: TripReplay.bytesMax)) } catch let failure
            as TripReplay.Failure
        {
            throw SimulateFile.Problem(description: "\(path) is not a saved run: \(failure)")
        }
        guard replay.hasEnd, let digest = replay.digest else {
            let missing = replay.hasEnd ? "digest" : "end"
            throw SimulateFile.Problem(
                description:
                    "\(path) has no line “\(missing)”; it is truncated, altered, or from an older version")
        }
        let outcome = TripSimulator(replay.conditions).run(replay.plan, isTracing: true)
        let isSaved = outcome.digest == digest && outcome.violation?.law.name == replay.law
        let other = "the run differs from the one that was saved; \(path) was altered, or is from another version"
        try SimulateSearch.show(outcome, isSaved ? nil : SimulateFile.Problem(description: other))
    }
}
