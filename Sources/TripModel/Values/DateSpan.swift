/// One day, perhaps with a time of it, or a stay from an arrival to a departure.
package struct DateSpan: Hashable, Sendable {
    package let arrival: Day
    /// Nil for one day; else a later day.
    package let departure: Day?
    /// Nil for whole days: a stay has none.
    package let time: DayTime?

    /// The most nights of a stay: a year.
    static let nightsMax = 366

    /// Nil where the departure is before the arrival, or more than `nightsMax` after it.
    package init?(arrival: Day, departure: Day?) {
        self.arrival = arrival
        self.departure = departure == arrival ? nil : departure
        time = nil
        guard let departure else { return }
        guard (0...Self.nightsMax).contains(departure.ordinal - arrival.ordinal) else { return nil }
    }

    package init(_ day: Day, at time: DayTime?) {
        (arrival, departure, self.time) = (day, nil, time)
    }

    /// Reads what a field holds: "2026-06-12", "2026-06-12/2026-06-15" (ISO 8601), or a day and a time as in `DayTime`:
    /// "2026-06-12T14:30+01:00[Europe/Lisbon]/PT2H".
    package init?(_ text: String) {
        if text.dropFirst(10).first == "T" {
            guard let day = Day(text.prefix(10)), let time = DayTime(text.dropFirst(11)) else { return nil }
            self.init(day, at: time)
            return
        }
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
    /// without what it shares with the first ("2026-06-12..15"), and English months ("12-15 June 2026"). A time of one day
    /// comes last, perhaps with a length: "2026-06-12 14:30, 2h". In parentheses behind it may be what people are shown there: the number
    /// of nights, or the clock of the time.
    /// - Parameter clock: the clock of a zone at a minute of a day; without it, only a distance from UTC is known.
    package init?(
        typed text: String, clock: (String, Day, _ minute: Int) -> DayTime.Zone? = { _, _, _ in nil }
    ) {
        var words = text
        var remark: String?
        if text.hasSuffix(")"), let opening = text.lastIndex(of: "(") {
            words = TextClasses.trimmed(String(text[..<opening]))
            remark = String(text[opening...].dropFirst().dropLast())
        }
        guard let span = DateSpan(words) ?? Self.iso(words) ?? Self.worded(words) ?? Self.timed(words) else {
            return nil
        }
        guard let remark else {
            self = span
            return
        }
        if span.nights > 0 {
            guard remark == "\(span.nights) \(span.nights == 1 ? "night" : "nights")" else { return nil }
            self = span
        } else {
            guard let time = span.time, time.zone == nil,
                let zone = DayTime.Zone(words: remark) ?? clock(remark, span.arrival, time.minute)
            else { return nil }
            self = DateSpan(span.arrival, at: DayTime(minute: time.minute, length: time.length, zone: zone))
        }
    }

    /// 0 for one day.
    package var nights: Int { departure.map { $0.ordinal - arrival.ordinal } ?? 0 }

    /// Whether it is one day, or one moment of it.
    package var isMoment: Bool { departure == nil && time?.length == nil }

    /// When it begins, in minutes since 1970; nil where no time is known, or not by which clock.
    package var minutesSince1970: Int? {
        guard let time, let zone = time.zone else { return nil }
        return (arrival.ordinal - Day.ordinalOf1970) * DayTime.minutesInDay + time.minute - zone.offset
    }

    /// As a field holds it.
    package var text: String {
        arrival.text + (departure.map { "/" + $0.text } ?? "") + (time.map { "T" + $0.text } ?? "")
    }

    /// As people read it: "12–15 June 2026", "30 June – 2 July 2026", "12 June 2026, 14:30, 2 h (Europe/Lisbon)".
    package var words: String { words(in: nil) }

    /// The same for people who know in which year they are: "12–15 June", "Fri 12 June, 14:30". Any other year is written.
    /// - Parameter year: nil where that isn't known: each date has its year then, and no weekday.
    package func words(in year: Int?) -> String {
        let named = { (day: Day) in "\(day.day) \(Self.months[day.month - 1])" }
        let dated = { (day: Day) in named(day) + (day.year == year ? "" : " \(day.year)") }
        guard let departure else {
            let day = (year == nil ? "" : arrival.weekday.prefix(3) + " ") + dated(arrival)
            return day + (time.map { ", \($0.words)" + ($0.zone.map { " (\($0.words))" } ?? "") } ?? "")
        }
        if arrival.year != departure.year { return "\(dated(arrival)) – \(dated(departure))" }
        return (arrival.month == departure.month ? "\(arrival.day)–" : "\(named(arrival)) – ") + dated(departure)
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

    /// "12-15 June 2026", "June 12-15, 2026", "30 June - 2 July 2026", "30 December 2026 - 2 January 2027", "12 June 2026".
    private static func worded(_ text: String) -> DateSpan? {
        var days: [Int] = []
        var named: [Int] = []
        var years: [Int] = []
        var isYearLast = false
        let words = text.split { $0.isWhitespace || ",./-–—".contains($0) }.filter { !["to", "until"].contains($0) }
        for word in words {
            if let number = number(word.hasSuffix("th") ? word.dropLast(2) : word) {
                if word.utf8.count == 4 {
                    years.append(number)
                    isYearLast = days.count == 2
                } else {
                    days.append(number)
                }
            } else if let month = month(word) {
                named.append(month)
            } else {
                return nil
            }
        }
        guard (1...2).contains(days.count), (1...days.count).contains(named.count),
            (1...named.count).contains(years.count)
        else { return nil }
        // Behind a stay over New Year, one year is that of the departure.
        let isOverNewYear = named == [12, 1] && years.count == 1 && isYearLast
        guard let arrival = Day(year: years[0] - (isOverNewYear ? 1 : 0), month: named[0], day: days[0]) else {
            return nil
        }
        guard days.count == 2 else { return DateSpan(arrival: arrival, departure: nil) }
        return Day(year: years[years.count - 1], month: named[named.count - 1], day: days[1]).flatMap {
            DateSpan(arrival: arrival, departure: $0)
        }
    }

    /// A day, a time, and perhaps a length behind it.
    private static func timed(_ text: String) -> DateSpan? {
        let words = text.split { $0.isWhitespace || $0 == "," }
        guard let place = words.firstIndex(where: { DayTime.minute(typed: $0) != nil }),
            let minute = DayTime.minute(typed: words[place])
        else { return nil }
        let before = words[..<place].filter { $0 != "at" }.joined(separator: " ")
        let after = words[(place + 1)...].filter { $0 != "for" }.joined()
        let length = DayTime.length(typed: after)
        guard let day = iso(before) ?? worded(before) ?? Day(before).map({ DateSpan($0, at: nil) }),
            day.departure == nil, length != nil || after.isEmpty
        else { return nil }
        return DayTime(minute: minute, length: length).map { DateSpan(day.arrival, at: $0) }
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
