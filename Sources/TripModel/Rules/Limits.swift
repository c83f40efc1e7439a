/// Every bound of what a trip may hold, in one place. Every node applies the same ones, so none may change without a
/// new version of the payload.
package enum Limits {
    /// Bytes of UTF-8 in a title of an item or of the trip.
    package static let titleBytes = 200
    /// Bytes of UTF-8 in a participant's name.
    package static let nameBytes = 64
    /// Bytes of UTF-8 in a price, a place or a host.
    package static let phraseBytes = 200
    /// Bytes of UTF-8 in a link.
    package static let linkBytes = 2_000
    /// Bytes of UTF-8 in the value of a field that is true or cleared.
    package static let flagBytes = 8
    /// Bytes of UTF-8 in a note or in details.
    package static let noteBytes = 10_000
    /// Bytes of one payload.
    package static let payloadBytes = 1 << 20
    /// Operations in one change.
    package static let operationsPerChange = 10_000
    /// Dots that one operation may supersede.
    package static let supersededPerOperation = 4_096
    /// The greatest step of a quantity, up or down, in one operation.
    package static let quantityStep: Int64 = 1_000_000
}
