import Foundation
import LibC
import TripService
import TripStore

/// Whether the node of a home runs and answers.
struct NodeCheck {
    let home: Home

    /// What the node says of itself, and what is wrong with it.
    struct Result: Sendable {
        var findings: [Finding] = []
        /// Whether it holds the home and does not answer.
        var isSilent = false
        /// Of each trip that it runs.
        var trips: [StatusView] = []
        var metrics: NodeMetrics?
    }

    func examine() async -> Result {
        var result = Result()
        let client = ControlClient(home: home)
        do {
            guard let answer = try await client.askOnAnotherThread(.runningTrips) else {
                result.findings = [.node(absent)]
                result.isSilent = absent != .none
                return result
            }
            guard case .runningTrips(let ids) = answer else { return result }
            result.metrics = try await client.metrics()
            for id in ids {
                if case .status(let status)? = try await client.answer(.status, trip: id) {
                    result.trips.append(status)
                }
            }
        } catch {
            result.findings = [.node(absent)]
        }
        result.isSilent = result.findings.contains { $0 != .node(.none) }
        return result
    }

    /// What is to be said of a node that does not answer.
    private var absent: NodeFinding {
        guard home.isNodeRunning else { return .none }
        guard let process = OwnerLock.owner(of: home.folder) else { return .notAnswering(process: nil) }
        return Self.isStopped(process) ? .stopped(process: process) : .notAnswering(process: process)
    }

    /// Whether a process is stopped, by a signal (T) or a debugger (t): proc(5).
    private static func isStopped(_ process: Int32) -> Bool {
        guard let text = TextFile.read("/proc/\(process)/stat") else { return false }
        // The name before it, in brackets, may hold anything.
        let state = text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst(2).first
        return state == "T" || state == "t"
    }
}
