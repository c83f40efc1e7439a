import Convergence
import ConvergenceExample
import ConvergenceTesting
import PublishedTypes
import Testing

/// The fault of each type is found and small; `published-types` holds their right counterparts against as many seeds as wanted.
struct PublishedTypesTests {
    private func trace(_ failure: Failure<some ReplicatedType>) -> String {
        failure.shrunkOutcome.trace.joined(separator: "\n")
    }

    @Test("C-Set loses what two people added, each after a remove of which the other did not know")
    func countingSet() throws {
        let failure = try #require(expectViolation(of: .nothingLost, by: CountingSet.self))
        #expect(
            trace(failure) == """
                   27  replica 3: add stove → ["stove"] (stove: 1)
                   44  replica 3 → 2: ["stove"] (stove: 1)
                   53  replica 0: add stove → ["stove"] (stove: 1)
                   56  replica 3: remove stove → [] (stove: 0)
                   59  replica 0 → 3: ["stove"] (stove: 1)
                   70  replica 0 → 2: ["stove"] (stove: 2)
                   77  replica 2: remove stove → [] (stove: 0)
                   82  replica 3: add stove → ["stove"] (stove: 1)
                   83  replica 2: add stove → ["stove"] (stove: 1)
                   91  replica 3 → 2: [] (stove: 0)
                   93  replica 3 → 2: [] (stove: 0)
                   93  violated: nothing-lost: replica 2: stove is not shown; last: add stove by 3, add stove by 2
                """)
    }

    @Test("a tree of registers loses folders that two people put into each other")
    func naiveTree() throws {
        let failure = try #require(expectViolation(of: .rooted, by: NaiveTree.self))
        #expect(
            trace(failure) == """
                    0  replica 0: move photos into maps → ["maps", "maps/photos", "songs", "trips"]
                    1  replica 3: move maps into photos → ["photos", "photos/maps", "songs", "trips"]
                    1  all faults end
                    2  replica 0 → 3: ["songs", "trips"]
                    2  violated: rooted: replica 3: maps is in itself, and shown nowhere
                """)
        expectConvergence(of: OrderedTree.self, seeds: 1...40)
    }

    @Test("RGA without tombstones puts a letter elsewhere where the one before it is gone")
    func growableArray() throws {
        let failure = try #require(
            expectViolation(of: .convergence, by: GrowableArray<Forgetting>.self, seeds: 4...100))
        #expect(
            trace(failure) == """
                   13  replica 0: insert g after 3 → g
                   20  replica 0: insert a after 2 → ga
                   23  replica 1: insert c after 4 → c
                   25  replica 0: delete 0 → a
                   25  all faults end
                   26  replica 0 → 1: ca
                   26  replica 1 → 0: ac
                   26  violated: convergence: replicas 0 and 1 know the same; they show ac and ca
                """)
        expectConvergence(of: GrowableArray<Tombstones>.self, seeds: 1...40)
    }

    @Test("a last-writer set by Lamport time has no ties and needs no clock")
    func stampedSet() { expectConvergence(of: StampedSet.self, seeds: 1...40) }
}
