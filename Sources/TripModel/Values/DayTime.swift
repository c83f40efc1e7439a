/// When something begins on its day, how long it takes, and by which clock.
package struct DayTime: Hashable, Sendable {
    /// Minutes after midnight, from 0 to 1,439.
    package let minute: Int
    /// Minutes, from 1 to `lengthMax`; nil where nobody has said.
    package let length: Int?
    /// Nil for the clock of wherever it is.
    package let zone: Zone?

    /// A clock: how far it is from UTC at that moment, and whose rules say so. The offset is written down, so that no node has
    /// to know the rules, and all agree.
    package struct Zone: Hashable, Sendable {
        /// Minutes east of UTC, from -1,439 to 1,439.
        package let offset: Int
        /// "Europe/Lisbon", from the time zone database; nil where only the offset is known.
        package let name: String?

        static let offsetMax = 1_439
        /// The longest name has 32 bytes.
        static let nameBytesMax = 40

        /// Nil for an offset that no clock has, and for what cannot be a name.
        package init?(offset: Int, name: String?) {
            guard offset.magnitude <= Self.offsetMax, name.map(Self.isName) ?? true else { return nil }
            (self.offset, self.name) = (offset, name)
        }

        /// Reads "UTC" and "UTC+01:00"; nil for anything else.
        init?(words text: String) {
            guard text.hasPrefix("UTC") else { return nil }
            let rest = text.dropFirst(3)
            let minutes = rest.isEmpty ? 0 : DayTime.minute(rest.dropFirst())
            guard let minutes, rest.isEmpty || rest.hasPrefix("+") || rest.hasPrefix("-") else { return nil }
            self.init(offset: rest.hasPrefix("-") ? -minutes : minutes, name: nil)
        }

        /// Letters, digits and "_+-/", as in the time zone database.
        private static func isName(_ text: String) -> Bool {
            (1...nameBytesMax).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                        || [0x5F, 0x2B, 0x2D, 0x2F].contains(byte)
                }
        }

        /// "+01:00".
        package var offsetText: String { (offset < 0 ? "-" : "+") + DayTime.clock(Int(offset.magnitude)) }

        /// As people read it: the name, or "UTC+01:00".
        package var words: String { name ?? "UTC" + (offset == 0 ? "" : offsetText) }
    }

    package static let minutesInDay = 1_440
    /// A week.
    package static let lengthMax = 7 * minutesInDay
    /// How a length is written, for people.
    package static let lengthAdvice = "write it like 2h or 90m, at most \(lengthMax / 60)h"

    /// Nil for a minute that no day has, and for a length out of bounds.
    package init?(minute: Int, length: Int? = nil, zone: Zone? = nil) {
        guard (0..<Self.minutesInDay).contains(minute), length.map({ (1...Self.lengthMax).contains($0) }) ?? true
        else { return nil }
        (self.minute, self.length, self.zone) = (minute, length, zone)
    }

    // MARK: - As a field holds it

    /// Reads what comes behind a day and its "T": "14:30+01:00[Europe/Lisbon]/PT2H" (ISO 8601, RFC 9557).
    init?(_ text: Substring) {
        guard let minute = Self.minute(text.prefix(5)) else { return nil }
        var rest = text.dropFirst(5)
        var zone: Zone?
        if let sign = rest.first, sign == "+" || sign == "-" {
            guard let magnitude = Self.minute(rest.dropFirst().prefix(5)) else { return nil }
            rest = rest.dropFirst(6)
            var name: String?
            if rest.first == "[" {
                name = String(rest.dropFirst().prefix { $0 != "]" })
                rest = rest.drop { $0 != "]" }
                guard !rest.isEmpty else { return nil }
                rest = rest.dropFirst()
            }
            guard let known = Zone(offset: sign == "-" ? -magnitude : magnitude, name: name) else { return nil }
            zone = known
        }
        guard !rest.isEmpty else {
            self.init(minute: minute, zone: zone)
            return
        }
        guard rest.first == "/", let length = Self.length(ofDuration: String(rest.dropFirst())) else { return nil }
        self.init(minute: minute, length: length, zone: zone)
    }

    /// Reads "PT2H", "PT90M" and "PT1H30M" (ISO 8601): minutes; nil for days, seconds and anything else.
    package static func length(ofDuration text: String) -> Int? {
        guard text.hasPrefix("PT") else { return nil }
        return minutes(text.dropFirst(2), hours: "H", minutes: ["M"])
    }

    /// What comes behind the day and its "T".
    var text: String {
        let zone = zone.map { $0.offsetText + ($0.name.map { "[\($0)]" } ?? "") } ?? ""
        return Self.clock(minute) + zone + (duration.map { "/" + $0 } ?? "")
    }

    /// "PT1H30M" (ISO 8601); nil where nobody has said how long it takes.
    package var duration: String? { length.map { "PT" + Self.joined($0, "H", "M", between: "") } }

    // MARK: - As people write and read it

    /// Reads "14:30" and "9:05"; nil for anything else.
    package static func minute(typed text: some StringProtocol) -> Int? {
        minute((text.utf8.count == 4 ? "0" : "") + text)
    }

    /// Reads "2h", "90 min", "1h30" and "1 h 30 min"; nil for anything else, and for more than `lengthMax`.
    package static func length(typed text: String) -> Int? {
        let packed = text.foldedASCII.filter { $0 != " " }
        guard let length = minutes(Substring(packed), hours: "h", minutes: ["min", "m", ""]) else { return nil }
        return (1...lengthMax).contains(length) ? length : nil
    }

    /// "14:30".
    package var start: String { Self.clock(minute) }

    /// "14:30, 1 h 30 min".
    package var words: String { start + (length.map { ", " + Self.words(ofLength: $0) } ?? "") }

    /// "2 h", "45 min", "1 h 30 min".
    package static func words(ofLength minutes: Int) -> String { joined(minutes, " h", " min", between: " ") }

    // MARK: - Digits

    private static func joined(_ minutes: Int, _ hourMark: String, _ minuteMark: String, between: String) -> String {
        let parts = [(minutes / 60, hourMark), (minutes % 60, minuteMark)].filter { $0.0 > 0 }
        return parts.map { "\($0.0)\($0.1)" }.joined(separator: between)
    }

    /// Hours, minutes or both, each before its mark.
    private static func minutes(_ text: Substring, hours mark: Character, minutes marks: [String]) -> Int? {
        guard !text.isEmpty else { return nil }
        let parts = text.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 1 || !parts[0].isEmpty else { return nil }
        var total = 0
        if parts.count == 2 {
            guard let hours = number(parts[0], digits: 3) else { return nil }
            total = hours * 60
            if parts[1].isEmpty { return total }
        }
        guard let last = parts.last,
            // "2" alone may be hours or minutes.
            let mark = marks.first(where: { last.hasSuffix($0) && (parts.count == 2 || !$0.isEmpty) }),
            let minutes = number(last.dropLast(mark.count), digits: 5)
        else { return nil }
        return total + minutes
    }

    private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
        guard (1...digits).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// Reads "14:30", with two digits each.
    private static func minute(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard text.utf8.count == 5, parts.count == 2, parts[0].utf8.count == 2,
            let hours = number(parts[0], digits: 2), let minutes = number(parts[1], digits: 2), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    private static func clock(_ minutes: Int) -> String { two(minutes / 60) + ":" + two(minutes % 60) }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
