import ChangeLog
import Dispatch
import Synchronization
import TripService
import TripStore

/// Makes changes durable on a thread of its own, in order. Requests that arrive during a write go into the next one
/// together, so many changes cost one fsync.
final class StoreWriter: Sendable {
    /// Distinguishes writers of one node. A failed writer is replaced, and its late reports concern a discarded log.
    struct Generation: Hashable, Sendable {
        private let number: Int

        static let first = Generation(number: 1)
        var next: Generation { Generation(number: number + 1) }
    }

    private struct Job: Sendable {
        /// Nil where nobody waits for it.
        let token: UInt64?
        var changes: [StoredChange] = []
        var marks: [WrittenMark] = []
        /// Changes that were written before, with or without their bodies as they are now.
        var altered: [StoredChange] = []
    }

    private struct Waiting: Sendable {
        var jobs: [Job] = []
        var isScheduled = false
        /// Whether a write failed. Later changes would build on missing ones, so the writer takes no more.
        var hasFailed = false
        /// Callers that wait for room.
        var blocked: [CheckedContinuation<Void, Never>] = []
        /// Of the last job that is durable.
        var durable: UInt64?
        var metrics = StoreMetrics()
    }

    /// The greatest number of jobs that wait, but for those of one event.
    static let jobsMax = 1_024

    let generation: Generation
    private let store: TripStore
    private let seal: StoreSeal
    private let queue = DispatchQueue(label: "caravan.store")
    private let waiting = Mutex(Waiting())
    private let report: @Sendable (Result<UInt64, StoreError>) -> Void

    /// - Parameter report: told the token of the last job of every write, which is durable with all before it.
    init(
        store: TripStore, seal: StoreSeal, generation: Generation = .first,
        report: @escaping @Sendable (Result<UInt64, StoreError>) -> Void
    ) {
        self.generation = generation
        self.store = store
        self.seal = seal
        self.report = report
    }

    /// - Parameter marks: of the logs that are written here, the last of these changes.
    func write(_ changes: [StoredChange], marks: [WrittenMark] = [], token: UInt64) {
        schedule(Job(token: token, changes: changes, marks: marks))
    }

    /// Writes changes again, with or without their bodies as they are now.
    func alter(_ changes: [StoredChange]) { schedule(Job(token: nil, altered: changes)) }

    private func schedule(_ job: Job) {
        let mustSchedule = waiting.withLock { waiting in
            guard !waiting.hasFailed else { return false }
            waiting.jobs.append(job)
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        if mustSchedule { queue.async { self.drain() } }
    }

    /// Returns once fewer than `jobsMax` jobs wait: for when more is to come that others cause.
    func hasRoom() async {
        guard waiting.withLock({ $0.jobs.count >= Self.jobsMax }) else { return }
        await withCheckedContinuation { continuation in
            let hasRoom = waiting.withLock { waiting in
                guard waiting.jobs.count >= Self.jobsMax else { return true }
                waiting.blocked.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Returns once nothing is under way any more, with the token of the last job that is durable; nil where none is. Waits
    /// for the disk: for when nothing else may happen before.
    func finish() -> UInt64? {
        queue.sync {}
        return waiting.withLock(\.durable)
    }

    /// What was measured of writes.
    var metrics: StoreMetrics {
        waiting.withLock { waiting in
            var metrics = waiting.metrics
            metrics.waiting = waiting.jobs.count
            return metrics
        }
    }

    private func takeJobs() -> [Job] {
        let (jobs, blocked) = waiting.withLock { waiting in
            defer { (waiting.jobs, waiting.blocked) = ([], []) }
            waiting.isScheduled = !waiting.jobs.isEmpty
            return (waiting.jobs, waiting.blocked)
        }
        for continuation in blocked { continuation.resume() }
        return jobs
    }

    private func drain() {
        while true {
            let jobs = takeJobs()
            guard !jobs.isEmpty else { return }
            let last = jobs.last { $0.token != nil }?.token
            let start = ContinuousClock.now
            do {
                try store.append(jobs.flatMap(\.changes), marking: jobs.flatMap(\.marks), seal)
                try store.alter(jobs.flatMap(\.altered), seal)
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                waiting.withLock { waiting in
                    waiting.durable = last ?? waiting.durable
                    waiting.metrics.count(seconds: seconds, isDurable: true)
                }
                if let last { report(.success(last)) }
            } catch {
                waiting.withLock { waiting in
                    waiting.metrics.count(seconds: 0, isDurable: false)
                    waiting.hasFailed = true
                }
                _ = takeJobs()
                report(.failure(error))
                return
            }
        }
    }
}
