/// Why an action was refused: a code for programs, and one line for people that says what is wrong and
/// what to do.
package struct TripError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// A text that must not be empty is.
        case emptyText
        /// A text has more characters than its bound.
        case textTooLong
        /// A text holds a character that its field may not have.
        case forbiddenCharacter
        /// A field's value is not of the field's form.
        case malformedValue
        /// No item answers to the reference.
        case unknownItem
        /// More than one item answers to the reference.
        case ambiguousItem
        /// The item is removed, and must be restored before this.
        case itemRemoved
        /// The item is there, and cannot be restored.
        case itemNotRemoved
        /// All is already as the action would make it: nothing was wrong, and there is nothing to write.
        case nothingChanged
        /// The action is about nothing.
        case nothingNamed
        /// A number is out of its bounds.
        case outOfRange
        /// More than fits one change.
        case tooMuchAtOnce
    }

    package let code: Code
    /// One line.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
