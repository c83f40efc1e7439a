package import Convergence
import DeltaCRDT

/// What became of a plan that real nodes carried out.
package struct TripOutcome: SimulatedOutcome {
    package var violation: Violation?
    package var failedStep: Int?
    /// Follows from all that every node took, made durable, said and showed, in order. Equal runs have equal digests, in
    /// every process.
    package internal(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    package internal(set) var faults: [TripFault: Int] = [:]
    /// What people did, and was acknowledged.
    package internal(set) var actionCount = 0
    /// Pieces that arrived.
    package internal(set) var deliveredCount = 0
    /// Changes that nodes took from others.
    package internal(set) var applicationCount = 0
    /// Writes that nodes asked their disks for.
    package internal(set) var writeCount = 0
    package internal(set) var checks: [Law: Int] = [:]
    /// Milliseconds of the run's own time, healing included.
    package internal(set) var duration: UInt64 = 0
    package internal(set) var measurements = Measurements()
    package var moments: [Moment] = []

    package init() {}

    package var trace: [String] { moments.compactMap { $0.line(columns: 7) } }
    package var figures: [Report.Headline] {
        [
            .init("actions", actionCount, "actions acknowledged"),
            .init("delivered", deliveredCount, "messages delivered"),
            .init("applied", applicationCount, "changes taken from others"),
        ]
    }

    mutating func mix(_ word: UInt64) { digest = SplitMix64.mixed(digest ^ word) &+ SplitMix64.increment }
}
