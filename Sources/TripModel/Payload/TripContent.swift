package import DeltaCRDT
private import Synchronization

/// What a payload says, read once: with the names of dots that its author wrote.
package final class TripContent: Sendable {
    let acts: [Act]
    /// Every dot that it names.
    private let dots: [Dot]
    /// The change that says this, as whoever applied it first called it.
    private let cause = AtomicLazyReference<Cause>()

    /// Reads a payload; nil where no author can have written it.
    package init?(payload: [UInt8], operationCount: Int) {
        var dots: [Dot] = []
        do throws(TripError) {
            acts = try TripPayload.decode(payload, operationCount: operationCount) { dot in
                dots.append(dot)
                return dot
            }
        } catch {
            return nil
        }
        self.dots = dots
    }

    /// The rule that `TripReplica.validate` holds to, for what can be read: it is about nothing but the change's past.
    package func validate(resolve: (Dot) -> Dot?) throws(TripError) {
        for dot in dots where resolve(dot) == nil { throw TripPayload.unseen }
    }

    /// The change that says this, for what it writes to refer to: one object for all who apply it under the same names,
    /// as the nodes of a simulation do. Nil where it has other names here than elsewhere.
    func cause(participant: ParticipantID, first: Dot, stamp: Stamp, wallTime: Int64) -> Cause? {
        let cause =
            cause.load()
            ?? cause.storeIfNil(Cause(participant: participant, first: first, stamp: stamp, wallTime: wallTime))
        guard cause.stamp == stamp, cause.first == first, cause.participant == participant, cause.wallTime == wallTime
        else { return nil }
        return cause
    }
}
