package import DeltaCRDT

/// What a payload says, read once: with the names of dots that its author wrote.
package final class TripContent: Sendable {
    let acts: [Act]
    /// Every dot that it names.
    private let dots: [Dot]

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
}
