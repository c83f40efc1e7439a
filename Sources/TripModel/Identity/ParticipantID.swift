import DeltaCRDT

/// A person in one trip: 128 random bits, made for this trip alone, so that nobody is linkable from trip to trip.
///
/// Ordered by its bytes, first byte first. People never see it: they see a display name.
package struct ParticipantID: Hashable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 16 bytes; nil for any other number of them.
    package init?(bytes: some Collection<UInt8>) {
        guard let words = ReplicaID(bytes: bytes) else { return nil }
        self.init(high: words.high, low: words.low)
    }

    /// The 16 bytes.
    package var bytes: [UInt8] { ReplicaID(high: high, low: low).bytes }
}

extension ParticipantID: Comparable {
    package static func < (left: ParticipantID, right: ParticipantID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}
