import Files
import LibC
import Synchronization

/// What is printed, at once: a pipe's reader sees it when it happens.
package enum Output {
    /// Why standard output did not take something, as `errno` says; 0 where it took all, or where its reader went away.
    private static let loss = Atomic<Int32>(0)

    /// Breaks a text for people into lines that fit where a descriptor leads to.
    package typealias Layout = @Sendable (_ text: String, _ descriptor: Int32) -> String
    private static let layout = Mutex<Layout>({ text, _ in text })

    /// Lays out each later `line`, `note` and `error`.
    package static func layOut(by body: @escaping Layout) { layout.withLock { $0 = body } }

    private static func laidOut(_ text: String, for descriptor: Int32) -> String {
        let body = layout.withLock { $0 }
        return body(text, descriptor)
    }

    /// Prints a line for people.
    package static func line(_ text: String) { print(laidOut(text, for: 1) + "\n") }
    /// Prints a text as it is: data, or what is laid out already. Says whether somebody reads.
    @discardableResult
    package static func text(_ text: String) -> Bool { print(text) }
    /// What a program that reads standard output must not take for a result.
    package static func note(_ text: String) { _ = write(Array((laidOut(text, for: 2) + "\n").utf8), to: 2) }
    /// A line that on a terminal stands in the place of the one before.
    package static func progress(_ line: String, isTerminal: Bool) {
        _ = write(Array((isTerminal ? "\r\u{1B}[2K\(line)" : line + "\n").utf8), to: 2)
    }
    package static func error(_ text: String) { note("caravan: \(text)") }

    /// Why not all that was printed is where it should be, in a line; nil where it is.
    package static var problem: String? {
        let loss = loss.load(ordering: .relaxed)
        return loss == 0 ? nil : "the output is incomplete: \(reason(loss))"
    }

    /// What an `errno` means, in a few words.
    package static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

    @discardableResult
    private static func print(_ text: String) -> Bool {
        guard let failure = write(Array(text.utf8), to: 1) else { return true }
        // The reader is gone: there is nobody to tell.
        if failure != EPIPE { loss.store(failure, ordering: .relaxed) }
        return false
    }

    /// Writes all of it, and says what `errno` was where that cannot be done.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        WholeFile.append(bytes, to: descriptor)?.number
    }

    /// Keeps the places of standard streams that somebody closed, so that no file or socket is opened there and printed
    /// into. What is printed there goes nowhere, and is missed.
    package static func keepPlaces() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
