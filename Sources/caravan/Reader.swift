import Console
import Foundation
import Glibc
import TripService
import TripText

/// Whoever reads what is printed: their zone, the width of their window, and what a pipe takes.
enum Reader {
    static var style: TextStyle {
        let isTerminal = isatty(1) == 1
        let isBold = isTerminal && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        return TextStyle(width: isTerminal ? terminalWidth ?? 80 : nil, isBold: isBold, secondsFromUTC: secondsFromUTC)
    }

    /// Whether notes come to a terminal.
    static var isErrorTerminal: Bool { isatty(2) == 1 }

    /// Columns of the terminal at standard output; nil where there is none, or it does not say.
    static var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Seconds east of UTC in the reader's zone, at a moment in milliseconds since 1970.
    private static let secondsFromUTC: @Sendable (Int64) -> Int64 = { milliseconds in
        var moment = time_t(milliseconds / 1_000)
        var local = tm()
        guard localtime_r(&moment, &local) != nil else { return 0 }
        return Int64(local.tm_gmtoff)
    }

    /// The minute of the reader's day at a moment in milliseconds since 1970, from 0 to 1,439.
    static func minuteOfDay(_ milliseconds: Int64) -> Int64 {
        let time = CivilTime(milliseconds: milliseconds, offset: secondsFromUTC(milliseconds))
        return time.hour * 60 + time.minute
    }

    /// Milliseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// What could not be done, in a line.
    static func line(_ error: any Error) -> String {
        (error as? ServiceError).map { TerminalText.line($0, style: style) } ?? "\(error)"
    }

    static func show(_ answer: TripAnswer, json: Bool) {
        Output.text(
            json ? TripJSON.answer(answer).line : TerminalText.answer(answer, now: now, style: style))
    }
}
