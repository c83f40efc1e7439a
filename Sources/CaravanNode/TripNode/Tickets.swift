import ChangeLog
import TripService

/// People who wait until what they asked for is durable, each under a number.
struct Tickets {
    typealias Outcome = Result<Bytes32, ServiceError>

    private var next: UInt64 = 1
    private var waiting: [UInt64: CheckedContinuation<Outcome, Never>] = [:]

    /// Takes somebody in who waits. The number is never given twice.
    mutating func issue(to continuation: CheckedContinuation<Outcome, Never>) -> UInt64 {
        defer { next += 1 }
        waiting[next] = continuation
        return next
    }

    /// Lets one go who waits; does nothing for a number that nobody waits under.
    mutating func redeem(_ ticket: UInt64, with outcome: Outcome) {
        waiting.removeValue(forKey: ticket)?.resume(returning: outcome)
    }

    /// Lets everybody go, in the order in which they came.
    mutating func refuseAll(_ error: ServiceError) {
        let waiting = waiting
        self.waiting = [:]
        for ticket in waiting.keys.sorted() { waiting[ticket]?.resume(returning: .failure(error)) }
    }
}
