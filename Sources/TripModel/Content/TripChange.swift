package import DeltaCRDT

/// A change of the trip as the log hands it over: verified, and with its whole past already applied.
package struct TripChange: Sendable {
    /// Whose change it is, where it stands and when it was written: what it writes refers to that.
    let cause: Cause
    /// Where it stands in the log, in which every change stands after its past.
    package let index: Int
    /// The number of its branch in the log.
    package let branch: Int32
    /// What its author had seen, of other branches at least: of its own it had seen all that stands before it.
    package let past: CausalCut
    package let content: TripContent
    /// Whether it does not count, and what it made is there because others act on it.
    package let isUpheld: Bool

    /// Who wrote the fields, who voted. The content cannot say otherwise.
    package var participant: ParticipantID { cause.participant }
    package var stamp: LamportTimestamp { cause.stamp }
    package var hash: ChangeHash { cause.hash }
    /// Milliseconds since 1970 by the author's clock: for people to read, and for nothing else.
    package var wallTime: Int64 { cause.wallTime }

    package init(
        stamp: LamportTimestamp, participant: ParticipantID, wallTime: Int64, index: Int, branch: Int32,
        past: CausalCut, content: TripContent, isUpheld: Bool = false
    ) {
        cause = content.cause(stamp: stamp, participant: participant, wallTime: wallTime)
        self.index = index
        self.branch = branch
        self.past = past
        self.content = content
        self.isUpheld = isUpheld
    }
}
