import TripService

/// How asking to be let in ended: kept for whoever asks later, and told to whoever waits.
struct AdmissionOutcome {
    /// Whether the request lies in a mailbox.
    private(set) var isAskedThroughMailbox = false
    /// Tells whoever waits that it does.
    var sayAsked: @Sendable () -> Void = {}
    private var result: Result<Void, ServiceError>?
    private var waiting: CheckedContinuation<Result<Void, ServiceError>, Never>?

    /// Resumes at once where it has ended.
    mutating func wait(_ continuation: CheckedContinuation<Result<Void, ServiceError>, Never>) {
        if let result { continuation.resume(returning: result) } else { waiting = continuation }
    }

    mutating func askedThroughMailbox() {
        isAskedThroughMailbox = true
        sayAsked()
    }

    /// The first end is what is kept.
    mutating func end(_ result: Result<Void, ServiceError>) {
        self.result = self.result ?? result
        waiting?.resume(returning: result)
        waiting = nil
    }
}
