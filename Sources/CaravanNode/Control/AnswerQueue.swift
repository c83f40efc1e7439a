import Foundation
import Synchronization

/// Hands answers from a task to the thread that sends them; at most 1,024 wait.
final class AnswerQueue: Sendable {
    private struct State {
        var waiting: [ControlAnswer] = []
        var isFinished = false
    }

    /// What a reader finds.
    enum Next {
        case answer(ControlAnswer)
        case finished
        case nothingYet
    }

    private let condition = NSCondition()
    private let state = Mutex(State())

    private static let limit = 1_024

    /// False where nobody reads, or too slowly.
    @discardableResult
    func put(_ answer: ControlAnswer) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let isOpen = state.withLock { state in
            guard !state.isFinished, state.waiting.count < AnswerQueue.limit else { return false }
            state.waiting.append(answer)
            return true
        }
        condition.signal()
        return isOpen
    }

    /// Takes no more answers; what waits can still be read.
    func finish() {
        condition.lock()
        defer { condition.unlock() }
        state.withLock { $0.isFinished = true }
        condition.signal()
    }

    /// The next answer, waiting for it at most so many seconds.
    func next(within seconds: Double) -> Next {
        let deadline = Date().addingTimeInterval(seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            let (answer, isFinished) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isFinished)
            }
            if let answer { return .answer(answer) }
            if isFinished { return .finished }
            guard condition.wait(until: deadline) else { return .nothingYet }
        }
    }
}
