package import TripModel

/// A moment as people write it, in the proleptic Gregorian calendar.
package struct CivilTime: Hashable, Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64
    package let hour: Int64
    package let minute: Int64
    package let second: Int64

    /// The first and the last millisecond that four digits of a year can write: clocks that lie more are cut off here.
    static let bounds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// - Parameters:
    ///   - milliseconds: since 1970, in UTC.
    ///   - offset: seconds east of UTC.
    package init(milliseconds: Int64, offset: Int64 = 0) {
        let bounded = min(max(milliseconds, Self.bounds.lowerBound), Self.bounds.upperBound)
        let shifted = min(
            max(bounded + min(max(offset, -86_400), 86_400) * 1000, Self.bounds.lowerBound), Self.bounds.upperBound)
        // Seconds since 1 January of the year 1.
        let seconds = (shifted - Self.bounds.lowerBound) / 1000
        (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
        (year, month, day) = Self.date(days: seconds / 86_400)
    }

    /// The date that lies `days` after 1 January of the year 1: whole cycles of 400, 100, 4 years and 1 year first.
    private static func date(days: Int64) -> (Int64, Int64, Int64) {
        var rest = days
        let of400 = rest / 146_097
        rest %= 146_097
        // The last day of a cycle of 400 years, and of 4, is a leap day: it belongs to the last part, not to a new one.
        let of100 = min(rest / 36_524, 3)
        rest -= of100 * 36_524
        let of4 = rest / 1461
        rest %= 1461
        let of1 = min(rest / 365, 3)
        rest -= of1 * 365
        let year = of400 * 400 + of100 * 100 + of4 * 4 + of1 + 1
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        var month: Int64 = 1
        for length: Int64 in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
            guard rest >= length else { break }
            rest -= length
            month += 1
        }
        return (year, month, rest + 1)
    }

    /// "2026-11-21T03:51:07Z" (RFC 3339): the one form in which programs are told a time.
    package static func rfc3339(_ milliseconds: Int64) -> String {
        let time = CivilTime(milliseconds: milliseconds)
        return "\(time.dateText)T\(two(time.hour)):\(two(time.minute)):\(two(time.second))Z"
    }

    /// "2026-11-21 03:51".
    package var toTheMinute: String { "\(dateText) \(Self.two(hour)):\(Self.two(minute))" }

    private var dateText: String {
        String(repeating: "0", count: 4 - String(year).utf8.count) + "\(year)-\(Self.two(month))-\(Self.two(day))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
}

extension ItemView {
    /// Whether it was to be done by a moment, in milliseconds since 1970, and is not.
    /// - Parameter secondsFromUTC: of the reader's clock at that moment.
    package func isOverdue(at moment: Int64, secondsFromUTC: Int64) -> Bool {
        let clock = CivilTime(milliseconds: moment, offset: secondsFromUTC)
        guard let day = Day(clock.toTheMinute.prefix(10)) else { return false }
        return isOverdue(
            on: day, minute: Int(clock.hour * 60 + clock.minute), minutesSince1970: Int(moment / 60_000))
    }
}
