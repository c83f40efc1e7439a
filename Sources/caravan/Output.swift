import Glibc

/// What is printed, at once: a pipe's reader sees it when it happens.
enum Output {
    static func line(_ text: String) { write(text + "\n", to: 1) }
    /// Says whether somebody reads.
    @discardableResult
    static func text(_ text: String) -> Bool { write(text, to: 1) }
    /// What a program that reads standard output must not take for a result.
    static func note(_ text: String) { write(text + "\n", to: 2) }
    /// A line that on a terminal stands in the place of the one before.
    static func progress(_ line: String, isTerminal: Bool) {
        write(isTerminal ? "\r\u{1B}[2K\(line)" : line + "\n", to: 2)
    }
    static func error(_ text: String) { write("caravan: \(text)\n", to: 2) }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            // The reader is gone: there is nobody to tell.
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
