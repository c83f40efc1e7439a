import Foundation
import TripModel

/// What clocks show where: the time zone database of the system.
enum ClockRules {
    private static let minutesInDay = 1_440

    /// The clock of a zone at a time of a day. Of a time that comes twice, because clocks go back, the first.
    static func zone(named name: String, on day: Day, at minute: Int) throws(TripError) -> DayTime.Zone {
        let zone = try zone(named: name)
        let local = (day.ordinal - Day.ordinalOf1970) * minutesInDay + minute
        let offset = { (minutes: Int) in
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(minutes) * 60)) / 60
        }
        // A day before and after, the clock has gone forward or back at most once.
        let possible = [offset(local - minutesInDay), offset(local + minutesInDay)].filter { offset(local - $0) == $0 }
        guard let first = possible.max(), let clock = DayTime.Zone(offset: first, name: zone.identifier) else {
            throw TripError(
                .malformedValue,
                "clocks in \(zone.identifier) skip this time on \(day.text); choose an earlier or later one")
        }
        return clock
    }

    /// Days as a field holds them, if a time of them names its zone in parentheses; anything else as it is.
    static func days(_ text: String) -> String {
        let typed = TextClasses.trimmed(text)
        guard typed.hasSuffix(")"),
            let span = DateSpan(typed: typed, clock: { try? zone(named: $0, on: $1, at: $2) })
        else { return text }
        return span.text
    }

    /// "GMT+0100" is no place's clock.
    private static func isNamed(_ zone: TimeZone) -> Bool { zone.identifier.contains("/") }

    /// By its name or the last part of that (case-insensitive).
    private static func zone(named name: String) throws(TripError) -> TimeZone {
        let wanted = name.lowercased().map { $0 == " " ? "_" : String($0) }.joined()
        if wanted == "utc", let zone = TimeZone(identifier: "UTC") { return zone }
        let known = TimeZone.knownTimeZoneIdentifiers
        let whole = known.filter { $0.lowercased() == wanted }
        let found = whole.isEmpty ? known.filter { $0.lowercased().hasSuffix("/" + wanted) } : whole
        if found.count == 1, let zone = TimeZone(identifier: found[0]) { return zone }
        // An older name, or a newer one that is not listed: Asia/Kolkata.
        let words = wanted.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let regions = Set(known.compactMap { $0.contains("/") ? $0.split(separator: "/").first.map(String.init) : nil })
        let unlisted = [name] + regions.sorted().map { $0 + "/" + words.joined(separator: "_") }
        if found.isEmpty, let zone = unlisted.lazy.compactMap({ TimeZone(identifier: $0) }).first(where: isNamed) {
            return zone
        }
        guard found.isEmpty else {
            throw TripError(
                .malformedValue,
                "several time zones are called \(name.quoted): \(found.sorted().joined(separator: ", "))")
        }
        let last = known.map { String($0.split(separator: "/").last ?? "") }
        let near = NearNames.nearest(to: String(wanted.split(separator: "/").last ?? ""), among: last)
        let hint = near.map { "did you mean \(known[$0])?" } ?? "write it like Europe/Lisbon"
        throw TripError(.malformedValue, "there is no time zone \(name.displayed().quoted); \(hint)")
    }
}
