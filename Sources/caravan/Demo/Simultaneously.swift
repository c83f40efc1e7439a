import CaravanNode
import Foundation
import Synchronization
import TripService

/// Asks several nodes at the same moment: each from a thread of its own, all let go at once.
enum Simultaneously {
    /// - Returns: for each, why it was refused; nil where it was done.
    static func ask(_ requests: [(person: DemoNode, request: TripRequest)]) async throws -> [ServiceError?] {
        var trips: [TripAccess] = []
        for request in requests { trips.append(try await request.person.trip) }
        let outcomes = Mutex([ServiceError??](repeating: nil, count: requests.count))
        let start = Gate(count: requests.count)
        return await withCheckedContinuation { continuation in
            for (index, trip) in trips.enumerated() {
                let request = requests[index].request
                Thread.detachNewThread {
                    start.wait()
                    let outcome: ServiceError?
                    do throws(ServiceError) {
                        outcome = try trip.answerFromNode(request) == nil ? ServiceError("the node does not run") : nil
                    } catch {
                        outcome = error
                    }
                    let all = outcomes.withLock { outcomes in
                        outcomes[index] = .some(outcome)
                        return outcomes.compactMap { $0 }
                    }
                    if all.count == requests.count { continuation.resume(returning: all) }
                }
            }
        }
    }

    /// Lets nobody through until all have come.
    private final class Gate: Sendable {
        private let condition = NSCondition()
        private let missing: Mutex<Int>

        init(count: Int) { missing = Mutex(count) }

        func wait() {
            condition.lock()
            defer { condition.unlock() }
            missing.withLock { $0 -= 1 }
            condition.broadcast()
            while missing.withLock({ $0 > 0 }) { condition.wait() }
        }
    }
}
