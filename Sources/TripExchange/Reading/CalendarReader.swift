import TripModel
import TripService

/// The events and to-dos of a calendar (iCalendar, RFC 5545). One that repeats is read once; what was cancelled is passed
/// over; alarms and free times say nothing that an item keeps. A time is kept with its time zone, where that is known. A to-do's
/// DUE says by when it is to be done (section 3.8.2.3), and not when it is.
struct CalendarReader {
    /// An event or a to-do, as far as it was read.
    private struct Component {
        var record = ListingRecord()
        var description = ""
        var start: Moment?
        var end: Moment?
        var due: Moment?
        var days: Int?
        var minutes: Int?
        /// What we wrote.
        var own: DateSpan?
        var ownDue: DateSpan?
        /// Whether we wrote it for an event, which says the same.
        var isDeadline = false
        var isCancelled = false
        var isRepeating = false
    }

    /// A day, and perhaps a time of it.
    private struct Moment {
        let day: Day
        let minute: Int?
        /// Nil for the clock of wherever it is, and for one that nobody here knows.
        let zone: DayTime.Zone?
        /// The time zone that is named, whether known or not.
        let zoneName: String?

        /// In minutes since 1970; nil where the clock is not known.
        var minutesSince1970: Int? {
            minute.flatMap { DateSpan(day, at: DayTime(minute: $0, zone: zone)).minutesSince1970 }
        }

        var span: DateSpan { DateSpan(day, at: minute.flatMap { DayTime(minute: $0, zone: zone) }) }
        var hasTime: Bool { minute != nil }
        var isMidnight: Bool { minute == 0 }
    }

    private var list = ImportedList(entryName: "event")
    private var open: [String] = []
    private var component: Component?
    private var isOurs = false
    private var number = 0
    private let clock: ZoneClock?

    private init(_ clock: ZoneClock?) { self.clock = clock }

    /// - Parameter clock: what clocks show where; without it, no time zone is known.
    static func read(_ bytes: [UInt8], _ clock: ZoneClock? = nil) throws(ServiceError) -> ImportedList {
        var calendar = CalendarReader(clock)
        var lines = ContentLines(bytes.withoutByteOrderMark)
        while let line = try lines.next() { try calendar.take(line, lines) }
        guard calendar.open.isEmpty else { throw lines.problem("the calendar ends in the middle") }
        return calendar.list
    }

    private mutating func take(_ line: ContentLine, _ lines: ContentLines) throws(ServiceError) {
        switch line.name {
        case "BEGIN":
            let name = line.value.trimmed.uppercased()
            guard name == "VCALENDAR" || !open.isEmpty else {
                throw lines.problem("\(name.quoted) begins where a calendar should")
            }
            guard open.count < ExchangeLimits.depth else {
                throw lines.problem("the calendar is nested deeper than \(ExchangeLimits.depth) levels")
            }
            open.append(name)
            if Self.isItem(name), open.count == 2 {
                number += 1
                component = Component()
            }
        case "END":
            let name = line.value.trimmed.uppercased()
            guard open.popLast() == name else { throw lines.problem("\(name.quoted) ends and was not begun") }
            if open.count == 1, Self.isItem(name) {
                do throws(ServiceError) { try finish() } catch {
                    throw ServiceError("event \(number): \(error.message)")
                }
            }
        default:
            guard !open.isEmpty else { throw lines.problem("it is outside a calendar") }
            if open.count == 1 { note(ofCalendar: line) } else if open.count == 2 { note(line) }
        }
    }

    private static func isItem(_ name: String) -> Bool { name == "VEVENT" || name == "VTODO" }

    private mutating func note(ofCalendar line: ContentLine) {
        switch line.name {
        case "PRODID": isOurs = line.value == "-//Caravan//Caravan//EN"
        // RFC 7986, and what programs wrote before it.
        case "NAME", "X-WR-CALNAME":
            let name = line.text.displayed().trimmed
            if list.name == nil, !name.isBlank { list.name = name }
        default: break
        }
    }

    private mutating func note(_ line: ContentLine) {
        switch line.name {
        case "SUMMARY": component?.record.note(line.text, as: .field(.title))
        case "DESCRIPTION": component?.description = line.text
        case "URL": if WebAddress(line.value.trimmed) != nil { component?.record.note(line.value, as: .field(.link)) }
        case "LOCATION":
            // Programs put coordinates and links of meetings there as well.
            let place = PlaceReading(line.text).coordinates
            if let place { component?.record.note(place, as: .field(.place)) }
            if place == nil, WebAddress(line.text.trimmed) == nil {
                component?.record.note(line.text, as: .field(.address))
            }
        case "GEO":
            let place = PlaceReading(line.value.split(separator: ";").joined(separator: ",")).coordinates
            if let place { component?.record.note(place, as: .field(.place)) }
        case "UID": if line.value.trimmed.hasSuffix(CalendarFile.deadlineEnding) { component?.isDeadline = true }
        case "DTSTART", "DTEND", "DUE":
            let moment = moment(line)
            switch line.name {
            case "DTSTART": component?.start = moment
            case "DTEND": component?.end = moment
            default: component?.due = moment
            }
        case "RRULE", "RDATE": component?.isRepeating = true
        case "DURATION":
            component?.days = Self.days(line.value)
            component?.minutes = DayTime.length(ofDuration: line.value.trimmed.uppercased())
        case CalendarFile.zonedDates: component?.own = DateSpan(line.value)
        case CalendarFile.zonedDue: component?.ownDue = DateSpan(line.value)
        case "STATUS":
            let status = line.value.trimmed.uppercased()
            component?.isCancelled = status == "CANCELLED"
            if status == "COMPLETED" { component?.record.note(Field.setValue, as: .field(.done)) }
        case "COMPLETED": component?.record.note(Field.setValue, as: .field(.done))
        default: break
        }
    }

    private mutating func finish() throws(ServiceError) {
        guard var component else { return }
        self.component = nil
        if component.isDeadline { return }
        if component.isCancelled {
            list.hiddenCount += 1
            return
        }
        let span = (isOurs ? component.own : nil) ?? Self.timed(component) ?? Self.span(component)
        if component.isRepeating { list.repeatingCount += 1 }
        noteLosses(of: component, as: span)
        if let span { component.record.note(span.text, as: .field(.dates)) }
        let due = (isOurs ? component.ownDue : nil) ?? component.due?.span
        if let due { component.record.note(due.text, as: .field(.due)) }
        var part: Int?
        if isOurs {
            part = try list.note(ofOurs: component.description, in: &component.record)
        } else {
            component.record.note(PlainText.ofHTML(component.description), as: .field(.note))
        }
        // An event needs no summary (section 3.6.1).
        if !component.record.has(.field(.title)) {
            let title = component.record.text(.field(.address)) ?? (span ?? due)?.words
            if let title { component.record.note(title, as: .field(.title)) }
        }
        try list.add(component.record, number: number, part: part)
    }

    /// Counts what a component says of time and its item does not.
    private mutating func noteLosses(of component: Component, as span: DateSpan?) {
        var moments = [component.start, component.end].compactMap(\.self)
        if span?.time == nil {
            if component.start?.hasTime == true, moments.contains(where: { ($0.minute ?? 0) != 0 }) {
                list.longCount += 1
            }
            moments = []
        }
        moments += [component.due].compactMap(\.self)
        for case let name? in moments.filter({ $0.zone == nil }).map(\.zoneName) where !list.unknownZones.contains(name)
        {
            list.unknownZones.append(name)
        }
    }

    // MARK: - Days

    /// "20261122", or "20261122T043609Z": the day and time as they were written, wherever they were meant.
    private func moment(_ line: ContentLine) -> Moment? {
        let text = line.value.trimmed
        let digits = text.prefix(8)
        guard digits.utf8.count == 8,
            let day = Day("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))")
        else { return nil }
        let time = text.dropFirst(8)
        let minute = DayTime.minute(typed: "\(time.dropFirst().prefix(2)):\(time.dropFirst(3).prefix(2))")
        guard time.first == "T", let minute else { return Moment(day: day, minute: nil, zone: nil, zoneName: nil) }
        if time.hasSuffix("Z") {
            return Moment(day: day, minute: minute, zone: DayTime.Zone(offset: 0, name: nil), zoneName: "UTC")
        }
        let name = line.parameter("TZID")
        return Moment(day: day, minute: minute, zone: name.flatMap { zone($0, day, minute) }, zoneName: name)
    }

    /// The clock of a name. Some programs write their own name before it: "/example.org/Europe/Oslo".
    private func zone(_ name: String, _ day: Day, _ minute: Int) -> DayTime.Zone? {
        let parts = name.split(separator: "/")
        let names = name.hasPrefix("/") ? [parts.suffix(2).joined(separator: "/"), String(parts.last ?? "")] : [name]
        return names.lazy.compactMap { [clock] in $0.isEmpty ? nil : try? clock?($0, day, minute) }.first
    }

    /// "P3D" and "P1W"; nil for hours alone.
    private static func days(_ text: String) -> Int? {
        let period = text.trimmed.uppercased().drop { $0 == "+" || $0 == "P" }.prefix { $0 != "T" }
        guard let unit = period.last, let count = Int(period.dropLast()), (1...10_000).contains(count) else {
            return nil
        }
        return unit == "W" ? count * 7 : unit == "D" ? count : nil
    }

    /// A start with a time, of what takes less than a day: nil for what is about whole days.
    private static func timed(_ component: Component) -> DateSpan? {
        guard let start = component.start, let minute = start.minute else { return nil }
        var length = component.minutes
        if let end = component.end {
            let after = (end.day.ordinal - start.day.ordinal) * DayTime.minutesInDay + (end.minute ?? 0) - minute
            if let first = start.minutesSince1970, let last = end.minutesSince1970 {
                length = last - first
            } else if end.hasTime, end.zoneName == start.zoneName {
                length = after
            } else {
                // Two clocks do not say how long it takes.
                return start.day == end.day ? timed(start, minute, nil) : nil
            }
        } else if component.days != nil || length == nil && start.isMidnight {
            return nil
        }
        guard let length, length != 0 else { return timed(start, minute, nil) }
        return (1..<DayTime.minutesInDay).contains(length) ? timed(start, minute, length) : nil
    }

    private static func timed(_ start: Moment, _ minute: Int, _ length: Int?) -> DateSpan? {
        DayTime(minute: minute, length: length, zone: start.zone).map { DateSpan(start.day, at: $0) }
    }

    /// An end at a day, or at its first moment, is the first day that is none of it (section 3.6.1).
    private static func span(_ component: Component) -> DateSpan? {
        guard let start = component.start else {
            return component.end.flatMap { DateSpan(arrival: $0.day, departure: nil) }
        }
        var last: Day?
        if let end = component.end {
            last = end.hasTime && !end.isMidnight ? end.day : end.day.previous
        } else if let days = component.days {
            last = (0..<min(days - (start.hasTime ? 0 : 1), 366)).reduce(Day?.some(start.day)) { day, _ in day?.next }
        }
        guard let last, last > start.day else { return DateSpan(arrival: start.day, departure: nil) }
        return DateSpan(arrival: start.day, departure: last) ?? DateSpan(arrival: start.day, departure: nil)
    }
}

/// One property: its name and its value, as they were written.
struct ContentLine {
    let name: String
    /// As they were written, each behind a semicolon: ";VALUE=DATE".
    let parameters: String
    let value: String

    /// The value of a parameter, without quotation marks; nil where there is none.
    func parameter(_ name: String) -> String? {
        var isQuoted = false
        let all = parameters.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
        let value = all.lazy.map { $0.split(separator: "=", maxSplits: 1) }
            .first { $0.count == 2 && $0[0].uppercased() == name }?[1]
        return value.map { $0.filter { $0 != "\"" }.trimmed }
    }

    /// The value as one of type TEXT (section 3.3.11).
    var text: String {
        guard value.utf8.contains(0x5C) else { return value }
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                text.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

/// The lines of a calendar, unfolded (RFC 5545, section 3.1).
struct ContentLines {
    private let bytes: ArraySlice<UInt8>
    private var place: Int
    /// Of the line that was read last, its first one in the file, from 1.
    private var number = 0
    private var count = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    func problem(_ what: String) -> ServiceError { ServiceError("line \(max(number, 1)): \(what)") }

    /// The next one that is not blank; nil at the end. O(n) in its bytes.
    mutating func next() throws(ServiceError) -> ContentLine? {
        while place < bytes.endIndex {
            number = count + 1
            var line = nextRaw()
            while place < bytes.endIndex, bytes[place] == 0x20 || bytes[place] == 0x09 {
                place += 1
                line += nextRaw()
                guard line.count <= ExchangeLimits.fieldBytes else {
                    throw problem("it has more than \(ExchangeLimits.fieldBytes >> 10) KiB")
                }
            }
            guard line.count <= ExchangeLimits.fieldBytes else {
                throw problem("it has more than \(ExchangeLimits.fieldBytes >> 10) KiB")
            }
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            return try property(line)
        }
        return nil
    }

    private mutating func nextRaw() -> ArraySlice<UInt8> {
        count += 1
        let end = bytes[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
        defer {
            place = end
            if place < bytes.endIndex {
                place += bytes[place] == 0x0D && place + 1 < bytes.endIndex && bytes[place + 1] == 0x0A ? 2 : 1
            }
        }
        return bytes[place..<end]
    }

    /// "DTSTART;VALUE=DATE:20261122": a parameter may stand in quotation marks, and hold a colon then.
    private func property(_ line: ArraySlice<UInt8>) throws(ServiceError) -> ContentLine {
        var isQuoted = false
        var colon: Int?
        var nameEnd: Int?
        for (index, byte) in zip(line.indices, line) {
            if byte == 0x22 { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == UInt8(ascii: ";"), nameEnd == nil { nameEnd = index }
            if byte == UInt8(ascii: ":") {
                colon = index
                break
            }
        }
        guard let colon else { throw problem("this is not a calendar line, because it has no colon") }
        guard let name = String(validating: line[..<(nameEnd ?? colon)], as: UTF8.self),
            let value = String(validating: line[(colon + 1)...], as: UTF8.self)
        else { throw problem("it is not in UTF-8; save the calendar in UTF-8") }
        let parameters = String(decoding: line[(nameEnd ?? colon)..<colon], as: UTF8.self)
        return ContentLine(name: name.uppercased(), parameters: parameters, value: value)
    }
}
