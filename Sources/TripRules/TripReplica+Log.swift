package import ChangeLog
package import TripModel

extension TripReplica {
    /// Applies a change of the log, whatever it says.
    /// - Throws: where it comes before its past, or its content is against the rules: neither can be in a log that was
    ///   kept under `TripContentRules`.
    package mutating func apply(_ change: AppliedChange) throws(TripError) {
        if let change = change.tripChange() {
            try apply(change)
        } else {
            try pass(over: change.first, operationCount: change.operationCount)
        }
    }
}

extension LiveTrip {
    /// Applies a change of the log, whatever it says, as a replica does.
    /// - Returns: what it did to the trip's content, as people here see it.
    @discardableResult
    package mutating func apply(_ change: AppliedChange) throws(TripError) -> HistoryEntry? {
        if let change = change.tripChange() { return try apply(change) }
        try pass(over: change.first, operationCount: change.operationCount)
        return nil
    }
}

extension ParticipantID {
    /// A participant of the log, as the trip's model names it.
    package init(_ participant: Bytes16) { self.init(high: participant.high, low: participant.low) }
}
