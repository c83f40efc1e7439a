/// What the desktop has, used by running its own programs: pictures, notifications, the browser, an editor.
///
/// None of them is needed: where one is missing, an error says so in a line, and nothing else fails.
package enum Desktop {}

/// Why the desktop did not do something, in one line.
package struct DesktopError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
