/// What became of a plan that real nodes carried out.
public struct TripOutcome: Sendable {
    /// The first law that did not hold.
    public internal(set) var violation: Violation?
    /// The number of the last step before it did not; after the plan's end, the number of steps.
    public internal(set) var failedStep: Int?
    /// Follows from all that every node took, made durable, said and showed, in order. Equal runs have equal digests, in
    /// every process.
    public internal(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    /// How often each fault really happened.
    public internal(set) var faults: [TripFault: Int] = [:]
    /// What people did, and was acknowledged.
    public internal(set) var actionCount = 0
    /// Pieces that arrived.
    public internal(set) var deliveredCount = 0
    /// Changes that nodes took from others.
    public internal(set) var applicationCount = 0
    /// Writes that nodes asked their disks for.
    public internal(set) var writeCount = 0
    /// How often each law was checked.
    public internal(set) var checks: [Law: Int] = [:]
    /// Milliseconds of the run's own time, healing included.
    public internal(set) var duration: UInt64 = 0
    /// What a report draws.
    public internal(set) var measurements = Measurements()
    /// What happened, a line each, where it was asked for.
    public internal(set) var trace: [String] = []

    mutating func mix(_ word: UInt64) { digest = FastHash.mixed(digest ^ word) &+ 0x9E37_79B9_7F4A_7C15 }
}
