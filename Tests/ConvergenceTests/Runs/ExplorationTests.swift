import Convergence
import TestTiers
import Testing

/// Every run of a small scope: which mutants are found by it, and that sound types pass.
struct ExplorationTests {
    static let scope = Scope(replicas: 2, operations: 3, messages: 3, statesMax: 3_000)

    /// What needs more than a scope has: a backup, bytes that are altered.
    static let beyond: Set<String> = ["reused-numbers", "passed-limit"]

    @Test("mutants are found by trying every small run", .tags(.slow), arguments: Mutant.all.map(\.name))
    func mutants(_ name: String) throws {
        let mutant = try #require(Mutant.named(name))
        // What needs four steps of three kinds is found sooner without crashes.
        let calm = Scope(replicas: 2, operations: 3, messages: 1, lateMessages: 0, crashes: 0)
        let found = mutant.explore(name == "empty-shell" ? calm : Self.scope)
        if Self.beyond.contains(name) {
            #expect(found.law == nil, "\(name) is found: \(found.text)")
        } else {
            #expect(found.law != nil, "\(name): \(found.text)")
        }
    }

    @Test("a sound type holds in all of a scope, and names make no difference to how many states are different")
    func sound() throws {
        let mutant = try #require(Mutant.named("shared-entry"))
        let scope = Scope(replicas: 2, operations: 2, messages: 1)
        let sound = mutant.exploreTwin(scope)
        #expect(sound.law == nil && sound.isComplete, "\(sound.text)")
        var named = scope
        named.isSymmetric = false
        let other = mutant.exploreTwin(named)
        #expect(other.law == nil && other.isComplete && other.stateCount > sound.stateCount, "\(other.text)")
    }

    @Test("a search that is given up says so")
    func givenUp() throws {
        let mutant = try #require(Mutant.named("shared-entry"))
        let found = mutant.exploreTwin(Scope(statesMax: 20))
        #expect(found.law == nil && !found.isComplete && found.text.contains("until the search was given up"))
    }
}
