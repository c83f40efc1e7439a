/// A small type with one fault that a published library had, the laws that must be found broken, and its sound twin.
public struct Mutant: Sendable {
    /// What an exploration found.
    public struct Finding: Sendable {
        /// The law that broke.
        public let law: Law
        /// The failing run as it was before it was made small.
        public let outcome: Outcome
        /// Seeds tried, the failing one included.
        public let seedCount: UInt64
        /// The step at which the law broke.
        public let failedStep: Int
        /// The size of the run as it was drawn.
        public let before: (replicas: Int, events: Int, faults: Int)
        /// The size of the small run.
        public let after: (replicas: Int, events: Int, faults: Int)
        /// The failing run's.
        public let digest: UInt64
        /// The small run, as people read it.
        public let trace: String
        /// What broke, for a report.
        public let failing: Report.Failing
        /// Options of `caravan simulate` that repeat the small run.
        public let options: String
    }

    /// Its fault.
    public let mutation: Mutation
    /// First the law by which it must be found; then others that the same fault breaks first in some runs, which are
    /// passed over.
    public let laws: [Law]
    private typealias Search =
        @Sendable (Conditions, ClosedRange<UInt64>, @escaping () -> Bool, (UInt64, Outcome) -> Bool) -> Finding?
    private let explore: Search
    private let exploreTwin: Search
    private let replayPart: @Sendable (Conditions, PlanPart) -> Outcome
    private let exploreScope:
        @Sendable (Scope, Bool, @escaping () -> Bool) -> (law: Law?, text: String, Int, isComplete: Bool)
    private let sweepSeeds: @Sendable (String, Conditions, [UInt64], ClosedRange<UInt64>, (SeedReport) -> Bool) -> Void
    private let measureRun: @Sendable (Conditions, UInt64) -> Measurements
    #if !hasFeature(Embedded)
    /// Where its fault is. Embedded Swift has no values of any such type.
    package let world: @Sendable (Conditions) -> any SimulatedWorld
    #endif

    /// As in `--mutant`.
    public var name: String { mutation.rawValue }

    private init<Faulty: ReplicatedType, Twin: ReplicatedType>(
        _ mutation: Mutation, _ laws: [Law], _ faulty: Faulty.Type, _ twin: Twin.Type
    ) {
        self.mutation = mutation
        self.laws = laws
        explore = { Self.find(faulty, $0, $1, passingOver: Array(laws.dropFirst()), $2, $3) }
        exploreTwin = { Self.find(twin, $0, $1, passingOver: [], $2, $3) }
        replayPart = { Simulator<Faulty>($0).replay($1) }
        exploreScope = { scope, isTwin, isInterrupted in
            isTwin
                ? Self.summary(of: Simulator<Twin>().explore(scope, isInterrupted: isInterrupted))
                : Self.summary(of: Simulator<Faulty>().explore(scope, isInterrupted: isInterrupted))
        }
        #if !hasFeature(Embedded)
        world = { Simulator<Faulty>($0) }
        #endif
        sweepSeeds = { Simulator<Faulty>($1).sweep($0, seeds: $2, of: $3, isDone: $4) }
        measureRun = { conditions, seed in
            let simulator = Simulator<Faulty>(conditions)
            return simulator.measure(simulator.plan(seed: seed)).measurements
        }
    }

    /// Tries seeds until the first of `laws` breaks before every other; nil where it does in none. A run in which a law
    /// breaks that is not in `laws` ends it too. `isDone` ends it after a seed, `isInterrupted` at any time, with nothing
    /// found where nothing had broken.
    public func find(
        _ conditions: Conditions = Conditions(), seeds: ClosedRange<UInt64>,
        isDone: (UInt64, Outcome) -> Bool = { _, _ in false },
        isInterrupted: @escaping () -> Bool = { false }
    ) -> Finding? { explore(conditions, seeds, isInterrupted, isDone) }

    /// The same for the twin without the fault.
    public func findInTwin(
        _ conditions: Conditions = Conditions(), seeds: ClosedRange<UInt64>,
        isDone: (UInt64, Outcome) -> Bool = { _, _ in false }
    ) -> Finding? { exploreTwin(conditions, seeds, { false }, isDone) }

    /// Repeats a small run, with its trace.
    public func replay(_ part: PlanPart, _ conditions: Conditions = Conditions()) -> Outcome {
        replayPart(conditions, part)
    }

    /// What can be measured in a seed's run, times in steps.
    public func measure(seed: UInt64, _ conditions: Conditions = Conditions()) -> Measurements {
        measureRun(conditions, seed)
    }

    /// Tries every run of a scope: the law that breaks, if one does, a text for people, the states, and whether it is all.
    public func explore(
        _ scope: Scope, isInterrupted: @escaping () -> Bool = { false }
    ) -> (law: Law?, text: String, stateCount: Int, isComplete: Bool) { exploreScope(scope, false, isInterrupted) }

    /// The same for the twin without the fault.
    public func exploreTwin(_ scope: Scope) -> (law: Law?, text: String, stateCount: Int, isComplete: Bool) {
        exploreScope(scope, true) { false }
    }

    /// Runs each of some seeds of a range, and hands out a line for each.
    package func sweep(
        _ name: String, _ conditions: Conditions, seeds: [UInt64], of range: ClosedRange<UInt64>,
        isDone: (SeedReport) -> Bool
    ) {
        sweepSeeds(name, conditions, seeds, range, isDone)
    }

    private static func summary<Subject: ReplicatedType>(
        of exploration: Exploration<Subject>
    ) -> (law: Law?, text: String, Int, isComplete: Bool) {
        (exploration.law, exploration.description, exploration.stateCount, exploration.isComplete)
    }

    private static func find<Subject: ReplicatedType>(
        _ subject: Subject.Type, _ conditions: Conditions, _ seeds: ClosedRange<UInt64>, passingOver others: [Law],
        _ isInterrupted: @escaping () -> Bool, _ isDone: (UInt64, Outcome) -> Bool
    ) -> Finding? {
        let found = Simulator<Subject>(conditions).counterexample(
            among: seeds, passingOver: others, isInterrupted: { _ in isInterrupted() }, isDone: isDone)
        return found.map { found in
            Finding(
                law: found.law, outcome: found.outcome, seedCount: found.seed - seeds.lowerBound + 1,
                failedStep: found.outcome.failedStep ?? 0, before: found.plan.size, after: found.shrunkPlan.size,
                digest: found.outcome.digest, trace: found.description, failing: found.failing(command: nil),
                options: found.options)
        }
    }

    /// All of them, in the order of their mutations.
    public static let all = [
        Mutant(.sharedEntry, [.everyActCounts], VoteTally<SharedEntry>.self, VoteTally<Sound>.self),
        Mutant(.clockSet, [.addWins], ClockedSet<ClockSet>.self, ClockedSet<Sound>.self),
        Mutant(.frozenClock, [.observedRemoves, .nothingLost], StampedSet<FrozenClock>.self, StampedSet<Sound>.self),
        Mutant(.borrowedName, [.ownHand], DotSet<BorrowedName>.self, DotSet<Sound>.self),
        Mutant(
            .gappedInterval, [.nothingLost, .convergence, .observedRemoves], IntervalSet<GappedInterval>.self,
            IntervalSet<Sound>.self),
        Mutant(
            .holesAsRemoves, [.nothingVanishes, .addWins], IntervalSet<HolesAsRemoves>.self, IntervalSet<Sound>.self),
        Mutant(.losslessOnly, [.delivery], IntervalSet<LosslessOnly>.self, IntervalSet<Sound>.self),
        Mutant(
            .expiringTombstones, [.observedRemoves, .convergence], StampedSet<ExpiringTombstones>.self,
            StampedSet<Sound>.self),
        Mutant(.earlyAcknowledgement, [.durability], DotSet<EarlyAcknowledgement>.self, DotSet<Sound>.self),
        Mutant(.tornWrite, [.nothingLost, .nothingInvented, .addWins], DotSet<TornWrite>.self, DotSet<Sound>.self),
        Mutant(.reusedNumbers, [.uniqueDots], DotSet<ReusedNumbers>.self, DotSet<Sound>.self),
        Mutant(.hashOrder, [.convergence], Feed<HashOrder>.self, Feed<Sound>.self),
        Mutant(.emptyShell, [.wholeItems], ItemBoard<EmptyShell>.self, ItemBoard<Sound>.self),
        Mutant(.narrowReader, [.readability], CodedTally<NarrowReader>.self, CodedTally<Sound>.self),
        Mutant(.passedLimit, [.staysReadable], CodedTally<PassedLimit>.self, CodedTally<Sound>.self),
        Mutant(.twoForms, [.oneForm], GuestList<TwoForms>.self, GuestList<Sound>.self),
    ]

    /// The mutant of a name.
    public static func named(_ name: String) -> Mutant? { all.first { $0.name == name } }
}
