import TripModel
import TripService

/// A trip as a calendar (iCalendar, RFC 5545): an event for what has dates, and a to-do for all else, for calendars show these
/// where nothing has a date. By when something is to be done is a to-do's, too. A time is in UTC, so that no calendar has to know our
/// time zones; one without a zone is that of the reader's clock, wherever they are (section 3.3.5, form 1).
enum CalendarFile {
    static func write(_ trip: TripView) throws(ServiceError) -> String {
        // A calendar has one component at least (RFC 5545, section 3.6).
        guard !trip.items.isEmpty else { throw ServiceError("there is nothing to export; add an item first") }
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Caravan//Caravan//EN"]
        if let title = trip.title { lines.append("NAME:" + escaped(title.value)) }
        for item in trip.exportedItems { lines += component(item) + deadline(item) }
        return (lines + ["END:VCALENDAR"]).map { folded($0) + "\r\n" }.joined()
    }

    private static func component(_ item: ItemView) -> [String] {
        let span = item.dates
        let kind = span == nil ? "VTODO" : "VEVENT"
        var lines = ["BEGIN:\(kind)", "UID:" + uid(item), "DTSTAMP:\(stamp(item.addedAt))"]
        lines.append("SUMMARY:" + escaped(item.title))
        if span == nil, let due = item.due { lines += properties(ofDue: due) }
        if let span, let time = span.time {
            lines += moment(span, time)
            lines.append("STATUS:" + (item.isChosen ? "CONFIRMED" : "TENTATIVE"))
        } else if let span {
            lines.append("DTSTART;VALUE=DATE:" + date(span.arrival))
            // The first day that is none of it (section 3.6.1): who leaves is there on that day.
            if let end = (span.departure ?? span.arrival).next { lines.append("DTEND;VALUE=DATE:" + date(end)) }
            lines.append("STATUS:" + (item.isChosen ? "CONFIRMED" : "TENTATIVE"))
        }
        // Only a to-do can be due, and completed.
        let description = OwnDescription.write(
            item, without: span == nil ? [.place, .link, .address, .done, .due] : [.place, .link, .address, .dates])
        if !description.isEmpty { lines.append("DESCRIPTION:" + escaped(description)) }
        if let address = item.fields[.address] { lines.append("LOCATION:" + escaped(address.value)) }
        if let place = ExportedPlace(item) { lines.append("GEO:\(place.latitude);\(place.longitude)") }
        // A value of type URI has no escapes, and a link no line end.
        if let link = item.fields[.link] { lines.append("URL:" + link.value) }
        if item.isDone, span == nil { lines.append("STATUS:COMPLETED") }
        return lines + ["END:\(kind)"]
    }

    /// A to-do for an event that is due: it has no such property itself (section 3.6.1). None for all else.
    private static func deadline(_ item: ItemView) -> [String] {
        guard item.dates != nil, let due = item.due else { return [] }
        var lines = ["BEGIN:VTODO", "UID:\(item.id.digits)\(deadlineEnding)", "DTSTAMP:\(stamp(item.addedAt))"]
        lines += ["SUMMARY:" + escaped(item.title), "RELATED-TO:" + uid(item)]
        lines += properties(ofDue: due)
        if item.isDone { lines.append("STATUS:COMPLETED") }
        return lines + ["END:VTODO"]
    }

    /// The same each time (section 3.8.4.7).
    private static func uid(_ item: ItemView) -> String { item.id.digits + "@caravan" }

    /// How the UID of an event's deadline ends, for us to know it again: the event says all of it.
    static let deadlineEnding = "-due@caravan"

    /// A day, or a moment (section 3.8.2.3).
    private static func properties(ofDue due: DateSpan) -> [String] {
        guard let time = due.time else { return ["DUE;VALUE=DATE:" + date(due.arrival)] }
        guard let minutes = due.minutesSince1970 else { return ["DUE:" + local(due.arrival, time)] }
        return ["DUE:" + stamp(Int64(minutes) * 60_000), "\(zonedDue):" + due.text]
    }

    /// A length is exact, whatever the clocks do meanwhile; without one, an event ends as it begins (section 3.6.1).
    private static func moment(_ span: DateSpan, _ time: DayTime) -> [String] {
        var lines: [String] = []
        if let minutes = span.minutesSince1970 {
            lines.append("DTSTART:" + stamp(Int64(minutes) * 60_000))
            // Which zone it was planned in, for us to read again.
            lines.append("\(zonedDates):" + span.text)
        } else {
            lines.append("DTSTART:" + local(span.arrival, time))
        }
        return lines + (time.duration.map { ["DURATION:" + $0] } ?? [])
    }

    /// The properties with a field's value (section 3.8.8.2).
    static let zonedDates = "X-CARAVAN-DATES"
    static let zonedDue = "X-CARAVAN-DUE"

    /// "20261122" (section 3.3.4).
    private static func date(_ day: Day) -> String { day.text.filter { $0 != "-" } }

    /// "20261122T043600" (section 3.3.5, form 1).
    private static func local(_ day: Day, _ time: DayTime) -> String {
        date(day) + "T" + time.start.filter { $0 != ":" } + "00"
    }

    /// "20261122T043609Z" (section 3.3.5).
    private static func stamp(_ milliseconds: Int64) -> String {
        CivilTime.rfc3339(milliseconds).filter { $0 != "-" && $0 != ":" }
    }

    /// A value of type TEXT (section 3.3.11).
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\" + String(scalar)
            case "\n": escaped += "\\n"
            case "\t": escaped += "\t"
            case _ where TextClasses.isControl(scalar): escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let lineBytes = 75

    /// Lines of at most 75 bytes, the further ones behind a blank (section 3.1); no character is cut in two.
    private static func folded(_ line: String) -> String {
        guard line.utf8.count > lineBytes else { return line }
        var folded = ""
        var bytes = 0
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if bytes + size > lineBytes {
                folded += "\r\n "
                bytes = 1
            }
            folded.unicodeScalars.append(scalar)
            bytes += size
        }
        return folded
    }
}
