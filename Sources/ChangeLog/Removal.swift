/// How somebody came to be out of a trip.
package struct Removal: Hashable, Sendable {
    /// Who took them out; themselves where they left.
    package let by: Bytes16
    /// By that one's clock, in milliseconds since 1970.
    package let wallTime: Int64
}

extension TripLog {
    /// How a participant came to be out; nil while they are in. Of several removals that count, the one that is first in the
    /// order of all nodes.
    package func removal(of participant: Bytes16) -> Removal? {
        let removals = membership.person(participant)?.removals.map { changes[$0] } ?? []
        let first = removals.min { ($0.change.lamport, $0.hash) < ($1.change.lamport, $1.hash) }
        guard let first, let author = membership.device(first.change.replica)?.device else { return nil }
        return Removal(by: author.participant, wallTime: first.change.wallTime)
    }
}
