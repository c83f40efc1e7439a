/// What a version of the model knows of content, for content is written by older and newer ones: one that knows more reads
/// more in the same bytes.
package struct Vocabulary: Hashable, Sendable {
    /// The greatest kind of an operation.
    package var kindMax: UInt64
    /// The greatest number of a field.
    package var fieldMax: UInt8
    /// The greatest byte of a vote.
    package var voteMax: UInt8
    /// Characters in a title of an item or of the trip.
    package var titleCharacters: Int

    package init(kindMax: UInt64, fieldMax: UInt8, voteMax: UInt8, titleCharacters: Int) {
        self.kindMax = kindMax
        self.fieldMax = fieldMax
        self.voteMax = voteMax
        self.titleCharacters = titleCharacters
    }

    /// What this version knows.
    package static let current = Vocabulary(
        kindMax: OperationKind.tripNote, fieldMax: Field.allCases.map(\.rawValue).max() ?? 0,
        voteMax: Vote.allCases.map(\.rawValue).max() ?? 0, titleCharacters: Limits.titleCharacters)
}
