package import DeltaCRDT

/// One replica of a trip: actions go in and become payloads, changes go in and become state, a view comes out.
///
/// A value with no clock, no randomness and no I/O. Replicas that applied the same changes, in any order in which every
/// change comes after its past, are equal byte for byte.
package struct TripReplica: Hashable, Sendable {
    private(set) var state = TripState()

    /// A trip in which nothing has happened.
    package init() {}

    /// The whole state in its one canonical form, for comparing replicas. Complexity: O(n log n) in its size.
    package var encodedState: [UInt8] { state.encoded }

    /// Turns an action into the payload of a change, and changes nothing: the change comes back through `apply` once it
    /// is signed and durable.
    ///
    /// - Throws: `TripError` when the action is against a rule, with what to do about it.
    package func perform(
        _ action: TripAction, by participant: ParticipantID
    ) throws(TripError) -> TripPayload {
        let payload = TripPayload(try acts(for: action, by: participant))
        guard payload.operationCount <= Limits.operationsPerChange, payload.bytes.count <= Limits.payloadBytes else {
            throw TripError(.tooMuchAtOnce, "this is more than fits one change: do it in several smaller steps")
        }
        return payload
    }

    /// Applies a change whose past is already here. One that was applied before changes nothing.
    ///
    /// Complexity: in the size of the change, times a logarithm of what stands at the places that it touches.
    /// - Returns: whether it was new.
    /// - Throws: `TripError` when the payload is invalid, or a change of the same branch is missing before this one;
    ///   the replica is then as it was.
    @discardableResult
    package mutating func apply(_ change: TripChange) throws(TripError) -> Bool {
        guard let acts = try newActs(of: change) else { return false }
        var nobody: [HistoryEvent]?
        apply(acts, of: change, telling: &nobody)
        return true
    }

    /// Applies what `newActs` read.
    mutating func apply(_ acts: [Act], of change: TripChange, telling events: inout [HistoryEvent]?) {
        state.apply(acts, of: change, telling: &events)
        state.note(change)
    }

    /// What a change says that is the next of its branch; nil for one that was applied before.
    func newActs(of change: TripChange) throws(TripError) -> [Act]? {
        let known = state.context.versionVector[change.first.replica]
        guard change.first.counter > 0, change.first.counter <= Dot.maximumCounter,
            (1...Limits.operationsPerChange).contains(change.operationCount)
        else { throw TripError(.invalidChange, "a change is refused: its operations are not numbered") }
        let last = change.first.counter + UInt64(change.operationCount) - 1
        if last <= known { return nil }
        guard change.first.counter == known + 1 else {
            throw TripError(.outOfOrder, "a change came before the one that it follows: fetch that one first")
        }
        return try change.acts()
    }

    /// Notes operations of a branch that say nothing about the trip's content, such as who was let in: they take their
    /// numbers, and leave nothing alive.
    /// - Throws: `TripError` when a change of the same branch is missing before them.
    package mutating func pass(over first: Dot, operationCount: Int) throws(TripError) {
        let known = state.context.versionVector[first.replica]
        guard operationCount > 0, first.counter + UInt64(operationCount) - 1 > known else { return }
        guard first.counter == known + 1 else {
            throw TripError(.outOfOrder, "a change came before the one that it follows: fetch that one first")
        }
        state.context.insert(
            replica: first.replica, counters: first.counter...first.counter + UInt64(operationCount) - 1)
    }

    /// The rule that every node applies to a payload before it accepts the change: readable, canonical, bounded, about
    /// nothing but the change's past. The answer depends only on the change and its past.
    package static func validate(
        payload: [UInt8], operationCount: Int, resolve: (Dot) -> Dot?
    ) throws(TripError) {
        _ = try TripPayload.decode(payload, operationCount: operationCount, resolve: resolve)
    }
}
