package import TripModel

/// Something that cannot be done: a code for programs, and one line for people that says what is wrong and what to do.
package struct ServiceError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Codable, Hashable, Sendable {
        /// It is against a rule, or not to be done as things are.
        case refused
        /// All is already as it was asked for: nothing is wrong, and nothing was written.
        case unchanged
        /// The item is removed.
        case removed
        /// This device's person is out of the trip.
        case out(RemovalView)
        /// Another process has the trip, which may pass.
        case owned
        /// The disk or its permissions do not let anything be written.
        case unwritable
        /// A node runs, and does not answer.
        case notAnswering
    }

    package let code: Code
    /// One line.
    package let message: String

    package init(_ message: String) { self.init(.refused, message) }

    package init(_ code: Code, _ message: String) {
        self.code = code
        // Many a message repeats what somebody typed.
        self.message = message.displayed()
    }

    package init(_ error: TripError) {
        let code: Code =
            switch error.code {
            case .nothingChanged, .itemNotRemoved: .unchanged
            case .itemRemoved: .removed
            default: .refused
            }
        self.init(code, error.message)
    }

    /// What somebody typed to name something, without the spaces around it. Throws where it is empty, as
    /// `Reference.trimmed` does.
    package static func name(
        _ text: String, of kind: String, listing: String
    ) throws(ServiceError) -> String {
        do { return try Reference.trimmed(text, of: kind, listing: listing) } catch { throw ServiceError(error) }
    }

    package var description: String { message }
}
