package import Convergence
import DeltaCRDT

/// What became of a plan that real nodes carried out.
package struct TripOutcome: SimulatedOutcome {
    /// The first law that did not hold.
    package var violation: Violation?
    /// The number of the last step before it did not; after the plan's end, the number of steps.
    package var failedStep: Int?
    /// Follows from all that every node took, made durable, said and showed, in order. Equal runs have equal digests, in
    /// every process.
    package internal(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How often each fault really happened.
    package internal(set) var faults: [TripFault: Int] = [:]
    /// What people did, and was acknowledged.
    package internal(set) var actionCount = 0
    /// Pieces that arrived.
    package internal(set) var deliveredCount = 0
    /// Changes that nodes took from others.
    package internal(set) var applicationCount = 0
    /// Writes that nodes asked their disks for.
    package internal(set) var writeCount = 0
    /// How often each law was checked.
    package internal(set) var checks: [Law: Int] = [:]
    /// Milliseconds of the run's own time, healing included.
    package internal(set) var duration: UInt64 = 0
    /// What a report draws.
    package internal(set) var measurements = Measurements()
    /// What happened, where it was asked for.
    package var moments: [Moment] = []

    package var trace: [String] { moments.compactMap { $0.line(columns: 7) } }
    package var deviationCount: Int? { nil }
    package mutating func look(isRepeated: Bool) {}

    mutating func mix(_ word: UInt64) { digest = SplitMix64.mixed(digest ^ word) &+ SplitMix64.increment }
}
