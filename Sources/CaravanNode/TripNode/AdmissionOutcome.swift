import TripService

/// How asking to be let in ended: kept for whoever asks later, and told to whoever waits.
struct AdmissionOutcome {
    private var result: Result<Void, ServiceError>?
    private var waiting: CheckedContinuation<Result<Void, ServiceError>, Never>?

    /// Resumes at once where it has ended.
    mutating func wait(_ continuation: CheckedContinuation<Result<Void, ServiceError>, Never>) {
        if let result { continuation.resume(returning: result) } else { waiting = continuation }
    }

    /// The first end is what is kept.
    mutating func end(_ result: Result<Void, ServiceError>) {
        self.result = self.result ?? result
        waiting?.resume(returning: result)
        waiting = nil
    }
}
