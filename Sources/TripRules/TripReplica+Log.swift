package import ChangeLog
package import TripModel

extension TripReplica {
    /// Applies a change of the log, whatever it says.
    ///
    /// - Parameter vocabulary: what of its content is known.
    package mutating func apply(_ change: AppliedChange, vocabulary: Vocabulary = .current) {
        if let change = change.tripChange(vocabulary: vocabulary) { apply(change) }
    }
}

extension LiveTrip {
    /// Applies a change of the log, whatever it says, as a replica does.
    /// - Returns: what it did to the trip's content, as people here see it.
    @discardableResult
    package mutating func apply(_ change: AppliedChange) -> HistoryEntry? { change.tripChange().flatMap { apply($0) } }
}
