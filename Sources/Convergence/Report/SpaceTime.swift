/// A run as a space-time diagram (Lamport: *Time, clocks, and the ordering of events in a distributed system*, 1978): a line for each
/// replica, downwards in time, an arrow for each message, and beside each change what the replica held from then on.
package struct SpaceTime: Sendable {
    /// A piece of text of one look, on lines of its own.
    struct Label: Sendable {
        enum Look: String { case did, held, same, fault }

        let look: Look
        let text: String
    }

    /// A moment, where it stands in the drawing.
    struct Row: Sendable {
        let moment: Moment
        let labels: [(look: Label.Look, line: String)]
        /// A message that left then, and never arrived nor was lost.
        let isUnderWay: Bool
        let top: Int
        let height: Int
        /// Where the moment's point lies.
        var y: Int { top + Self.inset }

        static var inset: Int { 16 }
    }

    /// In the order of the columns.
    let replicas: [Int]
    let rows: [Row]
    /// Moments before the first row, which are not drawn.
    let omittedCount: Int
    let columnWidth: Int
    let height: Int

    /// What is drawn at most: runs that were made small have fewer.
    static var rowsMax: Int { 200 }
    static var replicasMax: Int { 12 }
    static var lineHeight: Int { 16 }
    static var labelLinesMax: Int { 6 }
    /// Where the first replica's line stands, and the numbers of steps before it.
    static var left: Int { 64 }
    static var header: Int { 44 }
    /// The width of a page. Letters are at most so wide, in tenths.
    private static var pageWidth: Int { 980 }
    private static var letterTenths: Int { 73 }

    /// Nil where there is nothing to draw, or more replicas than can be seen. O(moments).
    init?(_ moments: [Moment]) {
        let named = Set(moments.flatMap { $0.replicas }).sorted()
        guard !named.isEmpty, named.count <= Self.replicasMax else { return nil }
        replicas = named
        columnWidth = max(230, (Self.pageWidth - Self.left) / named.count)
        omittedCount = max(0, moments.count - Self.rowsMax)
        let width = columnWidth
        let wide = Self.pageWidth - Self.left
        let ended = Set(moments.compactMap { $0.kind.departure })
        var (rows, top, held): ([Row], Int, [Int: String]) = ([], Self.header, [:])
        for (number, moment) in moments.enumerated() {
            let labels = Self.labels(moment, &held)
            guard number >= omittedCount else { continue }
            let isWide = moment.replicas.isEmpty
            let letters = ((isWide ? max(wide, width * named.count) : width) - 40) * 10 / Self.letterTenths
            let lines = labels.flatMap { label in Self.wrapped(label.text, letters).map { (look: label.look, line: $0) }
            }
            var height = 22 + Self.lineHeight * lines.count
            if case .arrival(let from, let to, _) = moment.kind, from > to { height += Self.lineHeight }
            rows.append(
                Row(
                    moment: moment, labels: lines, isUnderWay: !ended.contains(number), top: top, height: height))
            top += height
        }
        (self.rows, height) = (rows, top + 12)
    }

    /// The number of moments before the first row is that of the row of a departure.
    func row(of departure: Int) -> Row? {
        rows.indices.contains(departure - omittedCount) ? rows[departure - omittedCount] : nil
    }

    private static func labels(_ moment: Moment, _ held: inout [Int: String]) -> [Label] {
        func holding(_ replica: Int) -> Label {
            defer { held[replica] = moment.held }
            return held[replica] == moment.held
                ? Label(look: .same, text: "unchanged") : Label(look: .held, text: moment.held)
        }
        switch moment.kind {
        case .act(let replica): return [Label(look: .did, text: moment.text), holding(replica)]
        case .departure: return []
        case .arrival(_, let replica, _):
            let said = moment.text.isEmpty ? [] : [Label(look: .did, text: moment.text)]
            if moment.held.isEmpty { return said + [Label(look: .same, text: moment.extent)] }
            return said + (moment.extent.isEmpty ? [] : [Label(look: .same, text: "in part")]) + [holding(replica)]
        case .loss: return []
        case .refusal: return [Label(look: .fault, text: moment.text)]
        case .start(let replica): return [Label(look: .did, text: "starts"), holding(replica)]
        case .stop, .incident:
            return [
                Label(look: .fault, text: moment.text.hasPrefix("'s ") ? String(moment.text.dropFirst(3)) : moment.text)
            ]
        case .network, .repetition, .violation: return [Label(look: .did, text: moment.words ?? "")]
        }
    }

    /// Lines of at most so many columns, broken at blanks where there are some; at most ``labelLinesMax``.
    static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        var line: [Character] = []
        var (width, lastBlank): (Int, Int?) = (0, nil)
        for letter in text {
            if width + columnCount(letter) > columns {
                if lines.count == labelLinesMax - 1 {
                    lines.append(String(line.dropLast()) + "…")
                    return lines
                }
                let end = lastBlank.map { $0 + 1 } ?? line.count
                lines.append(String(line[..<end]))
                line.removeSubrange(..<end)
                (width, lastBlank) = (line.reduce(0) { $0 + columnCount($1) }, nil)
            }
            line.append(letter)
            width += columnCount(letter)
            if letter == " " || letter == "," { lastBlank = line.count - 1 }
        }
        return line.isEmpty ? lines : lines + [String(line)]
    }

    /// Two of a letter that is as wide as high.
    private static func columnCount(_ letter: Character) -> Int {
        letter.unicodeScalars.contains { $0.value >= 0x1100 } && letter != "…" && letter != "→" ? 2 : 1
    }
}
