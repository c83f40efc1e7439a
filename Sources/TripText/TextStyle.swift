import TripModel
import TripService

/// How text for people is laid out.
package struct TextStyle: Sendable {
    /// Columns, 40 at least; nil where lines are neither wrapped nor cut, as in a pipe.
    package let width: Int?
    /// Whether titles are set in bold and states in colors, by ANSI escapes: for terminals.
    package let isStyled: Bool
    /// The reader's zone: seconds east of UTC at a moment, in milliseconds since 1970, for a zone has another offset in
    /// summer. Nil for UTC, which is then said beside every time: a reader's own time needs no name.
    package let secondsFromUTC: (@Sendable (Int64) -> Int64)?
    /// When it is read, in milliseconds since 1970, for what is overdue; nil if nobody says.
    package let now: Int64?

    package init(
        width: Int? = nil, isStyled: Bool = false, secondsFromUTC: (@Sendable (Int64) -> Int64)? = nil,
        now: Int64? = nil
    ) {
        self.now = now
        self.width = width.map { max(40, $0) }
        self.isStyled = isStyled
        self.secondsFromUTC = secondsFromUTC
    }

    /// "2026-11-21 03:51" in the reader's zone, or "2026-11-21 03:51 UTC".
    package func time(_ milliseconds: Int64) -> String {
        guard let secondsFromUTC else { return CivilTime(milliseconds: milliseconds).toTheMinute + " UTC" }
        return CivilTime(milliseconds: milliseconds, offset: secondsFromUTC(milliseconds)).toTheMinute
    }

    /// Whether an item was to be done by now.
    func isOverdue(_ item: ItemView) -> Bool {
        now.map { item.isOverdue(at: $0, secondsFromUTC: secondsFromUTC?($0) ?? 0) } ?? false
    }

    package func bold(_ text: String) -> String { escaped(text, "1") }
    /// What was decided, and what is well.
    func good(_ text: String) -> String { escaped(text, "1;32") }
    /// What people should look at: other proposals.
    func open(_ text: String) -> String { escaped(text, "33") }
    /// What is wrong.
    func bad(_ text: String) -> String { escaped(text, "31") }
    /// What is no more.
    func dim(_ text: String) -> String { escaped(text, "2") }

    private func escaped(_ text: String, _ code: String) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// A text with its lines within the width: what is broken off one stands below its first word. A line with colors is laid out
    /// already, and a command on a line of its own stays whole, to be copied.
    package func fitted(_ text: String) -> String {
        guard width != nil else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let isCommand = line.hasPrefix("  caravan ") && !line.dropFirst(2).contains("  ")
            let isWhole = isCommand || line.utf8.contains(0x1B)
            return isWhole ? [String(line)] : TerminalText.within([String(line)], self)
        }
        .joined(separator: "\n")
    }

    /// The text's lines, wrapped to what the width leaves beside so many columns.
    package func wrap(_ text: String, beside columns: Int = 0) -> [String] {
        guard let width else { return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
        return DisplayWidth.wrap(text, to: max(16, width - columns))
    }
}
