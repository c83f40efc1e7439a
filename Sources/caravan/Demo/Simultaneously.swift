import CaravanNode
import Foundation
import Synchronization

/// Asks several nodes at the same moment: each from a thread of its own, all let go at once.
enum Simultaneously {
    static func ask(_ requests: [(person: DemoNode, command: Command)]) async throws -> [Reply] {
        let trips = try requests.map { TripAccess(folder: try $0.person.home.tripFolder(named: nil)) }
        let replies = Mutex([Reply?](repeating: nil, count: requests.count))
        let start = Gate(count: requests.count)
        return await withCheckedContinuation { continuation in
            for (index, trip) in trips.enumerated() {
                let command = requests[index].command
                Thread.detachNewThread {
                    start.wait()
                    let reply = trip.askNode(Request(command)) ?? .failure("the node does not run")
                    let all = replies.withLock { replies in
                        replies[index] = reply
                        return replies.compactMap { $0 }
                    }
                    if all.count == trips.count { continuation.resume(returning: all) }
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
