package import TripModel
package import TripService

/// The clock of a time zone, by its name, at a time of a day.
package typealias ZoneClock = (_ zone: String, Day, _ minute: Int) throws(TripError) -> DayTime.Zone

/// The forms in which items come from outside.
package enum ImportFormat: String, CaseIterable, Hashable, Sendable {
    /// A table with a row of column names (RFC 4180).
    case csv
    /// A Reddit listing, an array of objects, or what `caravan list --json` prints.
    case json
    /// An item a line: a link, a name, or both. Markdown is read so.
    case lines
    /// The link that `ListLink` writes.
    case link
    /// iCalendar, RFC 5545.
    case ics
    /// GPX 1.1.
    case gpx
    /// KML 2.2.
    case kml

    /// By a file's name, and by what stands in it where the name says little.
    ///
    /// - Throws: one line that names what can be read, where it is none of these.
    package init(fileName: String, _ bytes: [UInt8]) throws(ServiceError) {
        let name = fileName.lowercased()
        let endings: [(String, ImportFormat)] = [
            (".csv", .csv), (".tsv", .csv), (".json", .json), (".ics", .ics), (".gpx", .gpx), (".kml", .kml),
            (".url", .link),
        ]
        let named = endings.first { name.hasSuffix($0.0) }?.1
        // Whatever it is called: what begins so is nothing else.
        if let problem = ForeignFile.problem(bytes.withoutByteOrderMark) { throw problem }
        if let named {
            self = named
            return
        }
        let detected = try ImportFormat(detecting: bytes)
        // Prose may begin as a table or as JSON does.
        self = name.hasSuffix(".md") && [.csv, .json].contains(detected) ? .lines : detected
    }

    /// By the first bytes of a text. A table is one whose first row names columns that are known.
    ///
    /// - Throws: one line that names what can be read, where it is none of these.
    package init(detecting bytes: [UInt8]) throws(ServiceError) {
        let text = bytes.withoutByteOrderMark.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let problem = ForeignFile.problem(text) { throw problem }
        let afterBracket = text.dropFirst().first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if text.first == UInt8(ascii: "{") {
            self = .json
        } else if text.first == UInt8(ascii: "["), afterBracket == UInt8(ascii: "{") {
            self = .json
        } else if text.starts(with: ListLink.prefix.utf8) {
            self = .link
        } else if text.starts(with: "BEGIN:VCALENDAR".utf8) {
            self = .ics
        } else if let root = ForeignFile.rootElement(text) {
            self = root == "gpx" ? .gpx : .kml
        } else {
            self = ListingTable.isBegun(by: text) ? .csv : .lines
        }
    }

    /// What the bytes hold: all of it, or nothing.
    ///
    /// Complexity: O(n) in the bytes.
    /// - Parameter clock: what clocks show where; without it, times are local times of wherever the items are.
    /// - Throws: one line that says where something is wrong, and what.
    package func read(_ bytes: [UInt8], clock: ZoneClock? = nil) throws(ServiceError) -> ImportedList {
        guard bytes.count <= ExchangeLimits.bytes else { throw Self.tooLong }
        let list =
            switch self {
            case .csv: try ListingTable.read(bytes)
            case .json: try ListingJSON.read(bytes)
            case .lines: try PastedLines.read(bytes)
            case .link: try ListLink.read(bytes)
            case .ics: try CalendarReader.read(bytes, clock)
            case .gpx: try MapFile.read(bytes, as: .gpx)
            case .kml: try MapFile.read(bytes, as: .kml)
            }
        guard !list.entries.isEmpty || !list.parts.isEmpty || list.note != nil else {
            throw ServiceError(
                list.hiddenCount == 0
                    ? "it contains nothing to add" : "everything in it is hidden or removed at its source")
        }
        return list
    }

    /// What is said of more than `ExchangeLimits.bytes`.
    package static let tooLong = ServiceError(
        "it is larger than \(ExchangeLimits.bytes >> 20) MiB; import a part of it")
}

extension [UInt8] {
    /// Without the mark that some programs put before UTF-8.
    var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...] }
}
