import Convergence
import SyncEngine
import Testing

struct BackoffTests {
    @Test("pauses double up to the longest, and begin anew")
    func pausesDouble() {
        var backoff = Backoff(first: 250)
        #expect((0..<6).map { _ in backoff.next(upTo: 2_000) } == [250, 500, 1_000, 2_000, 2_000, 2_000])
        #expect(backoff.next(upTo: 30_000) == 2_000)
        #expect(backoff.next(upTo: 30_000) == 4_000)
        backoff.reset()
        #expect(backoff.next(upTo: 2_000) == 250)
    }

    @Test("pauses differ by up to a half once they are to, and not before")
    func pausesDiffer() {
        var jitter = Jitter()
        #expect((0..<10).allSatisfy { _ in jitter.spread(1_000) == 1_000 })
        var generator = SeededGenerator(seed: 1)
        jitter.begin(using: &generator)
        let pauses = (0..<200).map { _ in jitter.spread(1_000) }
        #expect(pauses.allSatisfy { (1_000...1_500).contains($0) })
        #expect(Set(pauses).count > 100)
        #expect((pauses.min() ?? 0) < 1_050 && (pauses.max() ?? 0) > 1_450)
    }
}
