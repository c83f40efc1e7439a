import TripService

/// Whose turn it is: actions of people wait for each other, and one is durable and shown before the next begins.
struct Turn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The most that may wait.
    private static let waitingMax = 1_024

    /// Takes the turn where it is free. Throws where too many wait.
    mutating func take() throws(ServiceError) -> Bool {
        guard waiting.count < Self.waitingMax else {
            throw ServiceError("too many requests at once; try again in a moment")
        }
        guard !isTaken else { return false }
        isTaken = true
        return true
    }

    /// Waits; resumed with the turn taken.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.append(continuation) }

    /// Hands the turn to whoever came first.
    mutating func pass() {
        isTaken = !waiting.isEmpty
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}
