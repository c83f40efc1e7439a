import LibC

/// What a system call said.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    /// errno(3).
    package let number: Int32

    /// The number in a few words.
    package var reason: String { String(cString: strerror(number)) }
    package var description: String { "\(call): \(reason)" }

    /// Reads errno, unless another number is given: to be made before anything else is called.
    package init(_ call: String, _ number: Int32 = errno) {
        self.call = call
        self.number = number
    }
}
