/// Every bound of what a trip may hold, in one place. What one version allows and another does not has no effect there: no
/// bound is a reason to refuse a change.
///
/// Texts are counted in Unicode scalars, whatever bytes those take: a name of 64 letters fits in any script. What a reader
/// calls a character is bounded by no number of them, and where one ends depends on tables that differ from one version
/// of Swift to the next; a scalar is a scalar for ever.
package enum Limits {
    /// Characters in a title of an item or of the trip.
    package static let titleCharacters = 200
    /// Characters in a participant's name.
    package static let nameCharacters = 64
    /// Characters in a price, a place or a host.
    package static let phraseCharacters = 200
    /// Characters in a link.
    package static let linkCharacters = 2_000
    /// Marks on one letter where somebody types it. Tibetan has letters with eight.
    package static let marksPerLetter = 10
    /// Characters in the value of a field that is true or cleared.
    package static let flagCharacters = 8
    /// Characters in a word that says what an item is.
    package static let wordCharacters = 32
    /// Characters of days and times as people write them; the longest that is kept has 77.
    package static let datesCharacters = 80
    /// Characters of a participant's id.
    package static let personCharacters = 32
    /// Characters of the way in which a question is answered.
    package static let questionCharacters = 40
    /// Characters of an option of a question.
    package static let optionCharacters = 120
    /// The options of a question: those that one answer names, and those that are shown.
    package static let optionsMax = 64
    /// The answers that the closing of a hidden question names.
    package static let answersCounted = 4_096
    /// The points that one person may share out among options.
    package static let pointsMax = 1_000
    /// The greatest number that a field of numbers holds, and the characters that it takes.
    package static let countMax = 9_999
    package static let countCharacters = 4
    /// Characters in details, and in a note that an item is made with.
    package static let proseCharacters = 10_000
    /// Characters in a note.
    package static let noteCharacters = 100_000
    /// Characters of a note that are shown: several people may bring it beyond what one of them may.
    package static let noteShown = 200_000
    /// Titles of one item by which it is found, where several stand beside each other.
    package static let titlesToFind = 64
    /// Characters of what came or went in a note, as the history tells it.
    package static let noteTold = 200
    /// Values that a write replaced, or that stand beside it, as the history tells them: `proseCharacters` in total, if there are several.
    package static let valuesTold = 8
    /// Texts that one edit inserts into a note.
    package static let insertionsPerEdit = 256
    /// Characters in a comment.
    package static let commentCharacters = 2_000
    /// Characters in an amenity.
    package static let amenityCharacters = 40
    /// Amenities, or options of a question, that one operation adds or takes away.
    package static let wordsPerOperation = 64
    /// The most bytes of UTF-8 that a character takes.
    package static let bytesPerCharacter = 4
    /// Bytes of one change's content.
    package static let contentBytes = 1 << 20
    /// Operations in one change; what comes after them has no effect.
    package static let operationsPerChange = 10_000
    /// Writes that a write may leave beside it, unseen by its writer.
    package static let siblingsPerWrite = 256
    /// The greatest step of a quantity, up or down, in one operation.
    package static let quantityStep: Int64 = 1_000_000

    /// The greatest amount of money, in the smallest unit of its currency: ten billion euros.
    package static let moneyMax: Int64 = 1_000_000_000_000
    /// Digits of an exchange rate before the point, and after it.
    package static let rateWholeDigits = 6
    package static let rateDecimals = 8
    /// The people who pay for one thing, and the people who share it.
    package static let sharersMax = 100
    /// The greatest number of parts of one person.
    package static let partsMax: Int64 = 10_000
    /// Characters of a cost: 47 for each payer and each sharer, and some for the rest.
    package static let costCharacters = 10_000
    /// Costs that count in balances: as many of the greatest amount do not overflow 64 bits.
    package static let costsCounted = 1 << 20

    /// Whether a quantity may change by so many at once.
    static func isStep(_ step: Int64) -> Bool { step != 0 && (-quantityStep...quantityStep).contains(step) }
}
