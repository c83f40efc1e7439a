import TripService

/// How often something was told of a trip: what nodes count by their events alone.
struct TripCounters {
    private var refusedChanges = 0
    private var limits: [TripEvent.Limit: Int] = [:]

    mutating func count(_ event: TripEvent) {
        switch event {
        case .refused, .full: refusedChanges += 1
        case .limit(let limit): limits[limit, default: 0] += 1
        default: break
        }
    }

    /// What is measured, with what was counted.
    func added(to metrics: TripMetrics) -> TripMetrics {
        var metrics = metrics
        metrics.refusedChanges = refusedChanges
        metrics.limits = limits
        return metrics
    }
}
