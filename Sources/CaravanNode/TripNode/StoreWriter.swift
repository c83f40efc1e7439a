import ChangeLog
import Dispatch
import Synchronization
import TripStore

/// Makes changes durable on a thread of its own, in order. What is asked for while a write is under way goes into the
/// next one together: many changes then cost one fsync.
final class StoreWriter: Sendable {
    /// Tells writers of one node apart: one that failed is replaced, and what it still says is of a log that was given up.
    struct Generation: Hashable, Sendable {
        private let number: Int

        static let first = Generation(number: 1)
        var next: Generation { Generation(number: number + 1) }
    }

    private struct Job: Sendable {
        let token: UInt64
        let changes: [StoredChange]
    }

    private struct Waiting: Sendable {
        var jobs: [Job] = []
        var isScheduled = false
        /// Of the last job that is durable.
        var durable: UInt64?
    }

    let generation: Generation
    private let store: TripStore
    private let queue = DispatchQueue(label: "caravan.store")
    private let waiting = Mutex(Waiting())
    private let report: @Sendable (Result<UInt64, StoreError>) -> Void

    /// - Parameter report: told the token of the last job of every write, which is durable with all before it.
    init(
        store: TripStore, generation: Generation = .first,
        report: @escaping @Sendable (Result<UInt64, StoreError>) -> Void
    ) {
        self.generation = generation
        self.store = store
        self.report = report
    }

    func write(_ changes: [StoredChange], token: UInt64) {
        let mustSchedule = waiting.withLock { waiting in
            waiting.jobs.append(Job(token: token, changes: changes))
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        if mustSchedule { queue.async { self.drain() } }
    }

    /// Returns once nothing is under way any more, with the token of the last job that is durable; nil where none is. Waits
    /// for the disk: for when nothing else may happen before.
    func finish() -> UInt64? {
        queue.sync {}
        return waiting.withLock(\.durable)
    }

    private func drain() {
        while true {
            let jobs = waiting.withLock { waiting in
                defer { waiting.jobs = [] }
                waiting.isScheduled = !waiting.jobs.isEmpty
                return waiting.jobs
            }
            guard let last = jobs.last else { return }
            do {
                try store.append(jobs.flatMap(\.changes))
                waiting.withLock { $0.durable = last.token }
                report(.success(last.token))
            } catch {
                // What comes after stands on what is not there: this writer writes no more.
                report(.failure(error))
                return
            }
        }
    }
}
