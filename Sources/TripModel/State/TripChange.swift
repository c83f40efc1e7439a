package import DeltaCRDT

/// A change of the trip as the log hands it over: verified, named, and with its whole past already applied.
package struct TripChange: Sendable {
    /// Whose change it is, its first dot, where it stands and when it was written: what it writes refers to that.
    let cause: Cause
    package let payload: [UInt8]
    /// What the payload says, where it was read before and names dots by their present names.
    let content: TripContent?
    package let operationCount: Int
    /// The present name of a dot that the payload names, or nil where that dot is not in the change's past.
    package let resolve: @Sendable (Dot) -> Dot?
    /// Whether the author had seen a dot, by its present name; nil where the payload names all that the change replaces.
    let hasSeen: (@Sendable (Dot) -> Bool)?

    /// Who wrote the fields, who voted. The payload cannot say otherwise.
    package var participant: ParticipantID { cause.participant }
    /// The dot of its first operation, under the present name of its branch. The others follow.
    package var first: Dot { cause.first }
    package var stamp: Stamp { cause.stamp }
    /// Milliseconds since 1970 by the author's clock: for people to read, and for nothing else.
    package var wallTime: Int64 { cause.wallTime }

    package init(
        participant: ParticipantID, first: Dot, stamp: Stamp, wallTime: Int64, payload: [UInt8],
        content: TripContent? = nil, operationCount: Int,
        hasSeen: (@Sendable (Dot) -> Bool)? = nil, resolve: @escaping @Sendable (Dot) -> Dot?
    ) {
        cause =
            content?.cause(participant: participant, first: first, stamp: stamp, wallTime: wallTime)
            ?? Cause(participant: participant, first: first, stamp: stamp, wallTime: wallTime)
        self.payload = payload
        self.content = content
        self.operationCount = operationCount
        self.hasSeen = hasSeen
        self.resolve = resolve
    }

    /// What it says, read where nobody has read it before.
    func acts() throws(TripError) -> [Act] {
        if let content { return content.acts }
        return try TripPayload.decode(payload, operationCount: operationCount, resolve: resolve)
    }

    /// Of the dots that stand at a place, those that a write of this change there replaces: what the payload names, or,
    /// where changes in its past do not count, all that its author had seen.
    func superseded(_ named: [Dot], among present: @autoclosure () -> [Dot]) -> [Dot] {
        hasSeen.map { present().filter($0) } ?? named
    }
}
