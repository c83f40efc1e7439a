public import Convergence
import ConvergenceExample
import PublishedTypes

/// A known bug of another library: a small type that has it, the same put right, and how the harness finds it.
public struct Bug: Sendable {
    public let name: String
    /// Where it is told.
    public let source: String
    /// By which it is found.
    public let law: Law
    /// The first seed that finds it.
    public let seed: UInt64
    /// The run made small: replicas, events, faults.
    public let size: (replicas: Int, events: Int, faults: Int)
    /// What is found of a faulty type.
    public struct Finding: Sendable {
        public let law: Law
        public let seed: UInt64
        public let size: (replicas: Int, events: Int, faults: Int)
        /// The small run, and the line that runs it again.
        public let report: String
    }

    /// Tries seeds of the faulty type.
    public let find: @Sendable (ClosedRange<UInt64>) -> Finding?
    /// Tries seeds of the type put right: what is found, which is nothing.
    public let findInRight: @Sendable (ClosedRange<UInt64>) -> String?

    init<Wrong: ReplicatedType, Good: ReplicatedType>(
        _ name: String, _ source: String, _ law: Law, seed: UInt64, _ size: (Int, Int, Int), _ wrong: Wrong.Type,
        _ good: Good.Type, _ conditions: Conditions = Conditions()
    ) {
        (self.name, self.source, self.law, self.seed) = (name, source, law, seed)
        self.size = size
        find = { seeds in
            Simulator<Wrong>(conditions).firstFailure(seeds: seeds).map {
                Finding(law: $0.law, seed: $0.seed, size: $0.shrunkPlan.size, report: $0.report)
            }
        }
        findInRight = { Simulator<Good>(conditions).firstFailure(seeds: $0)?.report }
    }

    public static let all = [
        Bug(
            "late-removals", "heckj/CRDT, List.delta in Sources/CRDT/List.swift at 09ed47c", .observedRemoves, seed: 9,
            (2, 5, 0),
            LateRemovals<Faulty>.self, LateRemovals<Right>.self),
        Bug(
            "renewed-stamps",
            "appdecentral/replicatingtypes, ReplicatingDictionary.merged(with:) in Sources/ReplicatingTypes/ReplicatingDictionary.swift at 50a9851",
            .observedRemoves, seed: 22, (2, 6, 0), RenewedStamps<Faulty>.self, RenewedStamps<Right>.self),
        Bug(
            "dominated-merge", "https://github.com/basho/riak_dt/pull/79", .observedRemoves, seed: 5, (2, 4, 0),
            DominatedMerge<Faulty>.self, DominatedMerge<Right>.self),
        Bug(
            "arrival-order", "https://github.com/phoenixframework/phoenix_pubsub/issues/214", .convergence, seed: 34,
            (2, 4, 1),
            ArrivalOrder<Faulty>.self, ArrivalOrder<Right>.self),
        Bug(
            "twice-in-one-set", "https://github.com/anshulahuja98/python3-crdt/issues/6", .shownOnce, seed: 1,
            (2, 2, 0),
            TwiceInOneSet<Faulty>.self, TwiceInOneSet<Right>.self),
        Bug(
            "siblings-by-name", "https://github.com/automerge/automerge-classic/pull/34", .nothingVanishes, seed: 1,
            (2, 3, 0),
            SiblingsByName<Faulty>.self, SiblingsByName<Right>.self),
        Bug(
            "counter-as-register", "https://github.com/automerge/automerge-swift/issues/64", .everyActCounts, seed: 1,
            (2, 2, 0), CounterAsRegister<Faulty>.self, CounterAsRegister<Right>.self),
        Bug(
            "reused-identifier", "https://github.com/automerge/automerge-classic/issues/151", .uniqueDots, seed: 1,
            (1, 3, 0),
            ReusedIdentifier<Faulty>.self, ReusedIdentifier<Right>.self),
        Bug(
            "fractional-place", "https://github.com/rocicorp/fractional-indexing/issues/14", .inPlace, seed: 1,
            (2, 4, 0),
            FractionalPlace<Faulty>.self, FractionalPlace<Right>.self),
        Bug(
            "mixed-runs", "https://martin.kleppmann.com/2019/03/25/papoc-interleaving-anomalies.html", .noInterleaving,
            seed: 1,
            (2, 4, 0), MixedRuns<Faulty>.self, MixedRuns<Right>.self),
        Bug(
            "move-as-copy", "https://martin.kleppmann.com/2020/04/27/papoc-list-move.html", .shownOnce, seed: 1,
            (2, 2, 0),
            MoveAsCopy<Faulty>.self, MoveAsCopy<Right>.self),
        Bug(
            "overlapping-updates", "https://github.com/y-crdt/y-crdt/pull/200", .everyActCounts, seed: 1, (2, 4, 0),
            OverlappingUpdates<Faulty>.self, OverlappingUpdates<Right>.self),
        Bug(
            "early-removals", "https://github.com/yjs/yjs/issues/461", .nothingLost, seed: 3, (2, 5, 1),
            EarlyRemovals<Faulty>.self, EarlyRemovals<Right>.self),
        Bug(
            "tree-cycle",
            "Kleppmann, Mulligan, Gomes, Beresford: A highly-available move operation for replicated trees, 2022",
            .rooted, seed: 2, (2, 2, 0), NaiveTree.self, OrderedTree.self),
        Bug(
            "clock-tie", "https://github.com/Convex-Dev/convex/issues/641", .convergence, seed: 1, (2, 2, 1),
            LastWriterSet.self, StampedSet.self, Conditions(faults: [.burst])),
        Bug(
            "no-tombstones",
            "Roh, Jeon, Kim, Lee: Replicated abstract data types, 2011, which keeps them", .convergence, seed: 4,
            (2, 4, 0),
            GrowableArray<Forgetting>.self, GrowableArray<Tombstones>.self),
    ]
}
