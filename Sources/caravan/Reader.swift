import CaravanNode
import Console
import Foundation
import LibC
import TripModel
import TripService
import TripText

/// The reader of the output: their zone, the width of their window, and what a pipe takes.
enum Reader {
    static var style: TextStyle {
        let isTerminal = isatty(1) == 1
        let isStyled = (GlobalOptions.given?.color ?? .auto).isStyled(
            ProcessInfo.processInfo.environment, atTerminal: isTerminal)
        return TextStyle(
            width: isTerminal ? terminalWidth ?? 80 : nil, isStyled: isStyled, secondsFromUTC: secondsFromUTC,
            now: now)
    }

    /// Whether notes come to a terminal.
    static var isErrorTerminal: Bool { isatty(2) == 1 }

    /// Columns of the terminal at standard output; nil where there is none, or it does not say.
    static var terminalWidth: Int? { columns(of: 1) }
    /// Its rows, likewise.
    static var terminalRows: Int? { terminalSize(of: 1).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil } }

    private static func columns(of descriptor: Int32) -> Int? {
        terminalSize(of: descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil }
    }

    private static func terminalSize(of descriptor: Int32) -> winsize? {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
    }

    /// A text for people, its lines within the window of the terminal that a descriptor leads to. Elsewhere the text as it is.
    static func fitted(_ text: String, to descriptor: Int32 = 1) -> String {
        guard isatty(descriptor) == 1 else { return text }
        return TextStyle(width: columns(of: descriptor) ?? 80).fitted(text)
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

    /// The day by the reader's clock.
    static var today: Day? {
        let moment = now
        return Day(CivilTime(milliseconds: moment, offset: secondsFromUTC(moment)).toTheMinute.prefix(10))
    }

    /// When a day starts by the reader's clock, in milliseconds since 1970.
    static func start(of day: Day) -> Int64 {
        let utc = Int64(day.ordinal - Day.ordinalOf1970) * 86_400_000
        return utc - secondsFromUTC(utc) * 1_000
    }

    /// The path of a file that was written: as it is for a program, and with nothing that moves a terminal at one.
    static func path(_ path: String) -> String { isatty(1) == 1 ? path.displayed() : path }

    /// A text as it was written: for a program whole, and with nothing that moves a terminal at one.
    static func prose(_ text: String) -> String {
        isatty(1) == 1 ? text.displayed(keepsLines: true, marksIdle: true) : text
    }

    /// Milliseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// What could not be done, in a line.
    static func line(_ error: any Error) -> String {
        (error as? ServiceError).map { TerminalText.line($0, style: style) } ?? "\(error)"
    }

    /// Shows how a trip stands, and where it does not run, whether a node runs at all.
    static func show(_ status: StatusView) {
        let isOtherRunning = status.listening == nil && Home().isNodeRunning
        Output.text(TerminalText.status(status, now: now, style: style, isOtherRunning: isOtherRunning))
    }

    static func show(_ answer: TripAnswer, json: Bool) {
        Output.text(
            json ? TripJSON.answer(answer).line : fitted(TerminalText.answer(answer, now: now, style: style)))
    }

    /// Shows what may be long: JSON as it is, text for people by their pager.
    static func page(_ text: String, json: Bool) {
        if json { Output.text(text) } else { Pager.show(text) }
    }

    static func page(_ answer: TripAnswer, json: Bool) {
        page(json ? TripJSON.answer(answer).line : TerminalText.answer(answer, now: now, style: style), json: json)
    }
}
