import Convergence
import ConvergenceExample
import Foundation
import PublishedTypes

// Finds the fault of each published type, and holds its right counterpart against as many seeds as wanted:
//
//     swift run -c release --package-path Examples published-types [seeds, by default 1000]

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count <= 1, let seeds = UInt64(arguments.first ?? "1000"), seeds > 0 else {
    FileHandle.standardError.write(Data("usage: published-types [how many seeds, from 1]\n".utf8))
    exit(64)
}

/// Prints what is found in one type, and what is not in the other; whether that is as it should be.
func compare<Faulty: ReplicatedType, Right: ReplicatedType>(
    _ name: String, _ faulty: Faulty.Type, _ counterpart: String, _ right: Right.Type,
    _ conditions: Conditions = Conditions()
) -> Bool {
    let failure = Simulator<Faulty>(conditions).firstFailure(seeds: 1...seeds)
    print("\(name): \(failure?.description ?? "nothing found in \(seeds) seeds")\n")
    let clock = ContinuousClock()
    var (digest, failed) = (UInt64(0), nil as Failure<Right>?)
    let taken = clock.measure {
        failed = Simulator<Right>().firstFailure(seeds: 1...seeds) { _, outcome in
            digest = digest &* 31 &+ outcome.digest
            return false
        }
    }
    let held = "every law holds in \(seeds) seeds, digest \(String(digest, radix: 16)), \(taken)"
    print("\(counterpart): \(failed?.description ?? held)\n")
    fflush(nil)
    return failure != nil && failed == nil
}

let results = [
    compare("C-Set", CountingSet.self, "Observed-remove set", ObservedSet.self),
    compare("Tree of registers", NaiveTree.self, "Tree of ordered moves", OrderedTree.self),
    compare(
        "Last-writer set by the clock on the wall", LastWriterSet.self, "Last-writer set by Lamport time",
        StampedSet.self,
        Conditions(faults: [.burst])),
    compare(
        "RGA without tombstones", GrowableArray<Forgetting>.self, "RGA with tombstones", GrowableArray<Tombstones>.self),
]
exit(results.contains(false) ? 1 : 0)
