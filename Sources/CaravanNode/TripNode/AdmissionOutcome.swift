import TripService

/// The outcome of a request to join. It is kept for later callers, and delivered to callers that wait.
struct AdmissionOutcome {
    /// Whether the request is in a mailbox.
    private(set) var isAskedThroughMailbox = false
    /// Whether some node was reached, which may have ended the connection without a word.
    var hasReachedNode = false
    /// Whether a node refused the request.
    var isRefused = false
    /// Tells callers that wait that the request is in a mailbox.
    var sayAsked: @Sendable () -> Void = {}
    private var result: Result<Void, ServiceError>?
    private var waiting: CheckedContinuation<Result<Void, ServiceError>, Never>?

    /// Resumes at once if the request has ended.
    mutating func wait(_ continuation: CheckedContinuation<Result<Void, ServiceError>, Never>) {
        if let result { continuation.resume(returning: result) } else { waiting = continuation }
    }

    mutating func askedThroughMailbox() {
        isAskedThroughMailbox = true
        sayAsked()
    }

    /// Keeps the first outcome.
    mutating func end(_ result: Result<Void, ServiceError>) {
        self.result = self.result ?? result
        waiting?.resume(returning: result)
        waiting = nil
    }
}
