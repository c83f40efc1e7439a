package import ChangeLog
package import DeltaCRDT
package import TripModel

/// The trip's part of the rule that every node applies to a change before it accepts it.
package struct TripContentRules: ContentRules {
    package init() {}

    package func refusal(
        of content: [UInt8], operationCount: Int, participant: Bytes16, resolve: (Dot) -> Dot?
    ) -> String? {
        do {
            try TripReplica.validate(payload: content, operationCount: operationCount, resolve: resolve)
            return nil
        } catch {
            return error.message
        }
    }

    package func read(_ content: [UInt8], operationCount: Int) -> (any ReadContent)? {
        TripContent(payload: content, operationCount: operationCount)
    }
}

extension TripContent: ReadContent {
    package func refusal(resolve: (Dot) -> Dot?) -> String? {
        do {
            try validate(resolve: resolve)
            return nil
        } catch {
            return error.message
        }
    }
}

extension AppliedChange {
    /// The change as the trip's model takes it; nil for one that says who is in.
    package func tripChange() -> TripChange? {
        guard case .content(let payload) = body else { return nil }
        let renaming = renaming
        var resolve: @Sendable (Dot) -> Dot? = { $0 }
        // What is as written needs nothing to be carried along.
        if !renaming.isEmpty { resolve = { renaming[$0] ?? $0 } }
        return TripChange(
            participant: ParticipantID(high: participant.high, low: participant.low), first: first,
            stamp: Stamp(lamport: lamport, hash: hash.replicaID), wallTime: wallTime, payload: payload,
            content: renaming.isEmpty ? content as? TripContent : nil, operationCount: operationCount,
            hasSeen: hasSeen, resolve: resolve)
    }
}
