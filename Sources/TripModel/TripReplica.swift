/// One replica of a trip: actions go in and become content, changes go in and become state, a view comes out.
///
/// A value with no clock, no randomness and no I/O. Replicas that applied the same changes, in any order in which every
/// change comes after its past, are equal byte for byte.
package struct TripReplica: Sendable {
    private(set) var state = TripState()
    private var applied = AppliedChanges()

    /// A trip in which nothing has happened.
    package init() {}

    /// The whole state in its one canonical form, for comparing replicas. Complexity: O(n log n) in its size.
    package var encodedState: [UInt8] { state.encoded }

    /// How many changes of each participant say something that a newer version knows, and that has no effect here.
    package var unknownCounts: [ParticipantID: Int] { state.unknownCounts }

    /// Turns an action into the content of a change, and changes nothing: the change comes back through `apply` once it
    /// is signed and durable.
    ///
    /// - Throws: `TripError` when the action is against a rule, with what to do about it.
    /// - Parameter note: what the same change says to the participant's own devices alone.
    package func perform(
        _ action: TripAction, by participant: ParticipantID, noting note: [UInt8]? = nil
    ) throws(TripError) -> [UInt8] {
        let operations = try operations(for: action, by: participant) + [note].compactMap { $0.map { .own($0) } }
        let content = TripContent.encode(operations)
        guard operations.count <= Limits.operationsPerChange, content.count <= Limits.contentBytes else {
            throw Self.tooMuchAtOnce
        }
        return content
    }

    /// The content of a change that says something to its author's own devices alone.
    package static func content(noting note: [UInt8]) throws(TripError) -> [UInt8] {
        let content = TripContent.encode([.own(note)])
        guard content.count <= Limits.contentBytes else { throw tooMuchAtOnce }
        return content
    }

    /// Applies a change whose past is already here. One that was applied before changes nothing, nor does one without
    /// content.
    ///
    /// Complexity: in the size of the change, times what stands at the places that it touches.
    /// - Returns: whether it was new.
    @discardableResult
    package mutating func apply(_ change: TripChange) -> Bool {
        var nobody: [HistoryEvent]?
        return apply(change, telling: &nobody)
    }

    /// - Parameter events: takes what was done; nil where nobody listens.
    mutating func apply(_ change: TripChange, telling events: inout [HistoryEvent]?) -> Bool {
        guard !change.content.isEmpty, applied.insert(change) else { return false }
        state.apply(change.content.operations, from: FoldedOperation(change, applied), telling: &events)
        state.meet(change)
        return true
    }

    /// Whether a change has something to say that was not applied yet.
    func isNew(_ change: TripChange) -> Bool { !change.content.isEmpty && !applied.contains(change.index) }
}

/// Where changes stand in the log of one node says nothing of the trip.
extension TripReplica: Hashable {
    package static func == (left: TripReplica, right: TripReplica) -> Bool { left.state == right.state }

    package func hash(into hasher: inout Hasher) { hasher.combine(state) }
}
