import LibC

/// How this machine's clock compares with a mailbox's. A node lists the slots of last week, this one and the next, so a clock
/// that is far off looks for blocks where there are none.
package enum MailboxClock {
    private static let tolerated = Duration.seconds(3_600)

    /// How far this machine's clock is ahead of a clock, in seconds since 1970, that was read just now.
    static func ahead(of seconds: Int64) -> Duration { .seconds(Int64(time(nil)) - seconds) }

    /// The seconds since 1970 of a header `Date` (RFC 9110, 5.6.7); nil if it is none.
    static func seconds(ofHTTP text: String) -> Int64? {
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        return seconds([parts[3], "\(month + 1)", parts[1]] + parts[4].split(separator: ":"))
    }

    /// The seconds since 1970 of a time in UTC (RFC 3339), whose fraction is left out; nil if it is none.
    static func seconds(ofRFC3339 text: String) -> Int64? {
        guard text.hasSuffix("Z") else { return nil }
        return seconds(text.dropLast().prefix { $0 != "." }.split { "-T:".contains($0) })
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter parts: from the year to the second.
    private static func seconds(_ parts: [Substring]) -> Int64? {
        let numbers = parts.compactMap { UInt16($0).map(Int32.init) }
        guard numbers.count == 6, parts.count == 6 else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (numbers[0] - 1_900, numbers[1] - 1, numbers[2])
        (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[3], numbers[4], numbers[5])
        return Int64(timegm(&time))
    }

    /// One line, if the clock is too far off.
    package static func problem(ahead: Duration?) -> String? {
        guard let ahead, ahead.magnitude > tolerated else { return nil }
        let hours = (ahead.magnitude.components.seconds + 1_800) / 3_600
        let span = hours < 48 ? "\(hours) \(hours == 1 ? "hour" : "hours")" : "\((hours + 12) / 24) days"
        let direction = ahead > .zero ? "ahead of" : "behind"
        return "your clock is \(span) \(direction) the clock of the mailbox; set the wrong one"
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
