import LibC
import NIOCore

/// Why a transport cannot listen.
package struct TransportError: Error, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// Another process listens on the port.
        case addressInUse
        /// The system does not let this user listen there.
        case noPermission
        /// The transport listens already.
        case alreadyListening
        /// The transport was stopped.
        case stopped
        /// Anything else that the system says.
        case system
    }

    package let code: Code
    /// One line: what is wrong, and what to do.
    package let message: String
    package let cause: (any Error)?

    package var description: String { message }
}

extension TransportError {
    static let stopped = TransportError(code: .stopped, message: "the transport was stopped", cause: nil)
    static let alreadyListening = TransportError(
        code: .alreadyListening, message: "the transport is already listening", cause: nil)

    init(_ error: any Error, port: UInt16) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            self.init(
                code: .addressInUse,
                message: "port \(port) is used by another program; choose another port, or none for a free one",
                cause: error)
        case EACCES, EPERM:
            self.init(
                code: .noPermission,
                message: "you may not listen on port \(port); choose a port above 1023", cause: error)
        default:
            self.init(code: .system, message: "cannot listen on port \(port): \(error)", cause: error)
        }
    }
}
