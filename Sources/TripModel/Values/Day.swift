/// A day of the proleptic Gregorian calendar, of the years 1 to 9999.
package struct Day: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Nil for what no calendar has.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, of: year)).contains(day)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Reads "2026-06-12" (ISO 8601), and nothing else.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
        let numbers = [bytes[0..<4], bytes[5..<7], bytes[8..<10]].map { part in
            part.allSatisfy { (0x30...0x39).contains($0) } ? part.reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
        }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// How many days lie between 1 January of the year 1 and this one.
    package var ordinal: Int {
        let before = year - 1
        let months = (1..<month).reduce(0) { $0 + Self.length(ofMonth: $1, of: year) }
        return before * 365 + before / 4 - before / 100 + before / 400 + months + day - 1
    }

    /// That of 1 January 1970.
    package static let ordinalOf1970 = 719_162

    /// "Friday".
    package var weekday: String {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][ordinal % 7]
    }

    /// The day after it; nil for the last one.
    package var next: Day? {
        Day(year: year, month: month, day: day + 1) ?? Day(year: year, month: month + 1, day: 1)
            ?? Day(year: year + 1, month: 1, day: 1)
    }

    /// The day before it; nil for the first one.
    package var previous: Day? {
        if let day = Day(year: year, month: month, day: day - 1) { return day }
        guard month > 1 else { return Day(year: year - 1, month: 12, day: 31) }
        return Day(year: year, month: month - 1, day: Self.length(ofMonth: month - 1, of: year))
    }

    /// "2026-06-12".
    package var text: String {
        String(repeating: "0", count: 4 - String(year).utf8.count) + "\(year)-\(Self.two(month))-\(Self.two(day))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    static func length(ofMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Day: Comparable {
    package static func < (left: Day, right: Day) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}
