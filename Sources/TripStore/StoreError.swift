/// Why a trip's folder cannot be read or written.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// The folder or a file in it may not be read or written by this user.
        case permission
        /// There is no trip in the folder.
        case notATrip
        /// There is something in the folder already.
        case exists
        /// It was written by a newer version.
        case newerVersion
        /// What is read is not what was written.
        case damaged
        /// Another process owns the trip.
        case owned
        /// The disk is full.
        case full
        /// Anything else that the system says.
        case system
    }

    package let code: Code
    /// One line: what is wrong and what to do.
    package let message: String
    package let cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { message }
}
