/// One day, or a stay from an arrival to a departure.
package struct DateSpan: Hashable, Sendable {
    package let arrival: Day
    /// Nil for one day; else a later day.
    package let departure: Day?

    /// The most nights of a stay: a year.
    static let nightsMax = 366

    /// Nil where the departure is before the arrival, or more than `nightsMax` after it.
    package init?(arrival: Day, departure: Day?) {
        self.arrival = arrival
        self.departure = departure == arrival ? nil : departure
        guard let departure else { return }
        guard (0...Self.nightsMax).contains(departure.ordinal - arrival.ordinal) else { return nil }
    }

    /// Reads what a field holds: "2026-06-12", or "2026-06-12/2026-06-15" (ISO 8601).
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let arrival = Day(parts[0]) else { return nil }
        if parts.count == 1 {
            self.init(arrival: arrival, departure: nil)
        } else {
            guard let departure = Day(parts[1]), departure != arrival else { return nil }
            self.init(arrival: arrival, departure: departure)
        }
    }

    /// Reads what people write: the days of ISO 8601 with "/", "..", "to", "until" or a dash between them, the second one
    /// without what it shares with the first ("2026-06-12..15"), and English months ("12-15 June 2026").
    package init?(typed text: String) {
        if let span = DateSpan(text) {
            self = span
        } else if let span = Self.iso(text) ?? Self.worded(text) {
            self = span
        } else {
            return nil
        }
    }

    /// 0 for one day.
    package var nights: Int { departure.map { $0.ordinal - arrival.ordinal } ?? 0 }

    /// As a field holds it.
    package var text: String { departure.map { "\(arrival.text)/\($0.text)" } ?? arrival.text }

    /// As people read it: "12–15 June 2026", "30 June – 2 July 2026".
    package var words: String {
        let first = "\(arrival.day) \(Self.months[arrival.month - 1]) \(arrival.year)"
        guard let departure else { return first }
        let last = "\(departure.day) \(Self.months[departure.month - 1]) \(departure.year)"
        if arrival.year != departure.year { return "\(first) – \(last)" }
        if arrival.month != departure.month {
            return "\(arrival.day) \(Self.months[arrival.month - 1]) – \(last)"
        }
        return "\(arrival.day)–\(last)"
    }

    // MARK: - What people write

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func iso(_ text: String) -> DateSpan? {
        guard let first = Day(text.prefix(10)) else { return nil }
        var rest = Substring(TextClasses.trimmed(String(text.dropFirst(10))))
        guard let mark = ["..", "/", "to ", "until ", "–", "—", "-", "→"].first(where: { rest.hasPrefix($0) }) else {
            return nil
        }
        rest = Substring(TextClasses.trimmed(String(rest.dropFirst(mark.count))))
        let parts = rest.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ (1...4).contains($0.utf8.count) }) else { return nil }
        // The second day may leave out its year, and its month.
        let numbers = parts.map { number($0) ?? 0 }
        let known = [first.year, first.month, first.day].prefix(3 - numbers.count) + numbers
        return Day(year: known[0], month: known[1], day: known[2]).flatMap {
            DateSpan(arrival: first, departure: $0)
        }
    }

    /// "12-15 June 2026", "June 12-15, 2026", "30 June - 2 July 2026", "12 June 2026".
    private static func worded(_ text: String) -> DateSpan? {
        var days: [Int] = []
        var named: [Int] = []
        var year: Int?
        let words = text.split { $0.isWhitespace || ",./-–—".contains($0) }.filter { !["to", "until"].contains($0) }
        for word in words {
            if let number = number(word.hasSuffix("th") ? word.dropLast(2) : word) {
                if word.utf8.count == 4 {
                    guard year == nil else { return nil }
                    year = number
                } else {
                    days.append(number)
                }
            } else if let month = month(word) {
                named.append(month)
            } else {
                return nil
            }
        }
        guard let year, (1...2).contains(days.count), (1...days.count).contains(named.count),
            let arrival = Day(year: year, month: named[0], day: days[0])
        else { return nil }
        guard days.count == 2 else { return DateSpan(arrival: arrival, departure: nil) }
        return Day(year: year, month: named[named.count - 1], day: days[1]).flatMap {
            DateSpan(arrival: arrival, departure: $0)
        }
    }

    private static func number(_ digits: some StringProtocol) -> Int? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }

    /// By its name, or three letters of it at least.
    private static func month(_ word: Substring) -> Int? {
        let word = String(word).foldedASCII
        guard word.utf8.count >= 3 else { return nil }
        return months.firstIndex { $0.foldedASCII.hasPrefix(word) }.map { $0 + 1 }
    }
}
