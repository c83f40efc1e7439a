package import ChangeLog
import DeltaCRDT

/// Somebody who writes in a note at this moment, as their node says it (Documentation/Protocol.md, message 23).
package struct PresenceEntry: Hashable, Sendable {
    /// A guest of the person of the device that says it; nil for that person.
    package let guest: Bytes32?
    /// Which note, and where in it. The core doesn't read it.
    package let place: [UInt8]

    package static let placeBytesMax = 128

    package init(guest: Bytes32? = nil, place: [UInt8]) {
        self.guest = guest
        self.place = place
    }
}

extension PresenceEntry {
    func encode(into encoder: inout CanonicalEncoder) {
        encoder.encode(guest != nil)
        if let guest { encoder.encode(fixed: guest.bytes) }
        encoder.encode(place)
    }

    init(from decoder: inout CanonicalDecoder) throws(DecodingFailure) {
        guest = try decoder.decodeBool() ? try decoder.decodeBytes32() : nil
        place = try decoder.decodeBytes(limit: PresenceEntry.placeBytesMax)
    }
}
